"""The first start leads through the first steps; each can be left, and the next start goes on with it."""
# limit: 120

from support.seat import control
from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
# Stands in for that of the machine, and keeps the table in a file.
table, crontab = stage.folder / "crontab", stage.folder / "bin/crontab"
crontab.write_text(
    f"#!/bin/sh\ncase $1 in -l) cat {table} 2>/dev/null || {{ echo 'no crontab for you' >&2; exit 1; }} ;;"
    f" -) cat > {table} ;; *) exit 2 ;; esac\n"
)
crontab.chmod(0o755)


stage.person("eve", relay)
link = stage.tacit("eve", "connect").out.strip()
key = {"TACIT_KEY": "open sesame"}


def status():
    return stage.tacit("alice", "status", "--json", env=key).objects[0]


def sit(person="alice", **options):
    return stage.sit(person, **options)


def ready(person, question):
    """Waits until a question on the screen is being asked; in a narrow terminal it stands above the prompt."""
    person.until(lambda: question in person.screen.text and (question in person.line or person.line.rstrip() == ">"), question)


def asked(person, question):
    """Waits until a question is the last thing on the screen: what is typed before it is no answer to it."""
    person.until(lambda: person.line.rstrip() == question, question)


# Nothing is made before the key is chosen.
alice = sit(columns=40)
ready(alice, "1 or 2? [1]")
assert "── welcome" in alice.screen.text and "── step 1 of 4" in alice.screen.text, alice.screen.text
alice.type(control("d"))
assert alice.ended() == 0
assert "nothing was created" in alice.screen.everything
assert stage.tacit("alice", "status", expect=78)

# A passphrase is typed twice, and not shown; it need not be typed a third time.
alice = sit(columns=40)
ready(alice, "1 or 2? [1]")
alice.enter("3")
alice.until("type a number from 1 to 2")
asked(alice, "1 or 2? [1]")
alice.enter(link)
alice.until("This is a link to a contact. Paste the")
asked(alice, "1 or 2? [1]")
alice.enter("1")
ready(alice, "New passphrase")
alice.enter("open sesame")
ready(alice, "Repeat the passphrase")
alice.enter("open barley")
alice.until("the two passphrases differ")
asked(alice, "New passphrase:")
alice.enter("open sesame")
asked(alice, "Repeat the passphrase:")
alice.enter("open sesame")
alice.until("── step 2 of 4")
asked(alice, "Name:")
alice.enter("quit")
assert alice.ended() == 0
assert "the next start resumes here" in alice.screen.everything
assert "sesame" not in alice.screen.everything and "barley" not in alice.screen.everything

# The next start goes on there. What cannot be a name is asked again.
alice = sit()
alice.until("Passphrase of the store")
alice.enter("open sesame")
asked(alice, "Name:")
alice.enter("")
alice.until("type an answer")
asked(alice, "Name:")
alice.enter("@ann")
alice.until("cannot create the profile")
asked(alice, "Name:")
alice.enter(relay.address)
alice.until("This is a relay address, not an answer")
asked(alice, "Name:")
alice.type("Ann Lee")
alice.until("Name: Ann Lee")
alice.type(control("c"))
assert alice.ended() == 0
alice = sit()
alice.until("Passphrase of the store")
alice.enter("open sesame")
asked(alice, "Name:")
alice.enter("Ann Lee")
alice.until("── step 3 of 4")

# While it asks, other terminals see how far it is, and what they do counts.
assert status()["onboarding"] == "operators" and status()["profile"] == "Ann Lee"
ready(alice, "1 to 4? [1]")
alice.enter("1")
ready(alice, "Accept them?")
assert "https://github.com/simplex-chat/" in alice.screen.text
alice.enter("n")
alice.until("not accepted")
ready(alice, "1 to 4? [1]")
assert status()["servers"] == []
alice.enter("4")
asked(alice, "Address:")
for answer, words in (
    ("smp://nonsense", "ADDRESS cannot be 'smp://nonsense'"),
    ("xftp" + relay.address.removeprefix("smp"), "This is the address of a file relay"),
    ("smp.example.org", "This is not a relay address."),
    ("https://smp.example.org", "This is the address of a web page."),
    ("", "type an answer"),
    (link, "This is a link to a contact."),
):
    alice.type(control("l"))
    asked(alice, "Address:")
    alice.enter(answer)
    alice.until(words)
    asked(alice, "Address:")
assert status()["onboarding"] == "operators"
alice.enter("back")
ready(alice, "1 to 4? [1]")
# What is pasted before it is asked for is understood as well, with what a program for mail puts around it.
alice.enter("xftp://files.example")
alice.until("This is the address of a file relay")
asked(alice, "Address:")
alice.enter("back")
asked(alice, "1 to 4? [1]")
alice.paste(f"<{relay.address[:30]}\n{relay.address[30:]}>\n")
alice.enter("")
alice.until("── step 4 of 4")
ready(alice, "1 to 3? [3]")
assert status()["onboarding"] == "notifications"
alice.type(control("d"))
assert alice.ended() == 0

# The end is the list of chats, with what can be done next. It is not asked again.
alice = sit()
alice.until("Passphrase of the store")
alice.enter("open sesame")
ready(alice, "1 to 3? [3]")
alice.type(control("z"))
alice.until(lambda: open(f"/proc/{alice.pid}/stat").read().split()[2] == "T", "a stopped process")
# The question from before stays on the screen, and nothing that is typed before the new one is an answer.
shown = alice.screen.everything.count("── step 4 of 4")
alice.signal(18)
alice.until(lambda: alice.screen.everything.count("── step 4 of 4") > shown, "the question again")
ready(alice, "1 to 3? [3]")
alice.enter("2")
alice.until("── starting the fetch")
asked(alice, "1 to 3? [1]")
alice.enter("2")
alice.until("setup is complete")
alice.until("No chats yet")
alice.until("Ann Lee:/ >")
assert status()["onboarding"] == "complete"
assert stage.tacit("alice", "notify-mode", "--json", env=key).objects[0]["mode"] == "periodic"
assert "fetch" in table.read_text() and str(stage.place("alice")) in table.read_text()
alice.enter("quit")
assert alice.ended() == 0
alice = sit()
alice.until("Passphrase of the store")
alice.enter("open sesame")
alice.until("Ann Lee:/ >")
assert "step" not in alice.screen.everything
alice.type(control("d"))
assert alice.ended() == 0

# A key file is made for whoever wants one, and conditions are accepted by who agrees.
bob = sit("bob", columns=20, rows=12)
ready(bob, "1 or 2? [1]")
bob.enter("2")
asked(bob, "Name:")
bob.enter("bob")
ready(bob, "1 to 4?")
bob.enter("3")
ready(bob, "Accept them?")
bob.enter("y")
ready(bob, "1 to 3?")
bob.enter("")
bob.until("bob:/ >")
bob.enter("quit")
assert bob.ended() == 0
assert (stage.place("bob") / "key").stat().st_mode & 0o777 == 0o600
accepted = stage.tacit("bob", "server", "list", "--json").objects
assert accepted and all(server.get("operator", "flux") == "flux" for server in accepted), accepted

# A key that is given is used, and a step that was done elsewhere is passed over.
carol = sit("carol", env=key)
carol.until("The key of the store is the variable TACIT_KEY")
asked(carol, "Name:")
stage.tacit("carol", "profile", "create", "carol", env=key)
carol.enter("carol")
carol.until("another process has completed this step")
ready(carol, "1 to 4?")
carol.type(control("d"))
assert carol.ended() == 0

# A link that is pasted into the first steps is opened behind them.
frank = sit("frank", env=key)
asked(frank, "Name:")
frank.enter(link)
frank.until("The link opens after the setup.")
asked(frank, "Name:")
frank.enter("frank")
ready(frank, "1 to 4? [1]")
frank.enter(relay.address)
ready(frank, "1 to 3? [3]")
frank.enter("")
frank.until("setup is complete")
ready(frank, "Connect? [y/N]")
frank.enter("y")
frank.until("the contact must fetch now")
stage.tacit("eve", "fetch")
frank.until("eve is connected")
frank.enter("q")
assert frank.ended() == 0

# Who must not be asked is not.
dave = sit("dave", env={"TACIT_NO_INPUT": "1"})
assert dave.ended() == 78
assert "the store does not exist" in dave.screen.everything
