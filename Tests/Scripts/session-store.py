"""A session whose store is wanted by others, cannot be written for a while, or is gone."""
# limit: 120

import resource
import shutil

from support.process import wait_until
from support.seat import control
from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")

# Another command ends it: what was typed comes back at the next start.
alice = stage.sit("alice", "repl", "--at", "/bob")
alice.until("alice:/bob >")
alice.type("a draft")
alice.until("> a draft")
stage.tacit("alice", "daemon", "stop")
alice.until("another command has ended the session")
assert alice.ended() == 0
alice = stage.sit("alice")
alice.until("alice:/bob > a draft")

# Whoever empties the line has no draft any more, whatever is shown next.
alice.type(control("u"))
alice.enter("/show")
alice.until(lambda: "> show" in alice.screen.text and alice.line.rstrip() == "alice:/bob >", "an empty line")
alice.look(0.3)
assert alice.line.rstrip() == "alice:/bob >", alice.screen.text

# No room: that is said, nothing is lost, and it goes on by itself when there is room again.
LIMIT = resource.prlimit(alice.pid, resource.RLIMIT_FSIZE)
resource.prlimit(alice.pid, resource.RLIMIT_FSIZE, (4096, LIMIT[1]))
alice.enter("while the disk is full")
alice.until("the disk is full")
alice.until("alice:/bob > while the disk is full")
stage.tacit("bob", "send", "@alice", "into a full store")
alice.until("Nothing is received or sent until the store is writable")
resource.prlimit(alice.pid, resource.RLIMIT_FSIZE, LIMIT)
alice.until("the store is writable again")
alice.until("bob │ into a full store")
alice.until("alice:/bob > while the disk is full")
alice.enter("")
alice.until("you │ while the disk is full")
stage.until_fetched("bob", "while the disk is full")
stage.tacit("bob", "send", "@alice", "afterwards")
alice.until("bob │ afterwards")
assert alice.screen.everything.count("│ into a full store") <= 2, alice.screen.everything

# The files are gone: nobody is to believe that anything is kept.
shutil.rmtree(stage.place("alice"))
alice.until("cannot continue: the files of the store were removed or replaced")
assert alice.ended() == 74
