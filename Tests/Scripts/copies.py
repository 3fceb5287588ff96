"""Copies of a store: a backup can be read and nothing else until it is thawed, the original goes on, and a copy that was made
by hand on another machine is told from a container and from files that were restored."""

import shutil

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.tell("bob", "alice", ["before the backup"])
KEY = {"TACIT_KEY_FILE": str(stage.place("alice") / "key")}


def kept(person):
    """The store of a person, as the disk has it."""
    return sorted(path.name for path in stage.place(person).iterdir() if not path.name.endswith(("-wal", "-shm")))


# A backup used by mistake takes nothing away: it is refused, and what was sent since reaches the original.
made = stage.tacit("alice", "db", "backup", "backup", "--json").objects[0]
assert made["frozen"] is True, made
assert sorted(path.name for path in (stage.folder / "backup").iterdir()) == ["simplex_v1_agent.db", "simplex_v1_chat.db"]
stage.tacit("bob", "send", "@alice", "after the backup")
stage.values.update(COPY=str(stage.folder / "backup"), **KEY)
stage.play(r'''
    alice$ TACIT_DIR="$COPY" tacit fetch
    ! tacit: cannot fetch: the store is a backup
    !   why: it is a copy of YYYY-MM-DD hh:mm; if both are used, each message reaches only one of them
    !        and the ratchets of conversations break
    !   try: tacit db thaw    only if the original is lost
    [69]
    alice$ TACIT_DIR="$COPY" tacit send @bob hi 2>&1 | head -1
    tacit: cannot send to '@bob': the store is a backup
    alice$ TACIT_DIR="$COPY" tacit contact resync @bob --force -qq; echo $?
    69
    ! tacit: cannot renegotiate the encryption with '@bob': the store is a backup
    !   why: it is a copy of YYYY-MM-DD hh:mm; if both are used, each message reaches only one of them
    !        and the ratchets of conversations break
    !   try: tacit db thaw    only if the original is lost
    alice$ TACIT_DIR="$COPY" tacit watch --json 2>&1 | grep -c '"code":"store.frozen","exit":69.*"frozen_by":"backup"'
    1
    alice$ TACIT_DIR="$COPY" tacit daemon run 2>&1 | head -1
    tacit: cannot run the daemon: the store is a backup
    alice$ TACIT_DIR="$COPY" tacit read --mark 2>&1 | head -1
    tacit: cannot read: the store is a backup
    alice$ TACIT_DIR="$COPY" tacit read --plain --fields text
    before the backup
    alice$ TACIT_DIR="$COPY" tacit list --plain --fields name
    bob
    alice$ TACIT_DIR="$COPY" tacit message search before --plain --fields text
    before the backup
    alice$ TACIT_DIR="$COPY" tacit db check
    the store is undamaged
    alice$ TACIT_DIR="$COPY" tacit status | grep frozen
    frozen    a backup of YYYY-MM-DD hh:mm
    alice$ TACIT_DIR="$COPY" tacit status --check --plain --fields frozen,frozen_by,problems
    true	backup	store.frozen
    [1]
    alice$ TACIT_DIR="$COPY" tacit doctor | grep -A1 "read-only backup"
    failure  store       the store is a read-only backup
      try: tacit db thaw    if the original is lost
    alice$ TACIT_DIR="$COPY" tacit db thaw
    ! tacit: cannot thaw the store: not confirmed
    !   why: if the other copy is used too, messages are lost and the ratchets of conversations break
    !   try: tacit db thaw --yes
    [64]
    alice$ tacit status --check --json | grep -o '"problems":.*'
    "problems":[]}
    alice$ tacit fetch
    YYYY-MM-DD hh:mm  @bob  │ after the backup
    ! 1 new message
    alice$ tacit send @bob 'the original goes on'
    sent @bob m3
    bob$ TACIT_KEY_FILE= tacit fetch
    YYYY-MM-DD hh:mm  @alice  │ the original goes on
    ! 1 new message
''')

# A person is asked, and told what breaks.
person = stage.sit("alice", "db", "thaw", env={"TACIT_DIR": str(stage.folder / "backup")})
person.until("conversations break")
person.enter("n")
assert person.ended() == 64
assert stage.tacit(None, "fetch", env={**KEY, "TACIT_DIR": str(stage.folder / "backup")}, expect=69)

# The store is lost, and the backup goes on; an archive of a backup becomes a store like any other.
for name in ("archived", "lost"):
    shutil.copytree("backup", name)
stage.tacit(None, "export", "-q", "of-backup.zip", env={**KEY, "TACIT_DIR": str(stage.folder / "archived")})
stage.tacit("imported", "import", "-q", "of-backup.zip")
assert stage.tacit("imported", "status", "--check", "--json").objects[0]["problems"] == []
report = stage.tacit(None, "db", "thaw", "--yes", "--json", env={**KEY, "TACIT_DIR": str(stage.folder / "lost")}).objects[0]
assert (report["frozen_before"], report["frozen_by"]) == (True, "backup") and report["backup_at"], report
status = stage.tacit(None, "status", "--check", "--json", env={**KEY, "TACIT_DIR": str(stage.folder / "lost")}).objects[0]
assert status["problems"] == [] and "frozen_by" not in status and "exported_at" not in status, status


# Copies that were made by hand. The machine is what the variable says.
def on(machine, person, *words, **options):
    return stage.tacit(person, *words, env={**KEY, "TACIT_MACHINE_ID": machine}, **options)


def problems(machine, person):
    status = stage.shell(person, "tacit status --check --json", env={**KEY, "TACIT_MACHINE_ID": machine})
    assert (status.code == 1) == bool(status.objects[0]["problems"]), status.objects
    return status.objects[0]["problems"]


def copy(person, other):
    shutil.rmtree(stage.place(other), ignore_errors=True)
    # The inodes of what is removed are given away again.
    held = [open(stage.place(person) / name, "rb") for name in kept(person) if name != "lock"]
    shutil.copytree(stage.place(person), stage.place(other))
    for file in held:
        file.close()


WARNING = (
    "tacit: warning: this store was copied from another machine: use only one of the two, or conversations break"
    " (tacit db thaw)\n"
)
assert on("first", "alice", "fetch", "-q").err == "" and problems("first", "alice") == []
copy("alice", "hand")
before = stage.tacit("alice", "read", "--json").out

# Another machine and other files.
assert problems("second", "hand") == ["store.copied"]
assert on("second", "hand", "read", "--json").out == before
assert on("second", "hand", "read").err == "", "who reads is left alone"
assert on("second", "hand", "fetch", "-q").err == WARNING
assert on("second", "hand", "contact", "mute", "@bob", "-q").err == WARNING
assert problems("second", "hand") == ["store.copied"], "nobody confirmed it"
stage.values["TACIT_MACHINE_ID"] = "second"
stage.play(r'''
    hand$ tacit status | grep -A1 copied
    copied    from another machine: use only one of the two, or conversations break
              try: tacit db thaw, if the other copy is not in use
    hand$ tacit doctor --json | grep -c '"check":"store","state":"failure".*"try":."tacit db thaw"'
    1
    hand$ tacit db thaw
    ! tacit: cannot thaw the store: not confirmed
    !   why: if the other copy is used too, messages are lost and the ratchets of conversations break
    !   try: tacit db thaw --yes
    [64]
    hand$ tacit db thaw --yes
    the store is active; do not use the other copy
    hand$ tacit status --check --json | grep -o '"problems":.*'
    "problems":[]}
''')
assert on("second", "hand", "fetch", "-q").err == "" and problems("second", "hand") == []
# Back on the first machine it is a copy again.
copy("hand", "back")
assert problems("first", "back") == ["store.copied"]

# The same files on another machine each time: a container with a volume. Changes of the key make other files.
for machine in ("third", "fourth"):
    assert on(machine, "alice", "fetch", "-q").err == "" and problems(machine, "alice") == []
on("fifth", "alice", "db", "rekey", "--new-key-file", "alice/other")
KEY["TACIT_KEY_FILE"] = str(stage.place("alice") / "other")
assert on("sixth", "alice", "fetch", "-q").err == "" and problems("sixth", "alice") == []
# Files that were restored on the same machine.
copy("alice", "restored")
assert on("sixth", "restored", "status", "--check") and on("sixth", "restored", "db", "thaw").out == "the store was not frozen\n"

# An archive settles where it is imported, and an export that freezes where it is made.
copy("alice", "hand")
assert problems("seventh", "hand") == ["store.copied"]
on("seventh", "hand", "export", "--freeze", "-q", "move.zip")
assert problems("seventh", "hand") == ["store.frozen"]
on("eighth", "moved", "import", "-q", "move.zip")
assert problems("eighth", "moved") == [] and on("eighth", "moved", "fetch", "-q").err == ""
# A store that was replaced is a backup too.
replaced = on("eighth", "moved", "import", "--replace", "move.zip", "--json").objects[0]["backup"]
ended = stage.tacit(None, "fetch", "--json", env={**KEY, "TACIT_DIR": replaced}, expect=69)
assert ended.error["details"]["frozen_by"] == "backup", ended.err
