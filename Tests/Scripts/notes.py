"""Notes: what one writes to oneself stays in the store, needs no relay, and is a conversation like the others."""

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
relay.stop()
stage.play(r"""
    alice$ tacit read notes
    alice$ tacit send notes 'call the plumber'
    kept in notes m1
    alice$ printf 'two\nlines\n' | tacit send notes - --wait delivered
    kept in notes m2
    alice$ tacit send notes hi --to @nobody
    ! tacit: cannot send to '@nobody': unknown contact 'nobody'
    !   try: tacit list contacts    show the list
    [67]
    alice$ tacit read notes
    YYYY-MM-DD hh:mm  notes  │ call the plumber
    YYYY-MM-DD hh:mm  notes  │ two
                             │ lines
    alice$ tacit message edit m1 'call the plumber today'
    edited m1 notes
    alice$ tacit message react m1 👍
    ! tacit: cannot react to the message 'm1': m1 is not a message, or exists only here
    [69]
    alice$ tacit message search plumber --plain --fields chat,text
    notes	call the plumber today
    alice$ tacit list outbox
    alice$ tacit message delete m2
    deleted m2 notes
    alice$ tacit read notes --plain --fields text
    call the plumber today
    alice$ tacit status --plain --fields contacts,outbox
    1	0
    alice$ tacit contact list --plain --fields name
    bob
    alice$ tacit contact rename notes n
    ! tacit: cannot rename 'notes': notes are not a contact
    !   try: tacit contact list    list contacts
    [67]
    alice$ tacit send notes 'gone soon' --expires 1d
    kept in notes m3
    alice$ tacit export - --format jsonl --target notes | wc -l
    2
    ! exported 2 messages
""")
# A script reads them with a cursor, and others do not see them.
assert [m["chat"] for m in stage.tacit("alice", "read", "--cursor", "bot", "notes", "--json").objects] == ["notes", "notes"]
assert not stage.tacit("alice", "read", "--cursor", "bot", "notes", "--json").objects
assert "notes" in stage.tacit("alice", "__complete", "fish", "--", "send", "n").out
