"""SIGHUP has relay and daemon read their settings again, SIGUSR1 has them log counters, and neither ends them at any moment."""

import re
import signal
import time

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.relay()
log = stage.folder / "relay.log"
relay.running = stage.start(None, "relay", "start", str(relay.folder), stderr=open(log, "w"))
assert relay.running.line() == relay.address
conf = stage.folder / "relay/relay.conf"
good = conf.read_text()


def logged(pattern, path=log):
    return re.search(pattern, path.read_text(), re.M)


def settings(*changes):
    text = good
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    conf.write_text(text)


# A relay.
settings(("quota = 128", "quota = 5"), ("durability = process", "durability = power"))
relay.running.signal(signal.SIGHUP)
wait_until(lambda: logged(r"info: relay.conf read again: quota 128 -> 5$"), "the change", relay.running.process)
assert logged(r"warning: a restart is needed for the new value of 'durability'$"), log.read_text()
settings(("quota = 128", "quota = none"))
line = conf.read_text().split("\n").index("quota = none") + 1
relay.running.signal(signal.SIGHUP)
wait_until(lambda: logged("error: the settings are unchanged: "), "the mistake", relay.running.process)
assert logged(rf"relay.conf is invalid: line {line}: 'quota' takes 1 to 100000 messages$"), log.read_text()
relay.running.signal(signal.SIGUSR1)
wait_until(lambda: logged(r"info: counters: connections=0 .*accepted_connections=0 "), "the counters", relay.running.process)
conf.write_text(good)
stage.person("alice", relay)
stage.person("bob", relay)
stage.connect("alice", "bob")
relay.running.signal(signal.SIGUSR1)
wait_until(lambda: logged(r"counters: .* created_queues=[1-9]"), "the counters", relay.running.process)

# A file of a log that gets another name is made again, and quiet leaves out what nobody asked for.
other = stage.relay("other")
path = stage.folder / "other.log"
other.running = stage.start(None, "relay", "start", str(other.folder), "-q", "--log-file", str(path))
assert other.running.line() == other.address
assert path.read_text() == ""
path.rename(stage.folder / "other.log.1")
other.running.signal(signal.SIGHUP)
wait_until(path.exists, "the file", other.running.process)
other.running.signal(signal.SIGUSR1)
wait_until(lambda: logged("info: counters: ", path), "the counters", other.running.process)
assert (stage.folder / "other.log.1").read_text() == ""
ended = other.stop()
assert (ended.code, ended.err) == (0, ""), ended.err

# A daemon. Signals that come while it starts wait for it.
configuration = stage.folder / "alice/tacit.conf"
configuration.parent.mkdir(exist_ok=True)
log = stage.folder / "daemon.log"
daemon = stage.start("alice", "daemon", "run", stderr=open(log, "w"))
wait_until(lambda: logged("^accepting commands at ", log), "the daemon", daemon.process)


def count(text):
    return log.read_text().count(text)


daemon.signal(signal.SIGUSR1)
wait_until(lambda: logged(r"info: counters: uptime_seconds=\d+ reloads=0 events=", log), "the counters", daemon.process)
for _ in range(20):
    daemon.signal(signal.SIGHUP)
    daemon.signal(signal.SIGUSR1)
    time.sleep(0.02)
    assert daemon.process.poll() is None, log.read_text()
wait_until(lambda: count("reloading the configuration") >= 1, "the reload", daemon.process)
stage.tacit("alice", "send", "@bob", "after the signals", "--lock-timeout", "20s")
stage.until_fetched("bob", "after the signals")
# A mistake in a file changes nothing, and the next reload finds what is right.
wait_until(lambda: count("accepting commands at ") == count("reloading the configuration") + 1, "peace", daemon.process)
before = count("accepting commands at ")
configuration.write_text("[net]\nproxy = nonsense://\n")
daemon.signal(signal.SIGHUP)
wait_until(lambda: logged(r"error: the settings are unchanged: .*tacit.conf:2: ", log), "the mistake", daemon.process)
wait_until(lambda: count("accepting commands at ") == before + 1, "the daemon goes on", daemon.process)
configuration.write_text("# nothing\n")
daemon.signal(signal.SIGHUP)
wait_until(lambda: count("accepting commands at ") == before + 2, "the daemon goes on", daemon.process)
stage.tacit("alice", "send", "@bob", "still there", "--lock-timeout", "20s")
assert stage.tacit("alice", "daemon", "stop", "--json").objects[0]["pid"] == daemon.pid
assert daemon.ended().code == 0
for early in (0.0, 0.005, 0.02, 0.05, 0.1):
    daemon = stage.start("alice", "daemon", "run")
    time.sleep(early)
    # Before a program has begun, a signal ends whatever is there: the shell that becomes it.
    with open(f"/proc/{daemon.pid}/status") as status:
        blocked = int(re.search(r"SigBlk:\s+(\w+)", status.read())[1], 16)
    if not blocked >> (signal.SIGUSR1 - 1) & 1:
        wait_until(lambda: daemon.error_line(), "the daemon", daemon.process)
    daemon.signal(signal.SIGUSR1)
    daemon.signal(signal.SIGHUP)
    wait_until(lambda: "counters: " in daemon.error_line(), "the counters", daemon.process)
    daemon.signal(signal.SIGTERM)
    ended = daemon.ended()
    assert ended.code in (0, 143), (ended.code, ended.err)
assert relay.stop().code == 0
