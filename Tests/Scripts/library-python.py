# limit: 240
"""The official Python library runs its bots on the C library, unchanged. PyPI has it: pip install simplex-chat."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from support.process import TIMEOUT, wait_until
from support.stage import Stage

# The interpreter that has the package may be another one than that of the tests.
python = os.environ.get("TACIT_PYTHON", sys.executable)
if subprocess.run([python, "-c", "import simplex_chat"], capture_output=True).returncode:
    print("skipped: the Python package simplex-chat is not installed")
    sys.exit()

# How many numbers the squaring bot gets.
COUNT = int(os.environ.get("TACIT_MESSAGES", 20))

stage = Stage()
relay = stage.relay().start()
libraries = stage.folder / "libraries"
libraries.mkdir()
(libraries / "libsimplex.so").symlink_to(os.environ["TACIT_LIBRARY"])
examples = Path(os.environ["TACIT_REPOSITORY"]) / "examples"
environment = dict(os.environ, SIMPLEX_LIBS_DIR=str(libraries))


def new_store(name):
    """A store with a relay, in the folder in which the library looks for it."""
    place = stage.folder / f"{name}.tacit"
    stage.tacit(None, "init", "--name", name, "--server", relay.address, "--no-encryption", env={"TACIT_DIR": str(place)})


class Example:
    """A bot of the folder examples, which runs until the end of the block."""

    def __init__(self, name):
        self.name = name
        self.log = stage.folder / f"{name}.log"

    def __enter__(self):
        new_store(self.name)
        start = time.monotonic()
        self.process = subprocess.Popen(
            [python, examples / f"{self.name}-bot.py", stage.folder / self.name],
            stderr=self.log.open("wb"), stdout=subprocess.DEVNULL, env=environment,
        )  # fmt: skip
        wait_until(lambda: self.address, f"address of {self.name}")
        self.start_time = time.monotonic() - start
        return self

    @property
    def address(self):
        found = re.search(r"Bot address: (\S+)", self.log.read_text())
        return found and found.group(1)

    @property
    def memory(self):
        """In kB, as the system counts it now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1))

    def __exit__(self, *failure):
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(TIMEOUT)
        log = self.log.read_text()
        assert code == 0 and "Traceback" not in log or failure[0], (code, log)
        if failure[0]:
            print(log)


CLIENT = r"""
import asyncio, json, sys
from simplex_chat import Client, Profile, SqliteDb

async def main(prefix, name, address, *texts):
    client = Client(profile=Profile(display_name=name), db=SqliteDb(file_prefix=prefix))
    greeted = asyncio.Event()

    @client.on_message()
    async def take(message):
        print(json.dumps(message.text), flush=True)
        greeted.set()

    async with client:
        serving = asyncio.create_task(client.serve_forever())
        await asyncio.sleep(0)
        contact = await client.connect_to(address, timeout=60)
        await asyncio.wait_for(greeted.wait(), 60)
        for text in texts:
            reply = await client.send_and_wait(contact["contactId"], text, timeout=60)
            print(json.dumps(reply.text), flush=True)
        client.stop()
        await serving

asyncio.run(main(*sys.argv[1:]))
"""


def talk(name, bot, *texts):
    """What a client of the library gets from a bot: its greeting, then its answers."""
    if not (stage.folder / f"{name}.tacit").exists():
        new_store(name)
    done = subprocess.run(
        [python, "-c", CLIENT, stage.folder / name, name, bot.address, *texts], env=environment, capture_output=True,
        timeout=TIMEOUT + len(texts) * 5,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode() + bot.log.read_text()
    return [line.strip('"') for line in done.stdout.decode().splitlines()]


with Example("squaring") as bot:
    seen = talk("alice", bot, "7", "-1.5", "hello", "/help", "/nothing")
    expected = ["Hello! Send a number, and I send its square.", "7 squared is 49", "-1.5 squared is 2.25"]
    other = "This is not a number. Try /help."
    assert seen == [*expected, other, "Send a number, such as 12 or -1.5.", other], seen
    begin = time.monotonic()
    answers = talk("bob", bot, *(str(number) for number in range(COUNT)))[1:]
    assert answers == [f"{number:g} squared is {number * number:g}" for number in map(float, range(COUNT))], answers
    print(f"{COUNT} numbers in {time.monotonic() - begin:.1f} s, start {bot.start_time * 1000:.0f} ms, memory {bot.memory} kB")

with Example("reception") as bot:
    assert talk("carol", bot) == ["Welcome, carol! Somebody answers within a day."]
    # A rejected request gets no answer.
    new_store("spam")
    spammer = subprocess.Popen(
        [python, "-c", CLIENT, stage.folder / "spam", "spam", bot.address], env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    wait_until(lambda: "rejected spam" in bot.log.read_text(), "rejection")
    spammer.kill()
    assert spammer.communicate()[0] == b""
