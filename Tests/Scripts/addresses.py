"""One link for many: who uses an address asks, and is accepted or not. Nobody need be there at the same time."""

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
for name in ("alice", "bob", "carol", "eve"):
    stage.person(name, relay)

# Only the link is on standard output, short unless the long form is asked for.
stage.play(r'''
    alice$ tacit address
    ! tacit: cannot show the address: the profile has no address
    !   try: tacit address create    create one
    [67]
    alice$ tacit address create | tee address.txt
    LINK
    ! tacit fetch receives contact requests
    alice$ tacit address create
    ! tacit: cannot create an address: the profile has an address already
    !   try: tacit address show      show the address
    !   try: tacit address rotate    replace the address
    [73]
    alice$ test "$(tacit address)" = "$(cat address.txt)"
    alice$ tacit address show --full | cut -c1-17
    simplex:/contact#
    bob$ tacit connect --dry-run "$(cat address.txt)"
    contact address on 127.0.0.1:PORT
    bob$ tacit connect "$(cat address.txt)" --as Ann
    the relay has accepted the request (i1)
    ! the contact must fetch now; then: tacit fetch
    eve$ tacit connect "$(cat address.txt)" -q
    alice$ tacit connect "$(cat address.txt)"
    ! tacit: cannot connect: this is your own link
    !   why: it is for another person or another store
    [65]
    alice$ tacit list
    alice$ tacit fetch
    @bob sent a contact request; tacit accept, or tacit reject
    @eve sent a contact request; tacit accept, or tacit reject
    ! no new messages
    alice$ tacit list requests
    ID  NAME  SINCE             MESSAGE
    r1  @bob  YYYY-MM-DD hh:mm
    r2  @eve  YYYY-MM-DD hh:mm
    alice$ tacit list requests --json
    {"v":1,"type":"request","id":"r1","name":"bob","display_name":"bob","created_at":"YYYY-MM-DDThh:mm:ss.sssZ","at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    {"v":1,"type":"request","id":"r2","name":"eve","display_name":"eve","created_at":"YYYY-MM-DDThh:mm:ss.sssZ","at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    alice$ tacit accept
    ! tacit: cannot accept: no request given
    !   try: tacit list requests    list pending requests
    !   try: tacit accept NAME      choose a request
    [64]
    alice$ tacit accept @bbo
    ! tacit: cannot accept: unknown request '@bbo'
    !   try: @bob                   did you mean this?
    !   try: tacit list requests    show the list
    [67]
    alice$ tacit reject @eve
    rejected @eve (r2)
    alice$ tacit accept @bob
    the relay has accepted the answer @bob (i2)
    ! the contact must fetch now; then: tacit fetch
    alice$ tacit accept --all
    ! no pending requests
    bob$ tacit fetch
    @Ann is connecting
    @Ann is connected
    ! no new messages
    alice$ tacit fetch
    @bob is connecting
    @bob is connected
    ! no new messages
    bob$ tacit send @Ann 'thank you'
    sent @Ann m1
    alice$ tacit fetch
    YYYY-MM-DD hh:mm  @bob  │ thank you
    ! 1 new message
    alice$ tacit list contacts
    ID  NAME  STATE      KEYS          PROFILE NAME
    c1  @bob  connected  post-quantum  bob
    eve$ tacit fetch
    ! no new messages
    eve$ tacit list
    ID  CHAT  UNREAD  LAST
    i1                YYYY-MM-DD hh:mm  joining (sent)
''')

# An address that answers by itself, as a robot's does.
stage.play(r'''
    alice$ tacit address auto-accept on --welcome 'Hello! I am a robot.'
    requests are accepted automatically, with a welcome message
    carol$ tacit connect "$(cat address.txt)" --as robot
    the relay has accepted the request (i1)
    ! the contact must fetch now; then: tacit fetch
    alice$ tacit fetch
    @carol is being accepted
    ! no new messages
    carol$ tacit fetch
    @robot is connecting
    @robot is connected
    ! no new messages
    alice$ tacit fetch
    @carol is connecting
    @carol is connected
    YYYY-MM-DD hh:mm  to @carol (queued)  │ Hello! I am a robot.
    sent @carol m2
    ! no new messages, 1 sent
    carol$ tacit fetch
    YYYY-MM-DD hh:mm  @robot  │ Hello! I am a robot.
    ! 1 new message
    alice$ tacit address show --json
    {"v":1,"type":"address","id":"i1","link":"LINK","short_link":"LINK","full_link":"LINK","auto_accept":true,"welcome":"Hello! I am a robot.","created_at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    alice$ tacit address auto-accept off
    requests are pending until accepted
''')

# The old address no longer works. A request that was rejected is sent again, so this one fails.
stage.play(r'''
    alice$ cp address.txt old.txt
    alice$ tacit address rotate > address.txt
    alice$ cmp -s address.txt old.txt
    [1]
    eve$ tacit connect "$(cat old.txt)" --as x
    the connection failed (i2)
    ! tacit: cannot connect: the link was already used or deleted
    [69]
    eve$ tacit list
    ID  CHAT  UNREAD  LAST
    i1                YYYY-MM-DD hh:mm  joining (sent)
    i2                YYYY-MM-DD hh:mm  joining (failed)
    eve$ tacit connect "$(cat address.txt)"
    the relay has accepted the request (i3)
    ! the contact must fetch now; then: tacit fetch
    alice$ tacit address delete
    the address is deleted; contacts stay
    alice$ tacit address delete
    ! tacit: cannot delete the address: the profile has no address
    !   try: tacit address create    create one
    [67]
    alice$ tacit list contacts --plain
    c1	bob	connected	
    c2	carol	connected	
''')

# Invitations can be shown again and given up.
stage.play(r'''
    alice$ tacit connect --as Dora > dora.txt
    ! give this link to one person; then: tacit fetch
    alice$ tacit connect --full -q | cut -c1-20
    simplex:/invitation#
    alice$ tacit invitation
    ID  NAME  SINCE             LINK
    i5  Dora  YYYY-MM-DD hh:mm  LINK
    i6        YYYY-MM-DD hh:mm  LINK
    alice$ test "$(tacit invitation show Dora)" = "$(cat dora.txt)"
    alice$ tacit invitation cancel Dora
    the invitation is cancelled (i5)
    alice$ tacit invitation cancel Dora
    ! tacit: cannot cancel the invitation: unknown invitation 'Dora'
    !   try: tacit invitation list    show the list
    [67]
    alice$ tacit list invitations --plain --fields id,state
    i6	waiting
    bob$ tacit connect "$(cat dora.txt)"
    the connection failed (i2)
    ! tacit: cannot connect: the link was already used or deleted
    [69]
''')

# A relay that is down delays what it is needed for, and loses nothing.
relay.kill()
stage.play(r'''
    bob$ tacit address create 2>&1 | head -n 1
    tacit: cannot create an address: the relay is unreachable
''')
