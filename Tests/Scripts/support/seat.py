"""Somebody at a terminal: a pseudo-terminal, a screen, and fingers."""

import codecs
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time

from support.process import TIMEOUT
from support.vt import Screen

ENTER, TAB, ESCAPE, BACKSPACE = "\r", "\t", "\x1b", "\x7f"
UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
ALT_ENTER = "\x1b\r"


def control(letter):
    return chr(ord(letter.upper()) - 64)


class Seat:
    """A program on a terminal of its own."""

    def __init__(self, program, words, environment, columns=80, rows=24, term="xterm"):
        self.screen = Screen(columns, rows)
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            environment = {**environment, "TERM": term}
            environment.pop("COLUMNS", None)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execve(program, ["tacit", *words], environment)
        self.status = None
        # What the terminal answers to questions about its attributes, if it does.
        self.attributes = None
        # True for a terminal that shows pictures of kitty.
        self.is_kitty = False

    # Eyes.

    def look(self, seconds=0.0):
        """Takes over what has been written to the screen, waiting for the first of it. False at the end."""
        while select.select([self.terminal], [], [], seconds)[0]:
            try:
                part = os.read(self.terminal, 65536)
            except OSError:
                part = b""
            if not part:
                return False
            self.screen.feed(self.decoder.decode(part))
            self._answer()
            seconds = 0
        return True

    def _answer(self):
        questions, self.screen.questions = self.screen.questions, []
        for question in questions:
            if question != "attributes":
                if self.is_kitty:
                    os.write(self.terminal, b"\x1b_Gi=31;OK\x1b\\")
            elif self.attributes is not None:
                os.write(self.terminal, f"\x1b[?{self.attributes}c".encode())

    def until(self, condition, what=None, timeout=TIMEOUT):
        """Looks until a text is on the screen, or something is so."""
        if isinstance(condition, str):
            text, what = condition, repr(condition)
            condition = lambda: text in self.screen.text
        deadline = time.monotonic() + timeout
        while not condition():
            left = deadline - time.monotonic()
            is_there = self.look(min(max(left, 0), 0.05))
            if condition():
                break
            assert is_there, f"it ended with {self.ended()} without {what}:\n{self.screen.everything}"
            assert left > 0, f"no {what}:\n{self.screen.everything}"

    def gone(self, text):
        self.until(lambda: text not in self.screen.text, f"end of {text!r}")

    @property
    def line(self):
        """The row with the cursor."""
        return self.screen.lines[self.screen.row]

    # Fingers.

    def type(self, text):
        data = text.encode()
        deadline = time.monotonic() + TIMEOUT
        while data:
            # Whoever types much at once must look meanwhile: a terminal takes only so much.
            select.select([self.terminal], [self.terminal], [], TIMEOUT)
            if select.select([], [self.terminal], [], 0)[1]:
                data = data[os.write(self.terminal, data[:512]) :]
                deadline = time.monotonic() + TIMEOUT
            # The last key may be what ends it.
            assert self.look() or not data, f"it ended with {self.ended()} before {text!r} was typed:\n{self.screen.everything}"
            assert time.monotonic() < deadline, f"nobody reads {text!r}:\n{self.screen.everything}"

    def enter(self, text):
        self.type(text + ENTER)

    def paste(self, text):
        assert self.screen.marks_pastes, "pastes are not marked"
        self.type(f"\x1b[200~{text}\x1b[201~")

    def resize(self, columns, rows):
        self.look()
        self.screen.resize(columns, rows)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def signal(self, number):
        os.kill(self.pid, number)

    # The end.

    def ended(self):
        """The exit code, when the program ends by itself; minus the number of the signal if one ended it."""
        deadline = time.monotonic() + TIMEOUT
        while self.look(0.05):
            assert time.monotonic() < deadline, f"it did not end:\n{self.screen.everything}"
        self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.terminal)
        return self.status

    def kill(self):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            os.close(self.terminal)
        return self.status
