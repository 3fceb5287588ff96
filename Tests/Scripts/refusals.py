"""What is refused, with the code that scripts branch on and the words that people read."""

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
stage.values["relay"] = relay.address

# Before there is a store.
stage.play(r'''
    alice$ tacit
    ! Talk in private from the command line
    ! 
    ! Usage: tacit [OPTIONS] COMMAND
    ! 
    ! Daily commands:
    !   init     Make a store
    !   status   Show the profile, what waits, and who uses the store
    !   connect  Invite somebody, or join with a link
    !   send     Send a message
    !   fetch    Receive what waits at the relays, and send what waits in the outbox
    !   read     Show messages of the store
    !   list     List chats, contacts, messages or profiles
    !   demo     Let two profiles talk through a relay of their own, in a temporary
    !            folder
    ! 
    ! Things: profile, relay
    ! More: api, help, version
    ! 
    ! Read more: tacit --help, tacit help TOPIC
    [64]
    alice$ tacit list
    ! tacit: cannot list chats: there is no store yet
    !   why: nothing is in /stage/alice
    !   try: tacit init --name NAME --server smp://...    make one
    !   try: TACIT_DIR=/some/folder tacit ...             use one that is elsewhere
    [78]
    alice$ tacit send @bob hi --json
    ! {"v":1,"type":"error","code":"store.missing","exit":78,"message":"cannot send to '@bob': there is no store yet","why":"nothing is in /stage/alice","try":["tacit init --name NAME --server smp://...","TACIT_DIR=/some/folder tacit ..."]}
    [78]
    alice$ tacit fetch
    ! tacit: cannot fetch: there is no store yet
    !   why: nothing is in /stage/alice
    !   try: tacit init --name NAME --server smp://...    make one
    !   try: TACIT_DIR=/some/folder tacit ...             use one that is elsewhere
    [78]
    alice$ tacit connect
    ! tacit: cannot make an invitation: there is no store yet
    !   why: nothing is in /stage/alice
    !   try: tacit init --name NAME --server smp://...    make one
    !   try: TACIT_DIR=/some/folder tacit ...             use one that is elsewhere
    [78]
    alice$ tacit profile create alice
    ! tacit: cannot make the profile 'alice': there is no store yet
    !   why: nothing is in /stage/alice
    !   try: tacit init --name NAME --server smp://...    make one
    !   try: TACIT_DIR=/some/folder tacit ...             use one that is elsewhere
    [78]
    alice$ env -u TACIT_DIR -u HOME tacit status
    ! tacit: cannot find a place for the store: HOME is not set
    !   try: TACIT_DIR=/some/folder tacit status    one folder for everything
    [78]
    alice$ env -u TACIT_DIR -u HOME tacit status --json
    ! {"v":1,"type":"error","code":"config.home","exit":78,"message":"cannot find a place for the store: HOME is not set","try":["TACIT_DIR=/some/folder tacit status"]}
    [78]
    alice$ env -u TACIT_DIR HOME= tacit init
    ! tacit: cannot find a place for the store: HOME is not set
    !   try: TACIT_DIR=/some/folder tacit init    one folder for everything
    [78]
    alice$ TACIT_DIR=relative tacit status
    ! tacit: cannot show the status: there is no store yet
    !   why: nothing is in relative
    !   try: tacit init --name NAME --server smp://...    make one
    !   try: TACIT_DIR=/some/folder tacit ...             use one that is elsewhere
    [78]
''')

# Making one.
stage.play(r'''
    alice$ tacit init --name "it's me" --server "$relay"
    ! tacit: cannot make a store: 'it\'s me' cannot be a name
    !   why: a name has 1 to 50 characters, starts with a letter or number and has no apostrophe
    !   try: 'its me'    this would be one
    [64]
    alice$ tacit init --server relay.example
    ! tacit: the value of '--server' cannot be 'relay.example'; expected smp://FINGERPRINT@HOST[:PORT]
    [64]
    alice$ tacit init --no-encryption --new-key-file key
    ! tacit: '--new-key-file' and '--no-encryption' exclude each other
    [64]
    alice$ touch key; tacit init --new-key-file key
    ! tacit: cannot make a store: the key file exists already
    !   why: it is key
    [73]
    alice$ tacit init --new-key-file missing/key
    ! tacit: cannot make a store: its key cannot be written
    !   why: 'missing/key': no such file or directory
    [73]
    alice$ TACIT_DIR=/proc/tacit tacit init
    ! tacit: cannot make a store: its folder cannot be made
    !   why: '/proc/tacit': no such file or directory
    [73]
    alice$ test -e alice || echo 'nothing was made'
    nothing was made
    alice$ tacit init --new-key-file own.key
    made a store in /stage/alice
    ! tacit: warning: this version does not encrypt the store yet; keep its key for later: own.key
    ! next: tacit profile create NAME
    alice$ wc -c < own.key; stat -c %a own.key alice
    45
    600
    700
    alice$ tacit init --name alice
    ! tacit: cannot make a store: there is one already
    !   why: it is in /stage/alice
    !   try: tacit status    what is in it
    !   try: tacit init --if-missing
    [73]
    alice$ tacit init --json
    ! {"v":1,"type":"error","code":"store.exists","exit":73,"message":"cannot make a store: there is one already","why":"it is in /stage/alice","try":["tacit status","tacit init --if-missing"]}
    [73]
    alice$ tacit status
    store     /stage/alice
    profile   none: tacit profile create NAME
    contacts  0
    unread    0
    outbox    0
    relay     none
    writer    nobody
    alice$ tacit status --check -q
    [1]
    alice$ tacit connect
    ! tacit: cannot make an invitation: there is no profile yet
    !   try: tacit profile create NAME    make one
    [78]
    alice$ tacit send @bob hi
    ! tacit: cannot send to '@bob': there is no profile yet
    !   try: tacit profile create NAME    make one
    [78]
    alice$ tacit list
    ! tacit: cannot list chats: there is no profile yet
    !   try: tacit profile create NAME    make one
    [78]
    alice$ tacit profile show
    ! tacit: cannot show the profile: there is no profile yet
    !   try: tacit profile create NAME    make one
    [78]
    alice$ tacit profile create alice
    made, and now acting as alice (p1)
    alice$ tacit connect
    ! tacit: cannot make an invitation: the profile has no relay
    !   try: tacit api '/_servers 1 smp://FINGERPRINT@HOST'    give it one; 1 is its number
    [78]
    alice$ tacit status --check
    store     /stage/alice
    profile   alice
    contacts  0
    unread    0
    outbox    0
    relay     none
    writer    nobody
    [1]
''')

stage.person("bob", relay)
stage.person("carol", relay)
stage.connect("carol", "bob")
stage.values["link"] = stage.tacit("bob", "connect").out.strip()

# Links.
stage.play(r'''
    bob$ tacit connect hello
    ! tacit: cannot connect: this is no link, or not all of one
    !   why: a link begins with simplex:/ or https:// and must be quoted for the shell
    !   try: tacit connect 'LINK'
    [65]
    bob$ tacit connect hello --json
    ! {"v":1,"type":"error","code":"link.invalid","exit":65,"message":"cannot connect: this is no link, or not all of one","why":"a link begins with simplex:/ or https:// and must be quoted for the shell","try":["tacit connect 'LINK'"]}
    [65]
    bob$ tacit connect hello --dry-run
    ! tacit: cannot connect: this is no link, or not all of one
    !   why: a link begins with simplex:/ or https:// and must be quoted for the shell
    !   try: tacit connect 'LINK'
    [65]
    bob$ tacit connect ''
    ! tacit: cannot connect: this is no link, or not all of one
    !   why: a link begins with simplex:/ or https:// and must be quoted for the shell
    !   try: tacit connect 'LINK'
    [65]
    bob$ tacit connect 'simplex:/invitation#/?v=2-7'
    ! tacit: cannot connect: this is no link, or not all of one
    !   why: a link begins with simplex:/ or https:// and must be quoted for the shell
    !   try: tacit connect 'LINK'
    [65]
    bob$ tacit connect "$link"
    ! tacit: cannot connect: this is your own invitation
    !   why: it is for somebody else, or for another store
    [65]
    bob$ tacit connect "$link" --json
    ! {"v":1,"type":"error","code":"link.own","exit":65,"message":"cannot connect: this is your own invitation","why":"it is for somebody else, or for another store","try":[]}
    [65]
    bob$ tacit connect "$link" --as "it's me"
    ! tacit: cannot connect: 'it\'s me' cannot be a name
    !   why: a name has 1 to 50 characters, starts with a letter or number and has no apostrophe
    !   try: 'its me'    this would be one
    [64]
    bob$ tacit connect --as ''
    ! tacit: cannot make an invitation: '' cannot be a name
    !   why: a name has 1 to 50 characters, starts with a letter or number and has no apostrophe
    [64]
    bob$ tacit connect 'https://simplex.chat/contact#/?v=2-7&smp=smp%3A%2F%2FAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%3D%40smp.example%2FAAAA%23%2F%3Fv%3D1-4%26dh%3DMCowBQYDK2VuAyEAC6DEYJh7areOv_bXgG0Aog25axg6Z5wxKXITweq7S2Q%253D'
    ! tacit: cannot connect: links of this kind are not supported yet
    !   why: only one-time invitations can be joined
    [69]
''')

# Targets.
stage.play(r'''
    bob$ tacit send @carl hi
    ! tacit: cannot send to '@carl': there is no contact 'carl'
    !   try: @carol                 did you mean this?
    !   try: tacit list contacts    all that there are
    [67]
    bob$ tacit send @carl hi --json
    ! {"v":1,"type":"error","code":"contact.unknown","exit":67,"message":"cannot send to '@carl': there is no contact 'carl'","try":["@carol","tacit list contacts"]}
    [67]
    bob$ tacit read carl
    ! tacit: cannot read 'carl': there is no contact 'carl'
    !   try: @carol                 did you mean this?
    !   try: tacit list contacts    all that there are
    [67]
    bob$ tacit read id:c7
    ! tacit: cannot read 'id:c7': there is no such contact
    !   try: tacit list contacts    all that there are
    [67]
    bob$ tacit read id:m1
    ! tacit: TARGET cannot be 'id:m1'; expected @name, a name, or id:c1
    [64]
    bob$ tacit send +team hi
    ! tacit: cannot send to '+team': 'team' is a group, and groups are not supported yet
    !   try: @team    if it is a contact
    [67]
    bob$ tacit send '#team' hi --json
    ! {"v":1,"type":"error","code":"target.unsupported","exit":67,"message":"cannot send to '+team': 'team' is a group, and groups are not supported yet","try":["@team"]}
    [67]
    bob$ tacit send @ hi
    ! tacit: TARGET cannot be '@'; expected @name, a name, or id:c1
    [64]
    bob$ tacit send @carol hi --to @nobody
    ! tacit: cannot send to '@nobody': there is no contact 'nobody'
    !   try: tacit list contacts    all that there are
    [67]
    bob$ tacit send @nobody --to @carol hi --json
    ! {"v":1,"type":"error","code":"contact.unknown","exit":67,"message":"cannot send to '@nobody': there is no contact 'nobody'","try":["tacit list contacts"]}
    [67]
''')

# Texts.
stage.play(r'''
    bob$ tacit send @carol
    ! tacit: cannot send to '@carol': there is no text
    !   try: tacit send TARGET 'some words'
    !   try: some-program | tacit send TARGET -    from standard input
    [64]
    bob$ tacit send @carol ''
    ! tacit: cannot send to '@carol': the text is empty
    !   try: tacit send TARGET 'some words'
    !   try: some-program | tacit send TARGET -    from standard input
    [64]
    bob$ tacit send @carol '' --json
    ! {"v":1,"type":"error","code":"message.empty","exit":64,"message":"cannot send to '@carol': the text is empty","try":["tacit send TARGET 'some words'","some-program | tacit send TARGET -"]}
    [64]
    bob$ tacit send @carol - </dev/null
    ! tacit: cannot send to '@carol': the text is empty
    !   try: tacit send TARGET 'some words'
    !   try: some-program | tacit send TARGET -    from standard input
    [64]
    bob$ printf '\377' | tacit send @carol -
    ! tacit: cannot send to '@carol': the text on standard input is not UTF-8
    [65]
    bob$ head -c 1048577 /dev/zero | tr '\0' x | tacit send @carol -
    ! tacit: cannot send to '@carol': the message is too large
    !   why: standard input has more than 1048576 bytes
    [65]
''')

# The command line.
stage.play(r'''
    bob$ tacit sned @carol hi
    ! tacit: 'tacit' has no command 'sned'
    !   try: tacit send    did you mean this?
    !   try: tacit -h      what there is
    [64]
    bob$ tacit sned @carol hi --json
    ! {"v":1,"type":"error","code":"usage.command","exit":64,"message":"'tacit' has no command 'sned'","try":["tacit send","tacit -h"]}
    [64]
    bob$ TACIT_FORMAT=json tacit frobnicate
    ! {"v":1,"type":"error","code":"usage.command","exit":64,"message":"'tacit' has no command 'frobnicate'","try":["tacit -h"]}
    [64]
    bob$ tacit list contcats
    ! tacit: WHAT cannot be 'contcats'; expected chats, contacts, messages or profiles
    !   try: contacts    did you mean this?
    [64]
    bob$ tacit list groups
    ! tacit: WHAT cannot be 'groups'; expected chats, contacts, messages or profiles
    [64]
    bob$ tacit send @carol hi --wiat queued
    ! tacit: 'tacit send' has no option '--wiat'
    !   try: tacit send --wait    did you mean this?
    !   try: tacit send -h        how it is used
    [64]
    bob$ tacit send @carol hi --frobnicate
    ! tacit: 'tacit send' has no option '--frobnicate'
    !   try: tacit send -h    how it is used
    [64]
    bob$ tacit send @carol -x
    ! tacit: 'tacit send' has no option '-x'
    !   try: tacit send -- -x    if it is not an option
    !   try: tacit send -h       how it is used
    [64]
    bob$ tacit send @carol hi --wait delivered
    ! tacit: the value of '--wait' cannot be 'delivered'; expected queued or sent
    [64]
    bob$ tacit send @carol hi --timeout soon
    ! tacit: the value of '--timeout' cannot be 'soon'; expected a duration such as 500ms, 30s or 10m
    [64]
    bob$ tacit send @carol hi --timeout
    ! tacit: option '--timeout' needs a value; expected a duration such as 500ms, 30s or 10m
    !   try: tacit send -h    how it is used
    [64]
    bob$ tacit send @carol hi there
    ! tacit: 'tacit send' has no use for the argument 'there'
    !   try: tacit send -h    how it is used
    [64]
    bob$ tacit list --json=yes
    ! tacit: option '--json' takes no value
    !   try: tacit list -h    how it is used
    [64]
    bob$ tacit list --last 0
    ! tacit: the value of '--last' cannot be '0'; expected a number 1 to 1000000
    [64]
    bob$ tacit list --fields name
    carol

    bob$ tacit list --plain --fields name,unraed
    ! tacit: 'tacit list' has no field 'unraed'
    !   why: the fields are id, name, unread, state, last_at, last_text, v, type, last_direction, last_id,
    !        created_at
    !   try: --fields unread    did you mean this?
    [64]
    bob$ tacit list --plain --fields name,unraed --json
    {"v":1,"type":"chat","id":"c1","name":"carol","unread":0,"state":"connected"}
    {"v":1,"type":"connection","id":"i2","unread":0,"state":"waiting","created_at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    bob$ tacit list --plain --fields ''
    ! tacit: 'tacit list' has no field ''
    !   why: the fields are id, name, unread, state, last_at, last_text, v, type, last_direction, last_id,
    !        created_at
    [64]
    bob$ tacit status --format-version 2
    ! tacit: this program does not print version 2 of its formats
    !   why: it prints version 1
    !   try: --format-version 1
    [64]
    bob$ tacit status --format-version 2 --json
    ! {"v":1,"type":"error","code":"format.unsupported","exit":64,"message":"this program does not print version 2 of its formats","why":"it prints version 1","try":["--format-version 1"]}
    [64]
    bob$ tacit status --format yaml
    ! tacit: the value of '--format' cannot be 'yaml'; expected text, plain or json
    [64]
    bob$ TACIT_FORMAT=yaml tacit status
    ! tacit: the variable TACIT_FORMAT cannot be 'yaml'; expected text, plain or json
    [78]
    bob$ TACIT_SEND_WAIT=never tacit send @carol hi
    ! tacit: the variable TACIT_SEND_WAIT cannot be 'never'; expected queued or sent
    [78]
    bob$ tacit profile frob
    ! tacit: 'tacit profile' has no command 'frob'
    !   try: tacit profile -h    what there is
    [64]
    bob$ tacit relay
    ! tacit: 'tacit relay' needs one of: init, start
    !   try: tacit relay -h    what there is
    [64]
    bob$ tacit help frobnicate
    ! tacit: there is no help about 'frobnicate'
    !   try: tacit --help    all commands and topics
    [64]
    bob$ tacit help exit-code
    ! tacit: there is no help about 'exit-code'
    !   try: tacit help exit-codes    did you mean this?
    !   try: tacit --help             all commands and topics
    [64]
    bob$ tacit --frob
    ! tacit: 'tacit' has no option '--frob'
    !   try: tacit -h    what there is
    [64]
    bob$ tacit --wait sent send @carol hi
    ! tacit: option '--wait' must follow its command
    !   try: tacit -h    what there is
    [64]
''')

# Relays.
stage.play(r'''
    bob$ tacit relay init new
    ! tacit: cannot make a relay in 'new': it needs a name or an address
    !   try: tacit relay init new --host HOST
    [64]
    bob$ tacit relay init relay --host 127.0.0.1
    ! tacit: cannot make a relay in 'relay': the folder holds a relay already
    !   try: tacit relay start DIR    start it
    [73]
    bob$ tacit relay start nowhere
    ! tacit: cannot start the relay in 'nowhere': the folder holds no relay
    !   try: tacit relay init DIR --host HOST    make one
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
    ! tacit: cannot make a relay in 'new': the password cannot be read
    !   why: 'nothing': no such file or directory
    [66]
    bob$ echo > empty; tacit relay init new --host 127.0.0.1 --password-file empty
    ! tacit: cannot make a relay in 'new': the file 'empty' does not begin with a password
    [65]
    bob$ cp -r relay copy; rm -f copy/lock; tacit relay start copy
    ! tacit: cannot start the relay in 'copy': address already in use
    !   why: the port may be in use, or may need privileges
    [69]
    bob$ echo nonsense >> copy/relay.conf; tacit relay start copy
    ! tacit: cannot start the relay in 'copy': relay.conf is not valid
    !   why: line 20 is not understood
    [78]
''')
