"""The databases of a store: what they are, damage that is found, copies beside a receiver, room that is given back."""

import json
import random
import shutil
import subprocess

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
for number in range(5):
    stage.tacit("bob", "send", "@alice", f"message {number}")
stage.tacit("alice", "fetch", "-q")

info = stage.tacit("alice", "db", "info", "--json").objects[0]
assert (info["encryption"], info["keys"], info["unfinished"]) == ("pages", [{"kind": "key-file"}], False), info
chat, agent = info["databases"]
assert chat["schema"] == chat["known_schema"] and agent["schema"] == agent["known_schema"], info
assert chat["rows"]["items"] >= 5 and agent["rows"]["connections"] == 1, info
stage.play(r'''
    alice$ tacit db check
    the store is undamaged
    alice$ tacit db check --json
    {"v":1,"type":"db-check","ok":true,"findings":[]}
''')

# A copy is made while somebody receives, and is a store.
holder = stage.start("alice", "connect", "--wait", "connected", "--timeout", "60s")
holder.line()
stage.tacit("alice", "db", "backup", "copy")
stage.tacit("alice", "db", "check")
stage.play(r'''
    alice$ TACIT_DIR=copy TACIT_KEY_FILE=alice/key tacit db check
    the store is undamaged
    alice$ TACIT_DIR=copy TACIT_KEY_FILE=alice/key tacit read @bob --plain --fields text
    message 0
    message 1
    message 2
    message 3
    message 4
    alice$ TACIT_DIR=copy tacit list
    ! tacit: cannot list chats: the store is encrypted and no key was given
    !   why: there is no terminal to prompt at
    !   try: TACIT_KEY_FILE=/path/to/key tacit ...    use a key file
    !   try: tacit unlock --for 1h                    cache the key for other commands, from a terminal
    !   try: tacit help keys                          show all key sources
    [77]
    alice$ tacit db backup copy
    ! tacit: cannot copy the store to 'copy': the backup needs a new or empty folder
    !   why: 'copy': file exists
    [73]
    alice$ tacit db compact --lock-timeout 0s -qq
    [75]
    alice$ ls copy | grep -v -e -wal -e -shm
    simplex_v1_agent.db
    simplex_v1_chat.db
''')
holder.process.kill()
holder.ended()


def copies(name):
    folder = stage.folder / name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(stage.folder / "copy", folder, ignore=shutil.ignore_patterns("lock"))
    return folder


# One byte that is another one, in any page of either file, is found, and what is on the page is never shown.
chance = random.Random(4)
for name in ("simplex_v1_chat.db", "simplex_v1_agent.db"):
    size = (stage.folder / "copy" / name).stat().st_size
    places = {0, 40, 2048, 4095, 4096, 4096 + 17, size - 1, *(chance.randrange(size) for _ in range(12))}
    for place in sorted(places):
        folder = copies("damaged")
        contents = bytearray((folder / name).read_bytes())
        contents[place] ^= 1 << chance.randrange(8)
        (folder / name).write_bytes(contents)
        environment = {"TACIT_DIR": str(folder), "TACIT_KEY_FILE": "alice/key"}
        ended = stage.tacit(None, "db", "check", "--json", env=environment, expect=74)
        assert ended.error["code"] == "store.damaged", ended.error
        findings = ended.objects[0]["findings"] if ended.out else []
        assert len(findings) <= 1, findings
        if place >= 4096 and findings:
            assert findings[0]["code"] == "pages", findings
            assert findings[0]["pages"] == [(place - 4096) // 4096 + 1], (place, findings)
        # Reading gives what was written, or an error.
        read = subprocess.run([stage.program, "read", "@bob", "--json"], env={**stage.environment, **environment},
                              cwd=stage.folder, capture_output=True, text=True)
        assert read.returncode in (0, 74), read
        for line in read.stdout.splitlines():
            assert json.loads(line)["text"].startswith("message "), line

# Two databases of different times do not agree.
folder = copies("mixed")
stage.tacit("bob", "send", "@alice", "later")
stage.tacit("alice", "fetch", "-q")
shutil.rmtree("later", ignore_errors=True)
stage.tacit("alice", "db", "backup", "later")
shutil.copy("later/simplex_v1_chat.db", folder)
ended = stage.tacit(None, "db", "check", "--json", env={"TACIT_DIR": "mixed", "TACIT_KEY_FILE": "alice/key"}, expect=74)
assert {finding["code"] for finding in ended.objects[0]["findings"]} == {"times"}, ended.out
(folder / "simplex_v1_agent.db").unlink()
ended = stage.tacit(None, "db", "check", "--json", env={"TACIT_DIR": "mixed", "TACIT_KEY_FILE": "alice/key"}, expect=74)
assert [finding["code"] for finding in ended.objects[0]["findings"]] == ["missing"], ended.out

# Room is given back.
for number in range(40):
    stage.tacit("alice", "profile", "create", f"p{number}", "--bio", "x" * 100)
report = stage.tacit("alice", "db", "compact", "--json").objects[0]
assert report["after"] <= report["before"], report
assert stage.tacit("alice", "db", "info", "--json").objects[0]["databases"][0]["free_pages"] == 0
assert relay.stop().code == 0
