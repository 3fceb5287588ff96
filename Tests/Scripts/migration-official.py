# limit: 120
"""A store moves to an official app by a link: the archive behind it has the form of the app, and its passphrase."""

import os
import signal

from support.process import wait_until
from support.stage import FileRelay, Stage

stage = Stage()
relay = FileRelay(stage).start()
for name in "alice", "bob":
    stage.person(name, relay)
    stage.tacit(name, "server", "add", relay.files)
stage.connect("alice", "bob")
stage.tell("alice", "bob", ["before the move"])
stage.tacit("alice", "contact", "set", "@bob", "--expires", "1d")
for name, words in (("right", "correct-horse"), ("spaces", "correct horse")):
    (stage.folder / name).write_text(words + "\n")
    (stage.folder / name).chmod(0o600)

# The app asks for a passphrase, so there must be one.
stage.play(r'''
    alice$ tacit migrate to --format official
    ! tacit: cannot move the store: no passphrase was given
    !   why: there is no terminal to prompt at
    !   try: tacit migrate to --format official --passphrase-file FILE
    [77]
    alice$ tacit migrate to --format official --passphrase-file spaces
    ! tacit: cannot move the store: the SimpleX Chat apps do not accept this passphrase
    !   why: it must contain only printable ASCII characters, without spaces
    [64]
    alice$ tacit migrate
    there is no unfinished migration
''')

# Interrupted while the archive is written, it remains an archive for the app.
running = stage.start("alice", "migrate", "to", "--format", "official", "--no-wait", "--passphrase-file", "right")
wait_until(lambda: os.path.exists(stage.folder / "alice.migration/state"), "the migration", running.process)
running.signal(signal.SIGKILL)
running.ended()
ended = stage.tacit("alice", "migrate", "resume", "--no-wait", "--passphrase-file", "right", "--json")
link = ended.objects[-1]["link"]
assert "networkConfig" in link and "tacit" not in link.split("data=")[1], "the app reports nothing"
stage.tacit("alice", "send", "@bob", "too late", expect=69)

# What reads archives of the app reads this one, and conversations continue.
stage.place("carol").mkdir(mode=0o700)
stage.tacit("carol", "migrate", "from", link, "--passphrase-file", "right", "--yes")
stage.tacit("carol", "send", "@bob", "from the new place")
stage.until_fetched("bob", "from the new place")
stage.tacit("bob", "send", "@alice", "welcome there")
stage.until_fetched("carol", "welcome there")
stage.tacit("alice", "migrate", "finish", "--yes")
assert not list(stage.place("alice").glob("*.db"))
