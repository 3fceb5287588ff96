"""Where files may not grow a fetch says so, whatever it was doing when that began, and the next one goes on."""

import resource

from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")
texts = [f"{number} " + letter * 6000 for number, letter in enumerate("abcdefgh")]
for text in texts:
    stage.tacit("bob", "send", "@alice", text, "--wait", "queued")
stage.tacit("bob", "outbox", "flush")

codes = set()
for size in range(0, 400_000, 20_000):
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    running = stage.start("alice", "fetch", "--timeout", "20s", preexec_fn=limit)
    ended = running.ended()
    assert ended.code in (0, 74), (size, ended.code, ended.out[:200], ended.err)
    assert ended.code == 0 or ended.err.startswith("tacit: cannot fetch: "), (size, ended.code, ended.out[:200], ended.err)
    codes.add(ended.code)
assert codes == {0, 74}, codes
stage.tacit("alice", "fetch")
assert [item["text"] for item in stage.tacit("alice", "read", "@bob", "--json").objects] == texts
