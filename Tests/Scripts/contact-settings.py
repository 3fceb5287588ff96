"""Delivery receipts and post-quantum keys are set from the command line."""

# limit: 120

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")


def send(text):
    """Bob's message, which alice has received."""
    number = stage.tacit("bob", "send", "@alice", text, "--json").objects[0]["id"]
    stage.until_fetched("alice", text)
    return number


def state(number):
    return stage.tacit("bob", "message", "show", number, "--json").objects[0]["state"]


def is_delivered(number):
    stage.tacit("alice", "fetch", "-q")
    stage.tacit("bob", "fetch", "-q")
    return state(number) == "delivered"


def delivered(text):
    number = send(text)
    wait_until(lambda: is_delivered(number), f"the receipt of {text}")


def not_delivered(text):
    """A message that alice has received without a receipt: bob has her next message, which would have come after it."""
    number = send(text)
    stage.tacit("alice", "send", "@bob", f"received: {text}", "-q")
    stage.until_fetched("bob", f"received: {text}")
    assert not is_delivered(number) and state(number) == "sent", state(number)
    return number


def contact(person="alice", name="bob"):
    return stage.tacit(person, "contact", "show", f"@{name}", "--json").objects[0]


def profile(*words):
    return stage.tacit("alice", "profile", "show", *words, "--json").objects[0]


# The profile sends receipts, and no contact has its own setting.
assert profile()["receipts"] is True and "receipts" not in contact()
stage.play(r"""
    alice$ tacit profile show | grep receipts
    receipts  on
    alice$ tacit contact show @bob | grep -c receipts
    0
    [1]
""")
delivered("by default")

# Disabled for one contact, also when that is repeated.
stage.play(r"""
    alice$ tacit contact set @bob --receipts off
    changed @bob (c1)
    alice$ tacit contact set @bob --receipts off
    changed @bob (c1)
    alice$ tacit contact show @bob | grep receipts
    receipts      off
    alice$ tacit contact show @bob --plain --fields receipts
    false
    alice$ tacit profile show --plain --fields receipts
    true
""")
assert contact()["receipts"] is False
silent = [not_delivered("contact off")]

# The other settings of the chat stay, and several are changed by one command.
words = ["--receipts", "default", "--retention", "30d"]
report = stage.tacit("alice", "contact", "set", "@bob", *words, "--json").objects[0]
assert "receipts" not in report and report["retention_ms"] == 30 * 86_400_000, report
delivered("contact default")

# Disabled for the profile, except for a contact with its own setting. Other profiles keep theirs.
stage.tacit("alice", "profile", "create", "work", "-q")
stage.play(r"""
    alice$ tacit profile set --receipts off
    changed alice (p1)
    alice$ tacit profile set --receipts off
    unchanged alice (p1)
    alice$ tacit profile show | grep receipts
    receipts  off
""")
assert profile()["receipts"] is False and profile("work")["receipts"] is True and "receipts" not in contact()
silent.append(not_delivered("profile off"))
report = stage.tacit("alice", "contact", "set", "@bob", "--receipts", "on", "--json").objects[0]
assert report["receipts"] is True and report["retention_ms"] == 30 * 86_400_000, report
delivered("contact on")

# A change of the profile keeps the setting of the contact.
stage.tacit("alice", "contact", "set", "@bob", "--receipts", "off", "-q")
report = stage.tacit("alice", "profile", "set", "--receipts", "on", "--json").objects[0]
assert report["receipts"] is True and contact()["receipts"] is False, report
silent.append(not_delivered("contact off again"))
stage.tacit("alice", "contact", "set", "@bob", "--receipts", "default", "-q")
delivered("profile on")

# No receipt was sent later for what arrived without one.
assert [state(number) for number in silent] == ["sent"] * 3

# What is refused changes nothing.
stage.play(r"""
    alice$ tacit contact set notes --receipts off --retention 7d
    ! tacit: cannot change the settings of 'notes': notes are not a contact
    !   try: tacit contact list    list contacts
    [67]
    alice$ tacit contact set @bob --receipts perhaps
    ! tacit: the value of '--receipts' cannot be 'perhaps'; expected on, off or default
    [64]
    alice$ tacit profile set --receipts default
    ! tacit: the value of '--receipts' cannot be 'default'; expected on or off
    [64]
""")
ended = stage.tacit("alice", "contact", "set", "notes", "--receipts", "off", "--json", expect=67)
assert '"code":"target.notes"' in ended.err, ended.err
assert profile()["receipts"] is True and "receipts" not in contact()

# The commands of the SimpleX API have the same settings.
assert '"cmdOk"' in stage.tacit("alice", "api", "/_receipts @1 on").out and contact()["receipts"] is True
assert '"cmdOk"' in stage.tacit("alice", "api", "/_set receipts contacts 1 off clear_overrides=on").out
assert "receipts" not in contact() and profile()["receipts"] is False


def exchange():
    """Each side sends twice, and receives what the other sent."""
    for _ in range(2):
        for sender, other in (("alice", "bob"), ("bob", "alice")):
            stage.tacit(sender, "send", f"@{other}", "keys", "-q")
            stage.tacit(other, "fetch", "-q")


# Post-quantum keys are removed from the encryption with the next messages, and offered again.
exchange()
assert contact()["post_quantum"] is True and "post_quantum_off" not in contact(), contact()
report = stage.tacit("alice", "contact", "set", "@bob", "--post-quantum", "off", "--json").objects[0]
assert report["post_quantum_off"] is True, report
exchange()
assert contact()["post_quantum"] is False and contact("bob", "alice")["post_quantum"] is False, contact()
assert "keys          ordinary; post-quantum is off" in stage.tacit("alice", "contact", "show", "@bob").out
stage.tacit("alice", "contact", "set", "@bob", "--post-quantum", "on", "-q")
exchange()
exchange()
assert contact()["post_quantum"] is True and "post_quantum_off" not in contact(), contact()
