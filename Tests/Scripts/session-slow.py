"""A relay that says nothing holds up a command: that can be left, and nothing that was typed meanwhile is lost."""
# limit: 120

import os
import signal

from support.seat import control
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")


def stands_still():
    os.kill(relay.running.pid, signal.SIGSTOP)


def goes_on():
    os.kill(relay.running.pid, signal.SIGCONT)


# Who waits too long for a command can go on without it.
alice = stage.sit("alice", "repl", "--at", "/bob")
alice.until("alice:/bob >")
stands_still()
alice.enter("/connect")
alice.until("> connect")
alice.until("this takes a while; Ctrl-C stops waiting")
alice.enter("typed meanwhile")
alice.type("half a sentence")
alice.until("> half a sentence")
alice.type(control("c"))
alice.until("stopped waiting")
alice.until("you │ typed meanwhile")
assert alice.line.rstrip() == "alice:/bob > half a sentence", alice.screen.text
alice.type(control("u"))
goes_on()
stage.until_fetched("bob", "typed meanwhile")

# However it ends meanwhile, what was not sent is there the next time.
for number, ending in enumerate((signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)):
    stands_still()
    alice.enter("/connect")
    alice.until("> connect")
    alice.enter(f"important {number}")
    alice.enter(f"/reply 1 answer {number}")
    alice.enter("/settings")
    alice.type("half a line")
    alice.until("> half a line")
    if ending == signal.SIGKILL:
        alice.look(2.5)
    alice.signal(ending)
    assert alice.ended() == -ending
    goes_on()
    alice = stage.sit("alice")
    for text in (f"> important {number}", f"/reply 1 answer {number}", "half a line"):
        alice.until(text)
    assert "/settings" not in alice.screen.text, alice.screen.text
    assert f"important {number}" not in stage.tacit("alice", "read", "@bob").out
    alice.type(control("u"))
    alice.enter("/show")
    alice.until(lambda: alice.line.rstrip() == "alice:/bob >", "an empty line")

