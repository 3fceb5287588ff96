#!/usr/bin/env python3
"""A store survives whatever happens to it while it is exported and imported.

One store is exported, and an archive of a later state imported into it, again and again; each time the process is killed
with SIGKILL at a random moment. Afterwards the store must open and be the old one or the new one, with every message of
it; an archive that has its name must be whole, and nothing else may be left. The seed of the random moments is printed
first; --seed repeats them.
"""

import json
import os
import random
import shutil
import statistics
import subprocess
import time
import zipfile
from pathlib import Path

from soak import Failure, arguments, repeatable

TIMEOUT = 120


class Store:
    """A store in a folder, with the key in it."""

    def __init__(self, program, folder):
        self.program, self.folder = program, Path(folder)
        self.environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": folder, "TACIT_DIR": folder}

    def start(self, *words):
        streams = {name: subprocess.PIPE for name in ("stdout", "stderr")}
        return subprocess.Popen(
            [self.program, "--no-input", *words], env=self.environment, stdin=subprocess.DEVNULL, text=True, **streams
        )

    def run(self, *words):
        process = self.start(*words)
        output, errors = process.communicate(timeout=TIMEOUT)
        if process.returncode != 0:
            raise Failure(f"'tacit {' '.join(words)}' ended with {process.returncode}: {errors.strip()}")
        return output

    def killed(self, moment, *words):
        """Runs a command that is killed after a time. Returns how long it took, or None if it was killed."""
        start = time.monotonic()
        process = self.start(*words)
        try:
            _, errors = process.communicate(timeout=moment)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return None
        if process.returncode != 0:
            raise Failure(f"'tacit {words[0]}' ended with {process.returncode}: {errors.strip()}")
        return time.monotonic() - start

    def texts(self):
        return [json.loads(line)["text"] for line in self.run("read", "--json", "--last", "10000").splitlines()]

    def check(self, states):
        """The store opens, is one of the states, and its databases are sound. Returns which state it is."""
        # The first reader goes on with what was cut off.
        texts = self.texts()
        if texts not in states:
            raise Failure(f"the store is none of those that it could be: it has {len(texts)} messages")
        self.run("db", "check", "-q")
        left = sorted(path.name for path in self.folder.iterdir() if path.name == "replacement")
        if left:
            raise Failure(f"left behind: {left}")
        files = sorted(path.name for path in (self.folder / "files").iterdir())
        state = states.index(texts)
        if files != ["both", f"only-{state}"]:
            raise Failure(f"the files are of another store: {files}")
        return state


def archives(program, folder, relay):
    """A store in two states, as archives, and their messages."""
    store = Store(program, f"{folder}/store")
    store.run("init", "--name", "alice", "--server", relay)
    other = Store(program, f"{folder}/other")
    other.run("init", "--name", "bob", "--server", relay)
    link = store.run("connect").strip()
    other.run("connect", link)
    for person in (store, other, store):
        person.run("fetch")
    files = store.folder / "files"
    files.mkdir()
    (files / "both").write_bytes(os.urandom(2_000_000))
    states = []
    for state in range(2):
        for number in range(5):
            store.run("send", "@bob", f"state {state}, message {number}")
        for path in files.glob("only-*"):
            path.unlink()
        (files / f"only-{state}").write_bytes(os.urandom(3_000_000))
        store.run("export", "-q", f"{folder}/state-{state}.zip")
        states.append(store.texts())
    return store, states


def soak(options, folder):
    chance = random.Random(options.seed)
    words = ["relay", "init", f"{folder}/relay", "--host", "127.0.0.1", "--listen", "127.0.0.1", "--port", "0", "--proxy-private"]
    subprocess.run([options.program, *words], check=True, stdout=subprocess.DEVNULL)
    relay = subprocess.Popen([options.program, "relay", "start", f"{folder}/relay"], stdout=subprocess.PIPE, text=True)
    try:
        address = relay.stdout.readline().strip()
        store, states = archives(options.program, folder, address)
    finally:
        relay.kill()
        relay.wait()
    durations = {"export": [], "import": []}
    killed = finished = replaced = 0
    while killed < options.kills:
        deed = chance.choice(["export", "import"])
        target = chance.randrange(2)
        path = Path(f"{folder}/new.zip")
        command = (
            ["export", "-q", "--force", str(path)]
            if deed == "export"
            else ["import", "-q", "--replace", f"{folder}/state-{target}.zip"]
        )
        known = durations[deed]
        moment = None if not known or chance.random() < 0.1 else chance.uniform(0, 1.1 * statistics.median(known[-9:]))
        took = store.killed(TIMEOUT if moment is None else moment, *command)
        if took is None:
            killed += 1
        else:
            known.append(took)
            finished += 1
        state = store.check(states)
        replaced += deed == "import" and state == target
        if deed == "import" and took is not None and state != target:
            raise Failure("an import that ended well left the old store")
        if path.exists():
            with zipfile.ZipFile(path) as archive:
                if archive.testzip() is not None or len(archive.namelist()) != 4:
                    raise Failure("an archive that is not whole has its name")
            path.unlink()
        drafts = [name for name in os.listdir(folder) if name.endswith(".part")]
        if drafts:
            raise Failure(f"left behind: {drafts}")
        # Old stores take room; one of them must be a store too.
        backups = store.folder / "backups"
        # Who was killed before he decided may have left an empty folder, which the next removes.
        kept = [path for path in backups.iterdir() if any(path.iterdir())] if backups.exists() else []
        if kept and chance.random() < 0.2:
            newest = max(kept, key=lambda path: path.stat().st_mtime_ns)
            shutil.copy(store.folder / "key", newest / "key")
            Store(options.program, str(newest)).check(states)
            shutil.rmtree(backups)
        if options.verbose and killed and killed % 50 == 0 and took is None:
            print(f"{killed} were killed, {finished} ended, {replaced} imports took effect", flush=True)
    # What imports left that were killed is tidied up by the next.
    store.run("import", "-q", "--replace", f"{folder}/state-0.zip")
    left = [name for name in os.listdir(store.folder) if name.startswith(".staging")]
    left += [path.name for path in (store.folder / "backups").iterdir() if not any(path.iterdir())]
    if left:
        raise Failure(f"left behind: {left}")
    print(f"{killed} exports and imports were killed, {finished} ended; {replaced} imports took effect; every time the"
          " store was the old one or the new one")


def main():
    parser = arguments(__doc__)
    parser.add_argument("--kills", type=int, default=200)
    repeatable(parser.parse_args(), "moving", soak)


if __name__ == "__main__":
    main()
