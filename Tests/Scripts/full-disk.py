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
for size in range(0, 600_000, 30_000):
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    running = stage.start("alice", "fetch", "--timeout", "20s", preexec_fn=limit)
    ended = running.ended()
    assert ended.code in (0, 74), (size, ended.code, ended.out[:200], ended.err)
    assert ended.code == 0 or ended.err.startswith("tacit: cannot fetch: "), (size, ended.code, ended.out[:200], ended.err)
    codes.add(ended.code)
assert codes == {0, 74}, codes
stage.tacit("alice", "fetch")
assert [item["text"] for item in stage.tacit("alice", "read", "@bob", "--json").objects] == texts

# A message that is in the outbox when the disk fails is reported: whoever sent it again would send it twice.
reported = 0
for size in range(40_000, 600_000, 10_000):
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    ended = stage.start("alice", "send", "@bob", f"{size} " + "x" * 6000, "--json", preexec_fn=limit).ended()
    stage.tacit("alice", "fetch", "--timeout", "20s")
    texts = [item["text"].split()[0] for item in stage.tacit("alice", "read", "@bob", "--last", "1000", "--json").objects]
    is_written = str(size) in texts
    assert is_written == ('"type":"send"' in ended.out), (size, ended.code, ended.out, ended.err)
    reported += is_written and ended.code == 74
assert reported, "the disk was full at no moment between"

# What is cut off in the middle of a page is still in the log: the store is whole.
for number, size in enumerate(range(60_003, 260_000, 3_511)):
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    words = ["send", "@bob", f"cut {size} " + "x" * 3000, "--wait", "queued"]
    stage.start("alice", *words, preexec_fn=limit).ended()
    stage.tacit("alice", "db", "check")
