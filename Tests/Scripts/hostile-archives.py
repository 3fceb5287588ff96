# limit: 180
"""Archives that are none, or not honest: each is refused with 65, and the store stays as it is to the last byte."""

import io
import os
import sqlite3
import struct
import zipfile
import zlib
from pathlib import Path

from support.archives import contents, refuse
from support.stage import Stage
from support.zips import DESCRIPTOR, MAXIMUM, Entry, archive, deflated, large_end

stage = Stage()
relay = stage.relay().start()
stage.person("alice", relay)
# Only in a plain store anybody can change what he wants.
stage.person("bob", relay, "--no-encryption")
stage.connect("alice", "bob")
stage.tacit("alice", "send", "@bob", "before")
stage.tacit("bob", "fetch")
files = stage.place("bob") / "files"
files.mkdir()
(files / "kept.txt").write_text("kept")
stage.tacit("bob", "export", "good.zip")

GOOD = Path("good.zip").read_bytes()
CHAT, AGENT, FOLDER = "simplex_v1_chat.db", "simplex_v1_agent.db", "simplex_v1_files/"
with zipfile.ZipFile("good.zip") as good:
    assert good.testzip() is None
    chat, agent = good.read(CHAT), good.read(AGENT)


def store(*more, chat_entry=None, agent_entry=None):
    """The entries of a store and some more."""
    return [chat_entry or deflated(CHAT, chat), agent_entry or deflated(AGENT, agent), *more]


def with_file(name, content=b"x", **wrong):
    return archive(store(Entry(name, content, **wrong)))


def changed(database, *statements):
    """A database after some statements that its own program would never make."""
    path = Path("changed.db")
    path.write_bytes(database)
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.execute("PRAGMA journal_mode=WAL")
    connection.close()
    return path.read_bytes()


def with_chat(*statements):
    return archive(store(chat_entry=deflated(CHAT, changed(chat, *statements))))


def with_agent(*statements):
    return archive(store(agent_entry=deflated(AGENT, changed(agent, *statements))))


def other_program():
    """A database with the table of steps that the official apps have."""
    path = Path("other.db")
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE migrations (name TEXT NOT NULL PRIMARY KEY, ts TEXT NOT NULL, down TEXT)")
    connection.execute("INSERT INTO migrations VALUES ('20220101_initial', '2022-01-01', NULL)")
    connection.commit()
    connection.close()
    return path.read_bytes()


def damaged_pages(database):
    """A database with a page of noise in its middle."""
    middle = len(database) // 2 // 4096 * 4096
    return database[:middle] + bytes(range(256)) * 16 + database[middle + 4096 :]


def bomb():
    """Ten gigabytes of zeros, which nobody unpacks to find out."""
    megabyte = bytes(1 << 20)
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = b"".join(compressor.compress(megabyte) for _ in range(64)) + compressor.flush()
    return Entry(FOLDER + "zeros", packed, method=8, crc=0, size=MAXIMUM - 1)


def quoted():
    """A content that is shared by many entries (a bomb without compression)."""
    kernel = Entry(FOLDER + "kernel", bytes(100_000))
    return archive(store(kernel, *(Entry(f"{FOLDER}{number}", offset=0) for number in range(50))))


def encrypted():
    return with_file(FOLDER + "a", flags=1)


def late(data, extra=b""):
    """A content whose sizes follow it."""
    tail = struct.pack("<III", zlib.crc32(data), len(data), len(data)) + extra
    wrong = {"flags": 8, "local_crc": 0, "local_size": 0, "local_compressed": 0}
    return archive(store(Entry(FOLDER + "a", data, gap=struct.pack("<I", DESCRIPTOR) + tail, **wrong)))


def large(**wrong):
    """An archive with 64-bit numbers in its end."""
    entries = store()
    whole = archive(entries)
    start = struct.unpack("<I", whole[-6:-2])[0]
    records = len(whole) - 22 - start
    between = large_end(len(entries), records, start, start + records, **wrong)
    return archive(entries, between=between)


ARCHIVES = {
    # No archives.
    "empty": b"",
    "text": b"this is a letter and no archive\n" * 100,
    "only-the-start": GOOD[:1000],
    "half": GOOD[: len(GOOD) // 2],
    "last-byte-missing": GOOD[:-1],
    "tar": b"simplex_v1_chat.db".ljust(257, b"\0") + b"ustar\x0000" + bytes(10_000),
    "database-alone": chat,
    "nothing-in-it": archive([]),
    # Archives of something else.
    "documents": archive([Entry("letter.txt", b"dear"), Entry("photo.jpg", b"smile")]),
    "one-database": archive([deflated(CHAT, chat)]),
    "something-beside": archive(store(Entry("autorun.sh", b"#!/bin/sh"))),
    "folder-beside": archive(store(Entry("hooks/", attributes=0o040755 << 16))),
    "key-beside": archive(store(Entry("key", b"AAAA"))),
    "folder-in-files": with_file(FOLDER + "a/b"),
    "database-is-a-folder": archive(store()[:1] + [Entry(AGENT + "/", attributes=0o040700 << 16)]),
    # Names that lead away.
    "parent": with_file("../evil"),
    "parent-in-files": with_file(FOLDER + "../../evil"),
    "root": with_file("/etc/cron.d/evil"),
    "backslashes": with_file(FOLDER + "..\\..\\evil"),
    "drive": with_file("C:/evil"),
    "dot": with_file(FOLDER + "./evil"),
    "nul": with_file(FOLDER + "a\0.png"),
    "line-break": with_file(FOLDER + "a\nb"),
    "other-letters": with_file(FOLDER.encode() + b"\xff\xfe"),
    "letters-without-a-mark": with_file(FOLDER + "ä", flags=0),
    "two-names": with_file(FOLDER + "a", local_name=FOLDER.encode() + b"b"),
    "name-in-a-field": with_file(FOLDER + "a", extra=struct.pack("<HHBI", 0x7075, 9, 1, 0) + b"evil"),
    "twice": archive(store(Entry(FOLDER + "a", b"1"), Entry(FOLDER + "a", b"2"))),
    "database-twice": archive(store(deflated(CHAT, chat))),
    # No files.
    "link": with_file(FOLDER + "a", b"/etc/passwd", attributes=0o120777 << 16),
    "link-as-database": archive(store(chat_entry=Entry(CHAT, b"../other/" + CHAT.encode(), attributes=0o120777 << 16))),
    "device": with_file(FOLDER + "a", b"", attributes=0o020666 << 16),
    "pipe": with_file(FOLDER + "a", b"", attributes=0o010666 << 16),
    # Other features of the format.
    "encrypted": encrypted(),
    "other-compression": with_file(FOLDER + "a", method=12),
    "several-disks": archive(store(), disk=1),
    "comment": archive(store(), comment=b"PK\5\6" + bytes(18)),
    "program-in-front": archive(store(), before=b"MZ" + bytes(510)),
    "something-behind": GOOD + b"\0",
    "two-archives": archive([Entry("letter.txt", b"dear")]) + GOOD,
    "hidden-between": archive(store(Entry(FOLDER + "a", b"1", gap=b"hidden"))),
    "hidden-before-the-end": archive(store(), between=b"hidden"),
    # Numbers that contradict.
    "wrong-checksum": with_file(FOLDER + "a", crc=1),
    "wrong-size": with_file(FOLDER + "a", b"12345", size=3, compressed=3),
    "size-of-the-header": with_file(FOLDER + "a", b"12345", local_size=3),
    "more-than-it-says": archive(store(deflated(FOLDER + "a", bytes(5000), size=4000))),
    "less-than-it-says": archive(store(deflated(FOLDER + "a", bytes(5000), size=6000))),
    "cut-stream": archive(store(Entry(FOLDER + "a", b"\xed\xc0", method=8, size=10))),
    "count": archive(store(), count=3),
    "list-elsewhere": archive(store(), offset=10),
    "wrong-behind": late(b"12345", b"\0"),
    "large-numbers-of-nothing": with_file(FOLDER + "a", extra=struct.pack("<HHQ", 1, 8, 1)),
    "large-end-elsewhere": large(at=4),
    "large-end-of-disks": large(disks=2),
    "large-end-contradicts": large(count=7),
    # Bombs.
    "bomb": archive(store(bomb())),
    "quoted-bomb": quoted(),
    "inside-of-itself": archive(store(Entry(FOLDER + "a", GOOD[:4000]), Entry(FOLDER + "b", offset=0))),
    # Databases that are none, or not those of a store.
    "other-program": archive([deflated(CHAT, other_program()), deflated(AGENT, other_program())]),
    "text-as-database": archive(store(chat_entry=Entry(CHAT, b"no database" * 1000))),
    "empty-database": archive(store(chat_entry=Entry(CHAT, b""))),
    "cut-database": archive(store(chat_entry=deflated(CHAT, chat[: len(chat) // 2]))),
    "damaged-page": archive(store(chat_entry=deflated(CHAT, damaged_pages(chat)))),
    "damaged-agent": archive(store(agent_entry=deflated(AGENT, damaged_pages(agent)))),
    "databases-exchanged": archive([deflated(CHAT, agent), deflated(AGENT, chat)]),
    "another-schema": with_chat("UPDATE migrations SET hash = x'00' WHERE number = 2"),
    "trigger": with_chat("CREATE TRIGGER evil AFTER INSERT ON items BEGIN DELETE FROM items; END"),
    "other-trigger": with_chat(
        "DROP TRIGGER newest_items_removed",
        "CREATE TRIGGER newest_items_removed AFTER DELETE ON items BEGIN DELETE FROM contacts; END",
    ),
    "other-index": with_chat("DROP INDEX contacts_listed", "CREATE INDEX contacts_listed ON contacts (name)"),
    "view": with_chat("CREATE VIEW evil AS SELECT * FROM items"),
    "table-missing": with_chat("DROP TABLE accepted_conditions"),
    "agent-of-before": with_chat("UPDATE state SET last_agent_event = 1000000"),
    "agent-of-another": with_agent("DELETE FROM connections"),
    "contact-of-nobody": with_chat("PRAGMA foreign_keys=OFF", "UPDATE contacts SET profile_id = 99"),
}


before = contents(stage.place("bob"))
refuse(stage, "bob", ARCHIVES, piped=True)

# A newer version is no mistake of the archive.
newer = with_chat("INSERT INTO migrations (number, name, hash) VALUES (99, 'the future', x'00')")
Path("newer.zip").write_bytes(newer)
assert stage.tacit("bob", "import", "--replace", "newer.zip", "--json", expect=69).error["code"] == "archive.newer"
assert contents(stage.place("bob")) == before

# Of an encrypted store, every changed byte is noticed before anything is touched, and so is another key.
stage.tacit("alice", "export", "sealed.zip")
sealed = zipfile.ZipFile("sealed.zip")
chat_pages, agent_pages = sealed.read(CHAT), sealed.read(AGENT)


def flipped(content, place):
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


before = contents(stage.place("alice"))
for name, first, second in [
    ("first-page", flipped(chat_pages, 5000), agent_pages),
    ("last-page", flipped(chat_pages, len(chat_pages) - 1), agent_pages),
    ("agent", chat_pages, flipped(agent_pages, len(agent_pages) // 2)),
    ("both-headers", flipped(flipped(chat_pages, 100), 2148), agent_pages),
    ("cut", chat_pages[:-4096], agent_pages),
    ("exchanged", agent_pages, chat_pages),
    ("one-in-clear", chat_pages, agent),
]:
    Path("changed.zip").write_bytes(archive([Entry(CHAT, first), Entry(AGENT, second)]))
    for words in (["--replace"], ["--dry-run"]):
        error = stage.tacit("alice", "import", *words, "changed.zip", "--json", expect=65).error
        assert error["code"].startswith("archive."), (name, error)
    assert contents(stage.place("alice")) == before, name
stage.person("carol", relay)
before = contents(stage.place("carol"))
assert stage.tacit("carol", "import", "--replace", "sealed.zip", "--json", expect=77).error["code"] == "key.wrong"
assert contents(stage.place("carol")) == before

# What other programs pack is accepted if it is the same store.
for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as other:
        other.writestr(CHAT, chat)
        other.writestr(AGENT, agent)
        other.writestr(FOLDER + "grüße.txt", "other")
    stage.tacit("bob", "import", "--replace", "-", stdin=packed.getvalue())
    assert (files / "grüße.txt").read_text() == "other"
    assert not (files / "kept.txt").exists()

assert len(ARCHIVES) >= 50, len(ARCHIVES)
assert not any(name.startswith(".staging") for name in os.listdir(stage.place("bob")))

# An older program runs the ways back that stand in a store: those of somebody else are not taken over.
Path("ways-back.zip").write_bytes(with_chat("UPDATE migrations SET down = 'ATTACH ''/tmp/x'' AS x;', loses = 'evil'"))
stage.tacit("bob", "import", "--replace", "ways-back.zip")
imported = sqlite3.connect(stage.place("bob") / CHAT)
ways = imported.execute("SELECT down, loses FROM migrations").fetchall()
assert len(ways) > 5 and not any("evil" in (loses or "") or "ATTACH" in (down or "") for down, loses in ways), ways
