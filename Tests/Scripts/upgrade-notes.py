"""A store of the version in which notes were a contact is upgraded, goes on, and goes back: nothing that belongs to notes is lost."""

import json
import os
import sqlite3
from pathlib import Path

from support.stage import Stage

stage = Stage()
DUMPS = Path(os.environ["TACIT_REPOSITORY"]) / "Tests/Fixtures/Stores"
CHAT = "alice/simplex_v1_chat.db"

folder = stage.place("alice")
folder.mkdir(mode=0o700)
for name, dump in (("chat", "notes-chat-13"), ("agent", "notes-agent-9")):
    database = sqlite3.connect(folder / f"simplex_v1_{name}.db")
    database.executescript((DUMPS / f"{dump}.sql").read_text())
    database.close()
    (folder / f"simplex_v1_{name}.db").chmod(0o600)


def rows(query):
    database = sqlite3.connect(CHAT)
    try:
        assert not database.execute("PRAGMA foreign_key_check").fetchall()
        return database.execute(query).fetchall()
    finally:
        database.close()


def api(text):
    return json.loads(stage.tacit("alice", "api", text).out.splitlines()[-1])["result"]


def goes_on():
    """What every version finds."""
    stage.play(r'''
        alice$ tacit read notes --plain --fields id,chat,text | head -n 3
        m3	notes	call the plumber today
        m4	notes	buy milk
        m5	notes	gone in a century
        alice$ tacit read id:c2 --plain --fields id,chat_id | head -n 1
        m3	c2
        alice$ tacit cursor list --plain --fields name,chat
        bob bot	@bob
        bot	
        notes bot	notes
        alice$ tacit list --plain --fields id,name | sort
        c1	bob
        c2	notes
        alice$ tacit contact list --plain --fields id,name
        c1	bob
        alice$ tacit send notes again --once plumber
        kept in notes m3 (before)
        alice$ tacit read notes --profile second --plain --fields id,text
        m6	a note of the second profile
        alice$ tacit read id:c4
        ! tacit: cannot read 'id:c4': unknown contact
        !   try: tacit list contacts    show the list
        [67]
        alice$ tacit db check
        the store is undamaged
    ''')
    assert stage.tacit("alice", "status", "--json").objects[0]["unread"] == 2
    place = rows("SELECT value FROM session_values WHERE key = 'place'")[0][0]
    assert '"screen":"chat"' in place, place


goes_on()
stage.play(r'''
    alice$ tacit send notes 'one more'
    kept in notes m10
    alice$ tacit read notes --cursor 'notes bot' --plain --fields id
    m4
    m5
    m10
    alice$ tacit profile create third
    created third (p4)
    alice$ tacit send notes mine --profile third
    kept in notes m11
    alice$ tacit read notes --profile third --plain --fields id,chat_id
    m11	c5
''')

# The session opens where the old one was: with the notes.
opened = stage.shell("alice", "tacit repl < /dev/null")
assert opened.code == 0, opened.err

# Back: the older program takes the step back with what stands in the store.
database = sqlite3.connect(CHAT, isolation_level=None)
database.execute("PRAGMA foreign_keys = ON")
steps = database.execute("SELECT number, down FROM migrations WHERE number >= 14 ORDER BY number DESC").fetchall()
assert steps[-1][0] == 14
for number, down in steps:
    database.executescript(f"BEGIN; {down}; DELETE FROM migrations WHERE number = {number}; COMMIT;")
database.close()
contacts = rows("SELECT contact_id, profile_id, name, is_notes, retention FROM contacts ORDER BY contact_id")
assert contacts == [
    (1, 1, "bob", 0, 0), (2, 1, "notes", 1, 3153600000), (3, 2, "notes", 1, None), (4, 3, "notes", 1, None),
    (5, 4, "notes", 1, None),
], contacts
assert rows("SELECT count(*) FROM items JOIN chats USING (chat_id) WHERE contact_id = 2") == [(4,)]
assert rows("SELECT draft FROM drafts WHERE contact_id = 2") == [("a note that is not done",)]
assert rows("SELECT contact_id FROM cursors WHERE name = 'notes bot'") == [(2,)]
old = os.environ.get("TACIT_OLD")
if old:
    assert os.spawnve(os.P_WAIT, old, ["tacit", "read", "notes"], dict(os.environ, TACIT_DIR=str(folder))) == 0

# And up again.
goes_on()
