"""Chats with the moderators of a group, receipts in groups, and a business address: who writes to whom, and who can see it."""
# limit: 180

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
for name in ("cath", "dave"):
    stage.person(name, relay)
people = ["alice", "bob", "cath", "dave"]


def objects(person, *words):
    return stage.tacit(person, *words, "--json").objects


def settle(condition, what, *names):
    """People fetch until a condition holds."""

    def is_so():
        for name in names or people:
            assert stage.shell(name, "tacit fetch -qq --timeout 5s").code in (0, 75)
        return condition()

    wait_until(is_so, what)


def states(person, group="+team"):
    return {each["name"]: each["state"] for each in objects(person, "group", "members", group, "--all")}


def texts(person, *words):
    return [each["text"] for each in objects(person, "read", *words) if each["type"] == "message" and each["kind"] == "text"]


stage.tacit("alice", "group", "create", "team")
stage.tacit("alice", "group", "invite", "+team", "@bob", "--role", "moderator")
settle(lambda: objects("bob", "group", "list"), "an invitation", "bob")
assert "members" not in stage.tacit("bob", "group", "show", "+team").out
stage.tacit("bob", "group", "join", "+team")
settle(lambda: states("alice").get("bob") == states("bob").get("alice") == "connected", "bob", "alice", "bob")
stage.tacit("alice", "group", "set", "+team", "--review", "on")
link = stage.tacit("alice", "group", "link", "+team", "--create").out.strip()

# Somebody waits for a moderator, and writes to the moderators only.
joined = stage.tacit("cath", "connect", link)
assert joined.err.startswith("an admin of the group must fetch now"), joined.err
late = stage.tacit("dave", "connect", link, "--wait", "connected", "--timeout", "1s", expect=75)
assert "an admin of the group has not answered in time" in late.err, late.err
settle(lambda: all("pending" in [each["state"] for each in objects(name, "group", "list")] for name in ("cath", "dave")), "they wait")
assert "waiting" not in objects("cath", "group", "show", "+team")[0]
settle(lambda: objects("bob", "group", "show", "+team")[0].get("waiting") == 2, "bob knows that they wait")
assert stage.tacit("cath", "send", "+team", "hi", "--dry-run").out.startswith("would be sent to the moderators of +team: ")
sent = stage.tacit("cath", "send", "+team", "please let me in")
assert sent.out.startswith("sent to the moderators of +team m"), sent.out
assert objects("dave", "send", "+team", "me too")[0]["to_moderators"] is True
settle(lambda: len(texts("bob", "+team", "--support")) == 2, "bob reads both")
assert sorted(texts("bob", "+team", "--support")) == ["me too", "please let me in"]
assert texts("bob", "--support-of", "+team/@cath") == texts("bob", "+team", "--support-of", "+team/@cath") == ["please let me in"]
assert texts("bob", "+team", "--support", "--unread", "--search", "ME TOO") == ["me too"]
assert stage.tacit("bob", "read", "+team", "--support", "--support-of", "+team/@cath", expect=64).code == 64
assert stage.tacit("bob", "read", "--support", "--cursor", "x", expect=64).code == 64
assert stage.tacit("bob", "read", "@alice", "--support-of", "+team/@cath", expect=64).code == 64
answer = stage.tacit("bob", "send", "+team", "who are you?", "--support-of", "+team/@cath")
assert answer.out.startswith("sent to a support chat of +team m"), answer.out
stage.tacit("bob", "group", "accept", "+team/@cath")
refused = stage.tacit("bob", "group", "reject", "+team/@dave", expect=69)
assert "the role 'admin' is required" in refused.err, refused.err
# Whoever rejects somebody may be connected with it or not.
stage.tacit("alice", "group", "reject", "+team/@dave")
settle(lambda: states("alice").get("cath") == "connected" and states("cath").get("bob") == "connected", "cath is in")
settle(lambda: objects("dave", "group", "list")[0]["state"] in ("rejected", "removed"), "dave is out")
settle(lambda: texts("cath", "+team", "--support") == ["please let me in", "who are you?"], "bob's question")
stage.tacit("cath", "send", "+team", "hello all")
settle(lambda: "hello all" in texts("alice", "+team"), "a message to all")
assert "hello all" not in texts("alice", "--support")

# Receipts: of the profile, and of the group.
def delivered(text, expected):
    """Cath sends, and what alice does about receipts decides what cath sees."""
    number = objects("cath", "send", "+team", text)[0]["id"]
    settle(lambda: text in texts("alice", "+team") and text in texts("bob", "+team"), text)
    settle(lambda: True, "receipts")
    deliveries = {each["member_name"]: each["state"] for each in objects("cath", "message", "show", number)[0]["deliveries"]}
    assert deliveries["bob"] == "delivered" and deliveries[alice] == expected, (text, deliveries)


alice = next(name for name in states("cath") if name.startswith("alice"))
delivered("one", "delivered")
assert objects("alice", "group", "set", "+team", "--receipts", "off")[0]["receipts"] is False
delivered("two", "sent")
assert "receipts" not in objects("alice", "contact", "set", "+team", "--receipts", "default")[0]
assert objects("alice", "profile", "set", "--group-receipts", "off")[0]["group_receipts"] is False
delivered("three", "sent")
stage.tacit("alice", "group", "set", "+team", "--receipts", "on")
delivered("four", "delivered")
assert '"cmdOk"' in stage.tacit("alice", "api", "/_set receipts groups 1 off clear_overrides=on").out
assert "receipts" not in objects("alice", "group", "show", "+team")[0]

# A business address: each request becomes a group.
address = stage.tacit("alice", "address", "create").out.strip()
changed = stage.tacit("alice", "address", "auto-accept", "on", "--business", "--welcome", "How can we help?")
assert changed.out == "requests are accepted automatically, with a welcome message; each becomes a business chat\n", changed.out
assert objects("alice", "address")[0]["business"] is True
stage.tacit("dave", "connect", address)


def business(person):
    return next((each for each in objects(person, "group", "list") if each.get("business")), None)


settle(lambda: business("dave") and business("alice") and "How can we help?" in texts("dave"), "a business chat")
shop, customer = business("dave")["chat"], business("alice")["chat"]
assert "chat with a business" in stage.tacit("dave", "group", "show", shop).out
assert "chat with a customer" in stage.tacit("alice", "group", "show", customer).out
stage.tacit("dave", "send", shop, "my parcel is late")
settle(lambda: "my parcel is late" in texts("alice", customer), "a question")
assert "business" not in objects("alice", "address", "auto-accept", "on", "--no-business")[0]
