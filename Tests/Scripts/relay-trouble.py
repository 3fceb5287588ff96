"""What happens when the relay is not there, or not the one in the address."""

import re

from support.stage import Stage, free_port

stage = Stage()
relay = stage.connected("alice", "bob")

# A message that the relay has taken survives it.
stage.tacit("alice", "send", "@bob", "before the crash")
relay.crash()
stage.play(r'''
    bob$ tacit fetch
    YYYY-MM-DD hh:mm  @alice  │ before the crash
    ! 1 new message
''')

# Without the relay a message stays in the outbox, and goes with the next fetch.
relay.kill()
stage.play(r'''
    alice$ tacit send @bob 'one' --timeout 5s
    queued @bob m2
    ! tacit: cannot send to '@bob': the relay is unreachable
    !   why: connection refused
    !        the message is in the outbox and will be sent by the next fetch
    !   try: tacit fetch    try again
    [75]
    alice$ tacit send @bob 'two' --json
    {"v":1,"type":"send","id":"m3","chat":"@bob","chat_id":"c1","state":"queued","created_at":"YYYY-MM-DDThh:mm:ss.sssZ","at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    ! {"v":1,"type":"error","code":"relay.unreachable","exit":75,"message":"cannot send to '@bob': the relay is unreachable","why":"connection refused\nthe message is in the outbox and will be sent by the next fetch","try":["tacit fetch"],"details":{"state":"queued"}}
    [75]
    alice$ tacit send @bob 'three' --wait queued
    queued @bob m4
    alice$ tacit send @bob 'four' -q
    ! tacit: cannot send to '@bob': the relay is unreachable
    !   why: connection refused
    !        the message is in the outbox and will be sent by the next fetch
    !   try: tacit fetch    try again
    [75]
    alice$ tacit send @bob 'five' -qq
    [75]
    alice$ tacit status
    store     /stage/alice
    profile   alice
    contacts  1
    unread    0
    outbox    5
    relay     127.0.0.1:PORT
    writer    none
    alice$ tacit status --check --json
    {"v":1,"type":"status","store":"/stage/alice","profile":"alice","profile_id":"p1","profiles":1,"contacts":1,"unread":0,"outbox":5,"files":0,"files_size":0,"servers":["smp://FINGERPRINT@127.0.0.1:PORT"],"encrypted":true,"problems":["outbox.waiting"]}
    [1]
    alice$ tacit list
    ID  CHAT  UNREAD  LAST
    c1  @bob          YYYY-MM-DD hh:mm  you (queued): five
    alice$ tacit read --last 2
    YYYY-MM-DD hh:mm  to @bob (queued)  │ four
    YYYY-MM-DD hh:mm  to @bob (queued)  │ five
    alice$ tacit fetch
    ! no new messages, 5 in the outbox
    ! tacit: cannot fetch from '127.0.0.1:PORT': the relay is unreachable
    !   why: connection refused
    [75]
    alice$ tacit fetch --json
    {"v":1,"type":"event","event":"relay.unreachable","relay":"127.0.0.1:PORT","address":"smp://FINGERPRINT@127.0.0.1:PORT","reason":"the relay is unreachable: connection refused"}
    {"v":1,"type":"fetch","received":0,"sent":0,"waiting":5,"complete":false}
    ! {"v":1,"type":"error","code":"relay.unreachable","exit":75,"message":"cannot fetch from '127.0.0.1:PORT': the relay is unreachable","why":"connection refused","try":[],"details":{"relay":"127.0.0.1:PORT"}}
    [75]
    alice$ tacit fetch -v
    ! no connection to 127.0.0.1:PORT: the relay is unreachable
    ! no new messages, 5 in the outbox
    ! tacit: cannot fetch from '127.0.0.1:PORT': the relay is unreachable
    !   why: connection refused
    [75]
    alice$ tacit fetch -qq
    [75]
    alice$ tacit connect
    ! tacit: cannot create an invitation: the relay is unreachable
    !   why: relay: 127.0.0.1:PORT
    !        connection refused
    [75]
    alice$ tacit list
    ID  CHAT  UNREAD  LAST
    c1  @bob          YYYY-MM-DD hh:mm  you (queued): five
    alice$ tacit connect --wait connected --json
    ! {"v":1,"type":"error","code":"relay.unreachable","exit":75,"message":"cannot connect: the relay is unreachable","why":"relay: 127.0.0.1:PORT\nconnection refused","try":[],"details":{"relay":"127.0.0.1:PORT"}}
    [75]
''')
relay.start()
stage.play(r'''
    alice$ tacit fetch --json
    {"v":1,"type":"send","id":"m2","chat":"@bob","chat_id":"c1","state":"sent","created_at":"YYYY-MM-DDThh:mm:ss.sssZ","at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    {"v":1,"type":"send","id":"m3","chat":"@bob","chat_id":"c1","state":"sent","created_at":"YYYY-MM-DDThh:mm:ss.sssZ","at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    {"v":1,"type":"send","id":"m4","chat":"@bob","chat_id":"c1","state":"sent","created_at":"YYYY-MM-DDThh:mm:ss.sssZ","at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    {"v":1,"type":"send","id":"m5","chat":"@bob","chat_id":"c1","state":"sent","created_at":"YYYY-MM-DDThh:mm:ss.sssZ","at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    {"v":1,"type":"send","id":"m6","chat":"@bob","chat_id":"c1","state":"sent","created_at":"YYYY-MM-DDThh:mm:ss.sssZ","at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    {"v":1,"type":"fetch","received":0,"sent":5,"waiting":0,"complete":true}
    alice$ tacit status --check -q
    bob$ tacit fetch
    YYYY-MM-DD hh:mm  @alice  │ one
    YYYY-MM-DD hh:mm  @alice  │ two
    YYYY-MM-DD hh:mm  @alice  │ three
    YYYY-MM-DD hh:mm  @alice  │ four
    YYYY-MM-DD hh:mm  @alice  │ five
    ! 5 new messages
    bob$ tacit fetch -v
    ! connected to 127.0.0.1:PORT
    ! no new messages
    bob$ tacit fetch --exit-code
    ! no new messages
    [1]
    bob$ tacit fetch --exit-code -q --json
    [1]
    alice$ tacit read -n 6 --plain --fields text,state
    before the crash	delivered
    one	sent
    two	sent
    three	sent
    four	sent
    five	sent
''')

# Addresses that lead nowhere.
fingerprint = re.search(r"smp://(.*)@", relay.address).group(1)
other = stage.relay("other").start()
stage.person("carol", f"smp://{fingerprint}@relay.invalid")
stage.person("dave", f"smp://{fingerprint}@127.0.0.1:{free_port()}")
stage.person("erin", re.sub(r"//.*@", f"//{fingerprint}@", other.address))
stage.play(r'''
    carol$ tacit connect
    ! tacit: cannot create an invitation: the name of the relay does not resolve
    !   why: relay: relay.invalid
    [68]
    dave$ tacit connect
    ! tacit: cannot create an invitation: the relay is unreachable
    !   why: relay: 127.0.0.1:PORT
    !        connection refused
    [75]
    erin$ tacit connect
    ! tacit: cannot create an invitation: the relay's identity differs from its address
    !   why: relay: 127.0.0.1:PORT
    !        wrong certificate fingerprint: the address is wrong, or an attacker intercepts the connection
    [79]
    erin$ tacit connect --json
    ! {"v":1,"type":"error","code":"relay.identity","exit":79,"message":"cannot create an invitation: the relay's identity differs from its address","why":"relay: 127.0.0.1:PORT\nwrong certificate fingerprint: the address is wrong, or an attacker intercepts the connection","try":[],"details":{"relay":"127.0.0.1:PORT"}}
    [79]
    erin$ tacit status
    store     /stage/erin
    profile   erin
    contacts  0
    unread    0
    outbox    0
    relay     127.0.0.1:PORT
    writer    none
    erin$ tacit list
''')

# A link that leads to such a relay. A relay in between does not say what it knows about names.
link = stage.tacit("alice", "connect").out.strip()
stage.values["link"] = link.replace("127.0.0.1", "relay.invalid")
stage.play(r'''
    bob$ TACIT_SMP_PROXY=never tacit connect "$link" --timeout 5s
    the request is stored (i2)
    ! tacit: cannot connect: the name of the relay does not resolve
    !   why: the request is stored; the next fetch continues it
    !   try: tacit fetch    continue
    [68]
    bob$ tacit list
    ID  CHAT    UNREAD  LAST
    c1  @alice       6  YYYY-MM-DD hh:mm  five
    i2                  YYYY-MM-DD hh:mm  joining (queued)
    bob$ TACIT_SMP_PROXY=never tacit fetch
    ! no new messages
    ! waiting: cannot send through 'relay.invalid:PORT': the name of the relay does not resolve
    bob$ tacit fetch
    ! no new messages
    ! waiting: cannot send through 'relay.invalid:PORT': the relay is unreachable
''')
