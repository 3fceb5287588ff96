"""Delivery receipts are switched in the settings of a session, for the profile that is open."""
# limit: 120

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")


def state(text):
    """What bob knows of a message that alice's session has received."""
    number = stage.tacit("bob", "send", "@alice", text, "--json").objects[0]["id"]
    alice.until(f"bob │ {text}")
    wanted = "delivered" if text == "with receipt" else "sent"
    if wanted == "delivered":
        stage.tacit("bob", "message", "wait", number, "--for", "delivered")
    stage.tacit("bob", "fetch")
    return stage.tacit("bob", "message", "show", number, "--json").objects[0]["state"]


alice = stage.sit("alice", "repl", "--at", "@bob")
alice.until("alice:/bob >")
assert state("with receipt") == "delivered"

# By number, by name, and by what it is to be.
alice.enter("/open /settings/privacy")
alice.until("1  receipts: on")
for line, shown in (
    ("1", "1  receipts: off"),
    ("receipts", "1  receipts: on"),
    ("receipts on", "1  receipts: on"),
    ("receipts off", "1  receipts: off"),
):
    alice.enter("clear")
    alice.until(lambda: len(alice.screen.text.split("\n")) == 1, "an empty screen")
    alice.enter(line)
    alice.until(shown)
alice.enter("receipts perhaps")
alice.until("unknown command or name 'receipts'")
alice.enter("@bob")
alice.until("alice:/bob >")
assert state("without receipt") == "sent"

# Another profile has a setting of its own.
stage.tacit("alice", "profile", "create", "work")
alice.enter("/open /profiles/work")
alice.until("work:/ >")
alice.enter("open /settings/privacy")
alice.until("work:/settings/privacy >")
alice.until("1  receipts: on")
alice.enter("open /profiles/alice")
alice.until("alice:/ >")
alice.enter("open /settings/privacy")
alice.until("alice:/settings/privacy >")
alice.until("1  receipts: off")
alice.enter("1")
alice.until("1  receipts: on")
alice.enter("@bob")
alice.until("alice:/bob >")
assert state("with receipt") == "delivered"
alice.enter("/quit")
assert alice.ended() == 0
