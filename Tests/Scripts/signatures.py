"""Members of a channel sign messages, with their edits and their deletion, when they want it or when the channel demands it."""

# limit: 180

import re

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
for name in ("carrier", "alice", "bob"):
    stage.person(name, relay, "--no-encryption")
stage.tacit("carrier", "api", "/create chat relay user carry")
stage.tacit("carrier", "api", "/ad")
carrier = re.search(r'https://[^"]*/r#[^"]*', stage.tacit("carrier", "api", "/show_address").out)[0]
running = stage.start("carrier", "watch")

# Chat relays are in the list of relays.
assert stage.tacit("alice", "server", "add", carrier).out.endswith(" for channels\n")
(listed,) = [r for r in stage.tacit("alice", "server", "list", "--json").objects if r.get("channels")]
assert (listed["address"], listed["enabled"], listed["used"], "id" in listed) == (carrier, True, True, False), listed
assert "already" in stage.tacit("alice", "server", "add", carrier, expect=73).err
stage.tacit("alice", "server", "disable", carrier)
assert "has no chat relay" in stage.tacit("alice", "channel", "create", "news", expect=78).err
stage.tacit("alice", "server", "enable", carrier)
assert "channel test" in stage.tacit("alice", "server", "test", carrier, expect=64).err

stage.tacit("alice", "channel", "create", "news")
stage.tacit("bob", "connect", stage.tacit("alice", "group", "link", "+news").out.strip(), "--wait", "connected")
stage.until_fetched("alice", lambda: stage.knows("alice", "bob"))


def message(person, text):
    return [m for m in stage.tacit(person, "read", "+news", "--json").objects if m.get("text") == text][-1]


assert "needs a channel" in stage.tacit("alice", "send", "notes", "x", "--sign", expect=64).err
stage.tacit("alice", "send", "+news", "unsigned", "--as-member")
stage.tacit("alice", "send", "+news", "signed", "--as-member", "--sign")
stage.until_fetched("bob", "signed")
assert "signature" not in message("bob", "unsigned")
assert message("alice", "signed")["signature"] == message("bob", "signed")["signature"] == "verified"
assert "signed" in stage.tacit("bob", "read", "+news").out
stage.tacit("alice", "message", "edit", message("alice", "signed")["id"], "signed twice")
stage.until_fetched("bob", "signed twice")
assert message("bob", "signed twice")["signature"] == "verified"
stage.tacit("alice", "message", "delete", message("alice", "signed twice")["id"], "--everywhere")

# The channel demands signatures.
assert stage.channel("bob")["features"]["signatures"] == "off"
stage.tacit("alice", "group", "set", "+news", "--feature", "signatures=on")
stage.until_fetched("bob", lambda: stage.channel("bob")["features"]["signatures"] == "on")
stage.tacit("alice", "group", "role", "+news/@bob", "member")
stage.until_fetched("bob", lambda: stage.channel("bob")["role"] == "member")
stage.tacit("bob", "send", "+news", "everybody signs")
stage.until_fetched("alice", "everybody signs")
assert message("bob", "everybody signs")["signature"] == message("alice", "everybody signs")["signature"] == "verified"
assert "signed twice" not in stage.tacit("bob", "read", "+news").out
running.signal(2)
running.ended()
