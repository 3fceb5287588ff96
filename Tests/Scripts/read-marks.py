"""What `read` shows on a terminal is read; what it prints elsewhere is not, unless somebody says so. The same beside a daemon,
and where nothing can be written.
"""

# limit: 120

import fcntl

from support.process import wait_until
from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")


def unread():
    return sum(chat["unread"] for chat in stage.tacit("bob", "list", "--json").objects)


def look(*words, code=0, env=None):
    """What somebody sees at a terminal."""
    seat = stage.sit("bob", *words, env=env)
    ended = seat.ended()
    assert ended == code, (words, ended, seat.screen.text)
    return seat.screen.text


# Pipes and files leave everything unread.
stage.tell("alice", "bob", ["one", "two", "three"])
stage.tacit("bob", "read", "@alice")
stage.tacit("bob", "read", "--json")
stage.shell("bob", "tacit read @alice > file")
stage.tacit("bob", "read", "--cursor", "piped")
assert unread() == 3

# So do those who ask for it, on the command line and in the configuration.
assert "three" in look("read", "@alice", "--no-mark") and unread() == 3
assert "three" in look("read", "--cursor", "bot", "--peek") and unread() == 3
stage.tacit("bob", "config", "set", "read.mark", "no", "-q")
assert "three" in look("read", "@alice") and unread() == 3
stage.tacit("bob", "config", "unset", "read.mark", "-q")

# A terminal marks what was shown, and nothing else.
assert "three" in look("read", "@alice", "-n", "1") and unread() == 2
assert "one" in look("read") and unread() == 0
assert stage.tacit("bob", "read", "--unread").out == ""
stage.tell("alice", "bob", ["four"])
assert "four" in look("read", "--unread", "--json") and unread() == 0
stage.tell("alice", "bob", ["five"])
assert "five" in look("read", "--cursor", "terminal") and unread() == 0
# With the setting, pipes mark too.
stage.tell("alice", "bob", ["six"])
stage.tacit("bob", "config", "set", "read.mark", "yes", "-q")
stage.tacit("bob", "read", "@alice")
assert unread() == 0
stage.tacit("bob", "config", "unset", "read.mark", "-q")

# Nothing is written where there is nothing to mark: the lock of another process does not matter.
lock = open(stage.place("bob") / "lock", "a")
fcntl.flock(lock, fcntl.LOCK_EX)
assert "mark" not in look("read", "@alice")
lock.close()

# While a command has the store, messages are shown and stay unread.
stage.tell("alice", "bob", ["seven"])
lock = open(stage.place("bob") / "lock", "a")
fcntl.flock(lock, fcntl.LOCK_EX)
seen = look("read", "@alice")
assert "seven" in seen and "cannot mark shown messages as read" in seen, seen
lock.close()
assert unread() == 1

# Beside a daemon it is marked there.
daemon = stage.start("bob", "daemon", "run", "-q")
wait_until(lambda: stage.shell("bob", "tacit daemon status -q --json").code == 0, "the daemon")
stage.tacit("alice", "send", "@bob", "eight", "-q")
wait_until(lambda: unread() == 2, "the message")
stage.tacit("bob", "read", "@alice")
assert unread() == 2
assert "eight" in look("read", "@alice") and unread() == 0
stage.tacit("bob", "daemon", "stop")
daemon.ended()

# A message that disappears does so after it was shown.
stage.tacit("alice", "send", "@bob", "secret", "--expires", "1h", "-q")
stage.tacit("bob", "fetch", "-q")
assert "expires_at" not in stage.tacit("bob", "read", "@alice", "--json").objects[-1]
look("read", "@alice", "-n", "1")
assert "expires_at" in stage.tacit("bob", "read", "@alice", "--json").objects[-1]
