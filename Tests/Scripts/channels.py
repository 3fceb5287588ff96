"""A channel has an owner, a chat relay and a subscriber: it is created, joined with its link, written to as the channel and under the
name of the owner, and read with its history."""

# limit: 180

import re

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
for name in ("carrier", "second", "alice", "bob"):
    stage.person(name, relay, "--no-encryption")


def serve(person, name):
    """Makes a chat relay of a store, which serves from then on. Returns its process and its address."""
    stage.tacit(person, "api", f"/create chat relay user {name}")
    stage.tacit(person, "api", "/ad")
    address = re.search(r'https://[^"]*/r#[^"]*', stage.tacit(person, "api", "/show_address").out)[0]
    return stage.start(person, "watch"), address


running, address = serve("carrier", "carry")
assert stage.tacit("alice", "channel", "test", address).out == "passed carry\n"
for words in (["channel", "test", "https://smp.example.com/a#x"], ["channel", "create", "news", "--relay", "x"]):
    assert "this is not the address of a chat relay" in stage.tacit("alice", *words, expect=65).err
assert "has no chat relay" in stage.tacit("bob", "channel", "create", "empty", expect=78).err
assert "leads to a relay of channels" in stage.tacit("bob", "connect", address, expect=69).err

stage.tacit("alice", "channel", "create", "news", "--relay", address, "--description", "what is new", "--history")
(found,) = stage.tacit("alice", "channel", "relays", "+news", "--json").objects
assert (found["state"], found["address"], found["chat"]) == ("active", address, "+news"), found
(channel,) = stage.tacit("alice", "channel", "list", "--json").objects
assert channel["channel"] and channel["role"] == "owner" and channel["description"] == "what is new", channel
# The second time the relay is in the list of the profile.
link = stage.tacit("alice", "channel", "create", "other", "--history", "--link").out.strip()
assert "/c#" in link, link
link = stage.tacit("alice", "group", "link", "+news").out.strip()

stage.tacit("alice", "send", "+news", "before you came")
stage.tacit("bob", "connect", link, "--wait", "connected")
(channel,) = stage.tacit("bob", "channel", "list", "--json").objects
assert (channel["state"], channel["role"]) == ("connected", "observer"), channel
assert "already in" in stage.tacit("bob", "connect", link).out
stage.until_fetched("bob", "before you came")
stage.tacit("alice", "send", "+news", "as the channel")
stage.tacit("alice", "send", "+news", "as alice", "--as-member")
stage.until_fetched("bob", "as alice")
posts = [item for item in stage.tacit("bob", "read", "+news", "--json").objects if item["type"] == "message"]
assert [(item["text"], item.get("member_name")) for item in posts] == [
    ("before you came", None), ("as the channel", None), ("as alice", "alice"),
], posts  # fmt: skip
assert "forwarded by" not in stage.tacit("bob", "read", "+news").out
assert "your role" in stage.tacit("bob", "send", "+news", "may I?", expect=69).err

# The subscriber has a connection with the chat relay only.
members = stage.tacit("bob", "group", "members", "+news", "--json").objects
assert all((member["state"], member["reachable"]) == ("connected", True) for member in members), members
assert {member["name"] for member in members} >= {"alice", "carry"}, members
assert "connecting" not in stage.tacit("bob", "group", "members", "+news").out

# Another chat relay; the subscriber connects to it, and has each message once.
other, second = serve("second", "spare")
stage.tacit("alice", "channel", "relays", "+news", "--add", second)
assert [r["state"] for r in stage.tacit("alice", "channel", "relays", "+news", "--json").objects] == ["active", "active"]
stage.tacit("bob", "fetch", "-q")
stage.tacit("alice", "send", "+news", "over both")
stage.until_fetched("bob", "over both")
stage.tacit("bob", "fetch", "-q")
assert stage.tacit("bob", "read", "+news").out.count("over both") == 1
for process in (running, other):
    process.signal(2)
    process.ended()
