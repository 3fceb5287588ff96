"""Texts of others cannot reach into the screen: not with escape codes, not with line breaks, not by writing backwards."""

import json
import re

from support import hostile
from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")

TEXTS = [
    "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b1m",
    "innocent\n2026-01-01 00:00  @eve  │ forged\n",
    "carriage\rreturn and back\x08space",
    "\u202egnp.exe\u202c \u2066isolated\u2069 \u200fmark",
    "a\ttab, a\x00NUL, a\x7fDEL, \u2028 and \u2029",
    "zero\u200bwidth, joined \u200d letters",
    "{\"v\":1,\"type\":\"error\"}",
]
# What nobody means badly, and what is good in small doses.
FAMILY = "👩\u200d👩\u200d👧"
MARKED = "e" + "\u0300" * 40

for text in [FAMILY, MARKED, *TEXTS]:
    message = json.dumps([{"msgContent": {"type": "text", "text": text}}])
    stage.tacit("alice", "api", f"/_send @1 json {message}")

# As JSON it is what was written.
stage.tacit("alice", "fetch", "-q")
received = stage.tacit("bob", "fetch", "--json").objects
assert [message["text"] for message in received[:-1]] == [FAMILY, MARKED, *TEXTS]
assert [message["text"] for message in stage.tacit("bob", "read", "--json").objects] == [FAMILY, MARKED, *TEXTS]

# As text each message begins with its time and its sender, and stands behind the margin.
for words in (["read"], ["list"], ["list", "messages"], ["read", "--color", "always"]):
    shown = stage.tacit("bob", *words).out
    assert shown.count("\u0300") <= 10, words
    shown = shown.replace(FAMILY, "")
    colours = {"\x1b"} if "always" in words else set()
    strange = {character for character in shown if not character.isprintable()} - {"\n"} - colours
    assert not strange, (words, strange)
stage.play(r'''
    bob$ tacit read --last 7
    YYYY-MM-DD hh:mm  @alice  │ \x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b1m
    YYYY-MM-DD hh:mm  @alice  │ innocent
                              │ YYYY-MM-DD hh:mm  @eve  │ forged
                              │
    YYYY-MM-DD hh:mm  @alice  │ carriage\rreturn and back\x08space
    YYYY-MM-DD hh:mm  @alice  │ \u{202e}gnp.exe\u{202c} \u{2066}isolated\u{2069} \u{200f}mark
    YYYY-MM-DD hh:mm  @alice  │ a       tab, a\x00NUL, a\x7fDEL, \u{2028} and \u{2029}
    YYYY-MM-DD hh:mm  @alice  │ zero\u{200b}width, joined \u{200d} letters
    YYYY-MM-DD hh:mm  @alice  │ {"v":1,"type":"error"}
    bob$ tacit list
    ID  CHAT    UNREAD  LAST
    c1  @alice       9  YYYY-MM-DD hh:mm  {"v":1,"type":"error"}
''')

# Neither can names.
stage.tacit("eve", "init", "--server", relay.address)
for name in ("\x1b[31mred", "two\nlines", "\u202ebackwards", " space", "@alice", "a" * 51, "tab\tbed"):
    ended = stage.tacit("eve", "profile", "create", name, expect=64)
    assert all(character.isprintable() or character == "\n" for character in ended.err), ended.err
stage.tacit("eve", "profile", "create", "alice", "--full-name", "\x1b[31mAlice\x1b[0m\nthe \u202eother")
stage.values["link"] = stage.tacit("bob", "connect").out.strip()
stage.play(r'''
    eve$ tacit connect "$link" -q
    bob$ tacit fetch
    @alice_1 is connecting
    @alice_1 is connected
    ! no new messages
    eve$ tacit fetch
    @bob is connecting
    @bob is connected
    ! no new messages
    bob$ tacit list contacts
    ID  NAME      STATE      KEYS          PROFILE NAME
    c1  @alice    connected  post-quantum  alice
    c2  @alice_1  connected  post-quantum  alice, \x1b[31mAlice\x1b[0m\nthe \u{202e…
    bob$ tacit list contacts --plain | od -An -c
       c   1  \t   a   l   i   c   e  \t   c   o   n   n   e   c   t
       e   d  \t  \n   c   2  \t   a   l   i   c   e   _   1  \t   c
       o   n   n   e   c   t   e   d  \t   \   x   1   b   [   3   1
       m   A   l   i   c   e   \   x   1   b   [   0   m   \   n   t
       h   e     342 200 256   o   t   h   e   r  \n
    eve$ tacit profile show
    profile    alice, active
    id         p1
    full name  \x1b[31mAlice\x1b[0m\nthe \u{202e}other
    receipts   on
    unread     0
    eve$ tacit list profiles
       ID  NAME   UNREAD  FULL NAME
    *  p1  alice          \x1b[31mAlice\x1b[0m\nthe \u{202e}other
''')
ansi = "\x1b[31m@alice\x1b[0m\r"
for words in (["send", ansi, "x"], ["read", ansi], ["connect", ansi], ["help", ansi], [ansi], ["list", ansi], ["list", "--last", ansi]):
    err = stage.shell("bob", "tacit " + " ".join(f"'{word}'" for word in words)).err
    assert err and all(character.isprintable() or character == "\n" for character in err), (words, err)

# The whole collection, through everything that prints what others wrote, live and at rest, as a table and as a page.
watching = stage.start("bob", "watch")
wait_until(lambda: str(watching.pid) in (stage.place("bob") / "lock").read_text(), "the lock", watching.process)
for text in hostile.TEXTS:
    message = json.dumps([{"msgContent": {"type": "text", "text": text}}])
    stage.tacit("alice", "api", f"/_send @1 json {message}")
stage.tacit("alice", "send", "@bob", "that was all", "--timeout", "15s", "-q")
lines = []
while not lines or "that was all" not in lines[-1]:
    lines.append(watching.line())
watching.signal(15)
watching.ended()
hostile.check_text("\n".join(lines), "watch")
heads = [line[:60] for line in lines if line.startswith("20") and "  @alice  │" in line]
assert len(heads) == len(hostile.TEXTS) + 1, heads

newest = stage.tacit("bob", "read", "--json", "--last", "3").objects[0]["id"]
for words in (["read", "--last", "40"], ["read", "--unread"], ["list"], ["list", "messages"], ["list", "contacts"],
              ["contact", "show", "@alice_1"], ["contact", "list"], ["message", "show", newest], ["status"],
              ["message", "search", "forged"], ["read", "--search", "\x1b"], ["export", "-", "--format", "txt"],
              ["export", "-", "--format", "html"], ["read", "--cursor", "h", "--peek"], ["cursor"]):
    for environment in ({"COLUMNS": "20"}, {"COLUMNS": "100"}, {"COLUMNS": "1"}, {"LC_ALL": "C"}):
        ended = stage.tacit("bob", *words, env=environment)
        hostile.check_text((ended.out + ended.err).replace(FAMILY, ""), (words, environment))

# A page has no markup of theirs, in whatever they hide it.
page = stage.tacit("bob", "export", "-", "--format", "html").out
body = page[page.index("<main>"):]
tags = set(re.findall(r"<(/?[a-zA-Z!][a-zA-Z0-9]*)", body))
assert tags <= {name for tag in "main section h2 h3 small bdi article b p footer time i br body html".split()
                for name in (tag, f"/{tag}")}, tags
assert not re.search(r"<[^>]*\bon[a-z]+=|javascript:", body)

# An answer that quotes, and a reaction, are as harmless as what they are about.
stage.tacit("bob", "send", "@alice", "answer", "--reply-to", newest, "-q")
stage.tacit("alice", "fetch", "-q")
hostile.check_text(stage.tacit("alice", "read", "--last", "3").out, "quotes")

# Names of cursors, files and keys come from whoever types; they are said back in a form that shows what they are.
for text in hostile.TEXTS:
    if "\0" in text or text.startswith("-") or len(text) > 4000:
        continue
    for words in (["cursor", "commit", text, "m1"], ["read", "--cursor", text, "--exec", "true", "--peek"],
                  ["import", f"./{text}", "--dry-run"], ["list", "--key-file", text], ["list", "--profile", text],
                  ["message", "search", text, "--exit-code"], ["relay", "status", text], ["server", "add", text],
                  ["config", "get", text], ["open", text], ["help", text], ["schema", text], ["completion", text]):
        ended = stage.start("bob", *words).ended()
        assert ended.code != 70 and ended.code < 128, (words, ended.code)
        hostile.check_text(ended.err + ended.out, words)
