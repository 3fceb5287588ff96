"""Cursors whose names have quotes move beside a daemon too."""

from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")
(stage.folder / "bot.sh").write_text("#!/bin/sh\necho run >> runs\n")
(stage.folder / "bot.sh").chmod(0o755)


def runs():
    file = stage.folder / "runs"
    return len(file.read_text().splitlines()) if file.exists() else 0


NAMES = ["it's", "''", "a 'b' c", "plain"]
stage.tacit("bob", "send", "@alice", "one", "-q")
stage.tacit("alice", "fetch", "-q")
daemon = stage.start("alice", "daemon", "run")
assert daemon.error_line().startswith("accepting commands at ")
for name in NAMES:
    stage.tacit("alice", "read", "--cursor", name, "--exec", "./bot.sh")
    before = runs()
    stage.tacit("alice", "read", "--cursor", name, "--exec", "./bot.sh")
    assert runs() == before, name
assert sorted(line["name"] for line in stage.tacit("alice", "cursor", "list", "--json").objects) == sorted(NAMES)
for name in NAMES:
    stage.tacit("alice", "cursor", "delete", name)
assert not stage.tacit("alice", "cursor", "list", "--json").objects

stage.tacit("alice", "daemon", "stop")
