"""The largest message that fits, to the byte, and the next one, which does not."""

from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")

# What a message may have on the wire, and what stands there around its text.
LIMIT = 15602
AROUND = 106

for unit in ("x", "é", "👋", '"', "\n", "\x01"):
    # The last line break of standard input is not part of the text. JSON escapes some characters: their sizes there, in bytes.
    size = {'"': 2, "\n": 2, "\x01": 6}.get(unit, len(unit.encode()))
    count = (LIMIT - AROUND) // size
    largest = unit * count + "x" * ((LIMIT - AROUND) % size)
    refused = stage.tacit("alice", "send", "@bob", "-", "--json", stdin=largest + "x!\n", expect=65)
    assert refused.out == ""
    assert refused.error["details"] == {"size": LIMIT + 2, "limit": LIMIT}, refused.err
    assert stage.tacit("alice", "send", "@bob", "-", stdin=largest + "x\n", expect=65).out == ""
    stage.tacit("alice", "send", "@bob", "-", stdin=largest + "\n")
    assert stage.tacit("bob", "fetch", "--json").objects[0]["text"] == largest

stage.play(r'''
    alice$ head -c 15497 /dev/zero | tr '\0' x | tacit send @bob -
    ! tacit: cannot send to '@bob': the message is too large
    !   why: its encoded size is 15603 bytes; the limit is 15602
    !   try: tacit send --split ...    split the text into several messages
    [65]
    alice$ tacit status --check
    store     /stage/alice
    profile   alice
    contacts  1
    unread    0
    outbox    0
    relay     127.0.0.1:PORT
    writer    none
''')
