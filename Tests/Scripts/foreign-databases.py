"""A folder with the databases of another program is refused by every command with 65, and is not changed."""

import json
import sqlite3

from support.stage import Stage

stage = Stage()

SCHEMAS = {
    # As the official apps have it.
    "official": "CREATE TABLE migrations (name TEXT PRIMARY KEY, ts TEXT NOT NULL, down TEXT);"
    "INSERT INTO migrations VALUES ('20220101_initial', '2022-01-01', NULL); CREATE TABLE users (user_id INTEGER);",
    "other": "CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine');",
    "typed": "CREATE TABLE migrations (number TEXT, name BLOB, hash TEXT); INSERT INTO migrations VALUES ('x', 'y', 'z');",
}


def contents(path):
    """All bytes of a database, and no log beside it."""
    assert not path.with_name(path.name + "-wal").exists(), path
    return path.read_bytes()


COMMANDS = [
    "status", "list", "list contacts", "list profiles", "fetch", "read", "send @a b", "connect", "profile list", "doctor",
    "init --if-missing --name a --no-encryption", "db check", "db info", "db compact", "db backup copy", "db upgrade", "db thaw",
    "export archive", "db rekey --new-key-file key", "db decrypt --yes", "unlock", "init --name a",
    "import own.zip", "import own.zip --replace", "import own.zip --replace --dry-run", "db encrypt --new-key-file key", "watch --timeout 1s", "daemon run", "api /users", "cursor list",
    "outbox list", "message search x", "server list", "address show", "repl",
]
relay = stage.relay().start()
stage.person("owner", relay, "--no-encryption")
stage.tacit("owner", "export", "own.zip")
for name, schema in SCHEMAS.items():
    folder = stage.folder / name
    folder.mkdir(mode=0o700)
    for part in ("chat", "agent"):
        database = sqlite3.connect(folder / f"simplex_v1_{part}.db")
        database.executescript(schema)
        database.close()
    before = {part: contents(folder / f"simplex_v1_{part}.db") for part in ("chat", "agent")}
    for line in COMMANDS:
        line = line.replace("file key", f"file key-{name}")
        ended = stage.shell(name, f"tacit {line} --json --no-input </dev/null")
        if line == "doctor":
            assert ended.code == 1, ended.out
            continue
        assert ended.code == 65, (name, line, ended.code, ended.out, ended.err)
        assert json.loads(ended.err.splitlines()[-1])["code"] == "store.foreign", (name, line, ended.err)
    for part in before:
        assert contents(folder / f"simplex_v1_{part}.db") == before[part], (name, part)
    assert not list(stage.folder.glob("copy/*.db")) and not (stage.folder / "archive").exists()
