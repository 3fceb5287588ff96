"""The key of a store is not in its copies, which say where it is; an archive can have a passphrase of its own, with which it is
imported where nobody has the key."""

import os
import shutil
import zipfile

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.tell("bob", "alice", ["worth keeping"])
KEY = stage.place("alice") / "key"


def words(name, text):
    path = stage.folder / name
    path.write_text(text)
    path.chmod(0o600)
    return str(path)


words("words.txt", "correct horse battery staple\n")
words("wrong.txt", "correct horse battery stable\n")
texts = lambda person, **env: [
    entry["text"] for entry in stage.tacit(person, "read", "--json", env=env or None).objects
]

# What is not inside, and where it is.
stage.play(r'''
    alice$ tacit export plain.zip | sed 's/ with.*//'
    plain.zip: exported the store
    ! tacit: warning: never use both this store and the archive; to move the store: tacit export --freeze
    ! the key is not in the archive: it is in the file '/stage/alice/key'
    alice$ tacit db backup copy | sed 's/ (.*//'
    copy
    ! the key is not in the copy: it is in the file '/stage/alice/key'
    alice$ tacit export -q nightly.zip
    alice$ tacit export -q --json - --passphrase-file words.txt | head -c 2
    PK
    alice$ tacit export own.zip --passphrase-file words.txt | sed 's/ with.*//'
    own.zip: exported the store
    ! tacit: warning: never use both this store and the archive; to move the store: tacit export --freeze
    ! the key is not in the archive: it is in the file '/stage/alice/key'; the passphrase of the archive opens it too
    alice$ tacit export other.zip --passphrase
    ! tacit: cannot export to 'other.zip': no passphrase was given
    !   why: there is no terminal to prompt at
    !   try: tacit export --passphrase-file FILE other.zip
    [77]
    alice$ tacit export other.txt --format txt --passphrase-file words.txt
    ! tacit: '--format' and '--passphrase' cannot be combined
    [64]
    alice$ ls other.* 2>/dev/null
    [2]
''')
report = stage.tacit("alice", "export", "--json", "--force", "own.zip", "--passphrase-fd", "0", stdin="correct horse battery staple\n")
assert report.objects[0]["passphrase"] is True and str(KEY) in report.objects[0]["key"], report.out
assert stage.tacit("alice", "export", "--json", "--force", "plain.zip").objects[0]["passphrase"] is False
secrets = [KEY.read_bytes().strip(), b"correct horse"]
with zipfile.ZipFile("own.zip") as archive:
    assert not any(secret in archive.read(name) for secret in secrets for name in archive.namelist())
# The passphrase of an archive is none of the store.
stage.tacit("alice", "list", env={"TACIT_KEY_FILE": "words.txt"}, expect=77)

# Nobody has the key: import says where to put it.
ended = stage.tacit("carol", "import", "plain.zip", "--json", expect=77)
assert ended.error["code"] == "key.missing" and ended.error["why"] == "the key of the exported store is not in the archive"
assert ended.error["try"] == ["tacit import --key-file KEY plain.zip", f"cp KEY {stage.place('carol')}/key"], ended.error

# The passphrase opens the archive, and the store gets a key of its own.
stage.play(r'''
    carol$ tacit import plain.zip --passphrase-file words.txt
    ! tacit: cannot import 'plain.zip': the archive has no separate passphrase
    !   why: it was made without 'tacit export --passphrase': only the key of the exported store opens it
    !   try: tacit import --key-file KEY FILE    use the key of the exported store
    [65]
    carol$ tacit import own.zip
    ! tacit: cannot import 'own.zip': the archive has a passphrase and none was given
    !   why: there is no terminal to prompt at
    !   try: tacit import --passphrase-file FILE own.zip
    !   try: tacit import --key-file KEY own.zip    use the key of the exported store
    [77]
    carol$ tacit import own.zip --passphrase-file wrong.txt
    ! tacit: cannot import 'own.zip': the passphrase does not open the archive
    !   why: it came from the file 'wrong.txt'
    [77]
    carol$ tacit import own.zip --passphrase-fd 7 --dry-run 7< words.txt | sed 's/:.*//; s/ at .*//'
    can be imported
    exported
    carol$ ls carol
    lock
    carol$ tacit import own.zip --passphrase-file words.txt | sed 's/:.*//; s/ at .*//'
    imported into /stage/carol
    exported
    ! the key is in /stage/carol/key; without it the store cannot be read
    ! tacit: warning: use only this store from now on, not the one that was exported at YYYY-MM-DD hh:mm
''')
new = stage.place("carol") / "key"
assert new.read_bytes() != KEY.read_bytes() and new.stat().st_mode & 0o777 == 0o600
assert texts("carol") == texts("alice") == ["worth keeping"]
for other in ("words.txt", str(KEY)):
    stage.tacit("carol", "list", env={"TACIT_KEY_FILE": other}, expect=77)
assert stage.tacit("carol", "db", "check", "--json").objects[0]["ok"]
kinds = stage.tacit("carol", "db", "info", "--json").objects[0]["keys"]
assert [key["kind"] for key in kinds] == ["key-file"], kinds

# A person is asked, and may err twice.
person = stage.sit("dora", "import", "own.zip")
person.until("Passphrase of the archive")
person.enter("something else")
person.until(lambda: person.screen.text.count("Passphrase of the archive") == 2)
assert "wrong passphrase" in person.screen.text
person.enter("correct horse battery staple")
assert person.ended() == 0
assert texts("dora") == ["worth keeping"] and (stage.place("dora") / "key").exists()
person = stage.sit("alice", "export", "typed.zip", "--passphrase")
person.until("New passphrase")
person.enter("typed words")
person.until("Repeat the passphrase")
person.enter("typed words")
assert person.ended() == 0
words("typed.txt", "typed words")

# The new key goes where it is named, by an option or by a variable; the key at hand is used if it is there.
made = stage.tacit("emma", "import", "typed.zip", "--passphrase-file", "typed.txt", "--new-key-file", "emma.key", "--json")
assert made.objects[0]["key_file"] == "emma.key" and texts("emma", TACIT_KEY_FILE="emma.key") == ["worth keeping"]
assert not (stage.place("emma") / "key").exists()
stage.tacit("finn", "import", "typed.zip", "--passphrase-file", "typed.txt", "--new-key-file", "emma.key", expect=73)
environment = {"TACIT_KEY_FILE": "finn.key"}
stage.tacit("finn", "import", "typed.zip", "--passphrase-file", "typed.txt", env=environment)
assert texts("finn", **environment) == ["worth keeping"] and os.path.exists("finn.key")
stage.place("gina").mkdir(mode=0o700)
shutil.copy(KEY, stage.place("gina") / "key")
assert "its key" not in stage.tacit("gina", "import", "typed.zip").err
assert texts("gina") == ["worth keeping"]
stage.tacit("gina", "list", env={"TACIT_KEY_FILE": "typed.txt"}, expect=77)
kept = stage.tacit("hugo", "import", "plain.zip", "--key-file", str(KEY))
assert f"move it to {stage.place('hugo')}/key" in kept.err, kept.err
# A store that was imported can be exported with another passphrase.
stage.tacit("gina", "export", "-q", "again.zip", "--passphrase-file", "words.txt")
stage.tacit("ivan", "import", "-q", "again.zip", "--passphrase-file", "words.txt")
assert texts("ivan") == ["worth keeping"]

# A passphrase has no place.
stage.tacit("ivan", "db", "rekey", "--new-passphrase-file", "typed.txt")
person = stage.sit("ivan", "export", "asked.zip")
person.until("Passphrase of the store")
person.enter("typed words")
person.until("the key is not in the archive: it is the passphrase of the store")
assert person.ended() == 0
(stage.place("ivan") / "key").unlink()
stage.tacit("ivan", "db", "rekey", "--key-file", "typed.txt", "--new-key-file", str(stage.place("ivan") / "key"))

# A store that is not encrypted has no key to wrap, and says that everybody can read its archive.
stage.tacit("ivan", "db", "decrypt", "--yes")
ended = stage.tacit("ivan", "export", "clear.zip", "--passphrase-file", "words.txt", "--json", expect=65)
assert ended.error["code"] == "store.plain" and not os.path.exists("clear.zip"), ended.err
assert "the key" not in stage.tacit("ivan", "export", "clear.zip").err

# Who is interrupted, or has no room, leaves neither a store nor half of one.
stage.place("jane").mkdir(mode=0o700)
(stage.place("jane") / "key").write_text("my dog's name\n")
(stage.place("jane") / "key").chmod(0o600)
ended = stage.tacit("jane", "import", "own.zip", "--passphrase-file", "words.txt", "--json", expect=77)
assert ended.error["code"] == "key.weak", ended.err
assert sorted(os.listdir(stage.place("jane"))) == ["key", "lock"]
