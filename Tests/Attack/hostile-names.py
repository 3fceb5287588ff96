"""Names of contacts and groups that are commands, control characters or bidirectional text: completion offers lines without characters that
a terminal obeys, and the title of the window shows them as text. `Tests/Scripts/completion.py` has such names in real shells."""

# limit: 400

import sqlite3

from support import hostile
from support.seat import control
from support.stage import Stage

NAMES = [name.strip()[:200] or "x" for name in hostile.TEXTS] + [
    "$(touch owned)", "`touch owned`", "a;touch owned", "a\ntouch owned\n", "a\rtouch owned\r", "'; touch owned; '", '"; touch owned; "', "a|touch owned",
    "a&touch owned", "!touch", "~", "*", "a\\\ntouch owned", "\x03touch owned\n", "\x16\ntouch owned", "$'\\ntouch owned'", "${IFS}touch${IFS}owned", "<(touch owned)",
    "{a,$(touch owned)}", "\x1b]2;owned\x07", "\x1b[201~touch owned\n", "\u2028touch owned", "\u202etouch owned", "a\ttouch owned", "=touch", "--yes", "-",
]  # fmt: skip

stage = Stage()
relay = stage.relay().start()
stage.person("alice", relay, "--no-encryption")
stage.person("bob", relay)
stage.connect("alice", "bob")
stage.tacit("alice", "group", "create", "team")
stage.tacit("alice", "config", "set", "session.title", "yes", "-q")


def rename(name):
    """Writes a name into the database, as no command would."""
    database = sqlite3.connect(stage.place("alice") / "simplex_v1_chat.db")
    with database:
        for table in ("contacts", "groups"):
            (old,) = database.execute(f"SELECT name FROM {table}").fetchone()
            new = name if table == "contacts" else "team" + name
            database.execute(f"UPDATE {table} SET name = ?", [new])
            database.execute("UPDATE names SET name = ? WHERE name = ?", [new, old])
    database.close()


def offered(shell, *words):
    """The lines that a shell gets. A tab stands before the meaning of a word."""
    ended = stage.tacit("alice", "__complete", shell, "--", *words)
    assert ended.err == "", (words, ended.err)
    return ended.out


for name in NAMES:
    rename(name)
    for words in (["send", "@"], ["read", "+"], ["send", "id:"]):
        for shell in ("bash", "zsh", "fish"):
            out = offered(shell, *words)
            # A line for each word, and no character that a terminal obeys.
            for line in out.splitlines():
                hostile.check_text(line.replace("\t", " "), (name, shell, words))

# The title of the window.
for name in NAMES:
    rename(name)
    seat = stage.sit("alice", "repl", "--fresh")
    seat.until("alice:/")
    seat.enter("open id:c1")
    seat.until(lambda: "alice:/" in seat.screen.title and len(seat.screen.title) > len("tacit alice:/"), "a title")
    hostile.check_text(seat.screen.title, ("title", name))
    assert len(seat.screen.title) <= 400 and "\n" not in seat.screen.title, (name, seat.screen.title)
    seat.type(control("d"))
    assert seat.ended() == 0
    assert seat.screen.title == "the shell" and seat.screen.kept_titles == [], name
print(f"{len(NAMES)} names")
