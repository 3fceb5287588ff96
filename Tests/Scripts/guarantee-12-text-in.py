"""Guarantee 12: text comes in as it is: from standard input where that is written, with many lines, to odd names."""

import os

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
stage.person("alice", relay)
stage.person("bob", relay)
link = stage.tacit("alice", "connect", "--as", "Ann Lee").out.strip()
stage.tacit("bob", "connect", link)
for person in ("alice", "bob", "alice"):
    stage.tacit(person, "fetch", "-q")


def received():
    stage.tacit("bob", "fetch", "-q")
    return stage.tacit("bob", "read", "--last", "1", "--json").objects[0]["text"]


# Standard input is read where - is written, to its end, and only the last line break is taken off.
for given, text in (
    ("one line\n", "one line"),
    ("no line break", "no line break"),
    ("\nmany\n\n  lines\t\n\n", "\nmany\n\n  lines\t\n"),
    ("-", "-"),
    ("$HOME `id` \\n 'quoted' \"twice\" %s\n", "$HOME `id` \\n 'quoted' \"twice\" %s"),
    ("\u202eüñí 👩‍👩‍👧 \u0007\n", "\u202eüñí 👩‍👩‍👧 \u0007"),
):
    stage.tacit("alice", "send", "@Ann Lee", "-", stdin=given)
    assert received() == text, (given, text)

# What begins like an option is text behind --, and one word is one name.
stage.tacit("alice", "send", "Ann Lee", "--", "--wait")
assert received() == "--wait"
stage.tacit("alice", "send", "id:c1", "--", "-- two\nlines")
assert received() == "-- two\nlines"

# Nobody reads standard input unless it was asked for: a terminal or a pipe that never ends keeps nothing waiting.
reading, writing = os.pipe()
stage.start("alice", "send", "@Ann Lee", "no input", stdin=reading).ended()
ended = stage.start("alice", "send", "@Ann Lee", stdin=reading).ended()
os.close(reading)
os.close(writing)
assert ended.code == 64 and "no text given" in ended.err, ended.err
assert received() == "no input"

# Nothing is no message, and what is no text is an error before anything is sent.
stage.play(r'''
    alice$ printf '' | tacit send '@Ann Lee' -
    ! tacit: cannot send to '@Ann Lee': the text is empty
    !   try: tacit send TARGET 'some words'
    !   try: some-program | tacit send TARGET -    read the text from standard input
    [64]
    alice$ printf '\377' | tacit send '@Ann Lee' -
    ! tacit: cannot send to '@Ann Lee': the text on standard input is not UTF-8
    [65]
    alice$ tacit send Ann Lee hi
    ! tacit: 'tacit send' takes no argument 'hi'
    !   try: tacit send TARGET 'TEXT WITH SPACES'    quote the text
    !   try: tacit send -h                           show its usage
    [64]
    alice$ printf 'corrected\nin two lines\n' | tacit message edit m1 - -q
    alice$ tacit read --plain --fields text --last 9 | head -n 1
    corrected\nin two lines
''')
stage.tacit("bob", "fetch", "-q")
first = [m for m in stage.tacit("bob", "read", "--json").objects if m["id"] == "m1"][0]
assert first["text"] == "corrected\nin two lines", first

# A name may be anything that a name may be; the words around it stay whole.
stage.tacit("alice", "contact", "rename", "@Ann Lee", "Ännchen Lee-Ö 2")
stage.tacit("alice", "send", "@Ännchen Lee-Ö 2", "to an odd name")
assert received() == "to an odd name"
