"""Channels go on in an archive of the official apps and back: those of an owner and of a subscriber."""

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
stage.tacit("alice", "server", "add", carrier)
stage.tacit("alice", "channel", "create", "news", "--history")
link = stage.tacit("alice", "group", "link", "+news").out.strip()
stage.tacit("alice", "send", "+news", "before")
stage.tacit("bob", "connect", link, "--wait", "connected")
stage.until_fetched("alice", lambda: stage.knows("alice", "bob"))
stage.tacit("alice", "group", "role", "+news/@bob", "member")
stage.tacit("alice", "send", "+news", "as alice", "--as-member", "--sign")
stage.until_fetched("bob", "as alice")
stage.until_fetched("bob", lambda: stage.channel("bob")["role"] == "member")
stage.tacit("bob", "send", "+news", "as bob")
stage.until_fetched("alice", "as bob")


def moved(person, name):
    """The store of a person, as an app of version 7 has it, in another place."""
    stage.tacit(person, "fetch", "-q")
    archive = f"{person}.zip"
    report = stage.tacit(person, "export", "--format", "official", archive, "--json").objects[0]
    assert report["left_out"] == [], report
    stage.place(name).mkdir(mode=0o700)
    report = stage.tacit(name, "import", archive, "--json").objects[0]
    assert report["left_out"] == [], report
    return name


def posts(person):
    read = stage.tacit(person, "read", "+news", "--json").objects
    return [(m["text"], m["direction"], m.get("member_name"), m.get("signature")) for m in read if m["type"] == "message"]


owner, subscriber = moved("alice", "anna"), moved("bob", "ben")
assert posts(owner) == posts("alice"), (posts(owner), posts("alice"))
assert posts(subscriber) == posts("bob"), (posts(subscriber), posts("bob"))
for person, known in ((owner, "alice"), (subscriber, "bob")):
    (before,) = stage.tacit(known, "channel", "list", "--json").objects
    (after,) = stage.tacit(person, "channel", "list", "--json").objects
    assert {k: v for k, v in before.items() if k != "active_at"} == {k: v for k, v in after.items() if k != "active_at"}
relays = stage.tacit(owner, "channel", "relays", "+news", "--json").objects
assert [(r["state"], r["address"]) for r in relays] == [("active", carrier)], relays
assert stage.tacit(owner, "group", "link", "+news").out.strip() == link

# Both go on.
stage.tacit(owner, "send", "+news", "from another place")
stage.until_fetched(subscriber, "from another place")
stage.tacit(subscriber, "send", "+news", "from there too")
stage.until_fetched(owner, "from there too")
stage.tacit(owner, "group", "set", "+news", "--description", "moved")
stage.until_fetched(subscriber, lambda: stage.channel(subscriber).get("description") == "moved")

# The owner still has the keys of the link: others join, and get roles.
stage.person("cath", relay, "--no-encryption")
stage.tacit("cath", "connect", link, "--wait", "connected")
stage.until_fetched("cath", "from another place")
stage.until_fetched(owner, lambda: stage.knows(owner, "cath"))
stage.tacit(owner, "group", "role", "+news/@cath", "member")
stage.until_fetched("cath", lambda: stage.channel("cath")["role"] == "member")
stage.tacit("cath", "send", "+news", "hello from cath")
stage.until_fetched(subscriber, "hello from cath")

# An older app has no channels.
report = stage.tacit(owner, "export", "--format", "official", "--official-version", "6.4", "old.zip", "--json").objects[0]
assert {entry["kind"]: entry["count"] for entry in report["left_out"]}["channels"] == 1, report
running.signal(2)
running.ended()
