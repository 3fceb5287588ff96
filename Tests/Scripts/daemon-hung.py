"""A daemon that does not answer keeps nobody waiting, and one whose socket is gone can be stopped."""

# limit: 120

import signal
import time

from support.process import wait_until
from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")


def started(*words):
    daemon = stage.start("bob", *(words or ["daemon", "run"]))
    assert daemon.error_line().startswith("accepting commands at "), daemon
    return daemon


def patient(seconds, *words):
    """The error of a command that gives up, and not too late."""
    start = time.monotonic()
    ended = stage.tacit("bob", *words, "--json", expect=75)
    assert time.monotonic() - start < seconds + 3, (words, time.monotonic() - start)
    return ended.error


# One that has stopped is named, and nothing that it was asked for happens when it goes on.
daemon = started()
stage.tacit("alice", "send", "@bob", "to be marked")
stage.tacit("bob", "fetch", "-q")
daemon.signal(signal.SIGSTOP)
for words in (
    ["send", "@alice", "never sent"],
    ["fetch", "--timeout", "2s"],
    ["watch", "--timeout", "2s"],
    ["watch", "--cursor", "c", "--timeout", "2s"],
    ["read", "--mark"],
    ["daemon", "status"],
    ["daemon", "reload"],
    ["rpc"],
):
    error = patient(1, *words, "--lock-timeout", "1s")
    assert error["code"] == "store.busy" and error["details"]["pid"] == daemon.pid, error
    assert error["message"].endswith(": the process that has the store open does not respond"), error
    assert error["why"].endswith(" and did not answer within 1 s"), error
    assert f"kill -9 {daemon.pid}" in error["try"], error
# What is only read needs nobody, and prints nothing before it knows that it can go on.
stage.tacit("bob", "read")
assert stage.tacit("bob", "read", "--cursor", "c", "--lock-timeout", "1s", expect=75).out == ""
lines = stage.tacit("bob", "send", "@alice", "hi", "--lock-timeout", "1s", expect=75).err.splitlines()
assert [line.split() for line in lines[2:]] == [
    "try: tacit status show the process".split(),
    f"try: kill -9 {daemon.pid} kill the process; stored data stays".split(),
], lines
assert patient(10, "daemon", "stop")["why"].endswith(" and did not answer within 10 s")
# A crowd before it does not make the next one wait longer.
crowd = [stage.start("bob", "send", "@alice", "crowd", "--lock-timeout", "1s") for _ in range(80)]
assert {one.ended().code for one in crowd} == {75}
daemon.signal(signal.SIGCONT)
stage.tacit("bob", "send", "@alice", "sent")
assert [line for line in stage.tacit("bob", "read", "--plain", "--fields", "direction,text").lines if line[:3] == "out"] == [
    "out\tsent"
]
stage.tacit("bob", "daemon", "stop", "-q")
assert daemon.ended().code == 0

# Without its socket nobody can ask it for anything; it can be told to end all the same.
for words in (["daemon", "run"], ["watch"]):
    if words == ["watch"]:
        daemon = stage.start("bob", "watch")
        assert "watching" in daemon.error_line()
    else:
        daemon = started()
    socket = stage.place("bob") / "run/control.sock"
    # A watch receives before it takes commands.
    wait_until(socket.exists, "the socket")
    socket.unlink()
    patient(1, "send", "@alice", "nobody hears it", "--lock-timeout", "1s")
    stopped = stage.tacit("bob", "daemon", "stop", "--json").objects[0]
    assert (stopped["state"], stopped["pid"]) == ("stopped", daemon.pid), stopped
    assert daemon.ended().code in (0, 143)
    assert stage.tacit("bob", "daemon", "stop").err == "no daemon is running\n"
