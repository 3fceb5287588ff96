# limit: 240
"""An archive whose databases name files outside of its own folder: no command opens, shows, moves or deletes one of them."""

import json
import os
import sqlite3
import zipfile
from pathlib import Path

from support.stage import FileRelay, Stage

stage = Stage()
messages = stage.relay("messages").start()
files = FileRelay(stage, "files").start()
for name in "alice", "bob":
    # Only in a plain store anybody can change what he wants.
    stage.person(name, messages, "--no-encryption")
    stage.tacit(name, "server", "add", files.files)
stage.connect("alice", "bob")
(stage.folder / "note.txt").write_text("a note")
for number in range(4):
    stage.tacit("alice", "send", "@bob", "--attach", "note.txt")
stage.tacit("bob", "fetch")
offered = [json.loads(line)["id"] for line in stage.tacit("bob", "file", "list", "--json").out.splitlines()]
for file in offered[:3]:
    stage.tacit("bob", "file", "receive", file)
stage.tacit("bob", "send", "@alice", "--attach", "note.txt")
stage.tacit("bob", "export", "good.zip")
CHAT, AGENT = "simplex_v1_chat.db", "simplex_v1_agent.db"
SECRET = "the secret of the user"
above = stage.folder / "x"


def changed(database, statements):
    path = stage.folder / "changed.db"
    path.write_bytes(database)
    connection = sqlite3.connect(path)
    for statement, values in statements:
        connection.execute(statement, values)
    connection.commit()
    connection.close()
    return path.read_bytes()


def archive(name, chat=(), agent=()):
    with zipfile.ZipFile("good.zip") as good, zipfile.ZipFile(name, "w") as bad:
        for entry in good.namelist():
            data = good.read(entry)
            data = changed(data, chat) if entry == CHAT else changed(data, agent) if entry == AGENT else data
            bad.writestr(entry, data)


def tables(database, beginning):
    path = stage.folder / "look.db"
    with zipfile.ZipFile("good.zip") as good:
        path.write_bytes(good.read(database))
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    connection.close()
    return [row[0] for row in rows if row[0].startswith(beginning)]


assert tables(AGENT, "file_") and tables(CHAT, "files") == ["files"]
paths = ["../x", "../../x", "BESIDE", str(above), "../files/../x", "x/../../x", "./../x"]
for number, path in enumerate(paths):
    person = f"cath{number}"
    # The files that the archive names: in the folder of the store, and above it.
    beside = stage.place(person) / "x"
    path = path.replace("BESIDE", str(beside))
    statements = [("UPDATE files SET path = ?, name = ?", (path, path))]
    if number % 2:
        # The transfer is still to come: it would read the file for a relay, or write it.
        statements.append(("UPDATE files SET state = 'sndStored', transport = 'xftp', transfer_id = NULL WHERE is_sent = 1", ()))
        statements.append(("UPDATE files SET state = 'rcvAccepted', transfer_id = NULL WHERE is_sent = 0", ()))
    archive("bad.zip", statements)
    stage.tacit(person, "import", "bad.zip")
    for victim in beside, above:
        victim.write_text(SECRET)
    listed = stage.tacit(person, "file", "list", "--json").out
    assert SECRET not in listed
    ids = [json.loads(line)["id"] for line in listed.splitlines()]
    copies = stage.folder / f"copies{number}"
    copies.mkdir()
    for file in ids:
        for words in (
            ["file", "show", file], ["file", "show", file, "--json"], ["file", "save", file, "--to", "-"],
            ["file", "save", file, "--to", str(copies)], ["file", "receive", file, "--timeout", "2s"],
            ["file", "cancel", file], ["read", "@alice"], ["read", "@alice", "--json"],
        ):
            ended = stage.start(person, *words).ended()
            assert SECRET not in ended.out + ended.err, (path, words, ended.out)
            for shown in (beside, above):
                assert f'"{shown}"' not in ended.out, (path, words, ended.out)
    stage.start(person, "fetch", "--timeout", "5s").ended()
    stage.start(person, "export", "--format", "official", f"official{number}.zip").ended()
    stage.start(person, "file", "purge", "--older-than", "0s", "--yes").ended()
    stage.start(person, "contact", "clear", "@alice", "--yes").ended()
    stage.start(person, "contact", "delete", "@alice", "--yes", "--timeout", "5s").ended()
    for victim in beside, above:
        assert victim.read_text() == SECRET, (path, victim)
    for copy in copies.rglob("*"):
        assert SECRET not in copy.read_text(), (path, copy)
    # Nothing came out of the folder of the copies either.
    assert not (stage.folder / "copies").exists() and sorted(os.listdir(stage.folder)).count("x") == 1

# A link in the folder for files: an archive has none, and one that the user makes is removed, not the file behind it.
with zipfile.ZipFile("good.zip") as good, zipfile.ZipFile("linked.zip", "w") as bad:
    for entry in good.namelist():
        if entry.startswith("simplex_v1_files/") and not entry.endswith("/"):
            link = zipfile.ZipInfo(entry)
            link.create_system, link.external_attr = 3, 0o120777 << 16
            bad.writestr(link, str(above))
        else:
            bad.writestr(entry, good.read(entry))
ended = stage.start("dora", "import", "linked.zip").ended()
if ended.code == 0:
    for path in (stage.place("dora") / "files").iterdir():
        assert not path.is_symlink(), path
for path in stage.place("bob").joinpath("files").iterdir():
    path.unlink()
    path.symlink_to(above)
stage.tacit("bob", "file", "purge", "--older-than", "0s", "--yes")
assert above.read_text() == SECRET
files.stop()
messages.stop()
