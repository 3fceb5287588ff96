#!/usr/bin/env python3
"""A store opens and is whole, whatever was going on when it was killed, or when the disk was full.

Every trial is something that is done to a store: a message sent or received, another key, encryption on or off, an
upgrade, a compaction. It is done again and again, and killed with SIGKILL at a random moment, or given a disk that is
full at a random place. Afterwards the store must open with the key from before or the one from after, `db check` must
find nothing, and every message that was acknowledged must be there. The seed is printed first; --seed repeats a run.

The trials are in trials.py.
"""

import os
import random
import resource
import signal
import statistics
import subprocess
import time
from pathlib import Path

from soak import LATER, OK, Failure, Relay, arguments, connect, repeatable
from trials import TRIALS, Owner, json_lines

DISK_ERROR = 74


class Scene:
    """Two people and a relay."""

    def __init__(self, options, folder, chance):
        self.options, self.folder, self.chance = options, Path(folder), chance
        self.count = 0
        # What alice was told is sent, and what she has to receive.
        self.acknowledged, self.expected = [], []
        self.relay = Relay(options.program, f"{folder}/relay")
        self.relay.start()
        keys = [self.folder / name for name in ("a.key", "b.key", "words.txt")]
        for key in keys[:2]:
            key.write_bytes(os.urandom(32).hex().encode())
        keys[2].write_text("correct horse battery staple\n")
        for key in keys:
            key.chmod(0o600)
        self.alice = Owner(options.program, f"{folder}/alice", keys)
        self.bob = Owner(options.program, f"{folder}/bob", keys[:1])
        for person, name in ((self.alice, "alice"), (self.bob, "bob")):
            person.run("init", "--name", name, "--server", self.relay.address)
        connect(self.alice, self.bob)

    def next_text(self):
        self.count += 1
        return f"message {self.count}"

    def check(self):
        """No message that was acknowledged is missing, and none is there twice."""
        self.alice.check()
        found = json_lines(self.alice.run("read", "@bob", "--json", "--last", "100000"))
        own = [message["text"] for message in found if message["direction"] == "out"]
        missing = [text for text in self.acknowledged if text not in set(own)]
        if missing:
            raise Failure(f"acknowledged and not there: {missing[:10]}")
        received = [message["text"] for message in found if message["direction"] == "in"]
        if len(set(received)) != len(received):
            raise Failure("a message is there twice")

    def finish(self):
        """Everything arrives in the end."""
        deadline = time.monotonic() + 180
        while True:
            self.alice.run("fetch", "-q", expected=(OK, LATER))
            self.bob.run("fetch", "-q", expected=(OK, LATER))
            got = self.bob.messages("@alice", 100000)
            have = self.alice.messages("@bob", 100000)
            missing = [text for text in self.acknowledged if text not in set(got)]
            missing += [text for text in self.expected if text not in set(have)]
            if not missing:
                break
            if time.monotonic() > deadline:
                raise Failure(f"did not arrive: {missing[:10]}")
        if len(set(got)) != len(got) or len(set(have)) != len(have):
            raise Failure("a message arrived twice")


def kill(trial, scene):
    """Does the thing, and kills it at a random moment; returns whether it was killed."""
    trial.prepare()
    # Now and then one may end: that shows how long it takes.
    may_end = not trial.durations or scene.chance.random() < 0.1
    moment = None if may_end else scene.chance.uniform(0, 1.2 * statistics.median(trial.durations[-9:]))
    start = time.monotonic()
    process = trial.owner().start(*trial.words())
    try:
        _, errors = process.communicate(timeout=180 if moment is None else moment)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        if moment is None:
            raise Failure(f"'{trial.name}' does not end")
        return True
    if process.returncode not in (OK, LATER):
        raise Failure(f"'{trial.name}' ended with {process.returncode}: {errors.strip()}")
    trial.durations.append(time.monotonic() - start)
    trial.done(process.returncode)
    return False


def fill_disk(trial, scene):
    """Does the thing while no file may become larger than a random size, as on a disk that is full."""
    trial.prepare()
    sizes = [path.stat().st_size for path in trial.owner().folder.glob("simplex*")]
    limit = scene.chance.randrange(int(1.3 * max(sizes)))

    def restrict():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    owner = trial.owner()
    process = subprocess.Popen(
        [owner.program, "--no-input", *trial.words()],
        env=owner.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=restrict,
    )
    _, errors = process.communicate(timeout=180)
    if process.returncode not in (OK, LATER, DISK_ERROR):
        raise Failure(f"'{trial.name}' with {limit} bytes ended with {process.returncode}: {errors.strip()}")
    trial.done(process.returncode)
    return process.returncode != OK


def rounds(trials, count, deed, scene, what):
    """Does every trial as often as its share says, in a random order; returns how often the deed took effect."""
    whole = sum(trial.share for trial in trials)
    left = {trial: max(1, count * trial.share // whole) for trial in trials}
    done = 0
    while any(left.values()):
        trial = scene.chance.choice([trial for trial in trials if left[trial]])
        try:
            took_effect = deed(trial, scene)
            if hasattr(trial, "check"):
                trial.check()
            scene.check()
        except Failure as failure:
            raise Failure(f"{what} during {trial.name}: {failure}") from None
        if took_effect or deed is fill_disk:
            left[trial] -= 1
            done += 1
            if scene.options.verbose and done % 25 == 0:
                print(f"{what}: {done} times", flush=True)
    return done


def keep(options, folder):
    scene = Scene(options, folder, random.Random(options.seed))
    try:
        trials = [kind(scene) for kind in TRIALS if not options.only or kind.name in options.only]
        kills = rounds(trials, options.kills, kill, scene, "killed")
        full = rounds(trials, options.full, fill_disk, scene, "disk full")
        scene.finish()
        print(f"killed {kills} times, {full} times with a full disk: every message is there, every store was whole")
    finally:
        scene.relay.kill()


def main():
    parser = arguments(__doc__)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--full", type=int, default=100)
    parser.add_argument("--only", action="append", choices=[kind.name for kind in TRIALS])
    repeatable(parser.parse_args(), "keeping", keep)


if __name__ == "__main__":
    main()
