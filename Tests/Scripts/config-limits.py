"""Configuration files: what is not written into them, and what the command line takes back."""

from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")
stage.tacit("bob", "send", "@alice", "a message")
stage.tacit("alice", "fetch")
stage.tacit("alice", "config", "set", "alias.ls", "list")
conf = stage.place("alice") / "tacit.conf"

# What could not be read again is not written.
before = conf.read_bytes()
for name in ("a b", "é", "a=b", "a#b", "[x]", '"q"', "x\ny", "x\t", "-x", "_x", " "):
    error = stage.tacit("alice", "config", "set", f"alias.{name}", "status", "--json", expect=64).error
    assert error["code"] == "usage.alias", (name, error)
assert stage.tacit("alice", "config", "set", "alias.x", "send @bob " + "x" * 65536, expect=64)
assert conf.read_bytes() == before
stage.play(r'''
    alice$ tacit config set 'alias.a b' status
    ! tacit: invalid alias name 'a b'
    !   why: an alias has letters a to z, digits, - and _, and begins with a letter or digit
    [64]
    alice$ tacit config set alias.B status -q; tacit config set alias.z-1_ status -q; tacit z-1_ --plain
    alice	1	1	0	/stage/alice
''')

# What a file says can be taken back on the command line.
stage.tacit("alice", "config", "set", "global.json", "yes")
stage.tacit("alice", "config", "set", "global.quiet", "2")
stage.tacit("alice", "config", "set", "read.mark", "yes")
stage.play(r'''
    alice$ tacit net proxy
    {"v":1,"type":"proxy"}
    alice$ tacit net proxy --no-json
    none
    alice$ tacit --no-json --no-quiet db decrypt
    ! tacit: cannot decrypt the store: not confirmed
    !   try: tacit db decrypt --yes
    [64]
    alice$ TACIT_UTC=yes tacit read --no-mark --no-utc --last 1 --no-json --plain --fields text
    a message
    alice$ tacit net proxy --no-output
    ! tacit: 'tacit net proxy' has no option '--no-output'
    !   try: tacit net proxy -h    show its usage
    [64]
''')
for key in ("global.json", "global.quiet", "read.mark"):
    stage.tacit("alice", "config", "unset", key)
