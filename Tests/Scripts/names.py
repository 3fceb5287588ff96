"""Names of contacts and channels are resolved by a relay with a program of its operator, and count only where the profile behind
them claims them."""

# limit: 180

import json
import re

from support.stage import Stage

stage = Stage()
relay, plain = stage.relay("relay"), stage.relay("plain").start()
records, asked = stage.folder / "records", stage.folder / "asked"
records.mkdir()
program = stage.folder / "names"
program.write_text(f"""#!/bin/sh
echo "$@" >> {asked}
test "$2" != broken.simplex || exit 1
test ! -e {records}/"$2" || cat {records}/"$2"
""")
program.chmod(0o755)
settings = relay.folder / "relay.conf"
text = settings.read_text()
assert re.search(r"^# ?resolver =", text, re.MULTILINE), text
settings.write_text(text + f"\nresolver = {program} --quiet\n")
relay.start()


def register(name, contact=(), channel=()):
    (records / name).write_text(json.dumps({"simplexContact": list(contact), "simplexChannel": list(channel)}))


def questions():
    return asked.read_text().split("\n")[:-1] if asked.exists() else []


for name in ("alice", "bob", "carrier"):
    stage.person(name, relay, "--no-encryption")
alices = stage.tacit("alice", "address", "create").out.strip()

# A name must lead to the own address before it is taken.
assert "not registered" in stage.tacit("alice", "profile", "set", "--domain", "alice.simplex", expect=67).err
register("alice.simplex", ["https://127.0.0.1/a#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"])
# That it is not registered is remembered for a while, so another name shows more.
register("alice.testing", ["https://127.0.0.1/a#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"])
assert "does not lead there" in stage.tacit("alice", "profile", "set", "--domain", "alice.testing", expect=65).err
assert "no address" in stage.tacit("bob", "profile", "set", "--domain", "bob.simplex", expect=67).err
assert "program failed" in stage.tacit("bob", "connect", "@broken.simplex", expect=69).err
assert questions() == ["--quiet alice.simplex", "--quiet alice.testing", "--quiet broken.simplex"], questions()
for wrong in ("a..b", "-a.simplex", "alice"):
    stage.tacit("alice", "profile", "set", "--domain", wrong, expect=64)

register("ann.simplex", ["not a link", alices])
# Nobody is led to a profile that does not claim the name.
assert "does not claim it" in stage.tacit("bob", "connect", "@ann.simplex", expect=65).err
assert stage.tacit("bob", "list", "contacts", "--json").objects == []
stage.tacit("alice", "profile", "set", "--domain", "@Ann.simplex")
assert stage.tacit("alice", "profile", "show", "--json").objects[0]["domain"] == "ann.simplex"
count = len(questions())
assert "unchanged" in stage.tacit("alice", "profile", "set", "--domain", "ann.simplex").out
stage.tacit("alice", "fetch", "-q")

assert stage.tacit("bob", "connect", "--dry-run", "@ann.simplex", "--json").objects[0]["kind"] == "name"
stage.tacit("bob", "connect", "@ANN.simplex", "--as", "friend")
stage.tacit("alice", "fetch", "-q")
(request,) = stage.tacit("alice", "list", "requests", "--json").objects
stage.tacit("alice", "accept", request["chat"] if "chat" in request else "@bob")
stage.tacit("bob", "fetch", "-q")
stage.tacit("alice", "fetch", "-q")
(friend,) = stage.tacit("bob", "list", "contacts", "--json").objects
assert (friend["name"], friend["display_name"], friend["state"]) == ("friend", "alice", "connected"), friend
assert (friend["domain"], friend["domain_verified"]) == ("ann.simplex", True), friend
assert "@ann.simplex (verified)" in stage.tacit("bob", "contact", "show", "@friend").out
# A known name asks nobody, and is not the name of a channel.
count = len(questions())
assert "friend" in stage.tacit("bob", "connect", "ann.simplex").out
assert "friend" in stage.tacit("bob", "open", "ann.simplex", "--dry-run").out
assert len(questions()) == count, questions()[count:]
assert "does not lead there" in stage.tacit("bob", "connect", "#ann", expect=65).err
assert "your own link" in stage.tacit("alice", "connect", "@ann.simplex", expect=65).err
stage.tacit("alice", "profile", "set", "--domain", "")
stage.tacit("bob", "fetch", "-q")
(friend,) = stage.tacit("bob", "list", "contacts", "--json").objects
assert "domain" not in friend and "domain_verified" not in friend, friend

# Channels.
stage.tacit("carrier", "api", "/create chat relay user carry")
stage.tacit("carrier", "api", "/ad")
carrier = re.search(r'https://[^"]*/r#[^"]*', stage.tacit("carrier", "api", "/show_address").out)[0]
running = stage.start("carrier", "watch")
stage.tacit("alice", "channel", "create", "news", "--relay", carrier)
link = stage.tacit("alice", "group", "link", "+news").out.strip()
register("news.simplex", [], [alices, link])
assert "does not claim it" in stage.tacit("bob", "connect", "#news", expect=65).err
stage.tacit("alice", "channel", "set", "+news", "--domain", "news.simplex")
(channel,) = stage.tacit("alice", "channel", "list", "--json").objects
assert channel["domain"] == "news.simplex", channel
assert "your own link" in stage.tacit("alice", "connect", "#news", expect=65).err
stage.tacit("alice", "fetch", "-q")
assert "news" in stage.tacit("bob", "connect", "news.simplex", "--wait", "connected").out
(channel,) = stage.tacit("bob", "channel", "list", "--json").objects
assert (channel["state"], channel["domain"], channel["domain_verified"]) == ("connected", "news.simplex", True), channel
assert "#news.simplex (verified)" in stage.tacit("bob", "group", "show", "+news").out
stage.tacit("alice", "send", "+news", "found by name")
stage.until_fetched("bob", "found by name")
assert "already in" in stage.tacit("bob", "connect", "simplex:/name#news").out

# A relay without a resolver says so, and another one of the profile is asked.
stage.person("carol", plain)
assert "do not resolve names" in stage.tacit("carol", "connect", "#news", expect=69).err
stage.tacit("carol", "server", "add", relay.address)
stage.tacit("carol", "connect", "#news", "--wait", "connected")
# Nor does the relay with the resolver see who asks, if the user wants that.
register("hidden.simplex")
passed_on = stage.tacit("carol", "connect", "#hidden", expect=65, env={"TACIT_SMP_PROXY": "always"}).err
assert "does not lead there" in passed_on, passed_on
plain.stop()
counts = stage.tacit(None, "relay", "status", str(plain.folder), "--json").objects[0]["in_all"]
assert counts["proxied_commands"] > 0, counts
running.signal(2)
running.ended()
