"""Files as they are sent: from a pipe, several at once, with captions and quotes, to groups, forwarded, by links, and what goes on
when the command has ended."""
# limit: 180

import hashlib
import json
import os
import signal
import time

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob", files=True)


def make(name, size):
    """A file of random bytes, and its digest."""
    data = os.urandom(size)
    (stage.folder / name).write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def files(person):
    return stage.tacit(person, "file", "list", "--json").objects


def received(person, chat):
    """The texts and file names of received messages with a file."""
    items = stage.tacit(person, "read", chat, "--json", "--last", "50").objects
    return [(item["text"], item["file"]["name"]) for item in items if item.get("file") and item["direction"] == "in"]


# A pipe is a file, with a name.
place = stage.place("alice") / "files"
ended = stage.shell("alice", "seq 1000 | tacit send @bob 'the log' --attach - --name boot.log --json")
assert ended.code == 0 and ended.objects[0]["state"] == "sent", ended.err
assert place.joinpath("boot.log").read_text() == "".join(f"{n}\n" for n in range(1, 1001))
assert stage.shell("alice", "echo x | tacit send @bob --attach -").code == 0
stage.tacit("bob", "fetch")
assert received("bob", "@alice") == [("the log", "boot.log"), ("", "stdin")], received("bob", "@alice")
offers = {file["name"]: file for file in files("bob")}
stage.tacit("bob", "file", "receive", offers["boot.log"]["id"])
assert (stage.place("bob") / "files/boot.log").read_text().startswith("1\n2\n")
stage.play(r'''
    alice$ seq 3 | tacit send @bob - --attach -
    ! tacit: standard input is read only once
    !   why: '-' as the text, and each '--attach -', read it to its end
    !   try: tacit send -h
    [64]
    alice$ tacit send @bob --attach notes.txt --name other.txt
    ! tacit: '--name' needs '--attach -'
    !   why: other files keep their names
    !   try: some-program | tacit send @alice --attach - --name log.txt
    [64]
    alice$ true | tacit send @bob --attach -
    ! tacit: cannot send to '@bob': standard input is empty
    !   try: some-program | tacit send @alice --attach -    send the output of a program as a file
    [64]
''')
# What is not sent leaves nothing behind.
names = sorted(os.listdir(place))
assert stage.shell("alice", "seq 3 | tacit send @nobody --attach -").code == 67
assert stage.shell("alice", "seq 3 | tacit send @bob --attach - --dry-run").code == 0
assert sorted(os.listdir(place)) == names
assert stage.shell("alice", "echo 1 | tacit send @bob --attach - --name a/b").code == 64

# Several in one command: the caption goes with the first, which answers a message.
make("a.txt", 10), make("b.txt", 20)
quoted = next(item for item in stage.tacit("alice", "read", "@bob", "--json").objects if item.get("text") == "the log")
sent = stage.tacit(
    "alice", "send", "@bob", "both", "--attach", "a.txt", "--attach", "b.txt", "--reply-to", quoted["id"], "--json"
).objects
assert [each["state"] for each in sent] == ["sent", "sent"]
stage.tacit("bob", "fetch")
assert received("bob", "@alice")[2:] == [("both", "a.txt"), ("", "b.txt")]
answers = [item for item in stage.tacit("bob", "read", "@alice", "--json").objects if item.get("quote")]
assert [item["quote"]["text"] for item in answers] == ["the log"]

# Forwarded with its file once that is here, and without it before.
message = next(item for item in stage.tacit("bob", "read", "@alice", "--json").objects if item["text"] == "both")
ended = stage.tacit("bob", "message", "forward", message["id"], "notes")
assert "forwarded without the file" in ended.err, ended.err
bare = next(item for item in stage.tacit("bob", "read", "@alice", "--json").objects if item.get("file", {}).get("name") == "b.txt")
stage.tacit("bob", "message", "forward", bare["id"], "@alice", expect=69)
stage.tacit("bob", "file", "receive", message["file"]["id"])
forwarded = stage.tacit("bob", "message", "forward", message["id"], "@alice", "--json")
assert forwarded.objects[0]["state"] == "sent" and "without" not in forwarded.err
stage.tacit("alice", "fetch")
assert received("alice", "@bob") == [("both", "a.txt")]

# Queued, and uploaded by the next fetch, or by a daemon behind the back of the command.
whole = make("later.bin", 200_000)
queued = stage.tacit("alice", "send", "@bob", "--attach", "later.bin", "--wait", "queued", "--json").objects[0]
assert queued["state"] == "queued" and files("alice")[0]["state"] == "queued"
stage.tacit("alice", "fetch")
assert files("alice")[0]["state"] == "sent"
daemon = stage.start("alice", "daemon", "run")
wait_until(lambda: stage.shell("alice", "tacit daemon status -q").code == 0, "the daemon")
make("daemon.bin", 200_000)
stage.tacit("alice", "send", "@bob", "--attach", "daemon.bin", "--wait", "queued")
wait_until(lambda: files("alice")[0]["state"] == "sent", "an upload by the daemon")
assert files("alice")[0]["name"] == "daemon.bin"
# Also from a pipe, and waited for.
assert stage.shell("alice", "seq 9 | tacit send @bob --attach - --name nine").code == 0
daemon.signal(signal.SIGTERM)
assert daemon.ended().code == 0
stage.tacit("bob", "fetch")
assert [name for _, name in received("bob", "@alice")][-3:] == ["later.bin", "daemon.bin", "nine"]
# The sender is gone, and its relay is enough.
relay_has = {file["name"]: file["id"] for file in files("bob")}
stage.tacit("bob", "file", "receive", relay_has["later.bin"])
assert digest(stage.place("bob") / "files/later.bin") == whole

# Delivered: the contact has the message, and its relay the file.
watching = stage.start("bob", "watch", "-q")
make("d.txt", 50)
assert stage.tacit("alice", "send", "@bob", "--attach", "d.txt", "--wait", "delivered", "--json").objects[0]["state"] == "delivered"
watching.signal(signal.SIGTERM)
watching.ended()

# Ctrl-C says what goes on, and the next fetch does.
make("large.bin", 30_000_000)
process = stage.start("alice", "send", "@bob", "--attach", "large.bin")
wait_until(lambda: files("alice")[0]["name"] == "large.bin" and files("alice")[0]["state"] in ("sending", "sent"), "an upload")
process.signal(signal.SIGINT)
ended = process.ended()
if ended.code != 0:
    assert ended.code == 128 + signal.SIGINT and "continue with: tacit fetch" in ended.err, ended.err
wait_until(lambda: stage.shell("alice", "tacit fetch -qq").code == 0 and files("alice")[0]["state"] == "sent", "the rest")
stage.tacit("bob", "fetch")
file = files("bob")[0]["id"]
process = stage.start("bob", "file", "receive", file)
wait_until(lambda: stage.tacit("bob", "file", "show", file, "--json").objects[0]["state"] in ("receiving", "ready"), "a download")
process.signal(signal.SIGINT)
ended = process.ended()
if ended.code != 0:
    assert f"continue with: tacit file receive {file}" in ended.err, ended.err

# Progress for programs.
ended = stage.tacit("bob", "file", "receive", file, "--progress", "json")
steps = [json.loads(line) for line in ended.err.splitlines() if line.startswith("{")]
assert all(step["type"] == "progress" and step["command"] == "file receive" for step in steps), ended.err
assert any(step.get("total", 0) >= 30_000_000 for step in steps), steps
assert digest(stage.place("bob") / "files/large.bin") == digest(stage.folder / "large.bin")

# A group.
stage.person("cath", relay)
stage.tacit("cath", "server", "add", relay.files)
stage.connect("alice", "cath")
stage.tacit("alice", "group", "create", "team")
stage.tacit("alice", "group", "invite", "+team", "@bob", "@cath")


def connected():
    for name in "alice", "bob", "cath":
        stage.shell(name, "tacit fetch -qq --timeout 5s")
        if name != "alice":
            stage.shell(name, "tacit group join +team -q")
    return len([m for m in stage.tacit("alice", "group", "members", "+team", "--json").objects if m["state"] in ("connected", "complete")]) == 3


wait_until(connected, "the members")
digest_of_group = make("minutes.txt", 70_000)
assert stage.tacit("alice", "send", "+team", "the minutes", "--attach", "minutes.txt", "--json").objects[0]["state"] == "sent"
# Each member was told how to get the file before the command ended.
for name in "bob", "cath":
    stage.tacit(name, "fetch")
    assert received(name, "+team") == [("the minutes", "minutes.txt")]
    stage.tacit(name, "file", "receive", files(name)[0]["id"])
    assert digest(stage.place(name) / "files/minutes.txt") == digest_of_group

# Links: as many as there are recipients, and folders and large files are refused with advice.
report = stage.tacit("alice", "file", "send", "b.txt", "--recipients", "6", "--json").objects[0]
assert len(report["links"]) == 6 and len(set(report["links"])) == 6
ended = stage.tacit("alice", "file", "send", "b.txt", "--recipients", "2")
assert len(ended.lines) == 2 and all(line.startswith("simplex:/file#") for line in ended.lines), ended.out
assert "each link works once: give it to one person; to delete the file: tacit file cancel f" in ended.err, ended.err
(stage.folder / "in").mkdir()
for number, link in enumerate(report["links"][4:]):
    stage.tacit("bob", "file", "get", link, "--to", f"in/{number}.txt")
    assert digest(stage.folder / f"in/{number}.txt") == digest(stage.folder / "b.txt")
# A large file has links with a redirect, and each works once.
large = make("talk.mp4", 400_000)
links = stage.tacit("alice", "file", "send", "talk.mp4", "--recipients", "3", "--json").objects[0]["links"]
for number, link in enumerate(links[:3]):
    stage.tacit("bob", "file", "get", link, "--to", f"in/{number}.mp4")
    assert digest(stage.folder / f"in/{number}.mp4") == large
ended = stage.tacit("bob", "file", "get", links[0], "--to", "in/again.mp4", expect=69)
assert "the file relays no longer have the file" in ended.err and not (stage.folder / "in/again.mp4").exists(), ended.err
# A place that cannot be written is refused before anything is downloaded, and the link still works.
(stage.folder / "locked").write_text("")
for place in "/proc/nothing/", "/proc/nothing/talk.mp4", "locked/in/":
    ended = stage.tacit("bob", "file", "get", links[3], "--to", place, expect=73)
    assert "cannot be written" in ended.err and "why: " in ended.err, ended.err
assert "file.target" in stage.tacit("bob", "file", "get", links[3], "--to", "locked/in", "--json", expect=73).err
# So is a path with the name of another file, as 'file receive' does; in a folder a number is added.
(stage.folder / "old.mp4").write_text("mine")
ended = stage.tacit("bob", "file", "get", links[3], "--to", "old.mp4", expect=73)
assert "old.mp4' exists already" in ended.err and (stage.folder / "old.mp4").read_text() == "mine", ended.err
assert not (stage.folder / "old_1.mp4").exists()
stage.tacit("bob", "file", "get", links[3], "--to", "in/last.mp4")
assert digest(stage.folder / "in/last.mp4") == large
# What relays have of it is deleted, with the description to which the links lead; and what cannot be cancelled is named.
chunks = lambda: {path.name for path in (relay.folder / "files").iterdir()}
before = chunks()
link, = stage.tacit("alice", "file", "send", "talk.mp4", "-q").lines
assert "tacit file get 'LINK'" in stage.tacit("bob", "open", link, expect=65).err
assert len(chunks() - before) == 5, "four chunks and a description"
number = files("alice")[0]["id"]
ended = stage.tacit("alice", "file", "cancel", "f99", number, expect=80)
assert "cannot cancel f99: unknown file" in ended.err and ended.lines == [f"cancelled 'talk.mp4' {number} (400.0 kB)"], ended.out
stage.tacit("alice", "fetch")
wait_until(lambda: chunks() <= before, "the relay deletes the file and its description")
stage.tacit("bob", "file", "get", link, "--to", "in/none.mp4", expect=69)
stage.tacit("bob", "file", "receive", "f1", "f2", "--to", "in/none", expect=64)
ended = stage.tacit("alice", "file", "send", "b.txt", "--qr")
assert ended.lines[-1].startswith("simplex:/file#") and ("█" in ended.err or "QR code" in ended.err), ended.err
(stage.folder / "folder").mkdir()
assert "tar czf" in stage.tacit("alice", "file", "send", "folder", expect=66).err
with open(stage.folder / "huge", "wb") as huge:
    huge.truncate((1 << 30) + 1)
ended = stage.tacit("alice", "send", "@bob", "--attach", "huge", expect=65)
assert "a message carries at most 1 GiB, a link at most 5 GiB" in ended.err and "tacit file send FILE" in ended.err
with open(stage.folder / "huge", "wb") as huge:
    huge.truncate((5 << 30) + 1)
assert "split -b 1G" in stage.tacit("alice", "file", "send", "huge", expect=65).err

relay.stop()
