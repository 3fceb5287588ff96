"""Choosing relays: one's own, those of the public network, and finding out whether they can be used."""

import json

from support.stage import Stage, free_port

stage = Stage()
relay, second = stage.relay().start(), stage.relay("second").start()
(stage.folder / "password").write_text("secret\n")
closed = stage.tacit(
    None, "relay", "init", "closed", "--host", "127.0.0.1", "--listen", "127.0.0.1", "--port", "0", "--password-file", "password"
).out.strip()
running = stage.start(None, "relay", "start", "closed")
assert running.line() == closed.replace(":secret", "")
fingerprint, place = relay.address.removeprefix("smp://").split("@")
stage.values.update(
    relay=relay.address, second=second.address, place=second.address.split("@")[1], closed=closed,
    stranger=f"smp://{'A' * 43}=@{place}", nowhere=f"smp://{fingerprint}@127.0.0.1:{free_port()}",
    unknown=f"smp://{fingerprint}@relay.invalid", wrong=closed.replace("secret", "guess"), open=closed.replace(":secret", ""),
)


def reports(person, *words, **options):
    return [json.loads(line) for line in stage.tacit(person, *words, "--json", **options).lines]


# Without a relay there is a profile, but nobody can be met.
stage.play(r'''
    alice$ tacit init --name alice
    created a store in /stage/alice with the profile alice
    ! the key is in /stage/alice/key; without it the store cannot be read
    ! next: tacit server add ADDRESS, or tacit init --if-missing --accept-conditions
''')
stage.play(r'''
    alice$ tacit connect
    ! tacit: cannot create an invitation: the profile has no relay
    !   why: the list is empty, or all relays are disabled
    !   try: tacit server add smp://FINGERPRINT@HOST        add a relay that you trust
    !   try: tacit init --if-missing --accept-conditions    use the public relays
    !   try: tacit server list                              show the list of relays
    [78]
    alice$ tacit server
    alice$ tacit server list
    alice$ tacit server add "$relay"
    added 127.0.0.1:PORT
    alice$ tacit server add "$relay"
    ! tacit: cannot add the relay '127.0.0.1:PORT': there is a relay with this host and port already
    !   why: relay: '127.0.0.1:PORT'
    !   try: tacit server list    show the list
    [73]
    alice$ tacit server add "$second" --json
    {"v":1,"type":"server","id":"s2","host":"127.0.0.1:PORT","address":"smp://FINGERPRINT@127.0.0.1:PORT","enabled":true,"used":true,"preset":false,"password":false}
    alice$ tacit server list
    STATE  HOST             OPERATOR
    on     127.0.0.1:PORT  your own
    on     127.0.0.1:PORT  your own
    alice$ tacit list servers --plain
    127.0.0.1:PORT	true	true		smp://FINGERPRINT@127.0.0.1:PORT
    127.0.0.1:PORT	true	true		smp://FINGERPRINT@127.0.0.1:PORT
    alice$ tacit server list --plain --fields id,host,enabled,used,preset,operator,password
    s1	127.0.0.1:PORT	true	true	false		false
    s2	127.0.0.1:PORT	true	true	false		false
    alice$ tacit server disable "$place"
    disabled 127.0.0.1:PORT
    alice$ tacit server list
    STATE  HOST             OPERATOR
    on     127.0.0.1:PORT  your own
    off    127.0.0.1:PORT  your own
    alice$ tacit server disable all
    disabled 127.0.0.1:PORT
    disabled 127.0.0.1:PORT
    alice$ tacit connect
    ! tacit: cannot create an invitation: the profile has no relay
    !   why: the list is empty, or all relays are disabled
    !   try: tacit server add smp://FINGERPRINT@HOST        add a relay that you trust
    !   try: tacit init --if-missing --accept-conditions    use the public relays
    !   try: tacit server list                              show the list of relays
    [78]
    alice$ tacit status --check -q
    [1]
    alice$ tacit server enable 127.0.0.1
    ! tacit: cannot enable the relay '127.0.0.1': several relays match '127.0.0.1'
    !   try: id:s1    127.0.0.1:PORT
    !   try: id:s2    127.0.0.1:PORT
    [67]
    alice$ tacit server enable id:s1
    enabled 127.0.0.1:PORT
    alice$ tacit server remove "$second"
    removed 127.0.0.1:PORT
    alice$ tacit server remove "$second"
    ! tacit: cannot remove the relay '127.0.0.1:PORT': the profile has no relay '127.0.0.1:PORT'
    !   try: tacit server list    show the list
    [67]
    alice$ tacit server remove smp.example
    ! tacit: cannot remove the relay 'smp.example': the profile has no relay 'smp.example'
    !   try: tacit server list    show the list
    [67]
    alice$ tacit server add nowhere
    ! tacit: ADDRESS cannot be 'nowhere'
    !   why: expected smp://FINGERPRINT@HOST[:PORT], xftp://... or https://HOST/r#KEY
    [64]
    alice$ tacit server list --json
    {"v":1,"type":"server","id":"s1","host":"127.0.0.1:PORT","address":"smp://FINGERPRINT@127.0.0.1:PORT","enabled":true,"used":true,"preset":false,"password":false}
''')

# Tests.
stage.play(r'''
    alice$ tacit server test
    passed 127.0.0.1:PORT
    alice$ tacit server test "$second" --json
    {"v":1,"type":"server-test","host":"127.0.0.1:PORT","address":"smp://FINGERPRINT@127.0.0.1:PORT","state":"passed"}
    alice$ tacit server test "$closed"
    passed 127.0.0.1:PORT
    alice$ tacit server test "$wrong"
    failed 127.0.0.1:PORT while creating a queue
    ! tacit: cannot use the relay '127.0.0.1:PORT': the relay rejected the queue
    !   why: the test failed while creating a queue
    !        it needs a password, and this one is wrong or missing
    [69]
    alice$ tacit server test "$open" --json
    {"v":1,"type":"server-test","host":"127.0.0.1:PORT","address":"smp://FINGERPRINT@127.0.0.1:PORT","state":"failed","step":"create"}
    ! {"v":1,"type":"error","code":"relay.password","exit":69,"message":"cannot use the relay '127.0.0.1:PORT': the relay rejected the queue","why":"the test failed while creating a queue\nit needs a password, and this one is wrong or missing","try":[],"details":{"step":"create"}}
    [69]
    alice$ tacit server test "$stranger"
    failed 127.0.0.1:PORT at TLS setup
    ! tacit: cannot use the relay '127.0.0.1:PORT': the relay's identity differs from its address
    !   why: the test failed at TLS setup
    !        wrong certificate fingerprint: the address is wrong, or an attacker intercepts the connection
    [79]
    alice$ tacit server test "$nowhere"
    failed 127.0.0.1:PORT while connecting
    ! tacit: cannot use the relay '127.0.0.1:PORT': the relay is unreachable
    !   why: the test failed while connecting
    !        connection refused
    [75]
    alice$ tacit server test "$unknown"
    failed relay.invalid at name lookup
    ! tacit: cannot use the relay 'relay.invalid': the name of the relay does not resolve
    !   why: the test failed at name lookup
    [68]
    alice$ tacit server test smp://nothing
    ! tacit: cannot test the relay 'smp://nothing': invalid relay address
    !   why: expected smp://FINGERPRINT@HOST or smp://FINGERPRINT:PASSWORD@HOST:PORT
    [65]
    alice$ tacit server test smp.example
    ! tacit: cannot test the relay 'smp.example': the profile has no relay 'smp.example'
    !   try: tacit server list    show the list
    [67]
    alice$ tacit server add "$nowhere" -q
    alice$ tacit server test
    passed 127.0.0.1:PORT
    failed 127.0.0.1:PORT while connecting
    ! tacit: cannot use the relay '127.0.0.1:PORT': the relay is unreachable
    !   why: the test failed while connecting
    !        connection refused
    [80]
    alice$ tacit server remove "$nowhere" -q
    alice$ tacit server disable all -q; tacit server test
    ! tacit: cannot test the relays: the profile has no relay
    !   why: the list is empty, or all relays are disabled
    !   try: tacit server add smp://FINGERPRINT@HOST        add a relay that you trust
    !   try: tacit init --if-missing --accept-conditions    use the public relays
    !   try: tacit server list                              show the list of relays
    [78]
    alice$ tacit server enable all
    enabled 127.0.0.1:PORT
''')

# The relays of the public network. Nothing here speaks to them.
stage.play(r'''
    bob$ tacit init --name bob --accept-conditions
    created a store in /stage/bob with the profile bob
    ! the key is in /stage/bob/key; without it the store cannot be read
    bob$ tacit server remove smp8.simplex.im
    ! tacit: cannot remove the relay 'smp8.simplex.im': a preset relay cannot be removed
    !   try: tacit server disable smp8.simplex.im
    [69]
    bob$ tacit server disable simplex.im
    ! tacit: cannot disable the relay 'simplex.im': the profile has no relay 'simplex.im'
    !   try: tacit server list    show the list
    [67]
    bob$ tacit server disable all -qq; tacit server add "$relay"
    added 127.0.0.1:PORT
    alice$ tacit init --if-missing --accept-conditions
    ! conditions accepted; the public relays are in the list: tacit server list
    alice$ tacit init --if-missing --accept-conditions
    ! conditions accepted; the public relays are in the list: tacit server list
''')
for person in ("alice", "bob"):
    everything = reports(person, "server", "list")
    assert [len([s for s in everything if s.get("files") and s["operator"] == name]) for name in ("simplex", "flux")] == [6, 6]
    servers = [server for server in everything if not server.get("files")]
    # Chat relays of the operator come last.
    assert [s["address"].startswith("https://") for s in servers[-3:] if s.get("channels")] == [True] * 3
    servers = [s for s in servers if not s.get("channels")]
    assert [len([s for s in servers if s.get("operator") == name]) for name in ("simplex", "flux", None)] == [11, 6, 1]
    assert all(s["preset"] == ("operator" in s) for s in servers)
used = [server for server in reports("alice", "server", "list") if server["used"] and not server.get("files") and not server.get("channels")]
assert [len([s for s in used if s.get("operator") == name]) for name in ("simplex", "flux", None)] == [4, 3, 1], used
assert [server["host"] for server in reports("bob", "server", "list") if server["used"]] == [place]

# Relays for files of operators are switched one by one, and an own one replaces all that nobody has chosen.
def for_files(person):
    return {server["host"] for server in reports(person, "server", "list") if server.get("files") and server["used"]}


assert len(for_files("alice")) == 12 and for_files("bob") == set()
stage.play(r'''
    alice$ tacit server disable xftp1.simplex.im
    disabled xftp1.simplex.im for files
    alice$ tacit server disable xftp1.simplex.im
    disabled xftp1.simplex.im for files
    alice$ tacit server remove xftp://xftp2.simplex.im
    ! tacit: cannot remove the relay 'xftp://xftp2.simplex.im': a preset relay cannot be removed
    !   try: tacit server disable xftp2.simplex.im
    [69]
''')
assert len(for_files("alice")) == 11 and "xftp1.simplex.im" not in for_files("alice")
own = f"xftp://{'A' * 42}E=:hidden@files.example"
added, = reports("alice", "server", "add", own)
assert added["files"] and added["password"] and "id" not in added and added["address"].startswith("xftp://")
assert for_files("alice") == {"files.example"}
stage.tacit("alice", "server", "add", own, expect=73)
stage.tacit("alice", "server", "enable", "xftp3.simplex.im")
assert for_files("alice") == {"files.example", "xftp3.simplex.im"}
stage.tacit("alice", "server", "disable", "files.example")
assert "files.example" not in for_files("alice")
stage.tacit("alice", "server", "enable", "xftp://files.example")
assert reports("alice", "server", "remove", "files.example")[0]["files"]
stage.tacit("alice", "server", "remove", "files.example", expect=67)
assert "files.example" not in for_files("alice")

# 'all' are those for files too.
stage.tacit("alice", "server", "disable", "all")
assert for_files("alice") == set()
stage.tacit("alice", "server", "enable", "all")
assert len(for_files("alice")) == 12
# Conversations go on while the list changes.
stage.tacit("alice", "server", "disable", "all")
stage.tacit("alice", "server", "enable", second.address, expect=67)
stage.tacit("alice", "server", "enable", relay.address)
stage.connect("alice", "bob")
stage.tacit("alice", "server", "disable", "all")
stage.tacit("alice", "server", "enable", relay.address)
before = reports(None, "relay", "status", str(second.folder))[0]["queues"]

# Whoever has another relay than the other side receives there.
stage.person("dave", relay)
stage.tacit("dave", "server", "add", second.address)
for _ in range(6):
    stage.tacit("dave", "connect", stage.tacit("alice", "connect").out.strip())
assert reports(None, "relay", "status", str(second.folder))[0]["queues"] == before + 6
stage.tacit("alice", "server", "disable", "all")
stage.play(r'''
    alice$ tacit send @bob hi
    sent @bob m1
    bob$ tacit fetch
    YYYY-MM-DD hh:mm  @alice  │ hi
    ! 1 new message
''')

# A relay of an operator that somebody writes down needs the operator's conditions too.
stage.values["theirs"] = f"smp://{'A' * 43}=@smp99.simplex.im"
stage.play(r'''
    carol$ tacit init --name carol --server "$theirs"
    created a store in /stage/carol with the profile carol
    ! the key is in /stage/carol/key; without it the store cannot be read
    carol$ tacit server list
    STATE  HOST              OPERATOR
    waits  smp99.simplex.im  SimpleX Chat
    carol$ tacit connect
    ! tacit: cannot create an invitation: the conditions of the relay operators are not accepted
    !   why: the public relays require it; tacit init --help has the link
    !   try: tacit init --if-missing --accept-conditions    accept the conditions
    !   try: tacit server add smp://FINGERPRINT@HOST        add a relay that you trust
    [78]
''')

# The password is kept from reports, and a relay that was tested holds nothing afterwards.
added, = reports("alice", "server", "add", closed)
assert added["password"] and added in reports("alice", "server", "list")
assert "secret" not in stage.tacit("alice", "server", "list", "--json").out + json.dumps(added)
assert "secret" in stage.tacit("alice", "api", "/smp").out
assert reports(None, "relay", "status", "closed")[0]["queues"] == 0
