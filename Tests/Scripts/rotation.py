"""A connection is rotated to another relay, its encryption is renegotiated, and blocked messages are reported."""

import json

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
other = stage.relay("other", "127.0.0.2").start()
stage.person("alice", relay)
stage.person("bob", relay)
stage.connect("alice", "bob")
stage.tacit("alice", "fetch")
stage.tacit("alice", "server", "add", other.address)


def keys(person):
    return json.loads(stage.tacit(person, "list", "contacts", "--json").out)["post_quantum"]


def exchange(word):
    for first, second in (("alice", "bob"), ("bob", "alice")):
        stage.tacit(first, "send", f"@{second}", word)
        assert word in stage.tacit(second, "fetch").out


# The queue moves while both go on as always.
stage.play(r'''
    alice$ tacit contact rotate @bob
    @bob is moving to your new queue: started
    YYYY-MM-DD hh:mm  to @bob  rotation of your queue: started
    ! the contact must fetch now; then: tacit fetch
    alice$ tacit list contacts
    ID  NAME  STATE              KEYS          PROFILE NAME
    c1  @bob  connected, moving  post-quantum  bob
    bob$ tacit send @alice 'in the middle of it'
    sent @alice m1
    bob$ tacit fetch
    @alice rotates its queue: started
    YYYY-MM-DD hh:mm  @alice  rotation of their queue: started
    @alice rotates its queue: confirmed
    ! no new messages
    bob$ tacit list contacts --json
    {"v":1,"type":"contact","id":"c1","chat":"@alice","chat_id":"c1","name":"alice","state":"connected","display_name":"alice","post_quantum":true,"moves":["contact-queue"],"unread":1,"muted":false,"blocked":false,"verified":false,"created_at":"YYYY-MM-DDThh:mm:ss.sssZ","active_at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    alice$ tacit fetch
    YYYY-MM-DD hh:mm  @bob  │ in the middle of it
    @bob is moving to your new queue: confirmed
    @bob is moving to your new queue: secured
    ! 1 new message
    bob$ tacit fetch
    @alice rotates its queue: secured
    @alice rotates its queue: completed
    YYYY-MM-DD hh:mm  @alice  rotation of their queue: completed
    ! no new messages
    alice$ tacit fetch
    @bob is moving to your new queue: completed
    YYYY-MM-DD hh:mm  to @bob  rotation of your queue: completed
    ! no new messages
    alice$ tacit list contacts
    ID  NAME  STATE      KEYS          PROFILE NAME
    c1  @bob  connected  post-quantum  bob
    bob$ tacit send @alice 'through the new queue'
    sent @alice m4
    alice$ tacit fetch
    YYYY-MM-DD hh:mm  @bob  │ through the new queue
    ! 1 new message
    alice$ tacit contact rotate @bob --abort
    ! tacit: cannot keep the queue for '@bob': there is no move of '@bob' to abort
    !   why: no move is in progress, or the contact has answered already
    [69]
    alice$ tacit contact rotate @eve
    ! tacit: cannot move the queue for '@eve': unknown contact 'eve'
    !   try: tacit list contacts    show the list
    [67]
''')

# Until the contact has answered it may be given up.
stage.play(r'''
    alice$ tacit contact rotate @bob -q
    alice$ tacit contact rotate @bob
    ! tacit: cannot move the queue for '@bob': the queue of '@bob' cannot be moved now
    !   why: it is being moved already, or the ratchet is out of sync
    [69]
    alice$ tacit contact rotate @bob --abort
    @bob is moving to your new queue: aborted
    YYYY-MM-DD hh:mm  to @bob  rotation of your queue: aborted
    alice$ tacit list contacts
    ID  NAME  STATE      KEYS          PROFILE NAME
    c1  @bob  connected  post-quantum  bob
    bob$ tacit fetch
    @alice rotates its queue: started
    YYYY-MM-DD hh:mm  @alice  rotation of their queue: started
    @alice rotates its queue: confirmed
    ! no new messages
    bob$ tacit send @alice 'where it was'
    sent @alice m6
    alice$ tacit fetch
    YYYY-MM-DD hh:mm  @bob  │ where it was
    ! 1 new message
''')

# A new encryption is as strong as the one before.
exchange("before")
assert keys("alice") and keys("bob")
stage.tacit("bob", "contact", "resync", "--force", "@alice")
for _ in range(2):
    stage.tacit("alice", "fetch")
    stage.tacit("bob", "fetch")
for word in ("after", "long after"):
    exchange(word)
assert keys("alice") and keys("bob")

# Who is shown a profile is told when it changes.
stage.values["address"] = stage.tacit("alice", "address", "create").out.strip()
stage.play(r'''
    alice$ tacit profile set --name Alix --bio 'another name'
    changed Alix (p1)
    alice$ tacit profile set --name Alix
    unchanged Alix (p1)
    bob$ tacit fetch
    @alice has a new profile
    ! no new messages
    bob$ tacit list contacts
    ID  NAME    STATE      KEYS          PROFILE NAME
    c1  @alice  connected  post-quantum  Alix
    bob$ tacit api "/_connect plan 1 $address" | grep -o '"shortDescr":"[a-z ]*"' | sort -u
    "shortDescr":"another name"
''')

# What a full queue holds up says so.
for number in range(127):
    stage.tacit("bob", "send", "@alice", f"{number}", "--wait", "queued")
stage.tacit("bob", "fetch", "-q")
stage.play(r'''
    bob$ tacit send @alice 'one more'
    sent @alice m144
    bob$ tacit send @alice 'and another' -q
    ! tacit: cannot send to '@alice': the queue is full
    !   why: the contact must fetch first
    !        the message is in the outbox and will be sent by the next fetch
    !   try: tacit fetch    try again
    [75]
    bob$ tacit fetch
    ! no new messages, 1 in the outbox
    ! waiting: cannot send through '127.0.0.2:PORT': the queue is full
    bob$ tacit status
    store     /stage/bob
    profile   bob
    contacts  1
    unread    7
    outbox    1, 1 blocked
    relay     127.0.0.1:PORT
    writer    none
    bob$ tacit read @alice --last 2
    YYYY-MM-DD hh:mm  to @alice  │ one more
    YYYY-MM-DD hh:mm  to @alice (queued)  │ and another
    alice$ tacit fetch -q
    bob$ tacit fetch
    sent @alice m145
    ! no new messages, 1 sent
''')
