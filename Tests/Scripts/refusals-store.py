"""What is refused as long as there is no store, no profile or no relay."""

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
stage.values["relay"] = relay.address

# Before there is a store.
stage.play(r'''
    alice$ tacit
    ! Private messaging from the command line
    ! 
    ! Usage: tacit [OPTIONS] COMMAND
    ! 
    ! Daily commands:
    !   init     Create a store and a first profile
    !   status   Show the active profile, unread messages and the outbox
    !   connect  Create a one-time invitation, or join with a link
    !   accept   Accept contact requests
    !   reject   Reject contact requests without telling the sender
    !   send     Send a message
    !   fetch    Receive new messages and send queued ones
    !   read     Show stored messages
    !   watch    Receive continuously and print events
    !   list     List chats, contacts, groups, messages and more
    !   open     Open a link or a chat
    !   repl     Start an interactive session
    ! 
    ! Manage: contact, group, channel, message, outbox, cursor, file, profile,
    !   address, invitation, server, net, config, hook, passcode, call
    ! Move and back up: export, import, migrate, db
    ! Serve and integrate: daemon, notify-mode, relay, channel-relay, api, rpc, schema
    ! Other: lock, unlock, completion, doctor, demo, help, version
    ! Read more: tacit --help, tacit help TOPIC
    [64]
    alice$ tacit list
    ! tacit: cannot list chats: the store does not exist
    !   why: there are no store files in /stage/alice
    !   try: tacit init --name NAME --server smp://...    create a store
    !   try: TACIT_DIR=/some/folder tacit ...             use a store in another folder
    [78]
    alice$ tacit send @bob hi --json
    ! {"v":1,"type":"error","code":"store.missing","exit":78,"message":"cannot send to '@bob': the store does not exist","why":"there are no store files in /stage/alice","try":["tacit init --name NAME --server smp://...","TACIT_DIR=/some/folder tacit ..."]}
    [78]
    alice$ tacit fetch
    ! tacit: cannot fetch: the store does not exist
    !   why: there are no store files in /stage/alice
    !   try: tacit init --name NAME --server smp://...    create a store
    !   try: TACIT_DIR=/some/folder tacit ...             use a store in another folder
    [78]
    alice$ tacit connect
    ! tacit: cannot create an invitation: the store does not exist
    !   why: there are no store files in /stage/alice
    !   try: tacit init --name NAME --server smp://...    create a store
    !   try: TACIT_DIR=/some/folder tacit ...             use a store in another folder
    [78]
    alice$ tacit profile create alice
    ! tacit: cannot create the profile 'alice': the store does not exist
    !   why: there are no store files in /stage/alice
    !   try: tacit init --name NAME --server smp://...    create a store
    !   try: TACIT_DIR=/some/folder tacit ...             use a store in another folder
    [78]
    alice$ env -u TACIT_DIR HOME=relative tacit status
    ! tacit: cannot locate the store: HOME is not an absolute path
    !   try: TACIT_DIR=/some/folder tacit status    use one folder for all files
    [78]
    alice$ env -u TACIT_DIR HOME=relative tacit status --json
    ! {"v":1,"type":"error","code":"config.home","exit":78,"message":"cannot locate the store: HOME is not an absolute path","try":["TACIT_DIR=/some/folder tacit status"]}
    [78]
    alice$ env -u TACIT_DIR HOME=relative tacit init
    ! tacit: cannot locate the store: HOME is not an absolute path
    !   try: TACIT_DIR=/some/folder tacit init    use one folder for all files
    [78]
    alice$ TACIT_DIR=relative tacit status
    ! tacit: cannot show the status: the store does not exist
    !   why: there are no store files in relative
    !   try: tacit init --name NAME --server smp://...    create a store
    !   try: TACIT_DIR=/some/folder tacit ...             use a store in another folder
    [78]
''')

# Making one.
stage.play(r'''
    alice$ tacit init --name "it's me" --server "$relay"
    ! tacit: cannot create a store: invalid name 'it\'s me'
    !   why: a name has 1 to 50 characters; no leading mark, no two marks or spaces together
    !        none of . , ; / \ # @ ~, no apostrophe, no quotation mark
    !   try: 'its me'    a valid name
    [64]
    alice$ tacit init --server relay.example
    ! tacit: the value of '--server' cannot be 'relay.examp…'; expected smp://FINGERPRINT@HOST[:PORT] or xftp://...
    [64]
    alice$ tacit init --no-encryption --new-key-file key
    ! tacit: '--new-key-file' and '--no-encryption' cannot be combined
    [64]
    alice$ touch key; tacit init --new-key-file key
    ! tacit: cannot create a store: the key file exists already
    !   why: path: key
    [73]
    alice$ tacit init --new-key-file /proc/missing/key
    ! tacit: cannot create a store: cannot write the key
    !   why: '/proc/missing/key': no such file or directory
    [73]
    alice$ TACIT_DIR=/proc/tacit tacit init
    ! tacit: cannot create a store: cannot create its folder
    !   why: '/proc/tacit': no such file or directory
    [73]
    alice$ ls alice
    lock
    alice$ tacit init --new-key-file keys/own.key
    created a store in /stage/alice
    ! the key is in keys/own.key; without it the store cannot be read
    ! next: tacit profile create NAME
''')

stage.values["TACIT_KEY_FILE"] = "keys/own.key"
stage.play(r'''
    alice$ wc -c < keys/own.key; stat -c %a keys keys/own.key alice
    45
    700
    600
    700
    alice$ tacit init --name alice
    ! tacit: cannot create a store: it exists already
    !   why: it is in /stage/alice
    !   try: tacit status    show the existing store
    !   try: tacit init --if-missing
    [73]
    alice$ tacit init --json
    ! {"v":1,"type":"error","code":"store.exists","exit":73,"message":"cannot create a store: it exists already","why":"it is in /stage/alice","try":["tacit status","tacit init --if-missing"]}
    [73]
    alice$ tacit status
    store     /stage/alice
    profile   none: tacit profile create NAME
    contacts  0
    unread    0
    outbox    0
    relay     none
    writer    none
    alice$ tacit status --check -q
    [1]
    alice$ tacit connect
    ! tacit: cannot create an invitation: there is no profile
    !   try: tacit profile create NAME    create one
    [78]
    alice$ tacit send @bob hi
    ! tacit: cannot send to '@bob': there is no profile
    !   try: tacit profile create NAME    create one
    [78]
    alice$ tacit list
    ! tacit: cannot list chats: there is no profile
    !   try: tacit profile create NAME    create one
    [78]
    alice$ tacit profile show
    ! tacit: cannot show the profile: there is no profile
    !   try: tacit profile create NAME    create one
    [78]
    alice$ tacit profile create alice
    created and active: alice (p1)
    alice$ tacit connect
    ! tacit: cannot create an invitation: the profile has no relay
    !   why: the list is empty, or all relays are disabled
    !   try: tacit server add smp://FINGERPRINT@HOST        add a relay that you trust
    !   try: tacit init --if-missing --accept-conditions    use the public relays
    !   try: tacit server list                              show the list of relays
    [78]
    alice$ tacit status --check
    store     /stage/alice
    profile   alice
    contacts  0
    unread    0
    outbox    0
    relay     none
    writer    none
    [1]
''')
