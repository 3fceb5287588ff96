"""A first start that was cut off, or happens several times at once, is repeated without harm."""

# limit: 120

import time
from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
key = stage.folder / "key"
FIRST = ("init", "--if-missing", "--name", "ops", "--no-input", "--server", relay.address, "--new-key-file", str(key))
OPEN = {"TACIT_KEY_FILE": str(key)}

# The key was written, and the store was not: what can be used is used, and nothing else is touched.
made = stage.tacit("maker", *FIRST)
text = key.read_text()
stage.tacit("bob", *FIRST)
assert key.read_text() == text
stage.tacit("bob", "connect", env=OPEN)
for content, mode, code in ((text, 0o644, 77), ("hello\n", 0o600, 77), ("", 0o600, 77)):
    key.write_text(content)
    key.chmod(mode)
    ended = stage.tacit("carol", *FIRST, expect=code)
    assert key.read_text() == content and not (stage.place("carol") / "simplex_v1_chat.db").exists(), ended.err
key.unlink()
# Who does not say that it may be there wants a new one.
key.write_text(text)
key.chmod(0o600)
error = stage.tacit("carol", "init", "--new-key-file", str(key), "--json", expect=73).error
assert error["code"] == "key.exists", error
key.unlink()

# However the first start ends, the second one does what it should.
for number in range(25):
    person = f"p{number}"
    first = stage.start(person, *FIRST)
    time.sleep(number * 0.0015)
    first.process.kill()
    first.ended()
    stage.tacit(person, *FIRST)
    stage.tacit(person, "connect", env=OPEN)
    key.unlink()

# Many at once make one store.
crowd = [stage.start("many", *FIRST) for _ in range(6)]
assert {one.ended().code for one in crowd} == {0}
assert len(stage.tacit("many", "profile", "list", "--json", env=OPEN).objects) == 1
