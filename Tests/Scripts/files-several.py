# limit: 180
"""Several files in one command: those that a pattern of the shell names, those that a chat offers, recordings, links from standard
input, and uploads that are not complete."""

import os
import struct

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob", files=True)


def files(person):
    return {file["name"]: file for file in stage.tacit(person, "file", "list", "--json").objects}


def received(person, chat):
    items = stage.tacit(person, "read", chat, "--json", "--last", "50").objects
    return [(item["text"], item["file"]["name"]) for item in items if item.get("file") and item["direction"] == "in"]


# All files of a pattern, a message each, the text with the first. A text behind -- is never a file.
for number in range(1, 4):
    (stage.folder / f"part{number}.txt").write_text(f"part {number}")
ended = stage.shell("alice", "tacit send @bob 'three parts' --attach part*.txt")
assert ended.code == 0, ended.err
ended = stage.shell("alice", "tacit send @bob --attach part*.txt 'behind them'")
assert ended.code == 0, ended.err
ended = stage.shell("alice", "tacit send @bob --attach part1.txt -- part2.txt")
assert ended.code == 0, ended.err
stage.tacit("bob", "fetch")
assert received("bob", "@alice") == [
    ("three parts", "part1.txt"), ("", "part2.txt"), ("", "part3.txt"),
    ("behind them", "part1.txt"), ("", "part2.txt"), ("", "part3.txt"),
    ("part2.txt", "part1.txt"),
], received("bob", "@alice")

# All that a chat offers, and all that anybody offers.
assert "no file given" in stage.tacit("bob", "file", "receive", expect=64).err
stage.tacit("bob", "file", "receive", "@alice")
assert all(file["state"] == "ready" for file in files("bob").values()), files("bob")
assert "no files are offered" in stage.tacit("bob", "file", "receive", "@alice").err
assert "no files are offered" in stage.tacit("bob", "file", "receive", "--all").err
(stage.folder / "later.txt").write_text("later")
stage.tacit("alice", "send", "@bob", "--attach", "later.txt")
stage.tacit("bob", "fetch")
(stage.folder / "here").mkdir()
stage.tacit("bob", "file", "receive", "--all", "--to", "here")
assert (stage.folder / "here/later.txt").read_text() == "later"
stage.tacit("bob", "file", "receive", "@zoe", expect=67)

# A recording is a voice message, with the length of its header or the one that is given.
movie = b"\0\0\0\x10ftypM4A \0\0\0\0"
header = bytes(12) + struct.pack(">II", 1000, 6400) + bytes(80)
movie += struct.pack(">I", len(header) + 16) + b"moov" + struct.pack(">I", len(header) + 8) + b"mvhd" + header
(stage.folder / "memo.m4a").write_bytes(movie)
(stage.folder / "memo.bin").write_bytes(os.urandom(100))
stage.tacit("alice", "send", "@bob", "--voice", "memo.m4a")
assert "cannot read the length of 'memo.bin'" in stage.tacit("alice", "send", "@bob", "--voice", "memo.bin", expect=65).err
stage.tacit("alice", "send", "@bob", "--voice", "memo.bin", "--duration", "12s")
assert "'--duration' needs '--voice'" in stage.tacit("alice", "send", "@bob", "x", "--duration", "12s", expect=64).err
stage.tacit("bob", "fetch")
chat = stage.tacit("bob", "api", "/_get chat @1 count=2").out
assert '"type":"voice"' in chat and '"duration":6' in chat and '"duration":12' in chat, chat

# A link from standard input.
link = stage.tacit("alice", "file", "send", "part1.txt").out.strip()
ended = stage.shell("bob", f"printf '%s\\n' '{link}' | tacit file get - --to got.txt")
assert ended.code == 0 and (stage.folder / "got.txt").read_text() == "part 1", ended.err

# A link without a store: nothing is left of the temporary one.
link = stage.tacit("alice", "file", "send", "part2.txt").out.strip()
(stage.folder / "temporary").mkdir()
ended = stage.shell("eve", f"TMPDIR=$PWD/temporary tacit file get '{link}' --to eve.txt")
assert ended.code == 0 and (stage.folder / "eve.txt").read_text() == "part 2", ended.err
assert not stage.place("eve").exists() and not list((stage.folder / "temporary").iterdir())
ended = stage.shell("eve", f"TMPDIR=$PWD/temporary tacit file get '{link}' --to eve2.txt")
assert ended.code == 69 and "no longer have the file" in ended.err, (ended.code, ended.err)
assert not stage.place("eve").exists() and not list((stage.folder / "temporary").iterdir())
assert "'--no-wait' needs a store" in stage.tacit("eve", "file", "get", link, "--no-wait", expect=64).err

# An upload that is not complete is in the status and in the outbox.
assert "uploads" not in stage.tacit("alice", "status", "--json").objects[0]
relay.stop()
stage.tacit("alice", "send", "@bob", "large", "--attach", "part1.txt", "--timeout", "1s", expect=75)
relay.start()
stage.tacit("alice", "fetch")
assert "uploads" not in stage.tacit("alice", "status", "--json").objects[0]
relay.stop()
stage.tacit("alice", "send", "@bob", "again", "--attach", "part2.txt", "--wait", "queued")
stage.tacit("alice", "file", "send", "part3.txt", "--no-wait")
status = stage.tacit("alice", "status", "--json").objects[0]
assert status["uploads"] == 2 and "file.waiting" in status["problems"], status
stage.tacit("alice", "status", "--check", expect=1)
assert [item["text"] for item in stage.tacit("alice", "list", "outbox", "--json").objects] == ["again"]
