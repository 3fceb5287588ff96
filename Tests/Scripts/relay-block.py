"""An operator blocks queues and links, and ends the blocks."""

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
for name in ("alice", "bob"):
    stage.person(name, relay)
stage.connect("alice", "bob")
link = stage.tacit("alice", "address", "create").out.split()[0]

stage.play(r'''
    eve$ tacit relay block relay nonsense!
    ! tacit: cannot block a queue of the relay in 'relay': it is neither a link nor an id in base64url
    !   why: relays name queues, links and file chunks by their ids
    [64]
    eve$ tacit relay block relay AAAA
    ! tacit: cannot block a queue of the relay in 'relay': the relay has no such queue, link or file chunk
    !   why: links of other relays and deleted queues are unknown here
    [67]
    eve$ tacit relay unblock relay AAAA
    ! tacit: cannot unblock a queue of the relay in 'relay': it is not blocked
    !   why: relay.blocked lists the ids that are blocked
    [67]
    eve$ tacit relay block nowhere AAAA
    ! tacit: cannot block a queue of the relay in 'nowhere': the folder contains no relay
    !   try: tacit relay init DIR --host HOST    create a relay
    [66]
''')

# The running relay applies a block of an address by its link.
block = stage.tacit("eve", "relay", "block", "relay", link, "--reason", "content", "--notice", "24h", "--json").objects[0]
assert block["state"] == "blocked" and block["reason"] == "content", block
again = stage.tacit("eve", "relay", "block", "relay", link, "--reason", "content", "--notice", "24h", "--json").objects[0]
assert again["state"] == "unchanged", again
text = (stage.folder / "relay/relay.blocked").read_text()
assert text.splitlines()[1:] == [f'{block["id"]} reason=content,notice={{"ttl":86400}}'], text


def refused():
    return "blocked" in stage.shell("bob", f"tacit connect '{link}'").err


wait_until(refused, "the relay refuses the link")
# A block survives a restart of the relay, and other queues work.
relay.crash()
assert refused()
stage.tacit("alice", "send", "@bob", "hello")
assert "hello" in stage.tacit("bob", "fetch").out

# The end of the block.
ended = stage.tacit("eve", "relay", "unblock", "relay", block["id"], "--json").objects[0]
assert ended["state"] == "unblocked", ended
wait_until(lambda: stage.shell("bob", f"tacit connect '{link}'").code == 0, "the relay serves the link again")

# With a notice the relay permits the owner no new addresses. Each process of hers knows it, and others are not concerned.
stage.tacit("eve", "relay", "block", "relay", link, "--notice", "24h")
relay.crash()
stage.shell("alice", "tacit fetch")
stage.tacit("alice", "address", "delete")
created = stage.shell("alice", "tacit address create")
assert created.code == 69, created
assert "the relay permits you no new addresses" in created.err and "the refusal ends at " in created.err, created.err
stage.tacit("alice", "connect", "--as", "carol")
stage.tacit("bob", "address", "create")

# A list that cannot be read leaves the former one in effect, and a relay does not start with it.
relay.stop()
(stage.folder / "relay/relay.blocked").write_text("AAAA reason=spam\nAAAA nothing\n")
stage.play(r'''
    eve$ tacit relay start relay
    ! tacit: cannot start the relay in 'relay': relay.blocked is invalid
    !   why: line 2 is not an id with a blocking
    [78]
''')
