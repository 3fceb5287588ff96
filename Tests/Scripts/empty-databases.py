"""A database that has lost all that was in it is damaged, and is not filled anew."""

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
stage.person("alice", relay)
stage.person("bob", relay, "--no-encryption")

COMMANDS = (
    ["read"],
    ["status"],
    ["list"],
    ["db", "info"],
    ["db", "check"],
    ["db", "compact"],
    ["fetch"],
    ["export", "all.zip"],
    ["init", "--if-missing", "--name", "anew"],
    ["send", "notes", "hi"],
)

for person in ("alice", "bob"):
    for name in ("chat", "agent"):
        path = stage.place(person) / f"simplex_v1_{name}.db"
        whole = path.read_bytes()
        path.write_bytes(b"")
        for words in COMMANDS:
            error = stage.tacit(person, *words, "--json", expect=74).error
            assert error["code"] == "store.damaged", (person, name, words, error)
            assert path.read_bytes() == b"", (person, name, words)
        path.write_bytes(whole)
    stage.tacit(person, "db", "check")
