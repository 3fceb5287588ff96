"""People with a store each, relays between them, and what they type.

A test is a play. What people type and see is written down as they would see it:

    stage.play('''
        alice$ tacit send @bob hi
        sent @bob m1
        alice$ tacit send @eve hi
        ! tacit: cannot send to '@eve': there is no contact 'eve'
        !   try: tacit list contacts    all that there are
        [67]
    ''')

After the prompt of a person stands a line for the shell, then what comes on standard output, then what comes on standard
error, behind a `!`, then the exit code unless it is 0. Whatever differs from run to run is written in capitals: LINK,
FINGERPRINT, PORT, PID and the time. Nothing is awaited without a deadline.
"""

import difflib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import textwrap
import time
from pathlib import Path

# How long anything may take, in seconds. Nothing here takes a second on an idle machine.
PATIENCE = 20

VARIABLE = [
    (re.compile(r"simplex:/invitation#[^\s'\"]+"), "LINK"),
    (re.compile(r"smp://[A-Za-z0-9_-]{43}="), "smp://FINGERPRINT"),
    (re.compile(r"(127\.0\.0\.1|relay\.invalid):\d+"), r"\1:PORT"),
    (re.compile(r'(\bpid"?[ :])\d+'), r"\1PID"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"), "YYYY-MM-DDThh:mm:ss.sssZ"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d"), "YYYY-MM-DD hh:mm"),
]


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
    return value


def check_values(value, line):
    if isinstance(value, dict):
        for name, inner in value.items():
            assert re.fullmatch(r"[a-z][a-z0-9_]*", name), f"the field {name} in {line}"
            assert isinstance(inner, str) or not (name == "id" or name.endswith("_id")), f"no text as {name} in {line}"
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
        if process.stdout:
            os.set_blocking(process.stdout.fileno(), False)
        self.pending = b""

    def line(self):
        """The next line of standard output."""
        wait_until(self._has_line, "a line of output", self.process)
        line, self.pending = self.pending.split(b"\n", 1)
        return line.decode()

    def _has_line(self):
        self.pending += self.process.stdout.read() or b""
        return b"\n" in self.pending

    def signal(self, number):
        self.process.send_signal(number)

    def ended(self):
        """How it ends, without being asked to."""
        if self.process.stdout:
            os.set_blocking(self.process.stdout.fileno(), True)
        try:
            out, err = self.process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError(f"{self.process.args} did not end") from None
        return Ended(self.process.returncode, self.pending + (out or b""), err)


def wait_until(condition, what, process=None):
    """Looks again and again until something is so."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert process is None or process.poll() is None, f"ended without {what}: {process.stderr.read()}"
        assert time.monotonic() < deadline, f"waited too long for {what}"
        time.sleep(0.005)


def free_port():
    """A port at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Relay:
    """A relay, a process that may be ended and started again."""

    def __init__(self, stage, name):
        self.stage = stage
        self.folder = stage.folder / name
        words = ["--host", "127.0.0.1", "--listen", "127.0.0.1", "--port", "0"]
        self.address = stage.tacit(None, "relay", "init", str(self.folder), *words).out.strip()
        self.running = None

    def start(self):
        self.running = self.stage.start(None, "relay", "start", str(self.folder))
        assert self.running.line() == self.address
        return self

    def kill(self):
        """As a power failure does."""
        self.running.signal(signal.SIGKILL)
        assert self.running.ended().code == 128 + signal.SIGKILL

    def crash(self):
        """Is killed, and comes back with what it has on disk."""
        self.kill()
        self.start()

    def stop(self, number=signal.SIGTERM):
        self.running.signal(number)
        return self.running.ended()


class Stage:
    def __init__(self):
        self.folder = Path.cwd().resolve()
        self.program = os.environ["TACIT"]
        (self.folder / "bin").mkdir()
        (self.folder / "bin/tacit").symlink_to(self.program)
        self.environment = dict(os.environ, PATH=f"{self.folder}/bin:{os.environ['PATH']}")
        # Values that lines of the play may use, such as "$link".
        self.values = {}

    # Who plays.

    def relay(self, name="relay"):
        return Relay(self, name)

    def person(self, name, relay, *words):
        """A person with a store and a profile of that name."""
        address = relay if isinstance(relay, str) else relay.address
        self.tacit(name, "init", "--name", name, "--server", address, "--no-encryption", *words)
        return name

    def connected(self, *names):
        """A relay, and two people who are connected."""
        relay = self.relay().start()
        for name in names:
            self.person(name, relay)
        self.connect(*names)
        return relay

    def connect(self, first, second):
        link = self.tacit(first, "connect").out.strip()
        self.tacit(second, "connect", link)
        self.tacit(first, "fetch")
        self.tacit(second, "fetch")

    # What they do.

    def place(self, person):
        return self.folder / person

    def _environment(self, person, env):
        place = {"TACIT_DIR": str(self.place(person))} if person else {}
        whole = {**self.environment, **place, **self.values, **(env or {})}
        return {name: value for name, value in whole.items() if value is not None}

    def start(self, person, *words, env=None, **streams):
        """Begins a command, and returns at once."""
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
        return Running(
            subprocess.Popen(
                ["tacit", *words], executable=self.program, cwd=self.folder, env=self._environment(person, env), **streams
            )
        )

    def tacit(self, person, *words, stdin=None, env=None, expect=0):
        """Runs a command to its end, which must be the expected one."""
        given = {"input": stdin.encode() if isinstance(stdin, str) else stdin}
        if stdin is None:
            given = {"stdin": subprocess.DEVNULL}
        ended = self._run(["tacit", *words], person, env, executable=self.program, **given)
        assert ended.code == expect, (
            f"{person}: tacit {' '.join(words)}: exit code {ended.code}, not {expect}\n{ended.out}{ended.err}"
        )
        return ended

    def shell(self, person, line, env=None):
        """Runs a line as the person's shell does."""
        return self._run(["sh", "-c", line], person, env, stdin=subprocess.DEVNULL)

    def _run(self, words, person, env, **options):
        try:
            done = subprocess.run(
                words,
                cwd=self.folder,
                env=self._environment(person, env),
                capture_output=True,
                timeout=PATIENCE,
                **options,
            )
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{person}: {' '.join(words)}: did not end in {PATIENCE} s") from None
        return Ended(done.returncode, done.stdout, done.stderr)

    # What they see.

    def play(self, text):
        """Has people type what stands behind the prompts, and compares what they see with what is written there."""
        seen = []
        for line in lines(text):
            prompt = re.match(r"(\w+)\$ (.*)", line)
            if prompt:
                seen.append(line)
                seen += self._screen(self.shell(prompt.group(1), prompt.group(2)))
        compare(text, seen)

    def compare(self, text, ended):
        """Compares what one command printed, and how it ended, with what is written."""
        compare(text, self._screen(ended))

    def _screen(self, ended):
        out, err = (self.constant(text).removesuffix("\n") for text in (ended.out, ended.err))
        lines = out.split("\n") if out else []
        lines += [f"! {line}" for line in err.split("\n")] if err else []
        return lines + ([f"[{ended.code}]"] if ended.code else [])

    def constant(self, text):
        """The text without what differs from run to run."""
        text = text.replace(str(self.folder), "/stage")
        for pattern, name in VARIABLE:
            text = pattern.sub(name, text)
        return text


def lines(text):
    """The lines of a text that is indented as the test is."""
    return textwrap.dedent(text).strip("\n").split("\n")


def compare(text, seen):
    expected = lines(text)
    if seen == expected:
        return
    record(text, seen)
    raise AssertionError("\n".join(difflib.unified_diff(expected, seen, "expected", "seen", lineterm="", n=20)))


def record(text, seen):
    """With TACIT_RECORD=1 writes what was seen into the test, which fails all the same: somebody must read it."""
    if os.environ.get("TACIT_RECORD") != "1":
        return
    indent = re.match(r"\n*( *)", text).group(1)
    path = Path(sys.argv[0])
    new = "\n" + "".join(f"{indent}{line}\n" if line else "\n" for line in seen)
    source = path.read_text()
    assert text in source, "what was seen can only be written where the text stands as it is"
    path.write_text(source.replace(text, new + text[len(text.rstrip(" ")):], 1))
