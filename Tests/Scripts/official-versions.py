# limit: 180
"""Archives of the apps of today and of older ones: the form of each, what a newer app has and this program has not, and what
is refused. Conversations of a group continue from the archive of today."""

import os
import shutil
import sqlite3
import zipfile

from support.official import AGENT, CHAT
from support.stage import FileRelay, Stage

stage = Stage()
relay = FileRelay(stage).start()
for name in "alice", "bob", "mia":
    stage.person(name, relay)
for name in "bob", "mia":
    stage.connect("alice", name)
stage.tacit("alice", "group", "create", "team")
stage.tacit("alice", "group", "invite", "+team", "@bob", "@mia")
for name in "bob", "mia":
    stage.tacit(name, "fetch")
    stage.tacit(name, "group", "join", "+team")
    stage.tacit("alice", "fetch")
for _ in range(3):
    for name in "bob", "mia", "alice":
        stage.tacit(name, "fetch")
stage.tacit("alice", "send", "@bob", "look at https://example.com")


def opened(archive):
    """The databases of an archive, in files that can be changed."""
    folder = stage.folder / f"{archive}.d"
    shutil.rmtree(folder, ignore_errors=True)
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)
    return {name: sqlite3.connect(folder / name, isolation_level=None) for name in (CHAT, AGENT)}


def changed(archive, name, *statements, into="changed.zip"):
    """The archive with changes in one of its databases."""
    databases = opened(archive)
    for statement in statements:
        databases[name].execute(*statement) if isinstance(statement, tuple) else databases[name].execute(statement)
    for database in databases.values():
        database.close()
    with zipfile.ZipFile(into, "w") as packed:
        for each in CHAT, AGENT:
            packed.write(stage.folder / f"{archive}.d" / each, each)
    return into


def rows(database, statement):
    return database.execute(statement).fetchall()


# Both forms. Every table of today checks its types, and each has the migrations of its app.
stage.tacit("alice", "export", "--format", "official", "today.zip")
stage.tacit("alice", "export", "--format", "official", "--official-version", "6.4", "older.zip")
today, older = opened("today.zip"), opened("older.zip")
LAST = {CHAT: ("20260629_roster_catchup", "20250802_chat_peer_type"),
        AGENT: ("m20260411_service_certs", "m20250702_conn_invitations_remove_cascade_delete")}
for name in CHAT, AGENT:
    for database, last in zip((today[name], older[name]), LAST[name]):
        assert rows(database, "PRAGMA integrity_check") == [("ok",)]
        assert rows(database, "PRAGMA foreign_key_check") == []
        assert rows(database, "SELECT max(name) FROM migrations WHERE name LIKE '%2%'") == [(last,)], last
    tables = rows(today[name], "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    assert len(tables) > 20 and all(sql.endswith("STRICT") for _, sql in tables), [name for name, sql in tables if not sql.endswith("STRICT")]
    assert rows(older[name], "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") == [(0,)]
assert rows(today[CHAT], "SELECT DISTINCT typeof(member_role) FROM group_members") == [("text",)]
assert rows(older[CHAT], "SELECT DISTINCT typeof(member_role) FROM group_members") == [("blob",)]
members = rows(today[CHAT], "SELECT index_in_group, member_relations_vector FROM group_members ORDER BY index_in_group")
assert [index for index, _ in members] == [0, 1, 2], members
# Bob was there when mia came, and both have reported that they are connected: 4, and 12 from the other side.
assert members[1][1] == b"\0\0\4" and members[2][1] == b"\0\x0c", members
assert rows(today[CHAT], "SELECT member_index, summary_current_members_count FROM groups") == [(3, 3)]
assert rows(today[CHAT], "SELECT item_text FROM chat_items WHERE has_link = 1") == [("look at https://example.com",)]
# The apps count the members themselves from now on.
today[CHAT].execute("UPDATE group_members SET member_status = 'left' WHERE index_in_group = 2")
assert rows(today[CHAT], "SELECT summary_current_members_count FROM groups") == [(2,)]

stage.play(r'''
    alice$ tacit export --official-version 6.4 other.zip
    ! tacit: '--official-version' needs '--format official'
    !   why: other archives are for tacit
    !   try: --format official    export an archive for a SimpleX Chat app
    [64]
''')

# What is unknown is refused, whoever wrote it.
for number, (name, statement, code) in enumerate([
    (CHAT, "INSERT INTO migrations VALUES ('20991231_future', '2099-12-31', NULL)", 69),
    (AGENT, "INSERT INTO migrations VALUES ('m20991231_future', '2099-12-31', NULL)", 69),
    (CHAT, "CREATE TRIGGER other AFTER INSERT ON users BEGIN DELETE FROM users; END", 65),
    (AGENT, "CREATE TRIGGER other AFTER INSERT ON servers BEGIN DELETE FROM servers; END", 65),
]):
    person = f"refused{number}"
    stage.place(person).mkdir(mode=0o700)
    ended = stage.tacit(person, "import", changed("today.zip", name, statement), expect=code)
    assert ("newer version" in ended.err) is (code == 69), ended.err

# A channel is kept with its keys; a badge, a name and the key of a member come from the app.
archive = changed(
    "today.zip", CHAT,
    "INSERT INTO display_names (user_id, local_display_name, ldn_base, created_at, updated_at) "
    "VALUES (1, 'news', 'news', '2026-01-02 03:04:05', '2026-01-02 03:04:05')",
    "INSERT INTO group_profiles (group_profile_id, display_name, full_name, created_at, updated_at, user_id) "
    "VALUES (70, 'news', '', '2026-01-02 03:04:05', '2026-01-02 03:04:05', 1)",
    "INSERT INTO groups (group_id, user_id, local_display_name, group_profile_id, created_at, updated_at, use_relays, "
    "root_priv_key) VALUES (70, 1, 'news', 70, '2026-01-02 03:04:05', '2026-01-02 03:04:05', 1, x'00ff')",
    "UPDATE contact_profiles SET badge_proof = x'01', contact_domain = 'bob.simplex' WHERE display_name = 'bob'",
    "UPDATE group_members SET member_pub_key = x'302a' WHERE index_in_group = 1",
)
stage.place("carol").mkdir(mode=0o700)
report = stage.tacit("carol", "import", archive, "--json").objects[0]
left = {entry["kind"]: entry["count"] for entry in report["left_out"]}
assert left["channels"] == 1 and left["badges"] >= 1 and set(left) == {"channels", "badges"}, report
assert [chat["name"] for chat in stage.tacit("carol", "list", "groups", "--json").objects] == ["team"]

# It becomes an archive again: what was introduced to whom, the key and the name are as they were, and the channel is counted.
report = stage.tacit("carol", "export", "--format", "official", "again.zip", "--json").objects[0]
assert {entry["kind"]: entry["count"] for entry in report["left_out"]} == {"channels": 1}, report
again = opened("again.zip")[CHAT]
found = rows(again, "SELECT index_in_group, member_relations_vector, member_pub_key FROM group_members ORDER BY 1")
assert [(index, vector) for index, vector, _ in found] == members, found
assert [key for _, _, key in found] == [None, b"0*", None], found
assert ("bob.simplex",) in rows(again, "SELECT contact_domain FROM contact_profiles")

# The group continues, also for who was introduced by the owner.
stage.tacit("carol", "send", "+team", "from another place")
stage.until_fetched("mia", "from another place")
stage.tacit("mia", "send", "+team", "seen")
stage.until_fetched("carol", "seen")
assert os.path.exists("older.zip")
stage.place("dora").mkdir(mode=0o700)
report = stage.tacit("dora", "import", "older.zip", "--json").objects[0]
assert report["left_out"] == [], report
