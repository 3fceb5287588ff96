"""Guarantee 15: nobody's file is taken unasked, its caption arrives like every message, a person sees that there is more, a script
is told of which kind, and the file goes where the user says, again after it was purged.
"""

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob", files=True)
(stage.folder / "plan.txt").write_text("the plan")
stage.values["voice"] = '/_send @1 json [{"msgContent":{"type":"voice","text":"","duration":5},"mentions":{}}]'
stage.values["file"] = '/_send @1 json [{"msgContent":{"type":"file","text":"the report"},"mentions":{}}]'


def contents():
    """What is in the store's folder besides its databases, whose logs come and go."""
    return sorted(path.name for path in stage.place("alice").iterdir() if not path.name.startswith("simplex_v1_"))


before = contents()
stage.play(r"""
    bob$ tacit api "$file" | tail -n 1 | cut -c1-9
    {"result"
    bob$ tacit api "$voice" | tail -n 1 | cut -c1-9
    {"result"
    bob$ tacit fetch
    ! no new messages
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
    bob$ tacit send @alice 'what we do' --attach plan.txt
    sent @alice m3
    alice$ tacit fetch
    YYYY-MM-DD hh:mm  @bob (file)  │ what we do
                                   [f1 plan.txt, 8 bytes, offered]
    ! 1 new message
""")
assert contents() == before, "something was fetched unasked"

stage.play(r"""
    alice$ tacit file receive f1
    ready 'plan.txt' f1 (8 bytes) /stage/alice/files/plan.txt
    alice$ tacit file save f1 --to -
    the plan
    alice$ tacit send @bob report --attach out.pdf
    ! tacit: cannot send to '@bob': there is no readable file '/stage/out.pdf'
    [66]
""")
