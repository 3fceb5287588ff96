"""The passcode that destroys everything, typed where the session asks for one: nothing is left of what was there."""
# limit: 120

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()

# Without encryption, so that everything that is left behind can be found.
stage.tacit("alice", "init", "--name", "Rumpelstilzchen", "--server", relay.address, "--no-encryption")
stage.tacit("bob", "init", "--name", "Zaphod", "--server", relay.address)
stage.connect("alice", "bob")
stage.tacit("bob", "send", "@Rumpelstilzchen", "the moon is full tonight")
stage.tacit("alice", "fetch")
stage.tacit("alice", "profile", "create", "Xanthippe")
stage.tacit("alice", "notify-mode", "periodic")
secrets = ["Rumpelstilzchen", "Zaphod", "the moon is full", "Xanthippe", "half a sentence", "list contacts", "periodic"]


def files():
    return [path for path in stage.place("alice").rglob("*") if path.is_file()]


def found(contents):
    """Which of the secrets stand in any of the contents."""
    whole = b"\n".join(contents)
    return [secret for secret in secrets if secret.encode() in whole]


def passcodes(*words, answers):
    person = stage.sit("alice", "passcode", *words)
    for question, answer in answers:
        person.until(lambda: person.line.rstrip() == question, question)
        person.enter(answer)
    assert person.ended() == 0, person.screen.everything
    assert not any(answer in person.screen.everything for _, answer in answers)


passcodes("set", answers=[("New passcode:", "open sesame"), ("Repeat the passcode:", "open sesame")])
passcodes(
    "self-destruct",
    answers=[
        ("Passcode:", "open sesame"),
        ("Self-destruct passcode:", "0000"),
        ("Repeat the passcode:", "0000"),
    ],
)

# A session leaves its traces: a place, a draft, commands.
alice = stage.sit("alice")
alice.until("Passcode:")
alice.enter("open sesame")
alice.until("── chats")
alice.enter("list contacts")
alice.until("connected")
alice.enter("open Zaphod")
alice.until(":/Zaphod >")
alice.type("half a sentence")
alice.until("> half a sentence")
alice.signal(15)
assert alice.ended() == -15
before = files()
assert found(path.read_bytes() for path in before) == secrets

# It is typed; nobody sees anything of before, and what the files were made of is overwritten, not only removed.
held = [open(path, "rb") for path in before]
alice = stage.sit("alice")
alice.until("Passcode:")
alice.enter("0000")
alice.until("No chats yet")
alice.until("user:/ >")
assert not any(secret in alice.screen.everything for secret in secrets), alice.screen.everything
old = [file.read() for file in held]
assert found(old) == [], "a removed file could be read again"
databases = [data for path, data in zip(before, old) if path.suffix == ".db"]
assert len(databases) == 2 and all(data.count(0) == len(data) for data in databases), "databases are zeros"
alice.enter("list profiles")
alice.until("user")
alice.enter("lock")
alice.until("Passcode:")

# The second passcode is the only one now, and opens what is there.
alice.enter("open sesame")
alice.until("Wrong")
alice.enter("0000")
alice.until("user:/ >")
alice.enter("quit")
assert alice.ended() == 0
assert found(path.read_bytes() for path in files()) == []
assert not any(secret in str(path) for path in files() for secret in secrets)

# An empty store like any other: what others send to the old one does not come.
stage.tacit("bob", "send", "@Rumpelstilzchen", "are you there?")
stage.tacit("alice", "fetch")
assert stage.tacit("alice", "list").objects == [] and stage.tacit("alice", "read", "--json").objects == []
status = stage.tacit("alice", "status", "--json").objects[0]
assert (status["profiles"], status["contacts"]) == (1, 0) and "onboarding" not in status, status
assert stage.tacit("alice", "notify-mode", "--json").objects[0]["mode"] == "off"
assert stage.tacit("alice", "db", "check").code == 0
alice = stage.sit("alice")
alice.until("Passcode:")
alice.enter("0000")
alice.until("user:/ >")
alice.enter("quit")
assert alice.ended() == 0
