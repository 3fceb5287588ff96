"""Relays of others do not see who sends, and nothing goes past a SOCKS proxy."""

import json

from support.socks import SocksProxy
from support.stage import Stage, free_port

stage = Stage()


def counted(relay, name):
    """What a relay has counted until it ended."""
    relay.stop()
    count = stage.tacit(None, "relay", "status", str(relay.folder), "--json").objects[0]["in_all"][name]
    relay.start()
    return count


def renamed(relay, name):
    """The address of a relay below another name."""
    return relay.address.replace("@127.0.0.1:", f"@{name}:")


near, far = stage.relay("near", "127.0.0.1").start(), stage.relay("far", "127.0.0.2").start()
stage.person("alice", near)
stage.person("bob", far)
stage.connect("alice", "bob")
stage.tacit("alice", "fetch")

# Messages go through the sender's own relay.
forwarded = counted(far, "forwarded_commands")
passed_on = counted(near, "proxied_commands")
assert forwarded > 0 and passed_on > 0
stage.play(r'''
    alice$ tacit send @bob 'through my relay'
    sent @bob m1
    bob$ tacit fetch
    YYYY-MM-DD hh:mm  @alice  │ through my relay
    ! 1 new message
''')
assert counted(far, "forwarded_commands") == forwarded + 1
assert counted(near, "proxied_commands") == passed_on + 1

# Unless the user wants it otherwise.
stage.play(r'''
    alice$ TACIT_SMP_PROXY=never tacit send @bob 'directly'
    sent @bob m2
    bob$ tacit fetch
    YYYY-MM-DD hh:mm  @alice  │ directly
    ! 1 new message
''')
assert counted(far, "forwarded_commands") == forwarded + 1
assert counted(near, "proxied_commands") == passed_on + 1

# Whose fault it is: one's own relay, or the one behind it.
near.kill()
stage.play(r'''
    alice$ tacit send @bob 'later'
    queued @bob m3
    ! tacit: cannot send to '@bob': the relay is unreachable
    !   why: your relay forwards messages to other relays: connection refused
    !        the message is in the outbox and will be sent by the next fetch
    !   try: tacit fetch    try again
    [75]
''')
near.start()
far.kill()
stage.play(r'''
    alice$ tacit send @bob 'later still'
    queued @bob m4
    ! tacit: cannot send to '@bob': the relay is unreachable
    !   why: the relay in between cannot reach it
    !        the message is in the outbox and will be sent by the next fetch
    !   try: tacit fetch    try again
    [75]
''')
far.start()
# The relay in between leaves the other alone for half a minute; this is about who gets what, not about waiting.
near.stop()
near.start()
stage.tacit("alice", "fetch")
assert stage.tacit("bob", "fetch").out.count("later") == 2

# Through a SOCKS proxy everything goes, names too, each connection as another user.
proxy = SocksProxy()
proxy.names["relay.invalid"] = "127.0.0.1"
stage.person("carol", renamed(near, "relay.invalid"))
carol = {"TACIT_PROXY": proxy.url}
# Only the SOCKS proxy knows the name: alice's relay could not pass anything on.
alice = {"ALL_PROXY": proxy.url, "TACIT_SMP_PROXY": "unprotected"}
link = stage.tacit("carol", "connect", env=carol).out.strip()
stage.tacit("alice", "connect", link, env=alice)
for _ in range(2):
    stage.tacit("carol", "fetch", env=carol)
    stage.tacit("alice", "fetch", env=alice)
stage.tacit("carol", "send", "@alice", "hidden", env={**carol, "TACIT_SMP_PROXY": "unprotected"})
assert "hidden" in stage.tacit("alice", "fetch", env=alice).out
assert "relay.invalid" in proxy.targets and "127.0.0.1" in proxy.targets
assert len(set(proxy.users)) == len(proxy.users) == len(proxy.targets)

# Where nobody is at the proxy, nothing goes past it, whatever the command is.
stage.values["gone"] = f"socks5h://127.0.0.1:{free_port()}"
before = counted(near, "accepted_connections")
answer = stage.tacit("alice", "api", f"/smp test {near.address}", env={"TACIT_PROXY": stage.values["gone"]}).out
assert json.loads(answer)["result"]["testFailure"]["testStep"] == "connect"
stage.play(r'''
    alice$ TACIT_PROXY=$gone tacit send @bob 'not past it'
    queued @bob m6
    ! tacit: cannot send to '@bob': the proxy failed
    !   why: connection refused
    !        the message is in the outbox and will be sent by the next fetch
    !   try: tacit fetch    try again
    [75]
    alice$ TACIT_PROXY=$gone tacit server test
    failed 127.0.0.1:PORT while connecting
    ! tacit: cannot use the relay '127.0.0.1:PORT': the proxy failed
    !   why: the test failed while connecting
    !        connection refused
    [75]
    alice$ ALL_PROXY=$gone TACIT_REQUIRE_PROXY=yes TACIT_PROXY= tacit send @bob 'nor without it'
    queued @bob m7
    ! tacit: cannot send to '@bob': a proxy is required but not set
    !   why: the message is in the outbox and will be sent by the next fetch
    !   try: TACIT_PROXY=tor tacit ...    use the Tor client of this machine
    !   try: tacit fetch                  try again
    [69]
    alice$ TACIT_PROXY=http://me:secret@127.0.0.1:1 tacit fetch
    ! tacit: cannot fetch: invalid value of TACIT_PROXY
    !   why: expected tor or socks5h://[USER:PASSWORD@]HOST[:PORT]
    [78]
    alice$ ALL_PROXY=nonsense tacit fetch
    ! tacit: cannot fetch: invalid value of ALL_PROXY
    !   why: expected tor or socks5h://[USER:PASSWORD@]HOST[:PORT]
    [78]
    alice$ TACIT_SMP_PROXY=sometimes tacit fetch
    ! tacit: cannot fetch: invalid value of TACIT_SMP_PROXY
    !   why: expected always, unknown, unprotected or never
    [78]
''')
assert counted(near, "accepted_connections") == before

# A relay that does not forward to private addresses says so: messages go directly, unless that is not allowed.
near.stop()
conf = near.folder / "relay.conf"
conf.write_text(conf.read_text().replace("proxy_private = on", "proxy_private = off"))
near.start()
directly = counted(far, "forwarded_commands")
stage.play(r'''
    alice$ TACIT_SMP_PROXY_FALLBACK=no tacit send @bob 'by my relay only'
    queued @bob m8
    ! tacit: cannot send to '@bob': the relay does not forward to private addresses
    !   why: if it is your relay, set 'proxy_private = on' in its relay.conf
    !        the message is in the outbox and will be sent by the next fetch
    !   try: tacit config set net.smp_proxy_fallback yes    send directly, which shows your address
    !   try: tacit fetch                                    try again
    [69]
    alice$ tacit fetch -q
    bob$ tacit fetch 2> /dev/null | grep -c 'by my relay only'
    1
''')
assert counted(far, "forwarded_commands") == directly


def forwarding(fallback, expect=0):
    """What doctor says about the relay that does not forward."""
    found = stage.tacit("alice", "doctor", "--online", "--json", env={"SHELL": "/bin/sh", "TACIT_SMP_PROXY_FALLBACK": fallback}, expect=expect).objects
    return [(check["state"], check["message"], check["try"]) for check in found if "does not forward" in check["message"]]


place = near.address.partition("@")[2]
fact = f"{place}: the relay does not forward to private addresses, where contacts have relays"
assert forwarding("yes") == [("warning", f"{fact}: messages to them go directly, which shows your address", [])], forwarding("yes")
assert forwarding("no", 1) == [("failure", fact, ["tacit config set net.smp_proxy_fallback yes"])], forwarding("no", 1)
assert "refused by proxy_private" in near.stop().err
near.start()
assert counted(near, "refused_private_relays") > 0
conf.write_text(conf.read_text().replace("proxy_private = off", "proxy_private = on"))
near.stop()
near.start()
assert forwarding("yes") == []
