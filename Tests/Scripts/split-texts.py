"""A text that is too long for one message is sent in several with --split: in order, with nothing lost between the parts and no
character taken apart. Without it the error says so.
"""

# limit: 120

import json

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
(stage.folder / "long").write_text("x" * 20_000)
stage.play(r"""
    alice$ tacit send @bob - < long
    ! tacit: cannot send to '@bob': the message is too large
    !   why: its encoded size is 20106 bytes; the limit is 15602
    !   try: tacit send --split ...    split the text into several messages
    [65]
    alice$ tacit send @bob 'short enough' --split
    sent @bob m1
    alice$ tacit send @bob - --split < long
    sent @bob m2 (1 of 2)
    sent @bob m3 (2 of 2)
""")
stage.tacit("bob", "fetch", "-q")


def received():
    return [m["text"] for m in stage.tacit("bob", "read", "--json", "--last", "500").objects if m["direction"] == "in"]


assert received()[0] == "short enough" and "".join(received()[1:]) == "x" * 20_000
count = len(received())


def send(text, *words, parts=None):
    """The texts that come when one is sent."""
    global count
    reports = stage.tacit("alice", "send", "@bob", "-", "--split", "--json", *words, stdin=text).objects
    assert [r.get("part", 1) for r in reports] == list(range(1, len(reports) + 1)), reports
    assert all(r.get("parts", 1) == len(reports) and r["state"] == "sent" for r in reports), reports
    stage.tacit("bob", "fetch", "-q")
    new = received()[count:]
    count += len(new)
    assert "".join(new) == text and len(new) == len(reports), (len(text), [len(part) for part in new])
    return new


# At a line break, else behind a word, else behind a character.
lines = "".join(f"line {number} of a log\n" for number in range(2000))
assert all(part.endswith("\n") for part in send(lines + "end")[:-1])
words = " ".join(f"word{number}" for number in range(4000))
assert all(part.endswith(" ") for part in send(words)[:-1])
# A line break at the start is no reason for a part of one line.
assert len(send("title\n" + "x" * 14_000 + " " + "y" * 3_000)[0]) > 6_000
# Families, flags, combining marks and what JSON writes with more bytes stay whole.
family, flag, accented = "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466", "\U0001f1e9\U0001f1ea", "e\u0301"
for character in (family, flag, accented, "\u00e4", "\u6f22"):
    for part in send("." + character * (30_000 // len(character.encode()))):
        whole = part.removeprefix(".")
        assert whole == character * (len(whole) // len(character)), part[:20]
send('"\\\t\x01' * 6_000)
# One character that is too long alone is taken apart between two scalars.
send("a" + "\u0301" * 15_000)

# A message that disappears does so in all parts, and the first one answers.
reports = stage.tacit(
    "alice", "send", "@bob", "-", "--split", "--json", "--expires", "1h", "--reply-to", "m1", stdin="y" * 20_000
).objects
assert len(reports) == 2 and all(r["ttl_ms"] == 3_600_000 for r in reports), reports
stage.tacit("bob", "fetch", "-q")
answers = stage.tacit("bob", "read", "--json", "--last", "2").objects
assert answers[0]["quote"]["text"] == "short enough" and "quote" not in answers[1]
count += 2

# The key stands for the whole: what waits is sent once, and reported part by part.
relay.kill()
once = ("send", "@bob", "-", "--split", "--once", "key", "--json")
ended = stage.tacit("alice", *once, "--timeout", "1s", stdin="z" * 30_000, expect=75)
first = [r["id"] for r in ended.objects]
assert len(first) == 3 and {r["state"] for r in ended.objects} == {"queued"}, ended.out
assert len(ended.err.splitlines()) == 1, "the reason is given once"
relay.start()
ended = stage.tacit("alice", *once, stdin="z" * 30_000)
assert [r["id"] for r in ended.objects] == first, ended.out
assert all(r["duplicate"] and r["state"] == "sent" for r in ended.objects), ended.out
assert [(r["part"], r["parts"]) for r in ended.objects] == [(1, 3), (2, 3), (3, 3)]
stage.tacit("bob", "fetch", "-q")
assert "".join(received()[count:]) == "z" * 30_000
count = len(received())
for id in first:
    stage.tacit("alice", "message", "delete", id, "-q")
assert stage.tacit("alice", *once, stdin="z" * 30_000).objects[0]["state"] == "removed"
stage.tacit("bob", "fetch", "-q")
assert len(received()) == count

# Beside a daemon too.
daemon = stage.start("alice", "daemon", "run")
assert daemon.error_line().startswith("accepting commands at ")
send("d" * 30_000)
stage.tacit("alice", "daemon", "stop")
daemon.ended()
