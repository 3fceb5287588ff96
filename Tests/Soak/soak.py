#!/usr/bin/env python3
"""Nothing is lost, nothing comes twice, and the order stays, whatever is killed.

Two stores and a relay on loopback. One side sends numbered messages, one process for each; on the other side
`tacit fetch` is killed with SIGKILL again and again, at random moments, and so is the relay. In the end every message
must have been read once, in the order in which it was sent. The seed of the random moments is printed first; --seed
repeats them.
"""

import argparse
import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent
# Exit codes of the contract: done; not yet, but kept.
OK, LATER = 0, 75


class Failure(Exception):
    pass


class Relay:
    """The relay, which may be killed and comes back under its address."""

    def __init__(self, program, folder):
        self.program, self.folder, self.process = program, folder, None
        words = ["relay", "init", folder, "--host", "127.0.0.1", "--listen", "127.0.0.1", "--port", "0", "--proxy-private"]
        subprocess.run([program, *words], check=True, stdout=subprocess.DEVNULL)

    def start(self):
        self.process = subprocess.Popen(
            [self.program, "relay", "start", self.folder], stdout=subprocess.PIPE, text=True
        )
        # It says its address when it listens.
        self.address = self.process.stdout.readline().strip()
        if not self.address.startswith("smp://"):
            raise Failure("the relay did not start")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()


class Person:
    """A store, and the commands that use it."""

    def __init__(self, program, folder):
        self.program = program
        self.environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": folder, "TACIT_DIR": folder}

    def start(self, *words):
        return subprocess.Popen(
            [self.program, "--no-input", *words],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words, expected=(OK,)):
        process = self.start(*words)
        try:
            output, errors = process.communicate(timeout=180)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Failure(f"'tacit {words[0]}' did not end")
        if process.returncode not in expected:
            raise Failure(f"'tacit {words[0]}' ended with {process.returncode}: {errors.strip()}")
        return output

    def messages(self, contact, limit):
        """The texts of the received messages, in the order of the store."""
        output = self.run("read", contact, "--json", "--last", str(limit))
        found = [json.loads(line) for line in output.splitlines()]
        ids = [message["id"] for message in found]
        if len(set(ids)) != len(ids):
            raise Failure("two messages have the same id")
        return [message["text"] for message in found if message["direction"] == "in"]


class Sender(threading.Thread):
    """Sends the messages, never more than `allowed` of them, and each until it is at least in the outbox."""

    def __init__(self, person, contact, count):
        super().__init__(daemon=True)
        self.person, self.contact, self.count = person, contact, count
        self.changed = threading.Condition()
        self.allowed = self.sent = self.queued = 0
        self.failure = None

    def allow(self, number):
        """Lets it go on, and waits until it is not far behind: the kills are to be spread over all messages."""
        with self.changed:
            self.allowed = min(self.count, number)
            self.changed.notify_all()
            if not self.changed.wait_for(lambda: self.failure or self.sent + 10 > self.allowed, timeout=180):
                raise Failure("the sender does not go on")

    def run(self):
        try:
            for number in range(self.count):
                with self.changed:
                    self.changed.wait_for(lambda: self.allowed > number)
                process = self.person.start("send", self.contact, f"message {number}", "--timeout", "10s")
                _, errors = process.communicate(timeout=180)
                # A message that could not go yet is in the outbox: it must not be written again.
                if process.returncode not in (OK, LATER):
                    raise Failure(f"'tacit send' ended with {process.returncode}: {errors.strip()}")
                self.queued += process.returncode == LATER
                with self.changed:
                    self.sent = number + 1
                    self.changed.notify_all()
        except Exception as error:
            with self.changed:
                self.failure = error
                self.changed.notify_all()


def connect(alice, bob):
    link = alice.run("connect").strip()
    bob.run("connect", link, "--as", "alice")
    alice.run("fetch")
    bob.run("fetch")
    alice.run("fetch")


def kill_fetches(bob, relay, sender, chance, options):
    """Starts `fetch` and kills it, until it was killed often enough; returns how often it came to its end."""
    relay_kills = set(chance.sample(range(1, options.kills), min(options.relay_kills, options.kills - 1)))
    durations = []
    killed = 0
    while killed < options.kills:
        if sender.failure:
            raise sender.failure
        sender.allow(options.messages * (killed + 1) // options.kills)
        if killed in relay_kills:
            relay_kills.remove(killed)
            relay.kill()
            time.sleep(chance.uniform(0, 0.3))
            relay.start()
        # Now and then one may end: that shows how long it takes, and empties the queue before the relay takes no more.
        may_end = not durations or chance.random() < 0.125
        moment = None if may_end else chance.uniform(0, 1.5 * statistics.median(durations[-9:]))
        start = time.monotonic()
        process = bob.start("fetch", "-q", "--timeout", "30s")
        try:
            _, errors = process.communicate(timeout=180 if moment is None else moment)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            if moment is None:
                raise Failure("'tacit fetch' does not end")
            killed += 1
            if options.verbose and killed % 20 == 0:
                counts = f"{killed} fetches were killed, {len(durations)} ended"
                print(f"{counts}, {sender.sent} messages are sent", flush=True)
            continue
        if process.returncode not in (OK, LATER):
            raise Failure(f"'tacit fetch' ended with {process.returncode}: {errors.strip()}")
        durations.append(time.monotonic() - start)
    return len(durations)


def drain(alice, bob):
    """Both fetch until nothing waits: a relay keeps only so many messages of a queue, the others are in the outbox."""
    deadline = time.monotonic() + 180
    while True:
        report = json.loads(alice.run("fetch", "--json", expected=(OK, LATER)).splitlines()[-1])
        bob.run("fetch", expected=(OK, LATER))
        if report["waiting"] == 0 and report["complete"]:
            return
        if time.monotonic() > deadline:
            raise Failure(f"{report['waiting']} messages still wait in the outbox")


def check(texts, count):
    wanted = [f"message {number}" for number in range(count)]
    if texts == wanted:
        return
    lost = [text for text in wanted if text not in set(texts)]
    twice = sorted({text for text in texts if texts.count(text) > 1})
    strange = [text for text in texts if text not in set(wanted)]
    raise Failure(f"lost: {lost[:10]}; twice: {twice[:10]}; strange: {strange[:10]}; or in another order")


def soak(options, folder):
    chance = random.Random(options.seed)
    relay = Relay(options.program, f"{folder}/relay")
    relay.start()
    try:
        alice, bob = (Person(options.program, f"{folder}/{name}") for name in ("alice", "bob"))
        for person, name in ((alice, "alice"), (bob, "bob")):
            person.run("init", "--name", name, "--server", relay.address, "--new-key-file", f"{folder}/{name}.key")
            person.environment["TACIT_KEY_FILE"] = f"{folder}/{name}.key"
        connect(alice, bob)
        sender = Sender(alice, "@bob", options.messages)
        sender.start()
        finished = kill_fetches(bob, relay, sender, chance, options)
        sender.allow(options.messages)
        sender.join(timeout=600)
        if sender.failure or sender.is_alive():
            raise sender.failure or Failure("the messages were not sent in time")
        drain(alice, bob)
        check(bob.messages("@alice", 2 * options.messages), options.messages)
        print(
            f"{options.messages} messages arrived once and in order; {options.kills} fetches were killed, {finished}"
            f" ended; the relay was killed {options.relay_kills} times; {sender.queued} messages waited in the outbox"
        )
    finally:
        relay.kill()


def arguments(description):
    """The options of everything that can be repeated by its seed."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--program", default=str(REPOSITORY / ".build/release/tacit"))
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--verbose", action="store_true")
    return parser


def repeatable(options, name, work):
    """Does the work in a folder that stays if it fails, and says how to repeat it."""
    print(f"seed {options.seed}", flush=True)
    folder = tempfile.mkdtemp(prefix=f"tacit-{name}-")
    start = time.monotonic()
    try:
        work(options, folder)
    except Failure as failure:
        sys.exit(f"FAILED: {failure}\nrepeat with --seed {options.seed}; the stores are in {folder}")
    shutil.rmtree(folder)
    print(f"passed after {time.monotonic() - start:.0f} s")


def main():
    parser = arguments(__doc__)
    parser.add_argument("--messages", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--relay-kills", type=int, default=10)
    repeatable(parser.parse_args(), "soak", soak)


if __name__ == "__main__":
    main()
