"""What is different on a terminal: width, colour, progress, questions."""

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time

from support.process import TIMEOUT
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
COLUMNS = 60


class Session:
    """A command on a terminal of 60 columns."""

    def __init__(self, person, *words, env=None):
        self.pid, self.screen = pty.fork()
        if self.pid == 0:
            environment = {**stage._environment(person, env), "TERM": "xterm"}
            environment.pop("COLUMNS", None)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
            os.execve(stage.program, ["tacit", *words], environment)
        self.seen = ""
        self.pending = b""

    def until(self, text):
        """Reads until a text is on the screen, or the end."""
        deadline = time.monotonic() + TIMEOUT
        while text is None or text not in self.seen:
            assert select.select([self.screen], [], [], max(0, deadline - time.monotonic()))[0], f"no {text}: {self.seen!r}"
            try:
                part = os.read(self.screen, 4096)
            except OSError:
                part = b""
            if not part:
                assert text is None, f"no {text}: {self.seen!r}"
                break
            self.pending += part
            self.seen = self.pending.decode(errors="replace")
        return self.seen

    def type(self, text):
        os.write(self.screen, text.encode())

    def ended(self):
        self.until(None)
        status = os.waitpid(self.pid, 0)[1]
        os.close(self.screen)
        return os.waitstatus_to_exitcode(status)


stage.tacit("alice", "send", "@bob", "word " * 40)
stage.tacit("bob", "fetch")

# Help is as wide as the terminal.
helping = Session(None, "help", "send", env={"NO_COLOR": "1", "PAGER": "cat"})
assert helping.ended() == 0
assert all(len(row) <= COLUMNS for row in helping.seen.splitlines()), helping.seen

# Long help goes through a pager: the one that is wanted, or none. Short help and other streams do not.
(stage.folder / "pager").write_text("#!/bin/sh\necho \"paged with '$TACIT_KEY'\"\ncat\n")
(stage.folder / "pager").chmod(0o755)
pager = {"TACIT_PAGER": f"'{stage.folder}/pager' $ARGUMENT", "PAGER": "false", "TACIT_KEY": "secret"}
for words in (["help", "send"], ["send", "--help"], ["help", "time"]):
    paged = Session(None, *words, env=pager)
    assert paged.ended() == 0 and paged.seen.startswith("paged with ''\r\n") and len(paged.seen) > 200, paged.seen
    assert "paged" not in stage.tacit(None, *words, env=pager).out
    asked = Session(None, *words, env={"PAGER": f"{stage.folder}/pager"})
    assert asked.ended() == 0 and asked.seen.startswith("paged"), asked.seen
    for env in ({"TACIT_PAGER": ""}, {"TACIT_PAGER": "cat"}, {"TACIT_PAGER": "no-such-program"}):
        plain = Session(None, *words, env={**env, "PAGER": pager["TACIT_PAGER"]})
        assert plain.ended() == 0 and "paged" not in plain.seen and len(plain.seen) > 200, (env, plain.seen)
short = Session(None, "send", "-h", env=pager)
assert short.ended() == 0 and "paged" not in short.seen
# Ctrl-C is for the pager: tacit waits for it, as a shell does.
(stage.folder / "slow").write_text("#!/bin/sh\ntrap 'echo interrupted' INT\necho started\nhead -n 3\nsleep 1 & wait\necho over\n")
(stage.folder / "slow").chmod(0o755)
slow = Session(None, "help", "send", env={"TACIT_PAGER": f"{stage.folder}/slow"})
slow.until("Usage")
slow.type("\x03")
assert slow.ended() == 0 and "over" in slow.seen, slow.seen

# Texts are wrapped behind the margin and are in colour.
reading = Session("bob", "read")
assert reading.ended() == 0
assert "\x1b[" in reading.seen
plain = Session("bob", "read", env={"NO_COLOR": "1"})
assert plain.ended() == 0
rows = plain.seen.replace("\r\n", "\n").splitlines()
assert len(rows) > 3 and all(len(row) <= COLUMNS for row in rows) and all("│" in row for row in rows), rows
assert "\x1b" not in plain.seen

# Lists are cut to the width, a record or an object is not.
listing = Session("bob", "list", env={"NO_COLOR": "1"})
assert listing.ended() == 0
assert all(len(row) <= COLUMNS for row in listing.seen.splitlines()), listing.seen
whole = Session("bob", "list", "--json")
assert whole.ended() == 0 and "word " * 39 in whole.seen and "\x1b" not in whole.seen

# Who waits sees for what, and the line goes away.
waiting = Session("bob", "connect", "--wait", "connected", "--timeout", "60s", env={"NO_COLOR": "1"})
waiting.until("waiting for the contact")
waiting.type("\x03")
assert waiting.ended() == -signal.SIGINT
after = waiting.seen.rsplit("waiting for the contact", 1)[1]
assert after.replace("^C", "").replace(" ", "") == "\r\r", repr(after)

# Text from the keyboard ends with Ctrl-D.
typing = Session("bob", "send", "@alice", "-")
typing.until("end it with Ctrl-D")
typing.type("from the keyboard\n\x04")
assert typing.ended() == 0 and "sent" in typing.seen, typing.seen
assert stage.tacit("alice", "fetch", "--json").objects[0]["text"] == "from the keyboard"

# A passphrase is typed twice for a new store, and is never shown.
making = Session("carol", "init", "--name", "carol", "--server", relay.address)
making.until("New passphrase: ")
making.type("open sesame\n")
making.until("Repeat the passphrase: ")
making.type("open sesame\n")
assert making.ended() == 0 and "sesame" not in making.seen, making.seen
making = Session("dora", "init", "--name", "dora")
making.until("New passphrase: ")
making.type("open sesame\n")
making.until("Repeat the passphrase: ")
making.type("open barley\n")
assert making.ended() == 77 and "the two passphrases differ" in making.seen, making.seen
assert not (stage.place("dora") / "simplex_v1_chat.db").exists()

# It is asked for, three times, and not at all where nobody may be asked.
opening = Session("carol", "profile", "list")
for answer in ("open barley", "", "open sesame"):
    opening.until("Passphrase of the store: ")
    opening.seen, opening.pending = "", b""
    opening.type(answer + "\n")
assert opening.ended() == 0 and "carol" in opening.seen and "sesame" not in opening.seen, opening.seen
refused = Session("carol", "profile", "list")
for _ in range(3):
    refused.until("Passphrase of the store: ")
    refused.seen, refused.pending = "", b""
    refused.type("open barley\n")
assert refused.ended() == 77 and "it came from the terminal" in refused.seen, refused.seen
assert Session("carol", "profile", "list", "--no-input").ended() == 77

# Once unlocked, nobody is asked for a while.
unlocking = Session("carol", "unlock", "--for", "1m")
unlocking.until("Passphrase of the store: ")
unlocking.type("open sesame\n")
assert unlocking.ended() == 0, unlocking.seen
assert stage.tacit("carol", "profile", "list", "--plain", "--fields", "name").out == "carol\n"
stage.tacit("carol", "lock")
stage.tacit("carol", "profile", "list", expect=77)

# TACIT_KEY works, and is warned of where a person sees it.
warned = Session("carol", "profile", "list", env={"TACIT_KEY": "open sesame"})
assert warned.ended() == 0 and warned.seen.count("TACIT_KEY") == 2, warned.seen

# Writing everything in clear is asked for.
decrypting = Session("carol", "db", "decrypt", env={"TACIT_KEY": "open sesame"})
decrypting.until("Continue? [y/N] ")
decrypting.type("n\n")
assert decrypting.ended() == 64, decrypting.seen
