"""A message that cannot be sent yet does not keep the others from being received: fetch ends with 0 once the own queues are
drained, the report says what waits and why, and a program that runs behind fetch runs.
"""

import json

from support.stage import Stage

stage = Stage()
home, away = stage.relay("home").start(), stage.relay("away", "127.0.0.2").start()
stage.person("alice", home)
stage.person("bob", home)
stage.person("carol", away)
stage.connect("bob", "alice")
stage.connect("carol", "bob")
(stage.folder / "bot.sh").write_text("#!/bin/sh\nread -r line; echo \"$line\" >> runs\n")
(stage.folder / "bot.sh").chmod(0o755)


def runs():
    file = stage.folder / "runs"
    return [json.loads(line)["text"] for line in file.read_text().splitlines()] if file.exists() else []


# The relay of one contact is down, and another contact writes.
away.kill()
stage.tacit("bob", "send", "@carol", "later", "--wait", "queued", "-q")
stage.tacit("alice", "send", "@bob", "hello", "-q")
ended = stage.shell("bob", "tacit fetch -q && tacit read --cursor bot --exec ./bot.sh")
assert ended.code == 0, ended.err
assert runs()[-1] == "hello", runs()

ended = stage.tacit("bob", "fetch", "--json")
report = ended.objects[-1]
assert report["type"] == "fetch" and not report["complete"] and report["waiting"] == 1, report
(reason,) = report["reasons"]
assert reason["code"] == "relay.unreachable" and reason["relay"].startswith("127.0.0.2:") and reason["message"], reason
assert "waiting: cannot send through '127.0.0.2:" in stage.tacit("bob", "fetch").err

# It is seen by those who ask.
ended = stage.tacit("bob", "status", "--check", "--json", expect=1)
assert ended.objects[0]["problems"] == ["outbox.waiting"] and ended.objects[0]["outbox"] == 1, ended.out
ended = stage.tacit("bob", "fetch", "--require-sent", expect=75)
assert "cannot send everything: 1 in the outbox" in ended.err and "127.0.0.2:" in ended.err, ended.err

# One step receives and runs, beside a daemon too.
stage.tacit("alice", "send", "@bob", "one step", "-q")
ended = stage.tacit("bob", "fetch", "--cursor", "bot", "--exec", "./bot.sh")
assert runs()[-1] == "one step" and runs().count("hello") == 1 and ended.out == "", ended.out
stage.tacit("bob", "fetch", "--cursor", "bot", "--exec", "./bot.sh", "--require-sent", expect=75)
daemon = stage.start("bob", "daemon", "run")
assert daemon.error_line().startswith("accepting commands at ")
stage.tacit("alice", "send", "@bob", "beside a daemon", "-q")
ended = stage.tacit("bob", "fetch", "--cursor", "bot", "--exec", "./bot.sh")
assert runs()[-1] == "beside a daemon" and len(runs()) == len(set(runs())), runs()
stage.tacit("bob", "daemon", "stop")
daemon.ended()
ended = stage.tacit("bob", "fetch", "--cursor", "bot", "--exec", "exit 3", expect=0)
stage.tacit("alice", "send", "@bob", "poison", "-q")
stage.tacit("bob", "fetch", "--cursor", "bot", "--exec", "exit 3", expect=75)
stage.tacit("bob", "fetch", "--exec", "./bot.sh", expect=64)
stage.tacit("bob", "fetch", "--cursor", "bot", expect=64)

# An own relay that is down is another matter.
home.kill()
stage.tacit("bob", "fetch", expect=75)
home.start()
away.start()
stage.tacit("bob", "fetch", "--require-sent", "-q")
stage.tacit("carol", "fetch", "-q")
assert stage.tacit("carol", "read", "--json").objects[-1]["text"] == "later"
