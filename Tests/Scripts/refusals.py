"""Links, targets and texts that are refused, with the code that scripts branch on and the words that people read."""

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
stage.person("bob", relay)
stage.person("carol", relay)
stage.connect("carol", "bob")
stage.values["link"] = stage.tacit("bob", "connect").out.strip()

# Links.
stage.play(r'''
    bob$ tacit connect hello
    ! tacit: cannot connect: invalid or incomplete link
    !   why: a link begins with simplex:/ or https:// and must be quoted for the shell
    !   try: tacit connect 'LINK'
    [65]
    bob$ tacit connect hello --json
    ! {"v":1,"type":"error","code":"link.invalid","exit":65,"message":"cannot connect: invalid or incomplete link","why":"a link begins with simplex:/ or https:// and must be quoted for the shell","try":["tacit connect 'LINK'"]}
    [65]
    bob$ tacit connect hello --dry-run
    ! tacit: cannot connect: invalid or incomplete link
    !   why: a link begins with simplex:/ or https:// and must be quoted for the shell
    !   try: tacit connect 'LINK'
    [65]
    bob$ tacit connect ''
    ! tacit: cannot connect: invalid or incomplete link
    !   why: a link begins with simplex:/ or https:// and must be quoted for the shell
    !   try: tacit connect 'LINK'
    [65]
    bob$ tacit connect 'simplex:/invitation#/?v=2-7'
    ! tacit: cannot connect: invalid or incomplete link
    !   why: a link begins with simplex:/ or https:// and must be quoted for the shell
    !   try: tacit connect 'LINK'
    [65]
    bob$ tacit connect "$link"
    ! tacit: cannot connect: this is your own link
    !   why: it is for another person or another store
    [65]
    bob$ tacit connect "$link" --json
    ! {"v":1,"type":"error","code":"link.own","exit":65,"message":"cannot connect: this is your own link","why":"it is for another person or another store","try":[]}
    [65]
    bob$ tacit connect "$link" --as "it's me"
    ! tacit: cannot connect: invalid name 'it\'s me'
    !   why: a name has 1 to 50 characters; no leading mark, no two marks or spaces together
    !        none of . , ; / \ # @ ~, no apostrophe, no quotation mark
    !   try: 'its me'    a valid name
    [64]
    bob$ tacit connect --as ''
    ! tacit: cannot create an invitation: invalid name ''
    !   why: a name has 1 to 50 characters; no leading mark, no two marks or spaces together
    !        none of . , ; / \ # @ ~, no apostrophe, no quotation mark
    [64]
    bob$ tacit connect 'https://simplex.chat/contact#/?v=2-7&smp=smp%3A%2F%2FAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%3D%40smp.example%2FAAAA%23%2F%3Fv%3D1-4%26dh%3DMCowBQYDK2VuAyEAC6DEYJh7areOv_bXgG0Aog25axg6Z5wxKXITweq7S2Q%253D&data=%7B%22type%22%3A%22group%22%2C%22groupLinkId%22%3A%22AAAA%22%7D'
    the request is stored (i3)
    ! tacit: cannot connect: the relay is unreachable
    !   why: the relay in between cannot reach it
    !        the request is stored; the next fetch continues it
    !   try: tacit fetch    continue
    [75]
''')

# Targets.
stage.play(r'''
    bob$ tacit send @carl hi
    ! tacit: cannot send to '@carl': unknown contact 'carl'
    !   try: @carol                 did you mean this?
    !   try: tacit list contacts    show the list
    [67]
    bob$ tacit send @carl hi --json
    ! {"v":1,"type":"error","code":"contact.unknown","exit":67,"message":"cannot send to '@carl': unknown contact 'carl'","try":["@carol","tacit list contacts"]}
    [67]
    bob$ tacit read carl
    ! tacit: cannot read 'carl': unknown contact 'carl'
    !   try: @carol                 did you mean this?
    !   try: tacit list contacts    show the list
    [67]
    bob$ tacit read id:c7
    ! tacit: cannot read 'id:c7': unknown contact
    !   try: tacit list contacts    show the list
    [67]
    bob$ tacit read id:m1
    ! tacit: TARGET cannot be 'id:m1'; expected @name, +group, a name, notes, or id:c1
    [64]
    bob$ tacit send +team hi
    ! tacit: cannot send to '+team': unknown group 'team'
    !   try: tacit group list    show the list
    [67]
    bob$ tacit send '#team' hi --json
    ! {"v":1,"type":"error","code":"group.unknown","exit":67,"message":"cannot send to '+team': unknown group 'team'","try":["tacit group list"]}
    [67]
    bob$ tacit send @ hi
    ! tacit: TARGET cannot be '@'; expected @name, +group, a name, notes, or id:c1
    [64]
    bob$ tacit send @carol hi --to @nobody
    ! tacit: cannot send to '@nobody': unknown contact 'nobody'
    !   try: tacit list contacts    show the list
    [67]
    bob$ tacit send @nobody --to @carol hi --json
    ! {"v":1,"type":"error","code":"contact.unknown","exit":67,"message":"cannot send to '@nobody': unknown contact 'nobody'","try":["tacit list contacts"]}
    [67]
''')

# Texts.
stage.play(r'''
    bob$ tacit send @carol
    ! tacit: cannot send to '@carol': no text given
    !   try: tacit send TARGET 'some words'
    !   try: some-program | tacit send TARGET -    read the text from standard input
    !   try: tacit send TARGET -- --json           send a text that looks like an option
    [64]
    bob$ tacit send @carol ''
    ! tacit: cannot send to '@carol': the text is empty
    !   try: tacit send TARGET 'some words'
    !   try: some-program | tacit send TARGET -    read the text from standard input
    [64]
    bob$ tacit send @carol '' --json
    ! {"v":1,"type":"error","code":"message.empty","exit":64,"message":"cannot send to '@carol': the text is empty","try":["tacit send TARGET 'some words'","some-program | tacit send TARGET -"]}
    [64]
    bob$ tacit send @carol - </dev/null
    ! tacit: cannot send to '@carol': the text is empty
    !   try: tacit send TARGET 'some words'
    !   try: some-program | tacit send TARGET -    read the text from standard input
    [64]
    bob$ printf '\377' | tacit send @carol -
    ! tacit: cannot send to '@carol': the text on standard input is not UTF-8
    [65]
    bob$ head -c 1048577 /dev/zero | tr '\0' x | tacit send @carol -
    ! tacit: cannot send to '@carol': the message is too large
    !   why: standard input has more than 1048576 bytes
    [65]
''')
