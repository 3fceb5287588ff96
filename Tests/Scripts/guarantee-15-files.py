"""Guarantee 15, as far as a program without files can keep it: nobody's file is taken unasked, its caption arrives like every
message, a person sees that there was more, a script is told of which kind, and options about files are refused, not ignored.
"""

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.values["voice"] = '/_send @1 json [{"msgContent":{"type":"voice","text":"","duration":5},"mentions":{}}]'
stage.values["file"] = '/_send @1 json [{"msgContent":{"type":"file","text":"the report"},"mentions":{}}]'


def contents():
    """What is in the store's folder besides its databases, whose logs come and go."""
    return sorted(path.name for path in stage.place("alice").iterdir() if not path.name.startswith("simplex_v1_"))


before = contents()
stage.play(r"""
    bob$ tacit api "$file" | cut -c1-9
    {"result"
    bob$ tacit api "$voice" | cut -c1-9
    {"result"
    bob$ tacit fetch
    sent @alice m1
    sent @alice m2
    ! no new messages, 2 sent
    alice$ tacit fetch
    YYYY-MM-DD hh:mm  @bob (file)  │ the report
    YYYY-MM-DD hh:mm  @bob (voice message)  │
    ! 2 new messages
    alice$ tacit list chats
    ID  CHAT  UNREAD  LAST
    c1  @bob       2  YYYY-MM-DD hh:mm  (voice message)
    alice$ tacit read --plain --fields kind,text
    file	the report
    voice	
    alice$ tacit send @bob report --attach out.pdf
    ! tacit: 'tacit send' has no option '--attach'
    !   try: tacit send TARGET -- --attach    if it is not an option
    !   try: tacit send -h                    show its usage
    [64]
    alice$ tacit file list
    ! tacit: 'tacit' has no command 'file'
    !   try: tacit -h    list its commands
    [64]
""")
assert contents() == before, "something was fetched unasked"
