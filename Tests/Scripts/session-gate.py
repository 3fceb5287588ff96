"""A passcode hides the session: at its start, after Ctrl-Z, after idling, and when it is told to; and nothing stays behind."""
# limit: 180

import os
import signal

from support.process import wait_until
from support.seat import control
from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")
stage.tacit("bob", "send", "@alice", "a secret word")
stage.tacit("alice", "fetch")


def passcode(*words, **texts):
    """A passcode command with its passcodes from descriptors."""
    options, ends = [], []
    for name, text in texts.items():
        reader, writer = os.pipe()
        os.write(writer, text.encode() + b"\n")
        os.close(writer)
        options += [f"--{name.replace('_', '-')}", str(reader)]
        ends.append(reader)
    running = stage.start("alice", "passcode", *words, *options, pass_fds=ends)
    for end in ends:
        os.close(end)
    ended = running.ended()
    assert ended.code == 0, ended.err


passcode("set", "--idle", "1h", passcode_fd="open sesame")
alice = stage.sit("alice", "repl", "--at", "/bob")
alice.until("Passcode:")
assert "bob" not in alice.screen.text and alice.screen.is_other_page, alice.screen.text
alice.enter("open barley")
alice.until("Wrong")
assert "barley" not in alice.screen.everything
alice.enter("open sesamee\x7f")
alice.until("a secret word")

# Told to; what comes in meanwhile is not shown, and is there afterwards.
alice.enter("/lock")
alice.gone("a secret word")
alice.until("Passcode:")
stage.tacit("bob", "send", "@alice", "another one")
wait_until(lambda: b"another one" in stage.tacit("alice", "list").out.encode(), "another one")
alice.look()
assert "another one" not in alice.screen.everything
alice.enter("open sesame")
alice.until("another one")

# What is typed behind a passcode, before it is known whether that is right, is no command.
alice.enter("/lock")
alice.until("Passcode:")
alice.type("open barley\r/send @bob gotcha\rsend @bob gotcha\r")
alice.until("Wrong")
alice.enter("open sesame")
alice.until("another one")
assert "gotcha" not in stage.tacit("alice", "read", "@bob").out

# Ctrl-Z: the page is gone before the process stops, and the passcode is asked for when it goes on.
alice.type(control("z"))
wait_until(lambda: open(f"/proc/{alice.pid}/stat").read().split()[2] == "T", "a stopped process")
alice.look()
assert not alice.screen.is_other_page and "secret" not in alice.screen.everything
alice.signal(signal.SIGCONT)
alice.until("Passcode:")
assert "secret" not in alice.screen.text
alice.enter("open sesame")
alice.until("a secret word")
alice.type(control("d"))
assert alice.ended() == 0
assert "secret" not in "\n".join(alice.screen.past + alice.screen.lines)

# Idling.
passcode("change", "--idle", "1s", passcode_fd="open sesame", new_passcode_fd="open sesame 2")
alice = stage.sit("alice")
alice.until("Passcode:")
alice.enter("open sesame 2")
alice.until("a secret word")
alice.until("Passcode:")
alice.signal(15)
assert alice.ended() == -15

# The second passcode leaves an empty store, as if it had always been so.
passcode("self-destruct", passcode_fd="open sesame 2", new_passcode_fd="burn")
alice = stage.sit("alice")
alice.until("Passcode:")
alice.enter("burn")
alice.until("No chats yet")
alice.enter("quit")
assert alice.ended() == 0
assert "bob" not in stage.tacit("alice", "list", "contacts").out
