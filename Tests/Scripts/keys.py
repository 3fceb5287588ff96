"""The key of a store: where it comes from, what is said when it is wrong or missing, and how it is changed."""

import os
import stat
from pathlib import Path

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
stage.values["relay"] = relay.address


def words(name, text, mode=0o600):
    """A file with a key."""
    path = stage.folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    path.chmod(mode)
    return path


# A passphrase of a person, given in every way that there is.
words("words.txt", "correct horse battery staple\n")
words("wrong.txt", "correct horse battery stable\n")
words("open.txt", "correct horse battery staple\n", 0o644)
words("empty.txt", "\n")
words("credentials-tacit.key", "correct horse battery staple\n")
(stage.folder / "credentials").mkdir()
(stage.folder / "credentials/tacit.key").write_bytes((stage.folder / "words.txt").read_bytes())
stage.play(r'''
    alice$ tacit init --name alice --server "$relay" --key-file words.txt
    created a store in /stage/alice with the profile alice
    ! the key is in words.txt; without it the store cannot be read
    alice$ tacit profile list --key-file words.txt --plain --fields name
    alice
    alice$ tacit profile list --key-fd 7 --plain --fields name 7< words.txt
    alice
    alice$ tacit profile list --key-command 'cat words.txt' --plain --fields name
    alice
    alice$ TACIT_KEY_FILE=words.txt tacit profile list --plain --fields name
    alice
    alice$ TACIT_KEY_FD=7 tacit profile list --plain --fields name 7< words.txt
    alice
    alice$ TACIT_KEY_COMMAND='cat words.txt' tacit profile list --plain --fields name
    alice
    alice$ TACIT_KEY='correct horse battery staple' tacit profile list --plain --fields name
    alice
    alice$ CREDENTIALS_DIRECTORY=$PWD/credentials tacit profile list --plain --fields name
    alice
    alice$ TACIT_KEY_FILE=wrong.txt tacit profile list --key-file words.txt --plain --fields name
    alice
    alice$ TACIT_KEY_COMMAND='cat wrong.txt' TACIT_KEY_FILE=words.txt tacit profile list --plain --fields name
    alice
    alice$ tacit status
    ! tacit: cannot show the status: the store is encrypted and no key was given
    !   why: there is no terminal to prompt at
    !   try: TACIT_KEY_FILE=/path/to/key tacit ...    use a key file
    !   try: tacit unlock --for 1h                    cache the key for other commands, from a terminal
    !   try: tacit help keys                          show all key sources
    [77]
''')

# What goes wrong is told apart.
stage.play(r'''
    alice$ tacit list --key-file wrong.txt
    ! tacit: cannot list chats: the key does not open the store
    !   why: it came from the file 'wrong.txt'
    !   try: tacit help keys    show all key sources
    [77]
    alice$ tacit list --key-file wrong.txt --json
    ! {"v":1,"type":"error","code":"key.wrong","exit":77,"message":"cannot list chats: the key does not open the store","why":"it came from the file 'wrong.txt'","try":["tacit help keys"]}
    [77]
    alice$ tacit list --key-file open.txt
    ! tacit: cannot list chats: other users can read the key file
    !   why: path: open.txt
    !   try: chmod 600 open.txt
    [77]
    alice$ tacit list --key-file missing.txt
    ! tacit: cannot list chats: cannot read the key file
    !   why: 'missing.txt': no such file or directory
    [66]
    alice$ tacit list --key-file empty.txt
    ! tacit: cannot list chats: the key is empty
    !   why: it came from the file 'empty.txt'
    [77]
    alice$ tacit list --key-fd 9
    ! tacit: cannot list chats: cannot read the key
    !   why: descriptor 9: bad file descriptor
    [66]
    alice$ tacit list --key-command 'echo no token >&2; exit 3'
    ! tacit: cannot list chats: the key command failed
    !   why: it ended with exit code 3
    !        message: 'no token'
    [77]
    alice$ tacit list --key-command 'yes'
    ! tacit: cannot list chats: the output of the key command is too long for a key
    !   why: a key has at most 4096 bytes
    [77]
    alice$ tacit list --key-command 'yes >&2 & cat words.txt; kill $!' -q
    alice$ mkfifo pipe; tacit list --key-file pipe
    ! tacit: cannot list chats: the key file is not a regular file
    !   why: path: 'pipe'
    !   try: tacit --key-fd 0 ...               read the key from standard input
    !   try: tacit --key-command COMMAND ...    read the key from a program
    [66]
    alice$ cat words.txt | tacit list -q --key-file /dev/stdin
    alice$ bash -c 'tacit list -q --key-file <(cat words.txt)'
    alice$ TACIT_KEY_FILE=/dev/zero tacit list 2>&1 | head -1
    tacit: cannot list chats: the key file is not a regular file
    alice$ cat words.txt | tacit list --key-fd 0 -q
    alice$ TACIT_KEY_FD=x tacit list
    ! tacit: cannot list chats: invalid value of TACIT_KEY_FD
    !   why: expected the number of an open file descriptor
    [78]
    alice$ TACIT_KEY=wrong tacit fetch
    ! tacit: cannot fetch: the key does not open the store
    !   why: it came from the variable TACIT_KEY
    !   try: tacit help keys    show all key sources
    [77]
    alice$ tacit list --no-input --json
    ! {"v":1,"type":"error","code":"key.missing","exit":77,"message":"cannot list chats: the store is encrypted and no key was given","why":"there is no terminal to prompt at","try":["TACIT_KEY_FILE=/path/to/key tacit ...","tacit unlock --for 1h","tacit help keys"]}
    [77]
    alice$ tacit init --if-missing --name alice --key-file wrong.txt
    ! tacit: cannot create a store: the key does not open the store
    !   why: it came from the file 'wrong.txt'
    !   try: tacit help keys    show all key sources
    [77]
''')

# What a child gets does not hold the key.
ended = stage.tacit(
    "alice", "list", "--key-command", "env > seen.txt; tr '\\0' '\\n' < /proc/$PPID/environ >> seen.txt; cat words.txt",
    env={"TACIT_KEY": "a-key-for-nobody-else"},
)
seen = (stage.folder / "seen.txt").read_text()
assert "PATH=" in seen and "a-key-for-nobody-else" not in seen, seen

# From a passphrase to a key file and back, in every direction. A key that is no more opens nothing.
words("random.key", os.urandom(31) + b"\xff")
stage.play(r'''
    alice$ tacit db rekey --key-file words.txt --new-key-file new.key
    the store has a new key
    the key is in new.key
    ! later commands need --key-file new.key, or: tacit config set key.file new.key
    alice$ tacit profile list --key-file words.txt
    ! tacit: cannot list profiles: the key does not open the store
    !   why: it came from the file 'words.txt'
    !   try: tacit help keys    show all key sources
    [77]
    alice$ tacit profile list --key-file new.key --plain --fields name
    alice
    alice$ tacit db rekey --key-file new.key --new-passphrase-file random.key
    the store has a new key
    alice$ tacit db info --key-file random.key --json | grep -o '"keys":[^]]*]'
    "keys":[{"kind":"key-file"}]
    alice$ tacit db rekey --key-file random.key --new-passphrase-file words.txt -q
    alice$ tacit db info --key-file words.txt --json | grep -o '"keys":[^]]*]'
    "keys":[{"kind":"passphrase","kdf":"argon2id","memory":67108864,"passes":3}]
    alice$ tacit db rekey --key-file words.txt --new-passphrase-fd 8 --json 8< wrong.txt
    {"v":1,"type":"db-rekey","encrypted":true}
    alice$ tacit profile list --key-file words.txt -q
    ! tacit: cannot list profiles: the key does not open the store
    !   why: it came from the file 'words.txt'
    !   try: tacit help keys    show all key sources
    [77]
    alice$ tacit profile list --key-file wrong.txt --plain --fields name
    alice
    alice$ tacit db rekey --key-file words.txt --new-passphrase-file words.txt
    ! tacit: cannot change the key: the key does not open the store
    !   why: it came from the file 'words.txt'
    !   try: tacit help keys    show all key sources
    [77]
    alice$ tacit db rekey --key-file wrong.txt
    ! tacit: cannot change the key: no new key was given
    !   why: there is no terminal to prompt at
    !   try: tacit db rekey --new-key-file FILE
    [77]
    alice$ tacit db rekey --key-file wrong.txt --new-key-file new.key
    ! tacit: cannot change the key: the key file exists already
    !   why: path: new.key
    [73]
    alice$ tacit db rekey --key-file wrong.txt --new-passphrase-file words.txt -q
''')
assert stat.S_IMODE((stage.folder / "new.key").stat().st_mode) == 0o600

# In clear and back.
stage.play(r'''
    alice$ tacit db decrypt --key-file words.txt
    ! tacit: cannot decrypt the store: not confirmed
    !   try: tacit db decrypt --yes
    [64]
    alice$ tacit db decrypt --key-file words.txt --yes
    the store is not encrypted now
    alice$ tacit status
    store     /stage/alice
    profile   alice
    contacts  0
    unread    0
    outbox    0
    relay     127.0.0.1:PORT
    key       none: tacit db encrypt
    writer    none
    alice$ tacit db rekey --new-key-file other.key
    ! tacit: cannot change the key: the store is not encrypted
    !   try: tacit db encrypt    encrypt the store
    [65]
    alice$ tacit db decrypt --yes
    ! tacit: cannot decrypt the store: the store is not encrypted
    !   try: tacit db encrypt    encrypt the store
    [65]
    alice$ tacit db encrypt --new-key-file other.key
    the store is encrypted
    the key is in other.key
    alice$ tacit profile list --plain --fields name
    ! tacit: cannot list profiles: the store is encrypted and no key was given
    !   why: there is no terminal to prompt at
    !   try: TACIT_KEY_FILE=/path/to/key tacit ...    use a key file
    !   try: tacit unlock --for 1h                    cache the key for other commands, from a terminal
    !   try: tacit help keys                          show all key sources
    [77]
    alice$ tacit profile list --key-file other.key --plain --fields name
    alice
    alice$ tacit db encrypt --new-passphrase-file words.txt
    ! tacit: cannot encrypt the store: the store is encrypted already
    !   try: tacit db rekey    change the key
    [65]
    alice$ tacit db check --key-file other.key
    the store is undamaged
''')

# What init leaves where it belongs is found by itself, and other files in that place are not trusted.
stage.play(r'''
    bob$ tacit init --name bob -q; tacit profile list --plain --fields name
    bob
    bob$ chmod 644 bob/key; tacit list
    ! tacit: cannot list chats: other users can read the key file
    !   why: path: /stage/bob/key
    !   try: chmod 600 /stage/bob/key
    [77]
    bob$ chmod 600 bob/key; tacit unlock --for 1m --json
    {"v":1,"type":"unlock","for_ms":60000}
    bob$ mv bob/key bob/away; tacit profile list --plain --fields name
    bob
    bob$ tacit lock; tacit lock; tacit profile list -q
    locked
    no key was cached
    ! tacit: cannot list profiles: the store is encrypted and no key was given
    !   why: there is no terminal to prompt at
    !   try: TACIT_KEY_FILE=/path/to/key tacit ...    use a key file
    !   try: tacit unlock --for 1h                    cache the key for other commands, from a terminal
    !   try: tacit help keys                          show all key sources
    [77]
    carol$ mkdir -m 700 carol; cp words.txt carol/key; tacit init --name carol
    ! tacit: cannot create a store: the file at the default key path is not a random key
    !   why: path: '/stage/carol/key'
    !   try: tacit init --key-file /stage/carol/key    use its contents as a passphrase
    [77]
''')

# A header that the disk takes only half of keeps the former key, and is whole.
stage.tacit("frank", "init", "--name", "frank", "--server", relay.address, "--new-key-file", str(stage.folder / "frank.key"))
for blocks in 1, 3:
    given = stage.folder / f"frank-{blocks}.key"
    ended = stage.shell("frank", f"ulimit -f {blocks}; tacit db rekey --key-file frank.key --new-key-file {given}")
    assert ended.code == 74 and "disk error" in ended.err, (ended.code, ended.err)
    stage.tacit("frank", "db", "check", "--key-file", str(stage.folder / "frank.key"))
