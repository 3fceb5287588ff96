"""One message for several people, of whom not all can be reached."""

from support.stage import Stage

stage = Stage()
first, second = stage.relay("first").start(), stage.relay("second").start()
stage.person("alice", first)
stage.person("bob", first)
stage.person("carol", second)
stage.connect("bob", "alice")
stage.connect("carol", "alice")

stage.play(r'''
    alice$ tacit send @bob --to @carol 'to both'
    sent @bob m1
    sent @carol m2
    alice$ tacit send @bob --to @carol --to bob 'as JSON' --json
    {"v":1,"type":"send","id":"m3","chat":"@bob","chat_id":"c1","state":"sent","created_at":"YYYY-MM-DDThh:mm:ss.sssZ","at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    {"v":1,"type":"send","id":"m4","chat":"@carol","chat_id":"c2","state":"sent","created_at":"YYYY-MM-DDThh:mm:ss.sssZ","at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    alice$ tacit send @bob --to @dave 'to nobody'
    ! tacit: cannot send to '@dave': unknown contact 'dave'
    !   try: tacit list contacts    show the list
    [67]
    alice$ tacit send @bob --to @carol --dry-run hi
    would be sent to @bob
    would be sent to @carol
''')
second.kill()
stage.play(r'''
    alice$ tacit send @bob --to @carol 'to one'
    sent @bob m5
    queued @carol m6
    ! tacit: cannot send to '@carol': the relay is unreachable
    !   why: the relay in between cannot reach it
    !        the message is in the outbox and will be sent by the next fetch
    !   try: tacit fetch    try again
    [80]
    alice$ tacit send @carol --to @bob 'as JSON' --json
    {"v":1,"type":"send","id":"m7","chat":"@carol","chat_id":"c2","state":"queued","created_at":"YYYY-MM-DDThh:mm:ss.sssZ","at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    {"v":1,"type":"send","id":"m8","chat":"@bob","chat_id":"c1","state":"sent","created_at":"YYYY-MM-DDThh:mm:ss.sssZ","at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    ! {"v":1,"type":"error","code":"relay.unreachable","exit":75,"message":"cannot send to '@carol': the relay is unreachable","why":"the relay in between cannot reach it\nthe message is in the outbox and will be sent by the next fetch","try":["tacit fetch"],"details":{"state":"queued"}}
    [80]
    alice$ tacit send @carol --to @bob 'quietly' -qq
    [80]
    alice$ tacit send @carol --to @bob 'later' --wait queued
    queued @carol m11
    queued @bob m12
    alice$ tacit list
    ID  CHAT    UNREAD  LAST
    c1  @bob            YYYY-MM-DD hh:mm  you (queued): later
    c2  @carol          YYYY-MM-DD hh:mm  you (queued): later
    alice$ tacit fetch
    sent @bob m12
    ! no new messages, 1 sent, 4 in the outbox
    ! waiting: cannot send through '127.0.0.1:PORT': the relay is unreachable
''')
first.kill()
stage.play(r'''
    alice$ tacit send @carol --to @bob 'to none' -q
    ! tacit: cannot send to '@carol': the relay is unreachable
    !   why: your relay forwards messages to other relays: connection refused
    !        the message is in the outbox and will be sent by the next fetch
    !   try: tacit fetch    try again
    ! tacit: cannot send to '@bob': the relay is unreachable
    !   why: connection refused
    !        the message is in the outbox and will be sent by the next fetch
    !   try: tacit fetch    try again
    [75]
''')
first.start()
second.start()
stage.play(r'''
    alice$ tacit fetch --plain | sort
    m11	YYYY-MM-DDThh:mm:ss.sssZ	@carol	out	sent	later
    m13	YYYY-MM-DDThh:mm:ss.sssZ	@carol	out	sent	to none
    m14	YYYY-MM-DDThh:mm:ss.sssZ	@bob	out	sent	to none
    m6	YYYY-MM-DDThh:mm:ss.sssZ	@carol	out	sent	to one
    m7	YYYY-MM-DDThh:mm:ss.sssZ	@carol	out	sent	as JSON
    m9	YYYY-MM-DDThh:mm:ss.sssZ	@carol	out	sent	quietly
    alice$ tacit fetch -q
    bob$ tacit fetch -q
    bob$ tacit read --plain --fields text
    to both
    as JSON
    to one
    as JSON
    quietly
    later
    to none
    carol$ tacit fetch -q
    carol$ tacit read --plain --fields text
    to both
    as JSON
    to one
    as JSON
    quietly
    later
    to none
''')
