"""A relay that answers nothing and says PONG all the time holds up no command beyond its deadline."""

# limit: 400

import time
from concurrent.futures import ThreadPoolExecutor

from support.attacker import Attacker
from support.stage import Stage

stage = Stage()
own = stage.connected("alice", "bob")
link = stage.tacit("bob", "connect").out.strip()


def timed(person, *words, most, expect=75):
    """Runs a command that must end within `most` seconds."""
    start = time.monotonic()
    ended = stage.start(person, *words).process.communicate(timeout=most + 30)
    return words, time.monotonic() - start, most, ended


with Attacker("relay", "--mute", "--pong", "200") as relay:
    address = relay.line()
    for name in ("carol", "dave", "erin", "frank", "grace"):
        stage.person(name, address)
    with ThreadPoolExecutor(8) as pool:
        tasks = [
            pool.submit(timed, "carol", "connect", "--timeout", "3s", most=20),
            pool.submit(timed, "dave", "address", "create", most=50),
            pool.submit(timed, "erin", "server", "test", most=50),
            pool.submit(timed, "alice", "server", "test", address, most=50),
            pool.submit(timed, "frank", "net", "test", most=50),
            pool.submit(timed, "grace", "connect", link, "--timeout", "3s", most=20),
        ]
        for task in tasks:
            words, seconds, most, ended = task.result()
            print(f"{' '.join(words)[:40]}: {seconds:.1f} s")
            assert seconds < most, (words, seconds)

# What was begun does not come back as something half made.
stage.tacit("carol", "status")
assert not stage.tacit("carol", "list", "invitations", "--json").objects
