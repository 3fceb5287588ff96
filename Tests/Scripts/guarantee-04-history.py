"""Guarantee 4: what was said is on disk, and can be read later, by one command, without any relay."""

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
for text in ("first", "Second, with an invoice", "third"):
    stage.tacit("alice", "send", "@bob", text)
stage.tacit("bob", "fetch", "-q")
stage.tacit("bob", "send", "@alice", "an answer")
relay.kill()

# Reading needs no network, and leaves everything as it is.
stage.play(r'''
    bob$ tacit read
    YYYY-MM-DD hh:mm  @alice  │ first
    YYYY-MM-DD hh:mm  @alice  │ Second, with an invoice
    YYYY-MM-DD hh:mm  @alice  │ third
    YYYY-MM-DD hh:mm  to @alice  │ an answer
    bob$ tacit list chats --plain --fields name,unread
    alice	3
    bob$ tacit read --last 2
    YYYY-MM-DD hh:mm  @alice  │ third
    YYYY-MM-DD hh:mm  to @alice  │ an answer
    bob$ tacit read @alice --search SECOND
    YYYY-MM-DD hh:mm  @alice  │ Second, with an invoice
    bob$ tacit message search invoice --in @alice --plain --fields id,text
    m2	Second, with an invoice
    bob$ tacit message search 'not there' --exit-code
    [1]
    bob$ tacit message show m1 --plain --fields text
    first
    bob$ tacit read --since today --until today | wc -l
    4
    bob$ tacit read --since -1h --last 1 --plain --fields text
    an answer
    bob$ tacit read --until yesterday
    bob$ tacit read --since 2026-99-99
    ! tacit: the value of '--since' cannot be '2026-99-99'
    !   why: expected a time such as 2026-09-27, 2026-09-27T09:14:03Z, 2h, today or yesterday
    [64]
    bob$ tacit read --unread | wc -l
    3
    bob$ tacit list chats --plain --fields name,unread
    alice	3
''')

# Only who says so marks, and then what was printed.
stage.play(r'''
    bob$ tacit read --unread --last 1 --mark
    YYYY-MM-DD hh:mm  @alice  │ third
    bob$ tacit list chats --plain --fields name,unread
    alice	2
    bob$ tacit message mark m1
    bob$ tacit read --unread --plain --fields id
    m2
    bob$ tacit message mark @alice
    bob$ tacit list chats --plain --fields name,unread
    alice	0
''')

# What is taken back or changed says so; what is removed is gone.
relay.start()
stage.tacit("alice", "message", "edit", "m1", "first, corrected", "-q")
stage.tacit("alice", "message", "delete", "m3", "--everywhere", "-q")
stage.play(r'''
    bob$ tacit fetch
    @alice edited m1: first, corrected
    @alice deleted m3
    ! no new messages
    bob$ tacit read
    YYYY-MM-DD hh:mm  @alice (edited)  │ first, corrected
    YYYY-MM-DD hh:mm  @alice  │ Second, with an invoice
    YYYY-MM-DD hh:mm  @alice (deleted)
    YYYY-MM-DD hh:mm  to @alice  │ an answer
    bob$ tacit message show m3 --plain --fields text
    third
    bob$ tacit message delete m3
    deleted m3 @alice
    bob$ tacit message show m3
    ! tacit: cannot show the message: unknown message m3
    [67]
''')
