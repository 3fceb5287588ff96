# limit: 120
"""An archive of the official apps becomes a store: what is in it, what is left out and counted, with which passphrase."""

import hashlib
import json
import os
import zipfile
from pathlib import Path

from support.official import AGENT, CHAT, ED448, FOLDER, NOW, Store
from support.stage import Stage
from support.zips import Entry, deflated
from support.zips import archive as packed_entries

stage = Stage()
official = Store()
chat = official.chat

# People, and what is set for them.
bob = official.contact("bob", alias="Bob the builder", favorite=1, enable_ntfs=0, unread_chat=1)
quiet = official.contact("mia", chat_item_ttl=86_400)
tag = chat.add("chat_tags", user_id=1, chat_tag_text="friends", chat_tag_emoji="🙂", tag_order=1)
chat.add("chat_tags_chats", contact_id=bob, chat_tag_id=tag)
# The one has keys as they were before 2024, the other has no connection that the agent knows.
official.connection(quiet, kind=ED448)
# A hidden profile, as its password hides it.
salt = os.urandom(16)
hidden = official.profile("shadow", view_pwd_hash=hashlib.sha512(b"under the bed" + salt).digest(), view_pwd_salt=salt)
official.contact("eve", hidden)

# A conversation: quoted, edited, with reactions, deleted, timed, forwarded, a call, and what nobody knows.
first_id = os.urandom(12)
first = official.item("how are you?", contact_id=bob, shared_msg_id=first_id, item_ts="2026-01-01 10:00:00")
answer = official.item(
    "well", contact_id=bob, sent=True, item_edited=1, quoted_shared_msg_id=first_id, quoted_sent=0,
    quoted_sent_at="2026-01-01 10:00:00", quoted_content='{"type":"text","text":"how are you?"}',
    item_ts="2026-01-01 10:01:00",
)
for text in ("fine", "well"):
    chat.add(
        "chat_item_versions", chat_item_id=answer, msg_content=f'{{"type":"text","text":"{text}"}}',
        item_version_ts="2026-01-01 10:01:00",
    )
chat.add(
    "chat_item_reactions", shared_msg_id=first_id, contact_id=bob, reaction='{"type":"emoji","emoji":"👍"}',
    reaction_sent=1, reaction_ts=NOW,
)
chat.add(
    "chat_item_reactions", shared_msg_id=os.urandom(12), contact_id=bob, reaction='{"type":"emoji","emoji":"👍"}',
    reaction_sent=1, reaction_ts=NOW,
)
official.item("a secret", contact_id=bob, item_deleted=1, item_deleted_ts=NOW)
official.item("soon gone", contact_id=bob, timed_ttl=3600, item_status="rcv_new")
official.item({"sndCall": {"status": "ended", "duration": 65}}, "ended (01:05)", sent=True, contact_id=bob)
official.item({"rcvChatFeature": {"feature": "voice", "enabled": {"forUser": True, "forContact": True}}}, contact_id=bob)
official.item({"rcvDirectE2EEInfo": {"e2eeInfo": {}}}, contact_id=bob)
official.item({"rcvHologram": {"size": 3}}, contact_id=bob)

# Files: here, encrypted here, gone, outside, offered, and half received.
plain, sealed = os.urandom(5000), os.urandom(3016)
for number, (name, path, status, more) in enumerate([
    ("plain.bin", "plain.bin", "rcv_complete", {}),
    ("sealed.bin", "sealed.bin", "rcv_complete", {"file_crypto_key": os.urandom(32), "file_crypto_nonce": os.urandom(24)}),
    ("gone.bin", "gone.bin", "rcv_complete", {}),
    ("passwd", "/etc/passwd", "snd_complete", {}),
    ("parent", "../key", "snd_complete", {}),
    ("offered.bin", None, "rcv_invitation", {}),
    ("half.bin", "half.bin", "rcv_transfer 1 3", {}),
]):
    item = official.item(f"file {number}", sent=status.startswith("snd"), contact_id=bob)
    file = chat.add(
        "files", contact_id=bob, file_name=name, file_path=path, file_size=5000, chunk_size=15780, user_id=1,
        chat_item_id=item, ci_file_status=status, protocol="xftp", **more,
    )
    if status.startswith("rcv"):
        chat.add("rcv_files", file_id=file, file_status="new", rcv_file_inline=None)

# A group, with a member who left, whose message was moderated, and one that mentions the user.
team = official.group("team")
dave = official.member(team, "dave", member_id=b"dave" * 3)
official.item("hello team", group_id=team, group_member_id=dave, include_in_history=1)
official.item("spam", group_id=team, group_member_id=dave, item_deleted=1, item_deleted_by_group_member_id=dave)
official.item("to all", group_id=team, sent=True)

# What has no place.
chat.add("app_settings", app_settings="{}")

files = {"plain.bin": plain, "sealed.bin": sealed, "half.bin": b""}
LEFT_OUT = {"entries": 1, "changes": 1, "transfers": 1, "files": 3, "app-settings": 1}
archive = Path("official.zip")
archive.write_bytes(official.archive(files))


def left_out(report):
    return {entry["kind"]: entry["count"] for entry in report["left_out"]}


stage.place("carol").mkdir(mode=0o700)
checked = stage.tacit("carol", "import", "--dry-run", str(archive), "--json").objects[0]
assert os.listdir(stage.place("carol")) == [], "a look leaves nothing"
imported = stage.tacit("carol", "import", str(archive), "--json")
# The archive has no relay of its own: somebody who wants new contacts has to add one.
assert "tacit server add" in imported.err and imported.err.count("tacit server add") == 1, imported.err
report = imported.objects[0]
for found in (checked, report):
    assert [found[name] for name in ("profiles", "contacts", "files", "encrypted")] == [1, 2, 3, True], found
    assert left_out(found) == LEFT_OUT, found

contacts = {entry["name"]: entry for entry in stage.tacit("carol", "list", "contacts", "--json").objects}
assert sorted(contacts) == ["bob", "mia"]
assert contacts["mia"]["state"] == "connected", contacts
assert contacts["bob"]["muted"] and contacts["mia"]["retention_ms"] == 86_400_000

said = stage.tacit("carol", "read", "@bob", "--json").objects
assert [entry["text"] for entry in said[:5]] == ["how are you?", "well", "a secret", "soon gone", "audio call, 65 s"], said
assert said[0]["reactions"] == [{"reaction": "👍", "direction": "out"}]
assert said[1]["state"] == "sent" and said[1]["edited_at"] and said[1]["quote"]["text"] == "how are you?"
assert said[2]["deleted_at"] and said[3]["ttl_ms"] == 3_600_000 and said[3]["state"] == "received"
states = {entry["file"]["name"]: entry["file"]["state"] for entry in said if "file" in entry}
assert states == {
    "plain.bin": "ready", "sealed.bin": "ready", "gone.bin": "ready", "passwd": "sent", "parent": "sent",
    "offered.bin": "offered", "half.bin": "offered",
}, states
team_said = stage.tacit("carol", "read", "+team", "--json").objects
assert [(entry["text"], entry.get("removal")) for entry in team_said] == [
    ("hello team", None), ("spam", "moderated"), ("to all", None)
], team_said
assert team_said[0]["member_name"] == "dave"

# The official core reads the number of a profile without a space before it.
groups = [json.loads(stage.tacit("carol", "api", text).lines[0])["result"]["groups"] for text in ("/_groups 1", "/_groups 1")]
assert groups[0] == groups[1] and groups[0][0]["groupProfile"]["displayName"] == "team", groups

# Files are there, and those that lie outside of the archive are not found through it.
assert (stage.place("carol") / "files/plain.bin").read_bytes() == plain
assert (stage.place("carol") / "files/sealed.bin").read_bytes() == sealed
answers = json.loads(stage.tacit("carol", "api", f"/_get chat @{bob} count=100").lines[0])["result"]["chat"]["chatItems"]
paths = {entry["file"]["fileName"]: entry["file"].get("fileSource") for entry in answers if "file" in entry}
# Without a folder that the program named, a path is one that it can open.
place = str(stage.place("carol") / "files")
assert paths["plain.bin"] == {"filePath": f"{place}/plain.bin"}, paths
assert paths["sealed.bin"]["filePath"] == f"{place}/sealed.bin" and paths["sealed.bin"]["cryptoArgs"]["fileKey"], paths
assert [paths[name] for name in ("gone.bin", "passwd", "parent", "offered.bin", "half.bin")] == [None] * 5, paths

# The hidden profile opens with its password alone.
assert [entry["name"] for entry in stage.tacit("carol", "list", "profiles", "--json").objects] == ["alice"]

# What was there before is kept with --replace, and not touched without.
stage.tacit("carol", "import", str(archive), expect=73)
again = stage.tacit("carol", "import", "--replace", str(archive), "--json").objects[0]
assert Path(again["backup"]).is_dir() and again["relation"] == "none", again

# Encrypted, with both databases or with one.
for name, words in (("right", "correct horse"), ("wrong", "correct house")):
    Path(name).write_text(words + "\n")
    Path(name).chmod(0o600)
sealed_archive = Path("sealed.zip")
sealed_archive.write_bytes(official.archive(files, "correct horse"))
stage.place("dora").mkdir(mode=0o700)
assert stage.tacit("dora", "import", "sealed.zip", "--json", expect=77).error["code"] == "key.missing"
ended = stage.tacit("dora", "import", "sealed.zip", "--passphrase-file", "wrong", "--json", expect=77)
assert ended.error["code"] == "key.wrong" and not list(stage.place("dora").glob("*.db")), ended.error
report = stage.tacit("dora", "import", "sealed.zip", "--passphrase-file", "right", "--json").objects[0]
assert left_out(report) == LEFT_OUT
assert stage.tacit("dora", "read", "@bob", "--json").objects[0]["text"] == "how are you?"
assert not any("correct" in path.read_text(errors="ignore") for path in stage.place("dora").rglob("*") if path.is_file())

# Nothing is left behind, and nothing can be read without the key of the new store.
assert not [name for name in os.listdir(stage.place("dora")) if name.startswith(".staging")]
# By a command of the API, with the passphrase of the app. The store keeps its key.
stage.tacit("erin", "init")


def imported(passphrase, expect):
    place = {"archivePath": str(sealed_archive.resolve()), **({"passphrase": passphrase} if passphrase else {})}
    return json.loads(stage.tacit("erin", "api", f"/_db import {json.dumps(place)}", expect=expect).lines[-1])


for passphrase in (None, "correct house"):
    assert "error" in imported(passphrase, 77), passphrase
assert stage.tacit("erin", "list", "profiles", "--json").objects == []
assert imported("correct horse", 0)["result"]["type"] == "archiveImported"
assert stage.tacit("erin", "read", "@bob", "--json").objects[0]["text"] == "how are you?"
assert not any("correct" in path.read_text(errors="ignore") for path in stage.place("erin").rglob("*") if path.is_file())

assert b"how are you?" not in b"".join(path.read_bytes() for path in stage.place("dora").glob("*.db*"))

# Empty files, as the apps pack them: compressed, without contents.
with zipfile.ZipFile(archive) as original:
    databases = [deflated(name, original.read(name)) for name in (CHAT, AGENT)]
# The upper byte of the version names the system.
empty = Entry(FOLDER + "empty.bin", b"", method=8, size=0, version=3 << 8 | 20)
Path("empty.zip").write_bytes(packed_entries([*databases, empty]))
assert stage.tacit("dora", "import", "--dry-run", "empty.zip", "--json").objects[0]["files"] == 1
