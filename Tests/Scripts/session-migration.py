# limit: 120
"""A session opens on an unfinished migration, and on nothing else: at the source, and on the machine to which the store moves."""

import os
import shutil
import signal

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob", files=True)
files = stage.place("alice") / "files"
files.mkdir(exist_ok=True)
(files / "photo.jpg").write_bytes(os.urandom(24_000_000))


def killed(name, *words):
    """Kills a command when its transfer has begun."""
    running = stage.start(name, *words)
    transfers = stage.folder / f"{name}.migration/transfer/transfers"
    wait_until(lambda: transfers.exists() and any(transfers.iterdir()), "the transfer", running.process)
    running.signal(signal.SIGKILL)
    running.ended()


def ready(person, question):
    person.until(lambda: person.line.rstrip().endswith(question), question)


# The source, before there is a link: what is cancelled is a session again.
killed("alice", "migrate", "to")
alice = stage.sit("alice")
ready(alice, "1-2, or Enter to go back:")
text = alice.screen.text
assert "── migration" in text and "the archive is being uploaded to file relays" in text, text
assert "resume" in text and "cancel" in text and "bob" not in text, text
alice.enter("7")
alice.until('unknown choice')
ready(alice, "1-2, or Enter to go back:")
alice.enter("cancel")
alice.until("the migration is cancelled")
alice.until("bob")
alice.enter("quit")
assert alice.ended() == 0

# With a link a person is asked, and may leave everything as it is.
link = stage.tacit("alice", "migrate", "to", "--no-wait").out.split("\n")[0]
alice = stage.sit("alice", columns=120)
ready(alice, "1-3, or Enter to go back:")
alice.enter("3")
ready(alice, "Cancel the migration? [y/N]")
alice.enter("n")
alice.until("not confirmed")
ready(alice, "1-3, or Enter to go back:")
alice.enter("")
assert alice.ended() == 0
assert stage.tacit("alice", "migrate", "status", "--json").objects[0]["state"] == "offered"

# The destination has no store yet, and no first steps before that.
stage.place("carol").mkdir(mode=0o700)
shutil.copy(stage.place("alice") / "key", stage.place("carol") / "key")
(stage.place("carol") / "key").chmod(0o600)
killed("carol", "migrate", "from", link)
carol = stage.sit("carol", columns=90)
ready(carol, "1-2, or Enter to go back:")
assert "the archive is being downloaded" in carol.screen.text and "welcome" not in carol.screen.text, carol.screen.text
carol.enter("1")
carol.until("the migration is finished", timeout=60)
carol.until("bob")
carol.enter("@bob moved")
stage.until_fetched("bob", "moved")
carol.enter("quit")
assert carol.ended() == 0

# Finished from its sheet, the old store is gone, and nothing new begins.
alice = stage.sit("alice")
ready(alice, "1-3, or Enter to go back:")
alice.enter("2")
ready(alice, "[y/N]")
assert "has not reported" in alice.screen.text
alice.enter("y")
alice.until("the migration is finished")
assert alice.ended() == 0
stage.tacit("alice", "status", expect=78)

# Lines of a pipe are no person.
killed("carol", "migrate", "to")
ended = stage.shell("carol", "echo list | tacit repl --json")
assert ended.code == 69 and ended.error["code"] == "migration.unfinished", ended.err

relay.stop()
