"""Nobody learns who one is: a name is made up for one contact, and no change of the profile tells another."""

import json
import pathlib

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
alice = stage.person("alice", relay)
for name in ("bob", "carol", "dave", "eve"):
    stage.person(name, relay)


def one(person, *words):
    """The only object that a command prints."""
    (found,) = stage.tacit(person, *words, "--json").objects
    return found


def is_made_up(name):
    return name.isalpha() and name.istitle() is False and name[0].isupper() and sum(map(str.isupper, name)) == 2


def fetch(*people):
    for person in people:
        stage.tacit(person, "fetch")


# An invitation of one's own: nothing that is told before or after has the name.
made = one("alice", "connect", "--incognito")
name = made["incognito"]
assert is_made_up(name), made
seen = stage.tacit("bob", "api", f"/_connect plan 1 {made['link']}")
assert name in seen.out and "alice" not in seen.out, seen.out
assert one("bob", "connect", made["link"])["state"] == "sent"
fetch("alice", "bob", "alice")
assert ["sees", "you", "as", name] in [line.split() for line in stage.tacit("alice", "contact", "show", "@bob").out.splitlines()]
assert one("alice", "contact", "show", "@bob")["incognito"] == name
assert f"connected, as {name}" in stage.tacit("alice", "list", "contacts").out
assert one("bob", "list", "contacts")["display_name"] == name

# The link of somebody else; the word for people says it too.
link = one("carol", "connect")["link"]
ended = stage.tacit("alice", "connect", link, "--incognito", "--as", "Carol")
other = ended.out.split()[-1]
assert ended.out == f"the relay has accepted the request (i2), as {other}\n" and is_made_up(other), ended.out
fetch("carol", "alice", "carol")

# An address: it gets a request of nobody known. To ask again with one's own name would be too late, and the other way round.
link = one("dave", "address", "create")["link"]
asked = one("alice", "connect", link, "--incognito")["incognito"]
assert one("alice", "connect", link)["incognito"] == asked
fetch("dave")
assert one("dave", "list", "requests")["display_name"] == asked
stage.tacit("dave", "accept", "--all")
fetch("alice", "dave", "alice")
stage.play(r'''
    carol$ tacit connect > link.txt 2> /dev/null
    eve$ tacit connect "$(cat link.txt)" -q
    eve$ tacit connect "$(cat link.txt)" --incognito
    ! tacit: cannot connect: the link is already in use, with your profile
    !   why: its creator may already have received your name
    [65]
''')

# Whoever is accepted incognito knows no name, unless the link told it.
address = one("alice", "address", "create")["full_link"]
stage.tacit("eve", "connect", address)
fetch("alice")
answer = one("alice", "accept", "@eve", "--incognito")
assert is_made_up(answer["incognito"]), answer
fetch("eve", "alice", "eve")

# What changes is told to nobody of them.
for text in ("alice-the-first", "alice-the-second"):
    ended = stage.tacit("alice", "profile", "set", "--name", text, "--bio", f"the words of {text}")
    fetch("alice", "bob", "carol", "dave", "eve", "alice")
for person in ("bob", "carol", "dave", "eve"):
    contact = next(each["name"] for each in stage.tacit(person, "list", "contacts", "--json").objects if is_made_up(each["name"]))
    stage.tacit(person, "send", f"@{contact}", f"hello from {person}")
    stage.tacit("alice", "fetch")
    for words in (["contact", "show", f"@{contact}"], ["read"], ["list"], ["api", "/contacts"], ["api", "/chats"],
                  ["export", "-", "--format", "jsonl"]):
        seen = stage.tacit(person, *words)
        assert "alice" not in seen.out, (person, words, seen.out)
    stage.tacit(person, "db", "decrypt", "--yes")
    for path in stage.place(person).rglob("*"):
        if path.is_file() and path.name != "tacit.conf":
            assert b"alice" not in path.read_bytes(), path
assert {each["incognito"] for each in stage.tacit("alice", "list", "contacts", "--json").objects} == {
    name, other, asked, answer["incognito"]
}
