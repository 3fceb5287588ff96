#!/usr/bin/env python3
"""A large file arrives whole, whoever is killed while it travels.

A file is sent to a contact over a file relay. While it goes up, the sender and the relay are killed with SIGKILL at random
moments; while it comes down, the receiver and the relay. Each goes on where it was. In the end the digests agree, and nothing
else is left in the folders of the transfer. The seed of the random moments is printed first; --seed repeats them.
"""

import hashlib
import json
import os
import random
import subprocess
import time
from pathlib import Path

from moving import Store
from soak import Failure, arguments, repeatable

TIMEOUT = 900


class FileRelay:
    """A relay for messages and files, which comes back at the same ports."""

    def __init__(self, program, folder):
        self.program, self.folder, self.process = program, folder, None
        words = ["--host", "127.0.0.1", "--listen", "127.0.0.1", "--port", "0", "--xftp-port", "0", "--proxy-private"]
        words = [program, "relay", "init", folder, *words]
        self.addresses = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout.split()

    def start(self):
        words = [self.program, "relay", "start", self.folder]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        if [self.process.stdout.readline().strip() for _ in self.addresses] != self.addresses:
            raise Failure("the relay did not start")

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def write_random(path, mebibytes):
    digest = hashlib.sha256()
    with open(path, "wb") as file:
        for _ in range(mebibytes):
            block = os.urandom(1 << 20)
            digest.update(block)
            file.write(block)
    return digest.hexdigest()


def digest_of(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def file_of(store):
    return next(json.loads(line) for line in store.run("file", "list", "--json").splitlines())


def transfer(options, chance, relay, store, first, further, ended):
    """Runs a command until the file is there, with kills of the command and of the relay in between. Returns the seconds."""
    start = time.monotonic()
    deadline = start + TIMEOUT
    killed = {"command": 0, "relay": 0}
    command = first
    while min(killed.values()) < options.kills:
        process = store.start(*command)
        command = further
        victim = chance.choice([name for name in killed if killed[name] < options.kills])
        try:
            process.communicate(timeout=chance.uniform(0.3, options.pause))
        except subprocess.TimeoutExpired:
            pass
        if victim == "relay":
            relay.kill()
            relay.start()
        process.kill()
        process.communicate()
        killed[victim] += 1
        if ended():
            raise Failure(f"the file was there after {killed}: choose a larger one")
    while not ended():
        if time.monotonic() > deadline:
            raise Failure(f"the file is not there after {TIMEOUT} s")
        process = store.start(*further)
        process.communicate(timeout=TIMEOUT)
    return time.monotonic() - start


def soak(options, folder):
    chance = random.Random(options.seed)
    relay = FileRelay(options.program, f"{folder}/relay")
    relay.start()
    try:
        alice, bob = (Store(options.program, f"{folder}/{name}") for name in ("alice", "bob"))
        for store, name in ((alice, "alice"), (bob, "bob")):
            servers = [word for address in relay.addresses for word in ("--server", address)]
            store.run("init", "--name", name, *servers)
        bob.run("connect", alice.run("connect").strip())
        for store in (alice, bob, alice):
            store.run("fetch")
        large = Path(folder, "large.bin")
        digest = write_random(large, options.size)
        up = transfer(
            options, chance, relay, alice, ["send", "@bob", "--attach", str(large)], ["fetch"],
            lambda: file_of(alice)["state"] == "sent")
        while not bob.run("file", "list", "--json"):
            bob.run("fetch")
        receive = ["file", "receive", file_of(bob)["id"]]
        down = transfer(options, chance, relay, bob, receive, receive, lambda: file_of(bob)["state"] == "ready")
        if digest_of(bob.folder / "files/large.bin") != digest:
            raise Failure("the file that came is another")
        for store in (alice, bob):
            left = sorted(path.name for path in (store.folder / "transfers").iterdir())
            if left:
                raise Failure(f"left behind in {store.folder}/transfers: {left}")
    finally:
        relay.kill()
    print(f"{options.size} MiB with {options.kills} kills of each: {up:.0f} s up, {down:.0f} s down, digests equal")


def main():
    parser = arguments(__doc__)
    parser.add_argument("--size", type=int, default=1024, help="MiB of the file")
    parser.add_argument("--kills", type=int, default=5, help="of the sender, the receiver, and twice of the relay")
    parser.add_argument("--pause", type=float, default=1.5, help="the longest time before a kill, in seconds")
    repeatable(parser.parse_args(), "files", soak)


if __name__ == "__main__":
    main()
