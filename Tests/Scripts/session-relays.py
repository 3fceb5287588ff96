"""A session says from which relays nothing comes, whoever has the store open, and when they are there again."""
# limit: 120

from support.seat import control
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
place = relay.address.split("@")[1].split("/")[0]
lost, found = f"{place}: the relay is unreachable", f"{place}: the relay is reachable again"

# It ends while somebody is typing, and comes back.
alice = stage.sit("alice", "repl", "--at", "/bob")
alice.until("alice:/bob >")
alice.type("half a sentence")
relay.kill()
alice.until(lost)
assert alice.line.startswith("alice:/bob > half a sentence"), alice.screen.text
relay.start()
alice.until(found)
assert alice.screen.everything.count(lost) == 1, alice.screen.everything

# What cannot be seen behind a passcode is said afterwards.
alice.type(control("u"))
alice.enter("/passcode set")
for question in ("New passcode:", "Repeat the passcode:"):
    alice.until(lambda: alice.line.rstrip() == question, question)
    alice.enter("12345678")
alice.until("no new text stays in the terminal")
alice.enter("/lock")
alice.until("Passcode:")
relay.kill()
alice.look(4)
assert place not in alice.screen.text, alice.screen.text
alice.enter("12345678")
alice.until(lost)
alice.type(control("d"))
assert alice.ended() == 0

# Nothing is said to be there that never was: a session that starts without the relay says so, also beside a daemon.
daemon = stage.start("alice", "daemon", "run")
assert daemon.error_line().startswith("accepting commands at ")
alice = stage.sit("alice", "repl")
alice.until("Passcode:")
alice.enter("12345678")
alice.until("alice:/bob >")
alice.until(lost)
relay.start()
alice.until(found)
alice.type(control("d"))
assert alice.ended() == 0
stage.tacit("alice", "daemon", "stop")
