"""One store holds several profiles, which do not know of each other."""

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
stage.person("alice", relay)
stage.person("bob", relay)

stage.play(r'''
    alice$ tacit profile create work --full-name 'Alice of the office' --bio 'nine to five'
    created work (p2)
    alice$ tacit profile create home --use --json
    {"v":1,"type":"profile","id":"p3","name":"home","active":true,"muted":false,"receipts":true,"unread":0,"created_at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    alice$ tacit profile list
       ID  NAME   UNREAD  FULL NAME
       p1  alice
       p2  work           Alice of the office
    *  p3  home
    alice$ tacit list profiles --json
    {"v":1,"type":"profile","id":"p1","name":"alice","active":false,"muted":false,"receipts":true,"unread":0,"created_at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    {"v":1,"type":"profile","id":"p2","name":"work","active":false,"muted":false,"full_name":"Alice of the office","bio":"nine to five","receipts":true,"unread":0,"created_at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    {"v":1,"type":"profile","id":"p3","name":"home","active":true,"muted":false,"receipts":true,"unread":0,"created_at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    alice$ tacit profile show
    profile   home, active
    id        p3
    receipts  on
    unread    0
    alice$ tacit profile show work --json
    {"v":1,"type":"profile","id":"p2","name":"work","active":false,"muted":false,"full_name":"Alice of the office","bio":"nine to five","receipts":true,"unread":0,"created_at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    alice$ tacit profile use alice
    active: alice (p1)
    alice$ tacit profile show id:p2 --plain
    p2	work	false	0	Alice of the office
    alice$ TACIT_PROFILE=work tacit status
    store     /stage/alice
    profile   work and 2 more
    contacts  0
    unread    0
    outbox    0
    relay     127.0.0.1:PORT
    writer    none
    alice$ tacit profile use wokr
    ! tacit: cannot use the profile 'wokr': unknown profile 'wokr'
    !   try: tacit profile use work    did you mean this?
    !   try: tacit profile list        show the list
    [67]
    alice$ tacit --profile hom list
    ! tacit: cannot list chats: unknown profile 'hom'
    !   try: --profile home        did you mean this?
    !   try: tacit profile list    show the list
    [67]
    alice$ tacit profile create work
    ! tacit: cannot create the profile 'work': the name 'work' is taken
    [73]
    alice$ tacit profile create "it's me"
    ! tacit: cannot create the profile 'it\'s me': invalid name 'it\'s me'
    !   why: a name has 1 to 50 characters; no leading mark, no two marks or spaces together
    !        none of . , ; / \ # @ ~, no apostrophe, no quotation mark
    !   try: 'its me'    a valid name
    [64]
    alice$ tacit profile create ''
    ! tacit: cannot create the profile '': invalid name ''
    !   why: a name has 1 to 50 characters; no leading mark, no two marks or spaces together
    !        none of . , ; / \ # @ ~, no apostrophe, no quotation mark
    [64]
''')

# A profile that is not the active one talks all the same, and only it sees what is said.
stage.values["link"] = stage.tacit("alice", "connect", "--profile", "work").out.strip()
stage.play(r'''
    bob$ tacit connect "$link"
    the relay has accepted the request (i1)
    ! the contact must fetch now; then: tacit fetch
    alice$ tacit fetch
    @bob is connecting
    @bob is connected
    ! no new messages
    bob$ tacit fetch
    @work is connecting
    @work is connected
    ! no new messages
    bob$ tacit send @work 'to the office'
    sent @work m1
    alice$ tacit fetch
    YYYY-MM-DD hh:mm  @bob  │ to the office
    ! 1 new message
    alice$ tacit list
    alice$ tacit list --profile work
    ID  CHAT  UNREAD  LAST
    c1  @bob       1  YYYY-MM-DD hh:mm  to the office
    alice$ tacit read --profile work
    YYYY-MM-DD hh:mm  @bob  │ to the office
    alice$ tacit read
    alice$ tacit profile list
       ID  NAME   UNREAD  FULL NAME
    *  p1  alice
       p2  work        1  Alice of the office
       p3  home
    alice$ tacit status --json --profile work
    {"v":1,"type":"status","store":"/stage/alice","profile":"work","profile_id":"p2","profiles":3,"contacts":1,"unread":1,"outbox":0,"files":0,"files_size":0,"servers":["smp://FINGERPRINT@127.0.0.1:PORT"],"encrypted":true,"problems":[]}
    alice$ tacit send @bob hi
    ! tacit: cannot send to '@bob': unknown contact 'bob'
    !   try: tacit list contacts    show the list
    [67]
    alice$ tacit send @bob 'from the office' --profile work
    sent @bob m2
    bob$ tacit fetch
    YYYY-MM-DD hh:mm  @work  │ from the office
    ! 1 new message
    alice$ tacit connect "$link" --profile home
    the connection failed (i2)
    ! tacit: cannot connect: the link was already used or deleted
    [69]
    bob$ tacit list contacts
    ID  NAME   STATE      KEYS          PROFILE NAME
    c1  @work  connected  post-quantum  work, Alice of the office
''')
