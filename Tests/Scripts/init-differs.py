"""init --if-missing on an existing store: what it lacks is added, what contradicts it is 78 and changes nothing."""

import json

from support.stage import Stage

stage = Stage()
first, second = stage.relay("first").start(), stage.relay("second", "127.0.0.2").start()
words = ["init", "--if-missing", "--no-encryption", "--name", "ops"]
stage.tacit("ops", *words)
assert "server.none" in stage.tacit("ops", "status", "--json").objects[0]["problems"]

# The relay was missing.
stage.tacit("ops", *words, "--server", first.address)
assert stage.tacit("ops", "status", "--json").objects[0]["servers"] == [first.address]
stage.tacit("ops", *words, "--server", first.address)


def differs(*more):
    before = stage.tacit("ops", "status", "--json").out
    ended = stage.tacit("ops", "init", "--if-missing", *more, "--json", expect=78)
    assert stage.tacit("ops", "status", "--json").out == before
    error = json.loads(ended.err.splitlines()[-1])
    assert error["code"] == "store.differs", error
    return error["why"]


assert "127.0.0.1:" in differs("--server", second.address) and "127.0.0.2:" in differs("--server", second.address)
assert differs("--name", "other") == "it has the profile 'ops', not 'other'"
assert differs("--name", "other", "--server", first.address) == "it has the profile 'ops', not 'other'"
stage.tacit("ops", "init", "--if-missing")

# A relay that is switched off is neither missing nor used.
place = first.address.split("@")[1]
stage.tacit("ops", "server", "disable", place)
assert differs("--server", first.address) == f"{place} is switched off"
stage.tacit("ops", "server", "enable", place)

# The key.
assert differs("--new-key-file", str(stage.folder / "nowhere")).startswith("the key file ")
stage.tacit("ops", "db", "encrypt", "--new-key-file", str(stage.folder / "key"))
ended = stage.tacit("ops", *words, "--key-file", str(stage.folder / "key"), "--json", expect=78)
assert ended.error["why"] == "it is encrypted", ended.err
stage.tacit("ops", "init", "--if-missing", "--name", "ops", "--new-key-file", str(stage.folder / "key"))
