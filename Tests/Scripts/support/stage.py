"""People with a store each, relays between them, and what they type.

A test is a play. What people type and see is written down as they would see it:

    stage.play('''
        alice$ tacit send @bob hi
        sent @bob m1
        alice$ tacit send @eve hi
        ! tacit: cannot send to '@eve': unknown contact 'eve'
        !   try: tacit list contacts    show the list
        [67]
    ''')

After the prompt of a person stands a line for the shell, then what comes on standard output, then what comes on standard
error, behind a `!`, then the exit code unless it is 0. Whatever differs from run to run is written in capitals: LINK,
FINGERPRINT, PORT, PID and the time. Nothing is awaited without a deadline.
"""

import json
import os
import re
import shlex
import signal
import socket
import subprocess
from pathlib import Path

from support import contract, schema
from support.process import TIMEOUT, Ended, Running, wait_until
from support.screen import compare, constant, lines
from support.seat import Seat


def free_port():
    """A port at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Relay:
    """A relay, a process that may be ended and started again."""

    def __init__(self, stage, name, host):
        self.stage = stage
        self.folder = stage.folder / name
        words = ["--host", host, "--listen", host, "--port", "0", "--proxy-private"]
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


class FileRelay(Relay):
    """A relay for messages and files."""

    def __init__(self, stage, name="relay"):
        self.stage, self.folder, self.running = stage, stage.folder / name, None
        words = ["--host", "127.0.0.1", "--listen", "127.0.0.1", "--port", "0", "--xftp-port", "0", "--proxy-private"]
        self.address, self.files = stage.tacit(None, "relay", "init", str(self.folder), *words).out.split()

    def start(self):
        self.running = self.stage.start(None, "relay", "start", str(self.folder))
        assert self.running.line() == self.address
        assert self.running.line() == self.files
        return self


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

    def relay(self, name="relay", host="127.0.0.1"):
        return Relay(self, name, host)

    def person(self, name, relay, *words):
        """A person with a store and a profile of that name."""
        address = relay if isinstance(relay, str) else relay.address
        self.tacit(name, "init", "--name", name, "--server", address, *words)
        return name

    def connected(self, *names, files=False):
        """A relay, for files too or for messages only, and two people who are connected."""
        relay = (FileRelay(self) if files else self.relay()).start()
        for name in names:
            self.person(name, relay)
            if files:
                self.tacit(name, "server", "add", relay.files)
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
        contract.check(words, ended)
        assert ended.code == expect, (
            f"{person}: tacit {' '.join(words)}: exit code {ended.code}, not {expect}\n{ended.out}{ended.err}"
        )
        return ended

    def shell(self, person, line, env=None):
        """Runs a line as the person's shell does."""
        ended = self._run(["sh", "-c", line], person, env, stdin=subprocess.DEVNULL)
        if re.fullmatch(r"tacit [^|&;<>$`\\]+", line):
            contract.check(shlex.split(line)[1:], ended)
        return ended

    def _run(self, words, person, env, **options):
        try:
            done = subprocess.run(
                words,
                cwd=self.folder,
                env=self._environment(person, env),
                capture_output=True,
                timeout=TIMEOUT,
                **options,
            )
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{person}: {' '.join(words)}: did not end in {TIMEOUT} s") from None
        return Ended(done.returncode, done.stdout, done.stderr)

    def sit(self, person, *words, columns=80, rows=24, term="xterm", env=None):
        """Has a person sit down at a terminal."""
        environment = self._environment(person, {"NO_COLOR": "1", **(env or {})})
        return Seat(self.program, words, environment, columns, rows, term)

    def tell(self, sender, recipient, texts):
        """Sends messages that the recipient then has."""
        for text in texts:
            self.tacit(sender, "send", f"@{recipient}", text, "--wait", "queued")
        self.tacit(sender, "outbox", "flush")
        self.tacit(recipient, "fetch")

    def until_fetched(self, person, what):
        """Has a person fetch until a message with a text has come, or something is so."""

        def has_come():
            return any(item["text"] == what for item in self.tacit(person, "read", "--json").objects)

        def is_there():
            self.tacit(person, "fetch", "-q")
            return what() if callable(what) else has_come()

        wait_until(is_there, what)

    def channel(self, person, target="+news"):
        """What a person sees of a channel."""
        return next(c for c in self.tacit(person, "channel", "list", "--json").objects if c["chat"] == target)

    def knows(self, person, name, group="+news"):
        """Whether a person sees a member in a group."""
        return any(m["name"] == name for m in self.tacit(person, "group", "members", group, "--json").objects)

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
        for line in ended.out.split("\n") + ended.err.split("\n"):
            if line.startswith('{"v":'):
                schema.check(json.loads(line), line)
        lines = out.split("\n") if out else []
        lines += [f"! {line}" for line in err.split("\n")] if err else []
        return lines + ([f"[{ended.code}]"] if ended.code else [])

    def constant(self, text):
        """The text without what differs from run to run."""
        return constant(text.replace(str(self.folder), "/stage"))
