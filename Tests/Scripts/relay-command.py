"""Making and starting relays, and what is refused."""

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()

# Relays.
stage.play(r'''
    bob$ tacit relay init new
    ! tacit: cannot create a relay in 'new': a host name or address is required
    !   try: tacit relay init new --host HOST
    [64]
    bob$ tacit relay init relay --host 127.0.0.1
    ! tacit: cannot create a relay in 'relay': the folder already contains a relay
    !   try: tacit relay start DIR    start the relay
    [73]
    bob$ tacit relay start nowhere
    ! tacit: cannot start the relay in 'nowhere': the folder contains no relay
    !   try: tacit relay init DIR --host HOST    create a relay
    [66]
    bob$ tacit relay start relay
    ! tacit: cannot start the relay in 'relay': the relay is running already
    !   why: pid PID serves this folder
    [75]
    bob$ tacit relay start relay --json
    ! {"v":1,"type":"error","code":"relay.running","exit":75,"message":"cannot start the relay in 'relay': the relay is running already","why":"pid PID serves this folder","try":[]}
    [75]
    bob$ tacit relay init new --host 127.0.0.1 --port 70000
    ! tacit: the value of '--port' cannot be '70000'; expected a number 0 to 65535
    [64]
    bob$ tacit relay init new --host 127.0.0.1 --password-file nothing
    ! tacit: cannot create a relay in 'new': cannot read the password
    !   why: 'nothing': no such file or directory
    [66]
    bob$ echo > empty; tacit relay init new --host 127.0.0.1 --password-file empty
    ! tacit: cannot create a relay in 'new': the file 'empty' does not begin with a valid password
    [65]
    bob$ cp -r relay copy; rm -f copy/lock; tacit relay start copy
    ! tacit: cannot start the relay in 'copy': address already in use
    !   why: the port may be in use or need privileges
    [69]
    bob$ echo nonsense >> copy/relay.conf; tacit relay start copy
    ! tacit: cannot start the relay in 'copy': relay.conf is invalid
    !   why: line 184: it is not NAME = VALUE
    [78]
''')

# Copies go into a new file, and nowhere else.
stage.play(r'''
    bob$ tacit relay backup relay -
    ! tacit: a relay backup cannot be written to standard output
    !   why: the backup must be a new file
    !   try: tacit relay backup relay copy.tar
    [64]
    bob$ ls ./-
    ! ls: cannot access './-': No such file or directory
    [2]
    bob$ tacit relay backup relay /nonexistent/copy.tar
    ! tacit: cannot back up the relay in 'relay': cannot create the file
    !   why: '/nonexistent/copy.tar': no such file or directory
    [73]
    bob$ tacit relay backup nowhere copy.tar
    ! tacit: cannot back up the relay in 'nowhere': the folder contains no relay
    !   try: tacit relay init DIR --host HOST    create a relay
    [66]
    bob$ cp -r relay broken; rm -f broken/lock broken/*-wal broken/*-shm
    bob$ head -c 20000 /dev/urandom > broken/relay.db
    bob$ tacit relay backup broken copy.tar
    ! tacit: cannot back up the relay in 'broken': the database of the relay failed
    !   why: it is damaged: it is not what the relay wrote
    [74]
''')

# Certificates: a renewal needs the relay to be stopped, and nobody who knows its address notices it.
for name in ("alice", "carol"):
    stage.person(name, relay)
stage.connect("alice", "carol")
stage.play(r'''
    bob$ tacit relay cert relay --renew
    ! tacit: cannot renew the certificate of the relay in 'relay': the relay is running already
    !   why: pid PID serves this folder
    [75]
    bob$ tacit relay delete relay --yes
    ! tacit: cannot delete the relay in 'relay': the relay is running already
    !   why: pid PID serves this folder
    [75]
''')
before = stage.tacit("bob", "relay", "cert", "relay", "--json").objects[0]
assert before["fingerprint"].rstrip("=") in relay.address and before["identity_key"] and not before["renewed"], before
relay.stop()
old = (stage.folder / "relay/server.key").read_bytes()
renewed = stage.tacit("bob", "relay", "cert", "relay", "--renew", "--json").objects[0]
assert renewed["fingerprint"] == before["fingerprint"] and renewed["renewed"], renewed
assert (stage.folder / "relay/server.key").read_bytes() != old
(stage.folder / "relay/ca.key").rename(stage.folder / "kept.key")
relay.start()
stage.tacit("alice", "send", "@carol", "after the renewal")
assert "after the renewal" in stage.tacit("carol", "fetch").out
relay.stop()
stage.play(r'''
    bob$ tacit relay cert relay --renew
    ! tacit: cannot renew the certificate of the relay in 'relay': the identity key does not match the certificate
    !   why: the identity key is ca.key in the folder, or stored elsewhere
    !   try: tacit relay cert DIR --renew --identity-key FILE    use the key from another place
    [78]
    bob$ tacit relay cert relay --renew --identity-key lost.key
    ! tacit: cannot renew the certificate of the relay in 'relay': no such file or directory
    !   why: cannot open the file: no such file or directory
    [66]
    bob$ tacit relay cert relay --renew --identity-key kept.key -q
    bob$ tacit relay delete relay < /dev/null
    ! tacit: cannot delete the relay in 'relay': not confirmed
    !   try: tacit relay delete 'relay' --yes
    [64]
    bob$ tacit relay delete relay --yes
    deleted 'relay'
    bob$ tacit relay delete relay --yes
    ! tacit: cannot delete the relay in 'relay': the folder contains no relay
    !   try: tacit relay init DIR --host HOST    create a relay
    [66]
''')
assert not (stage.folder / "relay").exists()
