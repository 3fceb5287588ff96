"""The other side in the attack suite: a process of the program `attacker`."""

import os
import subprocess

from support.process import TIMEOUT, Running

PROGRAM = os.environ.get("TACIT_ATTACKER", "attacker")


class Attacker:
    """Runs until its input ends, at the end of the block."""

    def __init__(self, *words, **options):
        self.process = subprocess.Popen(
            [PROGRAM, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
        )
        self.running = Running(self.process)
        self.lines = []

    @staticmethod
    def words(*words):
        """The words that it prints at once."""
        return subprocess.run([PROGRAM, *words], capture_output=True, check=True, timeout=TIMEOUT).stdout.decode().split()

    def __enter__(self):
        return self

    def line(self):
        """The next line that it prints."""
        return self.running.line()

    def __exit__(self, kind, *_):
        self.process.stdin.close()
        self.process.stdin = None
        ended = self.running.ended()
        assert kind or ended.code == 0, f"{self.process.args}: {ended.code} {ended.err}"
        self.lines = ended.lines

    def ended(self):
        """What it printed at the end."""
        return self.lines
