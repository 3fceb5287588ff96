"""A new key file in another place: rekey says where later commands look, and a wrong key names the other key file."""

import os

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
stage.person("alice", relay)
key = stage.place("alice") / "key"


def names(expect=0, **env):
    return stage.tacit("alice", "profile", "list", "--plain", "--fields", "name", env=env or None, expect=expect)


stage.play(r'''
    alice$ tacit db rekey --new-key-file other --no-input
    the store has a new key
    the key is in other
    ! tacit: warning: later commands read the old key in /stage/alice/key, and fail; put the new key there: mv other /stage/alice/key
    alice$ tacit profile list
    ! tacit: cannot list profiles: the key does not open the store
    !   why: it came from the file '/stage/alice/key'
    !   try: tacit help keys    show all key sources
    [77]
''')
(stage.folder / "other").rename(key)
assert names().out == "alice\n"

# Two key files: the error names both.
wrong = stage.folder / "wrong.key"
wrong.write_bytes(os.urandom(31) + b"\xff")
wrong.chmod(0o600)
error = names(expect=77, TACIT_KEY_FILE=str(wrong)).err
assert "it came from the file" in error and "another key file is" in error, error
assert f"tacit status --key-file {key}" in error, error

# The file of the variable is the one that later commands read.
words = ["db", "rekey", "--key-file", str(key), "--new-key-file", "third"]
assert "warning" not in stage.tacit("alice", *words, env={"TACIT_KEY_FILE": "third"}).err
assert names(TACIT_KEY_FILE="third").out == "alice\n"
