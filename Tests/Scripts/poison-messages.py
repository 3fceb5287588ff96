"""A message for which a program keeps failing: retries are counted from one command to the next, and no message is skipped
silently.
"""

# limit: 120

import json
import time

from support.process import wait_until
from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")
BOT = ("--cursor", "bot", "--exec", "./bot.sh")
# It chokes on one text, and notes what it is given.
(stage.folder / "bot.sh").write_text(
    '#!/bin/sh\ntext=$(jq -r .text); echo "$text" >> runs\ncase $text in bad*) test -e mended || exit 3;; esac\n'
)
(stage.folder / "bot.sh").chmod(0o755)
stage.tacit("bob", "cursor", "reset", "bot", "--to", "end", "-q")


def runs():
    file = stage.folder / "runs"
    lines = file.read_text().split() if file.exists() else []
    file.unlink(missing_ok=True)
    return lines


def tell(*texts):
    stage.tell("alice", "bob", texts)


def cursor():
    return stage.tacit("bob", "cursor", "list", "--json").objects[0]


def error(ended):
    return json.loads(ended.err.splitlines()[-1])


# Without a rule it stops at the message each time, and the report names the command that goes on.
tell("one", "bad", "two")
bad = stage.tacit("bob", "read", "--json").objects[-2]["id"]
for count in (1, 2):
    ended = stage.tacit("bob", "read", *BOT, "--json", expect=75)
    assert error(ended)["code"] == "exec.failed", ended.err
    assert error(ended)["details"] == {"id": bad, "status": 3, "failures": count}, ended.err
    assert (cursor()["failed_id"], cursor()["failures"]) == (bad, count), cursor()
assert runs() == ["one", "bad", "bad"]
stage.values["bad"] = bad
stage.play(rf"""
    bob$ tacit read --cursor bot --exec ./bot.sh
    ! tacit: cannot read: the program failed for message {bad}
    !   why: the program ended with exit code 3; the cursor stays before the message
    !   try: tacit cursor commit bot {bad}    skip the message and continue
    [75]
    bob$ tacit cursor list --plain --fields name,failed_id,failures
    bot	{bad}	3
    bob$ tacit cursor commit bot {bad} -q
    bob$ tacit read --cursor bot --exec ./bot.sh
""")
assert runs() == ["bad", "two"]
assert "failures" not in cursor()

# Retries hold over several commands. When none are left the code is one that a cron job does not hide.
tell("bad-1", "three")
bad = stage.tacit("bob", "read", "--json").objects[-2]["id"]
rule = ("--retries", "2")
for left in (2, 1):
    ended = stage.tacit("bob", "fetch", *BOT, *rule, "--json", expect=75)
    assert error(ended)["code"] == "exec.failed" and f"{left} of 2 retries are left" in error(ended)["why"], ended.err
for count in (3, 4):
    ended = stage.tacit("bob", "read", *BOT, *rule, "--json", expect=69)
    assert error(ended)["code"] == "exec.gave-up", ended.err
    assert error(ended)["try"][0].startswith(f"tacit cursor commit bot {bad}"), ended.err
assert runs() == ["bad-1"] * 4
# It is still tried, so that a program that was mended goes on by itself.
(stage.folder / "mended").touch()
stage.tacit("bob", "read", *BOT, *rule)
assert runs() == ["bad-1", "three"] and "failures" not in cursor()
(stage.folder / "mended").unlink()

# Skipping is reported, and the rest goes on.
tell("bad-2", "four", "bad-3", "five")
first, _, second, _ = [m["id"] for m in stage.tacit("bob", "read", "--json").objects[-4:]]
rule = ("--retries", "1", "--on-failure", "skip")
stage.tacit("bob", "read", *BOT, *rule, expect=75)
ended = stage.tacit("bob", "read", *BOT, *rule, expect=75)
assert runs() == ["bad-2", "bad-2", "four", "bad-3"]
assert ended.err.startswith(f"tacit: skipped message {first}: the program failed 2 times\n"), ended.err
assert f"try: tacit message show {first}" in ended.err and f"failed for message {second}" in ended.err
ended = stage.tacit("bob", "read", *BOT, *rule, "--json", "-q", expect=80)
assert error(ended)["code"] == "exec.skipped" and error(ended)["exit"] == 80, ended.err
assert error(ended)["details"] == {"id": second, "status": 3, "failures": 2, "retries": 1}, ended.err
assert runs() == ["bad-3", "five"] and cursor()["waiting"] == 0

# A program that is missing says nothing about a message.
tell("six")
for _ in range(3):
    ended = stage.tacit("bob", "read", "--cursor", "bot", "--exec", "./no-such-bot", "--retries", "0", "--on-failure", "skip", expect=75)
    assert "does not count" in ended.err, ended.err
assert "failures" not in cursor() and cursor()["waiting"] == 1
# A failure of one message is none of the next one.
stage.tacit("bob", "read", "--cursor", "bot", "--exec", "exit 4", expect=75)
stage.tacit("bob", "message", "delete", cursor()["failed_id"], "-q")
tell("bad-4")
stage.tacit("bob", "read", *BOT, expect=75)
assert cursor()["failures"] == 1 and runs() == ["bad-4"]
stage.tacit("bob", "cursor", "reset", "bot", "--to", "end", "-q")

# watch retries by itself, with pauses, and ends in time. The same beside a daemon.
for isDaemon in (False, True):
    if isDaemon:
        daemon = stage.start("bob", "daemon", "run", "-q")
        wait_until(lambda: stage.shell("bob", "tacit daemon status -q --json").code == 0, "the daemon")
    stage.tacit("alice", "send", "@bob", f"bad-{isDaemon}", "-q")
    stage.tacit("alice", "send", "@bob", f"good-{isDaemon}", "-q")
    watching = stage.start("bob", "watch", *BOT, *rule, "--timeout", "8s")
    ended = watching.ended()
    assert ended.code == 80, (ended.code, ended.err)
    assert "it runs again in 1 s" in ended.err and "skipped message" in ended.err, ended.err
    assert runs() == [f"bad-{isDaemon}"] * 2 + [f"good-{isDaemon}"]
    stage.tacit("alice", "send", "@bob", f"bad-long-{isDaemon}", "-q")
    began = time.monotonic()
    ended = stage.start("bob", "watch", *BOT, "--retries", "9", "--timeout", "2s").ended()
    assert ended.code == 0 and time.monotonic() - began < 6, (ended.code, ended.err)
    assert cursor()["waiting"] == 1 and cursor()["failures"] >= 1
    runs()
    ended = stage.tacit("bob", "watch", *BOT, "--retries", "0", "--timeout", "8s", expect=69)
    stage.tacit("bob", "cursor", "reset", "bot", "--to", "end", "-q")
    runs()
stage.tacit("bob", "daemon", "stop")
daemon.ended()

stage.play(r"""
    bob$ tacit read --cursor bot --retries 3
    ! tacit: '--retries' and '--on-failure' need '--exec'
    !   try: tacit read --cursor NAME --exec PROG --retries 3 ...
    [64]
    bob$ tacit read --cursor bot --exec true --on-failure skip --peek
    ! tacit: '--retries' and '--on-failure' cannot be combined with '--hold' or '--peek'
    [64]
""")
