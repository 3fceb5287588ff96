"""Texts of others cannot reach into the screen: not with escape codes, not with line breaks, not by writing backwards."""

import json

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")

TEXTS = [
    "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b1m",
    "innocent\n2026-01-01 00:00  @eve  │ forged\n",
    "carriage\rreturn and back\x08space",
    "‮gnp.exe‬ ⁦isolated⁩ ‏mark",
    "a\ttab, a\x00NUL, a\x7fDEL, \u2028 and \u2029",
    "zero​width, joined ‍ letters, 👩‍👩‍👧 family",
    "é and ZALGO" + "\u0300" * 40,
    "{\"v\":1,\"type\":\"error\"}",
]
for text in TEXTS:
    message = json.dumps([{"msgContent": {"type": "text", "text": text}}])
    stage.tacit("alice", "api", f"/_send @1 json {message}")

# As JSON it is what was written.
stage.tacit("alice", "fetch", "-q")
received = stage.tacit("bob", "fetch", "--json").objects
assert [message["text"] for message in received[:-1]] == TEXTS
assert [message["text"] for message in stage.tacit("bob", "read", "--json").objects] == TEXTS

# As text each message begins with its time and its sender, and stands behind the margin.
for words in (["read"], ["list"], ["list", "messages"], ["read", "--color", "always"]):
    shown = stage.tacit("bob", *words).out
    colours = {"\x1b"} if "always" in words else set()
    strange = {character for character in shown if not character.isprintable()} - {"\n"} - colours
    assert not strange, (words, strange)
stage.play(r'''
    bob$ tacit read
    bob$ tacit read --plain --fields text
    bob$ tacit list
''')

# Neither can names.
stage.tacit("eve", "init", "--no-encryption", "--server", relay.address)
for name in ("\x1b[31mred", "two\nlines", "‮backwards", " space", "@alice", "a" * 51, "tab\tbed"):
    ended = stage.tacit("eve", "profile", "create", name, expect=64)
    assert all(character.isprintable() or character == "\n" for character in ended.err), ended.err
stage.tacit("eve", "profile", "create", "alice", "--full-name", "\x1b[31mAlice\x1b[0m\nthe ‮other")
stage.values["link"] = stage.tacit("bob", "connect").out.strip()
stage.play(r'''
    eve$ tacit connect "$link" -q
    bob$ tacit fetch
    eve$ tacit fetch
    bob$ tacit list contacts
    bob$ tacit list contacts --plain
    eve$ tacit profile show
    eve$ tacit list profiles
''')
ansi = "\x1b[31m@alice\x1b[0m\r"
for words in (["send", ansi, "x"], ["read", ansi], ["connect", ansi], ["help", ansi], [ansi], ["list", ansi], ["list", "--last", ansi]):
    err = stage.shell("bob", "tacit " + " ".join(f"'{word}'" for word in words)).err
    assert err and all(character.isprintable() or character == "\n" for character in err), (words, err)
