#!/usr/bin/env python3
"""Nothing is lost and nothing comes twice at any subscriber, whenever a chat relay is killed.

A message relay and a chat relay on loopback. The owner and a member write numbered messages into a channel while the chat relay
is killed with SIGKILL again and again, at random moments, also while it starts. In the end everybody must have the messages of each
author once, in the order in which they were written. The seed of the random moments is printed first; --seed repeats them.
"""

import json
import random
import signal
import subprocess
import threading
import time

from soak import LATER, OK, Failure, Person, Relay, arguments, repeatable


class ChatRelay:
    """The chat relay, which is killed and comes back."""

    def __init__(self, program, folder, server):
        self.program, self.folder, self.process = program, folder, None
        self.log = open(f"{folder}.log", "ab")
        words = ["channel-relay", "init", folder, "--name", "carrier", "--server", server]
        self.address = subprocess.run([program, *words], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def start(self):
        self.serves = False
        self.process = subprocess.Popen(
            [self.program, "channel-relay", "start", self.folder], stdout=subprocess.PIPE, stderr=self.log, text=True
        )

    def wait(self):
        """Waits until it serves: it says its address then."""
        if not self.serves and self.process.stdout.readline().strip() != self.address:
            raise Failure("the chat relay did not start")
        self.serves = True

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def status(self):
        words = ["channel-relay", "status", self.folder, "--json"]
        done = subprocess.run([self.program, *words], stdout=subprocess.PIPE, check=True, text=True)
        return json.loads(done.stdout)


class Follower(Person):
    """A store that a daemon has open, so that it receives all the time."""

    def __init__(self, program, folder, name, server):
        super().__init__(program, folder)
        self.name, self.daemon = name, None
        self.run("init", "--name", name, "--server", server, "--no-encryption")

    def stay(self):
        self.daemon = self.start("daemon", "run", "-q")

    def stop(self):
        if self.daemon:
            self.daemon.send_signal(signal.SIGTERM)
            self.daemon.communicate(timeout=60)
            self.daemon = None

    def texts(self, limit):
        """The texts of the channel in the order of the store, by author; None is the channel."""
        output = self.run("read", "+news", "--json", "--last", str(limit))
        found = [json.loads(line) for line in output.splitlines()]
        texts = {}
        for message in found:
            if message["type"] != "message":
                continue
            own = message["direction"] == "out"
            author = self.name if own else message.get("member_name", "alice")
            texts.setdefault(author, []).append(message["text"])
        return texts


class Writer(threading.Thread):
    """Writes the messages of one author, one after the other, until it is told to stop."""

    def __init__(self, person, pause):
        super().__init__(daemon=True)
        self.person, self.pause, self.count, self.failure = person, pause, 0, None
        self.ending = threading.Event()

    def run(self):
        try:
            while not self.ending.is_set():
                self.person.run("send", "+news", f"{self.person.name} {self.count}", "--wait", "queued", expected=(OK, LATER))
                self.count += 1
                self.ending.wait(self.pause)
        except Exception as error:
            self.failure = error

    @property
    def wanted(self):
        return [f"{self.person.name} {number}" for number in range(self.count)]


def connect(owner, others, relay):
    owner.run("channel", "create", "news", "--relay", relay.address)
    link = owner.run("group", "link", "+news").strip()
    for person in others:
        person.run("connect", link, "--wait", "connected", "--timeout", "60s")
        person.stay()
    owner.stay()


def until(condition, what, limit=240):
    deadline = time.monotonic() + limit
    while not condition():
        if time.monotonic() > deadline:
            raise Failure(f"{what} in {limit} s")
        time.sleep(0.5)


def differences(person, writers):
    """What a person lacks, has twice or has in another order, by author."""
    found = person.texts(4 * sum(writer.count for writer in writers) + 100)
    wrong = {}
    for writer in writers:
        texts = [text for text in found.get(writer.person.name, []) if text.startswith(f"{writer.person.name} ")]
        if texts == writer.wanted:
            continue
        lost = [text for text in writer.wanted if text not in set(texts)]
        twice = sorted({text for text in texts if texts.count(text) > 1})
        wrong[writer.person.name] = {"lost": lost[:10], "twice": twice[:10], "order": not lost and not twice}
    return wrong


def soak(options, folder):
    chance = random.Random(options.seed)
    server = Relay(options.program, f"{folder}/relay")
    server.start()
    people, relay = [], None
    try:
        relay = ChatRelay(options.program, f"{folder}/carrier", server.address)
        relay.start()
        relay.wait()
        names = ["alice", "bob", *(f"reader{number}" for number in range(options.subscribers - 1))]
        people = [Follower(options.program, f"{folder}/{name}", name, server.address) for name in names]
        alice, bob = people[:2]
        connect(alice, people[1:], relay)
        until(lambda: "bob" in alice.run("group", "members", "+news"), "bob is not there")
        alice.run("group", "role", "+news/@bob", "member")
        until(lambda: "member" in bob.run("channel", "list", "--json"), "bob may not write")
        writers = [Writer(alice, options.pause), Writer(bob, options.pause)]
        for writer in writers:
            writer.start()
        for killed in range(options.kills):
            # Now and then it is killed while it starts.
            if chance.random() < 0.75:
                relay.wait()
            time.sleep(chance.uniform(0, options.longest))
            relay.kill()
            relay.start()
            for writer in writers:
                if writer.failure:
                    raise writer.failure
            if options.verbose and (killed + 1) % 10 == 0:
                print(f"{killed + 1} kills, {[writer.count for writer in writers]} messages", flush=True)
        relay.wait()
        for writer in writers:
            writer.ending.set()
            writer.join(timeout=180)
            if writer.failure or writer.is_alive():
                raise writer.failure or Failure("a message was not written in time")
        until(lambda: not any(differences(person, writers) for person in people), "not everybody has everything once")
        until(lambda: relay.status()["deliveries"] == 0, "messages wait at the chat relay")
        # What comes late comes twice.
        time.sleep(3)
        for person in people:
            wrong = differences(person, writers)
            if wrong:
                raise Failure(f"{person.name}: {wrong}")
        count = sum(writer.count for writer in writers)
        print(f"{count} messages of two authors reached {len(people)} people once and in order; {options.kills} kills")
    except Failure as failure:
        wrong = {person.name: differences(person, writers) for person in people} if people and "writers" in locals() else {}
        raise Failure(f"{failure}; {wrong}") from failure
    finally:
        for person in people:
            person.stop()
        if relay and relay.process:
            relay.kill()
        server.kill()


def main():
    parser = arguments(__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--subscribers", type=int, default=3)
    parser.add_argument("--pause", type=float, default=0.2, help="seconds between two messages of one author")
    parser.add_argument("--longest", type=float, default=1.5, help="seconds until a chat relay that serves is killed")
    repeatable(parser.parse_args(), "channel-relay", soak)


if __name__ == "__main__":
    main()
