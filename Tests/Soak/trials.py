"""What is done to a store while it is killed, and who owns it.

A new trial is a class with `words`, and perhaps `prepare`, `done` and `check`, in the list TRIALS.
"""

import json
import shutil
import sqlite3
from pathlib import Path

from soak import LATER, OK, REPOSITORY, Failure, Person

DUMPS = REPOSITORY / "Tests/Fixtures/Stores"
DENIED = 77


def json_lines(text):
    return [json.loads(line) for line in text.splitlines()]


class Owner(Person):
    """A person whose store may have one of several keys, or none."""

    def __init__(self, program, folder, keys):
        super().__init__(program, folder)
        self.folder = Path(folder)
        self.keys = keys
        self.use(keys[0])

    def use(self, key):
        self.environment["TACIT_KEY_FILE"] = str(key)

    def find_key(self, *words):
        """Takes the key with which a command can be run; one of them must do. A store in clear takes any."""
        for key in [Path(self.environment["TACIT_KEY_FILE"]), *self.keys]:
            self.use(key)
            process = self.start(*words)
            _, errors = process.communicate(timeout=180)
            if process.returncode == OK:
                return
            if process.returncode != DENIED:
                raise Failure(f"the store does not open: {process.returncode}: {errors.strip()}")
        raise Failure("no key opens the store")

    def is_encrypted(self):
        return json.loads(self.run("db", "info", "--json"))["encryption"] == "pages"

    def check(self):
        """Opens the store as a writer, which finishes what was cut off, and looks at all of it."""
        # Readers open what is there.
        self.find_key("profile", "list")
        # What is finished may take the key away that opened it.
        self.find_key("db", "upgrade", "-q")
        self.find_key("db", "check", "-q")
        left = [path.name for path in self.folder.glob("*") if path.name.endswith((".converted", "conversion"))]
        if left:
            raise Failure(f"left behind: {left}")


class Trial:
    """Something that is done to alice's store."""

    name = ""
    share = 1

    def __init__(self, scene):
        self.scene = scene
        self.durations = []

    def prepare(self):
        """Makes the store ready, each time."""

    def words(self):
        """The words of the command."""
        raise NotImplementedError

    def done(self, code):
        """What follows if the command came to its end."""

    def owner(self):
        return self.scene.alice


class Send(Trial):
    name = "send"
    share = 5

    def words(self):
        self.text = self.scene.next_text()
        return ["send", "@bob", self.text, "--timeout", "10s"]

    def done(self, code):
        if code in (OK, LATER):
            self.scene.acknowledged.append(self.text)


class Fetch(Trial):
    name = "fetch"
    share = 5

    def prepare(self):
        text = self.scene.next_text()
        self.scene.bob.run("send", "@alice", text, "--timeout", "10s", expected=(OK, LATER))
        self.scene.expected.append(text)

    def words(self):
        return ["fetch", "-q", "--timeout", "30s"]


class Rekey(Trial):
    name = "rekey"
    share = 5

    def prepare(self):
        owner = self.owner()
        if not owner.is_encrypted():
            owner.run("db", "encrypt", "--new-passphrase-file", str(owner.keys[0]))
            owner.use(owner.keys[0])

    def words(self):
        owner = self.owner()
        others = [key for key in owner.keys if str(key) != owner.environment["TACIT_KEY_FILE"]]
        return ["db", "rekey", "--new-passphrase-file", str(self.scene.chance.choice(others))]


class Convert(Trial):
    name = "convert"
    share = 4

    def words(self):
        owner = self.owner()
        if owner.is_encrypted():
            return ["db", "decrypt", "--yes"]
        # A random key: a passphrase would take longer to work out than all the rest.
        return ["db", "encrypt", "--new-passphrase-file", str(owner.keys[0])]


class Compact(Trial):
    name = "compact"
    share = 3

    def words(self):
        return ["db", "compact"]


class Upgrade(Trial):
    """Another store for each time, as an older version left it; every other one is encrypted."""

    name = "upgrade"
    share = 3
    texts = ["hello from before", "an answer, unread", "and one more", "in the outbox"]

    def prepare(self):
        folder = self.scene.folder / "old"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700)
        chance = self.scene.chance
        # Dumps of about the same time: the later ones have a connection that the earlier ones do not know.
        chat, agent = chance.choice([(1, 1), (2, 1), (3, 2), (4, 2), (3, 3), (4, 3)])
        for name, number in (("chat", chat), ("agent", agent)):
            path = folder / f"simplex_v1_{name}.db"
            database = sqlite3.connect(path)
            database.executescript((DUMPS / f"{name}-{number}.sql").read_text())
            database.close()
            path.chmod(0o600)
        self.old = Owner(self.scene.options.program, str(folder), self.scene.alice.keys)
        if chance.random() < 0.5:
            self.old.run("db", "encrypt", "--new-passphrase-file", str(self.old.keys[0]))

    def words(self):
        return ["db", "upgrade"]

    def owner(self):
        return self.old

    def check(self):
        self.old.check()
        found = json_lines(self.old.run("read", "@bob", "--json"))
        if [message["text"] for message in found] != self.texts:
            raise Failure(f"the upgraded store has {found}")


TRIALS = [Send, Fetch, Rekey, Convert, Compact, Upgrade]
