"""A store that another user made, or could change, is not opened; a lock that is a link is not followed."""

import os
import shutil
import stat

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
stage.person("alice", relay)
stage.person("mallory", relay)
place = stage.place("alice")
COMMANDS = (["status"], ["fetch"], ["db", "info"], ["lock"], ["daemon", "status"], ["send", "@bob", "hi"], ["db", "compact"])


def refused(code, path, commands=COMMANDS):
    for words in commands:
        error = stage.tacit("alice", *words, "--json", expect=77).error
        assert error["code"] == code and str(path) in error["try"][0], (words, error)


# The file that a link in the place of the lock leads to stays as it is.
diary = stage.folder / "diary"
diary.write_text("dear diary")
lock = place / "lock"
lock.unlink(missing_ok=True)
lock.symlink_to(diary)
refused("store.lock", lock)
assert diary.read_text() == "dear diary" and lock.is_symlink()
stage.tacit("alice", "doctor", "--json", expect=1)
stage.play(r'''
    alice$ tacit fetch
    ! tacit: cannot fetch: the lock of the store is not a regular file
    !   why: '/stage/alice/lock' is a link, a folder or a device
    !   try: ls -l /stage/alice/lock    show the file
    !   try: rm /stage/alice/lock       remove it; tacit creates a new one
    [77]
''')
lock.unlink()
os.mkfifo(lock)
refused("store.lock", lock)
lock.unlink()
stage.tacit("alice", "fetch")

# Others who may write to the folder could exchange everything in it.
for path in (place, place / "simplex_v1_chat.db", place / "simplex_v1_agent.db", lock):
    mode = stat.S_IMODE(path.stat().st_mode)
    for bit in (stat.S_IWGRP, stat.S_IWOTH):
        path.chmod(mode | bit)
        refused("store.writable", path)
    stage.tacit("alice", "import", "none.zip", "--replace", expect=77)
    path.chmod(mode | stat.S_IWGRP | stat.S_IWOTH)
    stage.shell("alice", stage.tacit("alice", "fetch", "--json", expect=77).error["try"][0])
    stage.tacit("alice", "fetch")

# Only root can make a store of another user.
if os.geteuid() == 0:
    for path in (place, place / "simplex_v1_agent.db", lock):
        shutil.chown(path, "nobody")
        refused("store.owner", path)
        stage.tacit("alice", "doctor", "--json", expect=1)
        shutil.chown(path, 0)
        stage.tacit("alice", "fetch")
    # A folder that was prepared before there is a store.
    prepared = stage.place("carol")
    prepared.mkdir()
    shutil.chown(prepared, "nobody")
    assert stage.tacit("carol", "init", "--json", expect=77).error["code"] == "store.owner"
    assert not list(prepared.iterdir())
else:
    print("skipped: a store of another user, which only root can make")
