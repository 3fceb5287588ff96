"""A hidden profile is betrayed neither by a relay that nobody else here has, nor by what waits in its outbox."""
# limit: 120

from support.seat import control
from support.stage import Stage

stage = Stage()
relay, other = stage.relay().start(), stage.relay("other").start()
place, secret = (each.address.split("@")[1] for each in (relay, other))
for name in ("bob", "carol", "dave"):
    stage.person(name, relay)
stage.tacit("dave", "profile", "create", "double-life", "--use")
stage.tacit("dave", "server", "disable", relay.address)
stage.tacit("dave", "server", "add", other.address)
stage.connect("dave", "carol")
stage.tacit("dave", "profile", "use", "dave")
stage.connect("dave", "bob")
(stage.folder / "password").write_text("open sesame\n")
PASSWORD = "--profile double-life --profile-password-fd 3 3< password"

assert f"connected to {secret}" in stage.tacit("dave", "fetch", "-vv").err
stage.shell("dave", "tacit profile hide double-life --profile-password-fd 3 3< password")
ended = stage.tacit("dave", "fetch", "-vv")
assert secret not in ended.err and f"connected to {place}" in ended.err, ended.err

# Its relay is away, and a message waits: whoever knows the password learns of it.
other.kill()
ended = stage.shell("dave", f"tacit send @carol 'are you there?' --timeout 1s {PASSWORD}")
assert ended.code == 75, (ended.code, ended.out, ended.err)
ended = stage.tacit("dave", "fetch", "--json")
assert secret not in ended.out + ended.err, ended
ended = stage.shell("dave", f"tacit fetch {PASSWORD}")
assert ended.code == 75 and secret in ended.err, ended
relay.kill()
ended = stage.shell("dave", f"tacit send @carol 'are you still there?' --timeout 1s {PASSWORD}")
assert ended.code == 75, ended
status = stage.tacit("dave", "status", "--json").objects[0]
assert status["outbox"] == 0 and not status["problems"], status
assert "held" not in stage.tacit("dave", "status").out

# Nor does a session say anything of it.
dave = stage.sit("dave", "repl", "--at", "/bob")
dave.until(f"{place}: the relay is unreachable")
dave.look(2)
assert dave.screen.everything.count("is unreachable") == 1, dave.screen.everything
relay.start()
dave.until(f"{place}: the relay is reachable again")
dave.type(control("d"))
assert dave.ended() == 0

# A hook that anybody may read is told nothing.
hooks = stage.place("dave") / "hooks"
hooks.mkdir(mode=0o700, exist_ok=True)
(hooks / "on-message").write_text(f"#!/bin/sh\ncat >>{stage.folder}/told\n")
(hooks / "on-message").chmod(0o700)
other.start()
stage.tacit("carol", "send", "@double-life", "for the hidden one")
stage.tacit("bob", "send", "@dave", "for the other")
stage.tacit("dave", "fetch")
told = (stage.folder / "told").read_text()
assert "for the other" in told and "hidden" not in told, told
assert "hidden" not in stage.tacit("dave", "hook", "list", "--json").out
