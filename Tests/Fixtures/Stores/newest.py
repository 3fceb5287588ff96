"""Records dumps of the newest schemas: the newest dumps that are there after an upgrade, and what they are when its steps are taken
back one after the other.

    TACIT=$PWD/.build/debug/tacit Tests/Scripts/run --in Tests/Fixtures/Stores newest.py
"""
# limit: 120

import os
import re
import sqlite3
from pathlib import Path

from support.stage import Stage

DUMPS = Path(os.environ["TACIT_REPOSITORY"]) / "Tests/Fixtures/Stores"
stage = Stage()


def newest(kind):
    """The number of the newest dump of a kind: chat, agent, notes-chat, notes-agent."""
    found = [re.fullmatch(rf"{kind}-(\d+)\.sql", path.name) for path in DUMPS.iterdir()]
    return max(int(match[1]) for match in found if match)


for prefix in "", "notes-":
    folder = stage.place(f"{prefix}store")
    folder.mkdir(mode=0o700)
    begun = {}
    for name in "chat", "agent":
        begun[name] = newest(prefix + name)
        database = sqlite3.connect(folder / f"simplex_v1_{name}.db")
        database.executescript((DUMPS / f"{prefix}{name}-{begun[name]}.sql").read_text())
        database.close()
        (folder / f"simplex_v1_{name}.db").chmod(0o600)
    stage.tacit(f"{prefix}store", "db", "upgrade", "--confirm", "yes-up")
    # Of the store with notes, the chat database is there as it was before notes were chats.
    for name in ("chat", "agent") if not prefix else ("agent",):
        database = sqlite3.connect(folder / f"simplex_v1_{name}.db", isolation_level=None)
        number = database.execute("SELECT max(number) FROM migrations").fetchone()[0]
        while number > begun[name]:
            (DUMPS / f"{prefix}{name}-{number}.sql").write_text("\n".join(database.iterdump()) + "\n")
            print(f"recorded {prefix}{name}-{number}.sql")
            down = database.execute("SELECT down FROM migrations WHERE number = ?", (number,)).fetchone()[0]
            database.executescript(f"BEGIN; {down}; DELETE FROM migrations WHERE number = {number}; COMMIT;")
            number -= 1
        database.close()
