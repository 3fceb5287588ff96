"""Commands that run, and how they ended."""

import json
import os
import re
import signal
import subprocess
import time

from support import schema

# How long anything may take, in seconds. Nothing here takes a second on an idle machine.
TIMEOUT = 40

# A time in JSON.
TIME = r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z"

# A shell that runs tests in the background has them ignore Ctrl-C, and whatever they start.
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)


class Ended:
    """What a command printed, and how it ended: by an exit code, or by a signal as 128 + its number."""

    def __init__(self, code, out, err):
        self.code = code if code >= 0 else 128 - code
        self.out = out.decode()
        self.err = err.decode()

    @property
    def lines(self):
        return self.out.removesuffix("\n").split("\n") if self.out else []

    @property
    def objects(self):
        """The reports, where --json was given."""
        return [report(line) for line in self.lines]

    @property
    def error(self):
        """The last line of standard error, where --json was given."""
        return report(self.err.splitlines()[-1])


def report(line):
    """The object in a line of JSON, which has the form that every report has."""
    value = json.loads(line)
    assert list(value)[:2] == ["v", "type"] and value["v"] == 1, line
    check_values(value, line)
    # What belongs to a conversation says to which.
    assert "chat" in value or "chat_id" not in value and not re.match("c[0-9]", value.get("id", "")), line
    schema.check(value, line)
    return value


def check_values(value, line):
    if isinstance(value, dict):
        for name, inner in value.items():
            assert re.fullmatch(r"[a-z][a-z0-9_]*", name), f"the field {name} in {line}"
            assert isinstance(inner, str) or not (name == "id" or name.endswith("_id")), f"no text as {name} in {line}"
            if isinstance(inner, str) and name not in ("text", "last_text") and re.fullmatch(TIME, inner):
                times = [other for key, other in value.items() if key.endswith("_at")]
                assert inner in times, f"the time {name} ends not in _at in {line}"
            check_values(inner, line)
    elif isinstance(value, list):
        for inner in value:
            check_values(inner, line)
    else:
        assert value is not None, f"null in {line}"


class Running:
    """A command that goes on while others are typed."""

    def __init__(self, process):
        self.process = process
        self.pid = process.pid
        for stream in (process.stdout, process.stderr):
            if stream:
                os.set_blocking(stream.fileno(), False)
        self.pending = b""
        self.pending_errors = b""

    def line(self):
        """The next line of standard output."""
        wait_until(self._has_line, "a line of output", self.process)
        line, self.pending = self.pending.split(b"\n", 1)
        return line.decode()

    def _has_line(self):
        self.pending += self.process.stdout.read() or b""
        return b"\n" in self.pending

    def error_line(self):
        """The next line of standard error."""
        wait_until(self._has_error_line, "a line of errors", self.process)
        line, self.pending_errors = self.pending_errors.split(b"\n", 1)
        return line.decode()

    def _has_error_line(self):
        self.pending_errors += self.process.stderr.read() or b""
        return b"\n" in self.pending_errors

    def signal(self, number):
        self.process.send_signal(number)

    def ended(self):
        """How it ends, without being asked to."""
        for stream in (self.process.stdout, self.process.stderr):
            if stream:
                os.set_blocking(stream.fileno(), True)
        try:
            out, err = self.process.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError(f"{self.process.args} did not end") from None
        return Ended(self.process.returncode, self.pending + (out or b""), self.pending_errors + (err or b""))


def wait_until(condition, what, process=None, seconds=TIMEOUT):
    """Looks again and again until something is so."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert process is None or process.poll() is None, f"ended without {what}: {process.stderr.read()}"
        assert time.monotonic() < deadline, f"waited too long for {what}"
        time.sleep(0.005)


def open_files(pid):
    """What the descriptors of a process stand for; one that is closed meanwhile is left out. None of a process that only root
    may look into."""
    names = []
    try:
        numbers = os.listdir(f"/proc/{pid}/fd")
    except PermissionError:
        return names
    for number in numbers:
        try:
            names.append(os.readlink(f"/proc/{pid}/fd/{number}"))
        except FileNotFoundError:
            continue
    return names
