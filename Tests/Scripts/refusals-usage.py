"""Command lines that are refused, and what may have been meant."""

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
stage.person("bob", relay)
stage.person("carol", relay)
stage.connect("carol", "bob")
stage.tacit("bob", "connect")

# The command line.
stage.play(r'''
    bob$ tacit sned @carol hi
    ! tacit: 'tacit' has no command 'sned'
    !   try: tacit send    did you mean this?
    !   try: tacit -h      list its commands
    [64]
    bob$ tacit sned @carol hi --json
    ! {"v":1,"type":"error","code":"usage.command","exit":64,"message":"'tacit' has no command 'sned'","try":["tacit send","tacit -h"]}
    [64]
    bob$ tacit --colour never status
    ! tacit: 'tacit' has no option '--colour'
    !   try: tacit --color    did you mean this?
    !   try: tacit -h         list its commands
    [64]
    bob$ TACIT_FORMAT=json tacit frobnicate
    ! {"v":1,"type":"error","code":"usage.command","exit":64,"message":"'tacit' has no command 'frobnicate'","try":["tacit -h"]}
    [64]
    bob$ tacit list contcats
    ! tacit: WHAT cannot be 'contcats'
    !   why: expected chats, contacts, groups, messages, requests, invitations, files, outbox, profiles or
    !        servers
    !   try: contacts    did you mean this?
    [64]
    bob$ tacit list groups
    bob$ tacit list files
    bob$ tacit send @carol hi --wiat queued
    ! tacit: 'tacit send' has no option '--wiat'
    !   try: tacit send --wait    did you mean this?
    !   try: tacit send -h        show its usage
    [64]
    bob$ tacit send @carol hi --frobnicate
    ! tacit: 'tacit send' has no option '--frobnicate'
    !   try: tacit send TARGET -- --frobnicate    if it is not an option
    !   try: tacit send -h                        show its usage
    [64]
    bob$ tacit send @carol -x
    ! tacit: 'tacit send' has no option '-x'
    !   try: tacit send TARGET -- -x    if it is not an option
    !   try: tacit send -h              show its usage
    [64]
    bob$ tacit send @carol hi --wait read
    ! tacit: the value of '--wait' cannot be 'read'; expected queued, sent or delivered
    [64]
    bob$ tacit send @carol hi --timeout soon
    ! tacit: the value of '--timeout' cannot be 'soon'; expected a duration such as 500ms, 30s or 10m
    [64]
    bob$ tacit send @carol hi --timeout
    ! tacit: option '--timeout' needs a value; expected a duration such as 500ms, 30s or 10m
    !   try: tacit send -h    show its usage
    [64]
    bob$ tacit send @carol hi there
    ! tacit: 'tacit send' takes no argument 'there'
    !   try: tacit send TARGET 'TEXT WITH SPACES'    quote the text
    !   try: tacit send -h                           show its usage
    [64]
    bob$ tacit list --json=yes
    ! tacit: option '--json' takes no value
    !   try: tacit list -h    show its usage
    [64]
    bob$ tacit list --last 0
    ! tacit: the value of '--last' cannot be '0'; expected a number 1 to 1000000
    [64]
    bob$ tacit list --fields name
    carol

    bob$ tacit list --plain --fields name,unraed
    ! tacit: 'tacit list' has no field 'unraed'
    !   why: fields: id, name, unread, state, last_at, last_text, v, type, chat, chat_id, mentions,
    !        last_id, last_direction, last_member, role, created_at
    !   try: --fields unread    did you mean this?
    [64]
    bob$ tacit list --plain --fields name,unraed --json
    {"v":1,"type":"chat","id":"c1","chat":"@carol","chat_id":"c1","name":"carol","unread":0,"state":"connected"}
    {"v":1,"type":"chat","id":"i2","name":"","unread":0,"state":"waiting","role":"inviting","created_at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    bob$ tacit list --plain --fields ''
    ! tacit: 'tacit list' has no field ''
    !   why: fields: id, name, unread, state, last_at, last_text, v, type, chat, chat_id, mentions,
    !        last_id, last_direction, last_member, role, created_at
    [64]
    bob$ tacit status --format-version 2
    ! tacit: unsupported format version 2
    !   why: the supported version is 1
    !   try: --format-version 1
    [64]
    bob$ tacit status --format-version 2 --json
    ! {"v":1,"type":"error","code":"format.unsupported","exit":64,"message":"unsupported format version 2","why":"the supported version is 1","try":["--format-version 1"]}
    [64]
    bob$ tacit status --output yaml
    ! tacit: the value of '--output' cannot be 'yaml'; expected text, plain or json
    [64]
    bob$ TACIT_FORMAT=yaml tacit status
    ! tacit: the variable TACIT_FORMAT cannot be 'yaml'; expected text, plain or json
    [78]
    bob$ TACIT_SEND_WAIT=never tacit send @carol hi
    ! tacit: the variable TACIT_SEND_WAIT cannot be 'never'; expected queued, sent or delivered
    [78]
    bob$ tacit profile frob
    ! tacit: 'tacit profile' has no command 'frob'
    !   try: tacit profile -h    list its commands
    [64]
    bob$ tacit relay
    ! tacit: 'tacit relay' needs one of: init, start, status, address, cert, backup, block, unblock, delete
    !   try: tacit relay -h    list its commands
    [64]
    bob$ tacit help frobnicate
    ! tacit: there is no help on 'frobnicate'
    !   try: tacit --help    list commands and topics
    [64]
    bob$ tacit help exit-code
    ! tacit: there is no help on 'exit-code'
    !   try: tacit help exit-codes    did you mean this?
    !   try: tacit --help             list commands and topics
    [64]
    bob$ tacit --frob
    ! tacit: 'tacit' has no option '--frob'
    !   try: tacit -h    list its commands
    [64]
    bob$ tacit --wait sent send @carol hi
    ! tacit: option '--wait' must follow the command
    !   try: tacit -h    list its commands
    [64]
    bob$ tacit send @carol "$(printf 'gr\374n')"
    ! tacit: cannot read the command line: argument 3 is not UTF-8
    [64]
    bob$ TACIT_DIR="$(printf 'd\344')" tacit status --json
    ! {"v":1,"type":"error","code":"usage.encoding","exit":64,"message":"cannot read the command line: TACIT_DIR is not UTF-8","try":[]}
    [64]
    bob$ OTHER="$(printf 'd\344')" tacit version --plain --fields version | wc -l
    1
''')
