"""A hidden profile: nobody finds it without its password, and nothing that comes to it is lost."""

# limit: 120


from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.tacit("alice", "fetch")
for name, text in (("password", "open sesame\n"), ("wrong", "open barley\n")):
    (stage.folder / name).write_text(text)
stage.values["relay"] = relay.address



def facts():
    """What everybody may see of the store, without sizes and times."""
    found = {}
    for words in (["db", "info"], ["db", "check"], ["status"], ["doctor"], ["outbox", "list"], ["cursor", "list"],
                  ["net", "status"], ["list", "profiles"], ["list", "contacts"], ["hook", "list"]):  # fmt: skip
        found[" ".join(words)] = [
            {name: value for name, value in line.items() if name not in ("size", "databases", "message", "exported_at")}
            for line in stage.tacit("alice", *words, "--json").objects
        ]
    for database in stage.tacit("alice", "db", "info", "--json").objects[0]["databases"]:
        found[database["file"]] = database["rows"]
    stage.tacit("alice", "export", "all.zip", "--force", "-q")
    report = stage.tacit("alice", "import", "all.zip", "--dry-run", "--json").objects[0]
    found["import"] = {name: value for name, value in report.items() if name not in ("size", "exported_at")}
    return found


before = facts()
# The export has left its mark.
before = facts()

# A second profile of alice, with a contact of its own.
stage.tacit("alice", "profile", "create", "double-life", "--use")
stage.tacit("carol", "init", "--name", "carol", "--server", relay.address)

stage.connect("alice", "carol")
stage.tacit("alice", "profile", "use", "alice")

stage.play(r"""
    alice$ tacit profile hide double-life
    ! tacit: cannot hide the profile 'double-life': no password was given
    !   why: there is no terminal to prompt at
    !   try: tacit profile hide NAME --profile-password-fd 3 3< FILE
    [77]
    alice$ tacit profile hide alice --profile-password-fd 3 3< password
    ! tacit: cannot hide the profile 'alice': the profile is active
    !   try: tacit profile use OTHER    activate another profile first
    [69]
    alice$ tacit profile hide double-life --profile-password-fd 3 3< /dev/null
    ! tacit: cannot hide the profile 'double-life': the password is empty or not valid UTF-8
    [77]
    alice$ tacit profile hide double-life --profile-password-fd 3 3< password
    hidden double-life (p2)
""")

# What comes to it comes, and nothing says so.
stage.tacit("carol", "send", "@double-life", "a secret from carol", "-q")
ended = stage.tacit("alice", "fetch", "-vv")
assert "0 new" in ended.err or "no new messages" in ended.err, ended.err
SECRETS = ("double-life", "carol", "a secret")
for words in (["fetch", "--json"], ["status"], ["status", "--json"], ["list"], ["list", "profiles", "--json"], ["profile"],
              ["list", "contacts"], ["read"], ["read", "--unread"], ["list", "messages"], ["message", "search", "secret"],
              ["outbox"], ["cursor"], ["list", "requests"], ["invitation"], ["api", "/users"], ["watch", "--timeout", "100ms"],
              ["export", "-", "--format", "txt"], ["db", "info"], ["server", "list"]):
    ended = stage.tacit("alice", *words)
    seen = ended.out + ended.err
    assert not any(secret in seen for secret in SECRETS), (words, seen)
for words in (["fish", "--", "--profile", ""], ["fish", "--", "profile", "use", ""], ["fish", "--", "send", ""]):
    assert "double" not in stage.tacit("alice", "__complete", *words).out
status = stage.tacit("alice", "status", "--json").objects[0]
assert status["unread"] == 0, status

# No number counts what is hidden: the store looks as it did before there was a second profile, but for one more export.
after = facts()
chat = str(stage.place("alice") / "simplex_v1_chat.db")
assert after[chat].pop("exports") == before[chat].pop("exports") + 1
for name, value in before.items():
    assert after[name] == value, (name, value, after[name])

# Without the password it is not there, nor with another one; nobody can tell the difference.
def refusal(line):
    ended = stage.shell("alice", line)
    assert ended.code == 67 and ended.out == "", (line, ended.code, ended.out, ended.err)
    return ended.err.replace("nobody", "NAME").replace("double-life", "NAME")


for line in ("tacit list --profile {}", "tacit list --profile {} --profile-password-fd 3 3< wrong",
             "tacit profile unhide {} --profile-password-fd 3 3< wrong", "tacit profile use {}", "tacit profile delete {} --yes",
             "tacit profile mute {}", "tacit list --profile id:p2", "TACIT_PROFILE={} tacit list"):
    assert refusal(line.format("double-life")) == refusal(line.format("nobody")) or "id:p2" in line, line
m = next(each for each in stage.shell("alice", "tacit read --profile double-life --profile-password-fd 3 --json 3< password").objects)
for words in (["message", "show", m["id"]], ["message", "mark", m["id"]], ["message", "react", m["id"], "👍"]):
    ended = stage.tacit("alice", *words, expect=67)
    assert not any(secret in ended.err for secret in SECRETS), ended.err

# With the password everything works, and only for this one command.
stage.play(r"""
    alice$ tacit read --profile double-life --profile-password-fd 3 --plain --fields chat,text 3< password
    @carol	a secret from carol
    alice$ tacit send @carol 'an answer' --profile double-life --profile-password-fd 0 < password
    sent @carol m2
    alice$ tacit profile use double-life --profile double-life --profile-password-fd 3 3< password
    ! tacit: cannot use the profile 'double-life': unknown profile
    [67]
    alice$ tacit list --profile double-life
    ! tacit: cannot list chats: unknown profile 'double-life'
    !   try: tacit profile list    show the list
    [67]
    alice$ tacit list --profile double-life --profile-password-fd 9
    ! tacit: cannot list chats: cannot read the password of the profile
    !   why: descriptor 9: bad file descriptor
    [66]
""")
stage.tacit("carol", "fetch", "-q")
assert stage.tacit("carol", "read", "--json").objects[-1]["text"] == "an answer"

# A process that has the store open carries it out as well, and neither it nor those who watch learn more than before.
watching = stage.start("alice", "watch", "--json")
wait_until(lambda: "socket" in (stage.place("alice") / "lock").read_text(), "the socket", watching.process)
stage.play(r"""
    alice$ tacit send @carol 'by another process' --profile double-life --profile-password-fd 3 3< password
    sent @carol m3
    alice$ tacit send @carol 'by another process' --profile double-life --profile-password-fd 3 3< wrong
    ! tacit: cannot send to '@carol': unknown profile 'double-life'
    !   try: tacit profile list    show the list
    [67]
    alice$ tacit send @carol 'by another process' --profile double-life
    ! tacit: cannot send to '@carol': unknown profile 'double-life'
    !   try: tacit profile list    show the list
    [67]
""")
stage.tacit("carol", "send", "@double-life", "quietly", "-q")


# A cursor moves past what was printed, though another process has to write that down.
def behind(options):
    return stage.shell("alice", f"tacit read --profile double-life {options} --plain --fields text 3< password")


wait_until(lambda: "quietly" in behind("--profile-password-fd 3 --cursor other --peek").out, "what carol says")
options = "--profile-password-fd 3 --cursor bot"
ended = behind(options)
assert ended.code == 0 and ended.out.splitlines()[-1] == "quietly", (ended.out, ended.err)
ended = behind(options)
assert (ended.code, ended.out, ended.err) == (0, "", ""), ended
ended = behind(f"{options} --mark")
assert (ended.code, ended.out) == (0, ""), ended
ended = behind("--profile-password-fd 3 --unread --mark")
assert ended.code == 0 and "quietly" in ended.out and behind("--profile-password-fd 3 --unread").out == "", ended
watching.signal(15)
ended = watching.ended()
assert not any(secret in ended.out + ended.err for secret in (*SECRETS, "another", "quietly")), ended.out

# The password stands in no file.
for path in stage.place("alice").rglob("*"):
    assert not path.is_file() or b"open sesame" not in path.read_bytes(), path

# Nor does an import that says how far the store went on since.
stage.tacit("carol", "send", "@double-life", "another secret from carol", "-q")
stage.tacit("alice", "fetch", "-q")
late = stage.tacit("alice", "import", "all.zip", "--dry-run", "--json")
assert late.objects[0]["relation"] == "same" and "sent or received" not in late.err, (late.out, late.err)

# And back.
stage.play(r"""
    alice$ tacit profile unhide double-life --profile-password-fd 3 3< password
    unhidden double-life (p2)
    alice$ tacit list profiles --plain --fields name,active,unread
    alice	true	0
    double-life	false	1
""")
