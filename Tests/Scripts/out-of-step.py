# limit: 120
"""A contact whose encryption is out of step looks like one until it is in step again, and a security code that changed after it
was compared until it is compared again."""

import shutil

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
KEY = {"TACIT_KEY_FILE": str(stage.place("alice") / "key")}


def problems():
    ended = stage.shell("alice", "tacit status --check --json")
    assert (ended.code == 1) == bool(ended.objects[0]["problems"]), ended.out
    return ended.objects[0]["problems"]


def code(person, other):
    return stage.tacit(person, "contact", "verify", f"@{other}").out.strip()


# Only who has compared the code may send so; who has not sends nothing.
stage.play(r'''
    alice$ tacit send @bob 'a secret' --require-verified
    ! tacit: cannot send to '@bob': its security code is not verified
    !   why: '--require-verified' requires a verified code
    !   try: tacit contact verify @bob    compare the code
    [79]
    alice$ tacit send notes 'to myself' --to @bob --require-verified --json 2>&1 | grep -c '"code":"contact.unverified","exit":79'
    1
    alice$ tacit read notes
    alice$ tacit list outbox
''')
stage.tacit("alice", "contact", "verify", "@bob", code("bob", "alice"))
assert stage.tacit("alice", "send", "@bob", "a secret", "--require-verified").out.startswith("sent @bob")
assert stage.tacit("alice", "send", "notes", "to myself", "--require-verified").code == 0
stage.tacit("bob", "fetch", "-q")

# An old copy of a store does not have the keys of what came since.
stage.tacit("alice", "db", "backup", "old")
for text in "123":
    stage.tell("bob", "alice", [text])
    stage.tell("alice", "bob", [text])
assert problems() == []
for name in ("simplex_v1_chat.db", "simplex_v1_agent.db"):
    for suffix in ("", "-wal", "-shm"):
        (stage.place("alice") / f"{name}{suffix}").unlink(missing_ok=True)
    shutil.copy(stage.folder / "old" / name, stage.place("alice"))
stage.tacit("alice", "db", "thaw", "--yes")
stage.tacit("bob", "send", "@alice", "and now")
stage.play(r'''
    alice$ tacit fetch
    YYYY-MM-DD hh:mm  @bob  messages cannot be decrypted: the encryption is out of sync
    @bob is out of sync: the encryption must be renegotiated
    YYYY-MM-DD hh:mm  @bob  the encryption is out of sync and must be renegotiated
      try: tacit contact resync @bob
    YYYY-MM-DD hh:mm  @bob  messages cannot be decrypted: the encryption is out of sync
    ! no new messages
    alice$ tacit list contacts --plain --fields name,state
    bob	out-of-step
    alice$ tacit contact show @bob --json | grep -o '"state":"out-of-step"'
    "state":"out-of-step"
    alice$ tacit contact show @bob | grep -A1 state
    state         out-of-step
                  try: tacit contact resync @bob
    alice$ tacit status --check --json | grep -o '"problems":.*'
    "problems":["contact.out-of-step"],"out_of_step":[{"chat":"@bob","chat_id":"c1","profile":"alice"}]}
    alice$ tacit status | grep -A1 'out of sync'
    out of sync  @bob
                 try: tacit contact resync @bob
    alice$ tacit doctor | grep -A1 contacts
    failure  contacts    the ratchet with @bob is out of sync: messages of the contact cannot be decrypted
      try: tacit contact resync @bob
    alice$ tacit read @bob --last 2
    YYYY-MM-DD hh:mm  @bob  the encryption is out of sync and must be renegotiated
      try: tacit contact resync @bob
    YYYY-MM-DD hh:mm  @bob  messages cannot be decrypted: the encryption is out of sync
    alice$ tacit send @bob 'with old keys' --require-verified 2>&1 | head -1
    tacit: cannot send to '@bob': its security code is about to change
''')
assert stage.shell("alice", "tacit doctor -q").code == 1 and stage.shell("alice", "tacit status --check -q").code == 1

# The contact is asked for a new encryption, and waited for.
stage.tacit("alice", "contact", "resync", "@bob")
assert stage.tacit("alice", "contact", "show", "@bob", "--json").objects[0]["state"] == "resyncing"
assert problems() == ["contact.out-of-step"]
stage.tacit("bob", "fetch")
stage.tacit("alice", "fetch")
stage.tacit("bob", "fetch")
stage.tacit("alice", "fetch")
contact = stage.tacit("alice", "contact", "show", "@bob", "--json").objects[0]
assert contact["state"] == "connected" and not contact["verified"] and contact["code_changed_at"], contact

# With the encryption the code is another one, and somebody must compare it again.
assert problems() == ["contact.code-changed"]
stage.play(r'''
    alice$ tacit send @bob 'a secret' --require-verified
    ! tacit: cannot send to '@bob': its security code has changed
    !   why: an attacker may be between you and the contact; it changed at YYYY-MM-DD hh:mm
    !   try: tacit contact verify @bob    compare the code
    [79]
    alice$ tacit send @bob 'a secret' --require-verified --dry-run -qq
    ! tacit: cannot send to '@bob': its security code has changed
    !   why: an attacker may be between you and the contact; it changed at YYYY-MM-DD hh:mm
    !   try: tacit contact verify @bob    compare the code
    [79]
    alice$ tacit status | grep -A1 'new code'
    new code  @bob
              try: tacit contact verify @bob
    alice$ tacit doctor | grep -A1 contacts
    failure  contacts    the security code of @bob changed after verification
      try: tacit contact verify @bob
    alice$ tacit contact list
    ID  NAME  STATE                KEYS          PROFILE NAME
    c1  @bob  connected, new code  post-quantum  bob
    alice$ tacit contact show @bob | grep -A1 code
    code          changed YYYY-MM-DD hh:mm
                  try: tacit contact verify @bob
''')
# Bob had compared nothing.
assert stage.tacit("bob", "status", "--check", "--json").objects[0]["problems"] == []
stage.tacit("alice", "contact", "verify", "@bob", "1" * 60, expect=79)
assert problems() == ["contact.code-changed"], "a wrong code says nothing"
stage.tacit("alice", "contact", "verify", "@bob", code("bob", "alice"))
assert problems() == []
assert "code_changed_at" not in stage.tacit("alice", "contact", "show", "@bob", "--json").objects[0]
stage.tacit("alice", "send", "@bob", "the same as before", "--require-verified")
assert "the same as before" in stage.tacit("bob", "fetch").out

# What a blocked contact does is no problem of the store.
stage.tacit("alice", "contact", "block", "@bob")
stage.tacit("bob", "contact", "resync", "@alice", "--force")
for person in ("alice", "bob", "alice"):
    stage.tacit(person, "fetch")
assert problems() == []
stage.tacit("alice", "contact", "unblock", "@bob")
assert problems() == ["contact.code-changed"]
stage.tacit("alice", "contact", "verify", "@bob", "--reset")
assert problems() == []

# A copy of bob's store sends a message with a number that alice knows: it cannot be decrypted, and alice can ask for new keys.
stage.tacit("bob", "fetch")
stage.tacit("bob", "send", "@alice", "before the copy")
stage.tacit("alice", "fetch")
shutil.copytree(stage.place("bob"), stage.folder / "copy")
stage.tacit("bob", "send", "@alice", "from the original")
stage.tacit("alice", "fetch")
shutil.rmtree(stage.place("bob"))
shutil.copytree(stage.folder / "copy", stage.place("bob"))
stage.tacit("bob", "send", "@alice", "from the copy")
ended = stage.tacit("alice", "fetch")
assert "could not be decrypted" in ended.out and "tacit contact resync @bob" in ended.out, ended
assert problems() == ["contact.out-of-step"]
ended = stage.tacit("bob", "contact", "resync", "@alice", expect=69)
assert "tacit contact resync --force @alice" in ended.err, ended
stage.tacit("alice", "contact", "resync", "@bob", "--timeout", "1s")
