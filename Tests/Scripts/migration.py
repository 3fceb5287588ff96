# limit: 240
"""A store moves to another machine by a link: interrupted on both sides, with a conversation that goes on, and an old store that
refuses to be used."""

import json
import os
import shutil
import signal

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob", files=True)
stage.tell("alice", "bob", ["before the move"])
files = stage.place("alice") / "files"
files.mkdir(exist_ok=True)
photo = os.urandom(24_000_000)
(files / "photo.jpg").write_bytes(photo)
# Takes time to unpack, and none to upload.
with open(files / "zeros", "wb") as zeros:
    zeros.truncate(1 << 28)


def machine(name, key=True):
    """Another machine, with the key file of alice or without."""
    stage.place(name).mkdir(mode=0o700)
    if key:
        shutil.copy(stage.place("alice") / "key", stage.place(name) / "key")
        (stage.place(name) / "key").chmod(0o600)
    return {"TACIT_MACHINE_ID": f"{len(name):032x}"}


def state(name):
    report = stage.tacit(name, "migrate", "status", "--json").objects[0]
    return report["state"]


def beside(name):
    """What is in the folder beside the store."""
    folder = stage.folder / f"{name}.migration"
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else None


def interrupted(name, words, wanted, number=signal.SIGKILL):
    """Begins a command, and ends it when the state is the wanted one and something of it is done."""
    running = stage.start(name, *words)
    wait_until(wanted, " ".join(words), running.process)
    running.signal(number)
    ended = running.ended()
    assert ended.code == 128 + number, (ended.code, ended.out, ended.err)


def chunks():
    """What the file relay has of archives and of the descriptions to which links lead."""
    return [path.name for path in (relay.folder / "files").rglob("*") if path.is_file()]


def transferred(name):
    """True if the transfer has begun."""
    folder = stage.folder / f"{name}.migration/transfer/transfers"
    return folder.exists() and any(folder.iterdir())


# Nothing to continue.
stage.play(r'''
    alice$ tacit migrate
    there is no unfinished migration
    alice$ tacit migrate resume
    ! tacit: cannot continue the migration: there is no unfinished migration
    !   try: tacit migrate to           move the store to another machine
    !   try: tacit migrate from LINK    move a store to this machine
    [67]
    alice$ tacit migrate from 'simplex:/contact#x'
    ! tacit: cannot move a store to this machine: the text is not a link to a file
    [65]
''')
assert beside("alice") is None

# Killed while the archive is written, and while it is uploaded. A signal while it is written leaves the store as it was.
interrupted(
    "alice", ["migrate", "to"],
    lambda: os.path.exists(stage.folder / "alice.migration/state"), signal.SIGKILL,
)
assert state("alice") in ("archiving", "uploading")
stage.tacit("alice", "send", "@bob", "too late", expect=69)
interrupted("alice", ["migrate", "resume"], lambda: state("alice") == "uploading" and transferred("alice"))
assert state("alice") == "uploading"
interrupted("alice", ["migrate", "resume"], lambda: transferred("alice"), signal.SIGINT)

# The store refuses whatever would change it, and says what to do.
refused = [
    ["send", "@bob", "hi"], ["fetch"], ["watch"], ["connect"], ["accept", "--all"], ["daemon", "run"],
    ["contact", "rename", "@bob", "robert"], ["message", "delete", "m1"], ["outbox", "flush"], ["profile", "create", "x"],
    ["db", "thaw"], ["db", "compact"], ["export", "--freeze", "x.zip"], ["migrate", "to"],
    ["init", "--if-missing", "--name", "x"], ["import", "--replace", "x.zip"], ["api", "/_send @1 text hi"],
    ["notify-mode", "periodic"], ["migrate", "from", "simplex:/file#/?desc=x"], ["file", "send", "bin/tacit"],
]
for words in refused:
    ended = stage.shell("alice", "tacit --json " + " ".join(f"'{word}'" for word in words))
    assert ended.code == 69 and ended.error["code"] == "migration.unfinished", (words, ended.code, ended.err)
stage.play(r'''
    alice$ tacit send @bob hi
    ! tacit: cannot send to '@bob': the store is being moved to another machine
    !   why: the archive is being uploaded to file relays
    !   try: tacit migrate resume    continue
    !   try: tacit migrate cancel    use the store here again
    [69]
    alice$ tacit migrate status
    the archive is being uploaded to file relays
    alice$ tacit migrate finish --yes
    ! tacit: cannot finish the migration: not possible at this step
    !   why: the archive is being uploaded to file relays
    !   try: tacit migrate resume    continue
    !   try: tacit migrate cancel    use the store here again
    [69]
    alice$ tacit read --last 1
    YYYY-MM-DD hh:mm  to @bob  │ before the move
    alice$ tacit status --check --plain --fields migration,problems
    uploading	store.frozen\nmigration.unfinished
    [1]
''')

# There is a link. It is printed again as often as it is asked for.
ended = stage.tacit("alice", "migrate", "resume", "--no-wait", "--json")
offer = ended.objects[0]
link = offer["link"]
assert chunks()
assert offer["state"] == "offered" and offer["side"] == "source" and offer["reports"] and offer["expires_at"], offer
assert link.startswith("simplex:/file#/?desc=") and "networkConfig" in link and "hostMode" in link
assert "the key is not in the archive" not in ended.err
again = stage.tacit("alice", "migrate", "resume", "--no-wait")
assert again.out.split("\n")[0] == link
info = json.loads(stage.tacit("bob", "api", f"/_download info {link}").out)
meta = (info.get("resp") or info.get("result") or info)["fileMeta"]
assert meta["networkConfig"] == {"hostMode": "onionViaSocks", "requiredHostMode": False}, meta
for command in "open", "connect":
    opened = stage.tacit("bob", command, link, "--json", expect=65).error
    assert opened["code"] == "migration.link" and opened["try"][0].startswith("tacit migrate from LINK"), opened
ended = stage.tacit("alice", "migrate", "resume", "--timeout", "1s", "--json", expect=75)
assert ended.error["code"] == "migration.unreported", ended.err
stage.tacit("bob", "send", "@alice", "while it moves")

# The destination: killed in the download, and in the import. Before the store is there nothing else makes one.
env = machine("carol")
stage.tacit("carol", "status", expect=78)
interrupted("carol", ["migrate", "from", link], lambda: os.path.exists(stage.folder / "carol.migration/state") and transferred("carol"))
assert state("carol") == "downloading"
for words in (["init", "--name", "x"], ["fetch"], ["status"], ["import", "x.zip"], ["list"]):
    expected = 0 if words == ["status"] else 69
    ended = stage.shell("carol", "tacit --json " + " ".join(words))
    assert ended.code == expected, (words, ended.code, ended.err)
assert stage.tacit("carol", "status", "--json").objects[0]["state"] == "downloading"
interrupted("carol", ["migrate", "resume"], lambda: any(name.startswith(".staging") for name in os.listdir(stage.place("carol"))))
assert state("carol") == "importing" and not (stage.place("carol") / "simplex_v1_chat.db").exists()

# The key is asked for when it is needed, and a wrong one is no end.
(stage.place("carol") / "key").rename(stage.folder / "carol.key")
ended = stage.tacit("carol", "migrate", "resume", "--json", expect=77)
assert ended.error["code"] == "key.missing", ended.err
(stage.folder / "carol.key").rename(stage.place("carol") / "key")

# The source waits meanwhile, and is told.
waiting = stage.start("alice", "migrate", "resume", "--json")
assert json.loads(waiting.line())["state"] == "offered"
ended = stage.tacit("carol", "migrate", "resume", "--json")
assert [report["type"] for report in ended.objects] == ["import", "migration"], ended.out
assert ended.objects[0]["messages"] == 1 and ended.objects[1]["state"] == "finished"
assert "unread messages: 1" in ended.err and "the other machine was told" in ended.err, ended.err
told = waiting.ended()
assert told.code == 0 and json.loads(told.out.strip().split("\n")[-1])["state"] == "moved", (told.code, told.out, told.err)
assert beside("carol") is None and (stage.place("carol") / "files/photo.jpg").read_bytes() == photo

assert (stage.place("carol") / "files/zeros").stat().st_size == 1 << 28
(stage.place("carol") / "files/zeros").unlink()

# The conversation goes on at the new place, and the old one refuses.
stage.play(r'''
    carol$ tacit read --unread
    YYYY-MM-DD hh:mm  @bob  │ while it moves
    carol$ tacit send @bob 'after the move'
    sent @bob m3
    bob$ tacit fetch
    YYYY-MM-DD hh:mm  @alice  │ after the move
    ! 1 new message
    bob$ tacit send @alice 'well arrived'
    sent @alice m4
    carol$ tacit fetch
    YYYY-MM-DD hh:mm  @bob  │ well arrived
    ! 1 new message
    carol$ tacit db check -q
    carol$ tacit status --check -q
    alice$ tacit fetch
    ! tacit: cannot fetch: the store is being moved to another machine
    !   why: the other machine has the store
    !   try: tacit migrate finish    delete the store here
    !   try: tacit migrate cancel    use the store here again; conversations may break
    [69]
    alice$ tacit migrate cancel
    ! tacit: cannot cancel the migration: not confirmed
    !   why: if the other machine uses the store, messages are lost and conversations break
    !   try: tacit migrate cancel --yes
    [64]
    alice$ tacit migrate finish
    ! tacit: cannot finish the migration: not confirmed
    !   why: the store is deleted from this machine, and nothing brings it back
    !   try: tacit migrate finish --yes
    [64]
''')

# The link works once, and what it could not get leaves nothing behind.
machine("dora")
ended = stage.tacit("dora", "migrate", "from", link, "--json", expect=69)
assert ended.error["code"] == "migration.link-used" and beside("dora") is None, ended.err
stage.tacit("dora", "init", "--name", "dora", "--server", relay.address, "--if-missing")
# Nor does it replace a store by accident.
stage.tacit("dora", "migrate", "from", link, expect=73)

# Finished: nothing of the store is left but its key.
assert stage.tacit("alice", "migrate", "finish", "--yes").out == "the migration is finished\n"
assert beside("alice") is None
wait_until(lambda: chunks() == [], f"the relay deletes {chunks()}")
assert sorted(path.name for path in stage.place("alice").iterdir()) == ["key", "lock"]
stage.tacit("alice", "status", expect=78)
stage.tacit("alice", "migrate", "finish", "--yes", expect=67)

# Cancelled before there is a link: nobody can have anything, so nobody is asked.
interrupted("carol", ["migrate", "to"], lambda: state("carol") == "uploading" and transferred("carol"))
stage.play(r'''
    carol$ tacit migrate cancel
    the migration is cancelled
    carol$ tacit send @bob 'still here'
    sent @bob m5
    bob$ tacit fetch
    YYYY-MM-DD hh:mm  @alice  │ still here
    ! 1 new message
''')
assert beside("carol") is None
# What a relay has of a cancelled archive is deleted.
wait_until(lambda: chunks() == [], f"the relay deletes {chunks()}")

# Interrupted by Ctrl-C while the archive is written: as if nothing had been.
with open(stage.place("carol") / "files/large", "wb") as large:
    large.truncate(1 << 29)
running = stage.start("carol", "migrate", "to")
wait_until(lambda: (stage.folder / "carol.migration/transfer/simplex_v1_chat.db").exists(), "the archive", running.process)
running.signal(signal.SIGINT)
assert running.ended().code == 130
assert beside("carol") is None and state("carol") == "none"
stage.tacit("carol", "fetch")
(stage.place("carol") / "files/large").unlink()

# With a passphrase of its own the archive needs no key file.
words = stage.folder / "words"
words.write_text("correct horse\n")
words.chmod(0o600)
link = stage.tacit("carol", "migrate", "to", "--no-wait", "--passphrase-file", str(words), "--json").objects[-1]["link"]
machine("emma", key=False)
stage.tacit("emma", "migrate", "from", link, expect=77)
assert state("emma") == "importing"
ended = stage.tacit("emma", "migrate", "resume", "--passphrase-file", str(words), "--json")
assert ended.objects[0]["key_file"] == str(stage.place("emma") / "key"), ended.out
stage.tacit("emma", "send", "@bob", "from the second place")
assert "from the second place" in stage.tacit("bob", "fetch").out

# Cancelled after all, although the store went on elsewhere: both have used the same keys, and one contact is repaired.
ended = stage.tacit("carol", "migrate", "cancel", "--yes")
assert "do not use the store on the other machine" in ended.err, ended.err
stage.tacit("carol", "send", "@bob", "from the first place again")
stage.tacit("bob", "fetch")
stage.tacit("bob", "send", "@alice", "who is there?")
stage.tacit("carol", "fetch")
stage.tacit("carol", "contact", "resync", "@bob", "--force")
for name in ("bob", "carol", "bob", "carol"):
    stage.tacit(name, "fetch")
stage.tacit("carol", "send", "@bob", "in step again")
assert "in step again" in stage.tacit("bob", "fetch").out
stage.tacit("bob", "send", "@alice", "indeed")
assert "indeed" in stage.tacit("carol", "fetch").out
assert stage.tacit("carol", "status", "--check", "--json").objects[0]["problems"] == []

# A state that cannot be read is an error, and nothing is lost by it.
(stage.folder / "carol.migration").mkdir(mode=0o700)
(stage.folder / "carol.migration/state").write_text("{")
stage.tacit("carol", "fetch", expect=74)
stage.tacit("carol", "migrate", "status", expect=74)
shutil.rmtree(stage.folder / "carol.migration")

# Without a file relay there is no way.
stage.person("fred", relay)
ended = stage.tacit("fred", "migrate", "to", "--json", expect=78)
assert ended.error["code"] == "file.no-relay" and beside("fred") is None
stage.tacit("fred", "fetch")

relay.stop()
