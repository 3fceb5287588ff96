"""Two people meet and talk, as the first page of the manual says."""

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
stage.values["relay"] = relay.address

# From nothing to two stores.
stage.play(r'''
    alice$ tacit status
    ! tacit: cannot show the status: the store does not exist
    !   why: there are no store files in /stage/alice
    !   try: tacit init --name NAME --server smp://...    create a store
    !   try: TACIT_DIR=/some/folder tacit ...             use a store in another folder
    [78]
    alice$ tacit init --name alice --server "$relay"
    created a store in /stage/alice with the profile alice
    ! the key is in /stage/alice/key; without it the store cannot be read
    alice$ tacit status
    store     /stage/alice
    profile   alice
    contacts  0
    unread    0
    outbox    0
    relay     127.0.0.1:PORT
    writer    none
    bob$ tacit init --name 'Bob B' --server "$relay"
    created a store in /stage/bob with the profile Bob B
    ! the key is in /stage/bob/key; without it the store cannot be read
    bob$ tacit init --if-missing --name 'Bob B'
    ! the store exists already
    bob$ tacit profile
       ID  NAME   UNREAD  FULL NAME
    *  p1  Bob B
''')

# Only the link is on standard output, so that it can be piped.
stage.play(r'''
    alice$ tacit connect | tee invite.txt
    LINK
    ! give this link to one person; then: tacit fetch
    bob$ tacit connect --dry-run "$(cat invite.txt)"
    one-time invitation on 127.0.0.1:PORT
    bob$ tacit connect "$(cat invite.txt)" --as Ann
    the relay has accepted the request (i1)
    ! the contact must fetch now; then: tacit fetch
    alice$ tacit list
    ID  CHAT  UNREAD  LAST
    i1                YYYY-MM-DD hh:mm  invitation (waiting)
    bob$ tacit list
    ID  CHAT  UNREAD  LAST
    i1  Ann           YYYY-MM-DD hh:mm  joining (sent)
    bob$ tacit send @Ann 'too early'
    ! tacit: cannot send to '@Ann': the connection is not complete yet
    !   try: tacit fetch    continue
    [75]
    bob$ tacit connect "$(cat invite.txt)"
    the relay has accepted the request (i1)
    ! the contact must fetch now; then: tacit fetch
    alice$ tacit fetch
    @Bob B is connecting
    @Bob B is connected
    ! no new messages
    bob$ tacit fetch
    @Ann is connecting
    @Ann is connected
    ! no new messages
    bob$ tacit connect "$(cat invite.txt)"
    connected @Ann (i1)
''')

stage.play(r'''
    alice$ tacit send '@Bob B' 'héllo 👋'
    sent @Bob B m1
    alice$ echo 'from a pipe' | tacit send 'Bob B' -
    sent @Bob B m2
    alice$ printf 'first\nsecond\n\n' | tacit send id:c1 -
    sent @Bob B m3
    alice$ printf '\n' | tacit send id:c1 - -- --no-option
    ! tacit: 'tacit send' takes no argument '--no-option'
    !   try: tacit send TARGET 'TEXT WITH SPACES'    quote the text
    !   try: tacit send -h                           show its usage
    [64]
    alice$ tacit send id:c1 -- --text-like-an-option
    sent @Bob B m4
    bob$ tacit fetch
    YYYY-MM-DD hh:mm  @Ann  │ héllo 👋
    YYYY-MM-DD hh:mm  @Ann  │ from a pipe
    YYYY-MM-DD hh:mm  @Ann  │ first
                            │ second
                            │
    YYYY-MM-DD hh:mm  @Ann  │ --text-like-an-option
    ! 4 new messages
    bob$ tacit list
    ID  CHAT  UNREAD  LAST
    c1  @Ann       4  YYYY-MM-DD hh:mm  --text-like-an-option
    bob$ tacit list chats --json
    {"v":1,"type":"chat","id":"c1","chat":"@Ann","chat_id":"c1","name":"Ann","unread":4,"state":"connected","last_id":"m4","last_at":"YYYY-MM-DDThh:mm:ss.sssZ","last_direction":"in","last_text":"--text-like-an-option"}
    bob$ tacit list contacts
    ID  NAME  STATE      KEYS          PROFILE NAME
    c1  @Ann  connected  post-quantum  alice
    bob$ tacit list contacts --json
    {"v":1,"type":"contact","id":"c1","chat":"@Ann","chat_id":"c1","name":"Ann","state":"connected","display_name":"alice","post_quantum":true,"unread":4,"muted":false,"blocked":false,"verified":false,"created_at":"YYYY-MM-DDThh:mm:ss.sssZ","active_at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    bob$ tacit list messages --last 2
    ID     MESSAGE
    m3     YYYY-MM-DD hh:mm  @Ann  │ first
                                   │ second
                                   │
    m4     YYYY-MM-DD hh:mm  @Ann  │ --text-like-an-option
    bob$ tacit read
    YYYY-MM-DD hh:mm  @Ann  │ héllo 👋
    YYYY-MM-DD hh:mm  @Ann  │ from a pipe
    YYYY-MM-DD hh:mm  @Ann  │ first
                            │ second
                            │
    YYYY-MM-DD hh:mm  @Ann  │ --text-like-an-option
    bob$ tacit read @Ann --json --last 1
    {"v":1,"type":"message","id":"m4","chat":"@Ann","chat_id":"c1","direction":"in","created_at":"YYYY-MM-DDThh:mm:ss.sssZ","at":"YYYY-MM-DDThh:mm:ss.sssZ","kind":"text","text":"--text-like-an-option","state":"received"}
    bob$ tacit read --mark --last 1 -q
    YYYY-MM-DD hh:mm  @Ann  │ --text-like-an-option
    bob$ tacit list --json
    {"v":1,"type":"chat","id":"c1","chat":"@Ann","chat_id":"c1","name":"Ann","unread":3,"state":"connected","last_id":"m4","last_at":"YYYY-MM-DDThh:mm:ss.sssZ","last_direction":"in","last_text":"--text-like-an-option"}
    bob$ tacit read -q --mark
    YYYY-MM-DD hh:mm  @Ann  │ héllo 👋
    YYYY-MM-DD hh:mm  @Ann  │ from a pipe
    YYYY-MM-DD hh:mm  @Ann  │ first
                            │ second
                            │
    YYYY-MM-DD hh:mm  @Ann  │ --text-like-an-option
    bob$ tacit status
    store     /stage/bob
    profile   Bob B
    contacts  1
    unread    0
    outbox    0
    relay     127.0.0.1:PORT
    writer    none
    bob$ tacit status --json
    {"v":1,"type":"status","store":"/stage/bob","profile":"Bob B","profile_id":"p1","profiles":1,"contacts":1,"unread":0,"outbox":0,"files":0,"files_size":0,"servers":["smp://FINGERPRINT@127.0.0.1:PORT"],"encrypted":true,"problems":[]}
    bob$ tacit send @Ann 'good to hear from you' --json
    {"v":1,"type":"send","id":"m5","chat":"@Ann","chat_id":"c1","state":"sent","created_at":"YYYY-MM-DDThh:mm:ss.sssZ","at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    alice$ tacit fetch --json
    {"v":1,"type":"message","id":"m5","chat":"@Bob B","chat_id":"c1","direction":"in","created_at":"YYYY-MM-DDThh:mm:ss.sssZ","at":"YYYY-MM-DDThh:mm:ss.sssZ","kind":"text","text":"good to hear from you","state":"received"}
    {"v":1,"type":"fetch","received":1,"sent":0,"waiting":0,"complete":true}
    alice$ tacit fetch --json
    {"v":1,"type":"fetch","received":0,"sent":0,"waiting":0,"complete":true}
    alice$ tacit list messages -n 2
    ID     MESSAGE
    m4     YYYY-MM-DD hh:mm  to @Bob B  │ --text-like-an-option
    m5     YYYY-MM-DD hh:mm  @Bob B  │ good to hear from you
''')

# Somebody may be called by another name, and two may have the same.
stage.values["link"] = stage.tacit("alice", "connect", "--as", "My friend").out.strip()
stage.play(r'''
    alice$ tacit list
    ID  CHAT       UNREAD  LAST
    c1  @Bob B          1  YYYY-MM-DD hh:mm  good to hear from you
    i2  My friend          YYYY-MM-DD hh:mm  invitation (waiting)
    alice$ tacit list --last 1
    ID  CHAT    UNREAD  LAST
    c1  @Bob B       1  YYYY-MM-DD hh:mm  good to hear from you
    alice$ tacit list --last 1 --json
    {"v":1,"type":"chat","id":"c1","chat":"@Bob B","chat_id":"c1","name":"Bob B","unread":1,"state":"connected","last_id":"m5","last_at":"YYYY-MM-DDThh:mm:ss.sssZ","last_direction":"in","last_text":"good to hear from you"}
    bob$ tacit connect "$link" --as Ann --wait queued
    the request is stored (i2)
    bob$ tacit fetch
    ! no new messages
    alice$ tacit fetch
    @My friend is connecting
    @My friend is connected
    ! no new messages
    bob$ tacit fetch
    @Ann_1 is connecting
    @Ann_1 is connected
    ! no new messages
    alice$ tacit list contacts
    ID  NAME        STATE      KEYS          PROFILE NAME
    c1  @Bob B      connected  post-quantum  Bob B
    c2  @My friend  connected  post-quantum  Bob B
    alice$ tacit list contacts --last 1 --plain
    c1	Bob B	connected	
    bob$ tacit list contacts --plain
    c1	Ann	connected	
    c2	Ann_1	connected	
    bob$ tacit send @Ann_1 'to the friend'
    sent @Ann_1 m6
    alice$ tacit fetch
    YYYY-MM-DD hh:mm  @My friend  │ to the friend
    ! 1 new message
    bob$ tacit connect --wait queued -q
    LINK
    bob$ tacit connect --dry-run
    ! an invitation would be created
''')
