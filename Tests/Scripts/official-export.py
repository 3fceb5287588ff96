# limit: 180
"""A store becomes an archive of the official apps: what is in it, what is left out and counted, with which passphrase. What
such an archive becomes when it is imported is the same store, and its conversations continue."""

import json
import os
import sqlite3
import zipfile

from support.official import AGENT, CHAT, FOLDER
from support.stage import FileRelay, Stage

stage = Stage()
relay = FileRelay(stage).start()
for name in "alice", "bob", "mia", "eve":
    stage.person(name, relay)
    stage.tacit(name, "server", "add", relay.files)
for name in "bob", "mia":
    stage.connect("alice", name)


def texts(person, chat):
    return [entry["text"] for entry in stage.tacit(person, "read", chat, "--json").objects]


def latest(person, chat):
    return stage.tacit(person, "read", chat, "--json").objects[-1]["id"]


# Conversations: an edit, a reaction, a quote, a deletion, a message that disappears, files in both directions, notes.
stage.tell("bob", "alice", ["how are you?", "delete me"])
question = stage.tacit("alice", "read", "@bob", "--json").objects[0]["id"]
stage.tacit("alice", "send", "@bob", "well", "--reply-to", question)
stage.tacit("alice", "message", "edit", latest('alice', '@bob'), "very well")
stage.tacit("alice", "message", "react", question, "thumbs-up")
stage.tacit("alice", "send", "@bob", "soon gone", "--expires", "1h")
(stage.folder / "picture.bin").write_bytes(os.urandom(70_000))
stage.tacit("alice", "send", "@bob", "see this", "--attach", "picture.bin")
stage.tacit("bob", "fetch")
stage.tacit("bob", "send", "@alice", "here is mine", "--attach", "picture.bin")
stage.tacit("alice", "fetch")
offered = [entry["id"] for entry in stage.tacit("alice", "file", "list", "--json").objects if entry["state"] == "offered"]
stage.tacit("alice", "file", "receive", *offered)
stage.tacit("alice", "send", "notes", "buy milk")

# A group with both, settings, an address, somebody who asks, an unused invitation, more profiles.
stage.tacit("alice", "group", "create", "team", "--full-name", "The team")
stage.tacit("alice", "group", "invite", "+team", "@bob", "@mia")
for name in "bob", "mia":
    stage.tacit(name, "fetch")
    stage.tacit(name, "group", "join", "+team")
    stage.tacit("alice", "fetch")
for _ in range(3):
    for name in "bob", "mia", "alice":
        stage.tacit(name, "fetch")
stage.tacit("alice", "send", "+team", "welcome")
stage.tacit("mia", "fetch")
stage.tacit("mia", "send", "+team", "thanks")
stage.tacit("alice", "fetch")
stage.tacit("alice", "message", "react", latest('alice', '+team'), "heart")
stage.tacit("alice", "group", "link", "+team", "--create")
member = stage.tacit("alice", "group", "member", "+team/@bob", "--json").objects[0]["id"].lstrip("u")
code = json.loads(stage.tacit("alice", "api", f"/_get code #1 {member}").out)["result"]["connectionCode"]
stage.tacit("alice", "api", f"/_verify code #1 {member} {code}")
stage.tacit("alice", "contact", "mute", "@mia")
stage.tacit("alice", "contact", "set", "@mia", "--retention", "30d")
address = stage.tacit("alice", "address", "create").out.strip()
stage.tacit("eve", "connect", address)
stage.tacit("alice", "fetch")
stage.tacit("alice", "connect", "--as", "frank")
stage.tacit("alice", "profile", "create", "work")
for person in "bob", "mia":
    stage.tacit(person, "fetch")
stage.tacit("alice", "fetch")

# What waits for the relay goes with the store. What the app cannot hold is counted.
relay.kill()
stage.tacit("alice", "send", "@bob", "in the outbox", "--wait", "queued")
stage.tacit("alice", "contact", "set", "@bob", "--expires", "1d")
LEFT_OUT = [{"kind": "settings", "count": 1}]


def view(person):
    """All that people see of a store."""
    found = {}
    for what in "profiles", "chats", "contacts", "groups", "requests", "invitations":
        found[what] = stage.tacit(person, "list", what, "--json").objects
    for chat in "@bob", "@mia", "+team", "notes":
        found[chat] = stage.tacit(person, "read", chat, "--no-mark", "--json").objects
    found["files"] = stage.tacit(person, "file", "list", "--json").objects
    found["members"] = stage.tacit(person, "group", "members", "+team", "--json").objects
    found["servers"] = sorted(entry["address"] for entry in stage.tacit(person, "server", "list", "--json").objects)
    return found


def compared(value, dropped=frozenset({"path", "default_ttl_ms", "expires_ms"})):
    """Without what an import makes new: the number of the notes, names of invitations without a contact, and paths."""
    if isinstance(value, dict):
        if value.get("name") == "notes" or value.get("chat") == "notes":
            dropped |= {"id", "chat_id", "contact_id"}
        if value.get("state") == "waiting":
            dropped |= {"name"}
        return {key: compared(inner) for key, inner in value.items() if key not in dropped}
    return [compared(inner) for inner in value] if isinstance(value, list) else value


def codes_of_members(archive):
    """The codes of members that were compared, in an archive for the apps."""
    database = sqlite3.connect(":memory:")
    with zipfile.ZipFile(archive) as content:
        database.deserialize(content.read(CHAT))
    return database.execute(
        "SELECT security_code FROM connections WHERE group_member_id IS NOT NULL AND security_code_verified_at IS NOT NULL"
    ).fetchall()


before = view("alice")

# A look creates nothing, and the same is said of the archive.
checked = stage.tacit("alice", "export", "--format", "official", "--dry-run", "app.zip", "--json").objects[0]
assert checked["left_out"] == LEFT_OUT, checked
assert not os.path.exists("app.zip")
assert [checked[name] for name in ("profiles", "contacts")] == [2, 2], checked
report = stage.tacit("alice", "export", "--format", "official", "app.zip", "--json").objects[0]
assert report["left_out"] == LEFT_OUT and report["encrypted"] is report["frozen"] is report["passphrase"] is False, report
assert view("alice") == before, "an export changes nothing"
stage.play(r'''
    alice$ tacit export --format official --dry-run other.zip | head -1
    left out: 1 setting
    alice$ tacit export --format official other.zip --target @bob
    ! tacit: '--format official' and '--target' cannot be combined
    [64]
    alice$ tacit export --dry-run other.zip
    ! tacit: '--dry-run' needs '--format official'
    !   why: other archives always contain the whole store
    !   try: tacit export --format official --dry-run app.zip
    [64]
    alice$ tacit export --format official app.zip
    ! tacit: cannot export to 'app.zip': the file exists already
    !   why: path: 'app.zip'
    !   try: tacit export --force app.zip    replace the file
    [73]
    alice$ ls other.zip 2>/dev/null
    [2]
''')

# The names and the form are those of the apps.
with zipfile.ZipFile("app.zip") as archive:
    assert archive.testzip() is None
    names = archive.namelist()
    assert names[:2] == [CHAT, AGENT] and all(name.startswith(FOLDER) for name in names[2:]), names
    for name in CHAT, AGENT:
        content = archive.read(name)
        assert content.startswith(b"SQLite format 3\0") and content[18:20] == b"\1\1"
        database = sqlite3.connect(":memory:")
        database.deserialize(content)
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        if name == CHAT:
            users = database.execute("SELECT local_display_name, active_user FROM users ORDER BY user_id").fetchall()
            assert users == [("alice", 1), ("work", 0)], users

# Encrypted: as SQLCipher does it, with a passphrase that the apps accept.
for name, words in (("right", "correct-horse"), ("spaces", "correct horse")):
    (stage.folder / name).write_text(words + "\n")
    (stage.folder / name).chmod(0o600)
stage.play(r'''
    alice$ tacit export --format official --passphrase-file spaces sealed.zip
    ! tacit: cannot export to 'sealed.zip': the SimpleX Chat apps do not accept this passphrase
    !   why: it must contain only printable ASCII characters, without spaces
    [64]
''')
report = stage.tacit("alice", "export", "--format", "official", "--passphrase-file", "right", "sealed.zip", "--json").objects[0]
assert report["encrypted"] is report["passphrase"] is True and "key" not in report, report
with zipfile.ZipFile("sealed.zip") as archive:
    for name in CHAT, AGENT:
        content = archive.read(name)
        assert not content.startswith(b"SQLite") and len(content) % 4096 == 0 and b"how are you" not in content

# An import makes the same store of both.
for person, archive, words in (("carol", "app.zip", []), ("dora", "sealed.zip", ["--passphrase-file", "right"])):
    stage.place(person).mkdir(mode=0o700)
    report = stage.tacit(person, "import", archive, *words, "--json").objects[0]
    assert report["left_out"] == [], report
    after = view(person)
    stage.tacit(person, "export", "--format", "official", f"{person}.zip")
    assert codes_of_members("app.zip") == codes_of_members(f"{person}.zip") == [(code,)], code
    for what in before:
        wanted, found = compared(before[what]), compared(after[what])
        assert wanted == found, (what, [pair for pair in zip(wanted, found) if pair[0] != pair[1]] or (wanted, found))

# Files that lie outside of the store are in the archive too.
sent = [entry for entry in stage.tacit("carol", "file", "list", "--json").objects if entry["direction"] == "out"]
with open(sent[0]["path"], "rb") as copy:
    assert copy.read() == (stage.folder / "picture.bin").read_bytes()
assert sent[0]["path"].startswith(str(stage.place("carol"))), sent

# The old store refuses to be used once it is frozen.
stage.tacit("alice", "export", "--format", "official", "--freeze", "moved.zip")
stage.tacit("alice", "send", "@bob", "too late", expect=69)

# Conversations continue where they stopped, with what waited.
relay.start()
stage.tacit("carol", "fetch")
stage.until_fetched("bob", "in the outbox")
stage.tacit("carol", "send", "@bob", "from the new place")
stage.until_fetched("bob", "from the new place")
stage.tacit("bob", "send", "@alice", "welcome there")
stage.until_fetched("carol", "welcome there")
stage.tacit("carol", "send", "+team", "also here")
stage.until_fetched("mia", "also here")
stage.tacit("mia", "send", "+team", "good")
stage.until_fetched("carol", "good")
stage.tacit("carol", "accept", "@eve")
stage.tacit("eve", "fetch")
stage.tacit("carol", "fetch")
stage.tacit("carol", "send", "@eve", "hello eve")
stage.until_fetched("eve", "hello eve")
