"""Texts of others cannot reach into the screen: not with escape codes, not with line breaks, not by writing backwards."""

import json

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
    ID  NAME      STATE      KEYS          CALLS ITSELF
    c1  @alice    connected  post-quantum  alice
    c2  @alice_1  connected  post-quantum  alice, \x1b[31mAlice\x1b[0m\nthe \u{202e}other
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
    unread     0
    eve$ tacit list profiles
       ID  NAME   UNREAD  FULL NAME
    *  p1  alice          \x1b[31mAlice\x1b[0m\nthe \u{202e}other
''')
ansi = "\x1b[31m@alice\x1b[0m\r"
for words in (["send", ansi, "x"], ["read", ansi], ["connect", ansi], ["help", ansi], [ansi], ["list", ansi], ["list", "--last", ansi]):
    err = stage.shell("bob", "tacit " + " ".join(f"'{word}'" for word in words)).err
    assert err and all(character.isprintable() or character == "\n" for character in err), (words, err)
