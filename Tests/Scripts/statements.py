"""Statements of the documents that a program can check: what they say is what the program does."""

import os
import re
from collections import Counter
from pathlib import Path

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
repository = Path(os.environ["TACIT_REPOSITORY"])


def text(name):
    return (repository / name).read_text()


def help_of(*words):
    return " ".join(stage.tacit(None, *words).out.split())


def manual(name):
    """The text of a page without its markup."""
    page = re.sub(r"\\f[BIR]|\\%|\\&|\\:", "", text(f"man/{name}").replace("\\-", "-").replace("\\(aq", "'"))
    return " ".join(re.sub(r"^\.\S+ ?", "", page, flags=re.MULTILINE).replace('"', "").split())


# Exit codes mean what their table says: an unknown relay, and one whose host does not resolve.
table = dict(re.findall(r"^ +(\d+)  (.+)$", stage.tacit(None, "help", "exit-codes").out, re.MULTILINE))
assert "server" in table["67"] and "unknown" in table["67"] and "unknown" not in table["68"], table
assert "permanently" not in table["69"], table
fingerprint = "A" * 43 + "="
stage.tacit("alice", "server", "remove", f"smp://{fingerprint}@unknown.example", expect=67)

# What the package and the documents say the program has.
packaged = " ".join(text("packaging/debian/control").split())
assert "messages and files between two people, in groups and in channels" in packaged and "between two people, in groups and in channels" in text("README.md")
assert "tacit.invalid" not in text("SECURITY.md") and "dpkg -s" not in text("SECURITY.md")
news = " ".join(text("Sources/REPL/Sheets/WhatsNew.swift").split())
for word in ("Files", "migrate", "import", "Bots", "Groups"):
    assert word in news, word
counted = re.search(r"`examples/` has (\w+) programs", text("CHANGELOG.md"))
assert counted is None, counted
entries = [line for line in text("CHANGELOG.md").splitlines() if len(line) > 40]
assert not [line for line, count in Counter(entries).items() if count > 1]
assert text("CONTRIBUTING.md").count("install missing") == 0 and text("README.md").count("install missing") == 1

# One definition of each state, option and role.
assert "Unblock for all" in help_of("group", "unblock", "-h") and "Block for all" not in help_of("group", "unblock", "-h")
assert "Block for all" in help_of("group", "block", "-h")
roles = help_of("help", "group", "role")
for role in ("observer", "author", "member", "moderator", "admin", "owner"):
    assert re.search(rf"\b{role} (reads|sends|deletes|invites|changes)", roles), role
for page in sorted((repository / "man").iterdir()):
    assert "see below]" not in page.read_text() and "(see below)" not in page.read_text(), page
assert not re.search(r"--passphrase FILE", stage.tacit(None, "help", "keys").out)
for action in ("rekey", "encrypt", "decrypt"):
    printed = re.search(rf"\bdb-{action}\b.*?Printed by (.*?)\.", manual("tacit-json.5"))
    assert printed and printed.group(1) == f"tacit db {action}", (action, printed)
files = help_of("help", "files")
assert "aborted you cancelled or purged a received file;" in files, files
for command in ("cancel", "purge"):
    assert "state aborted" in help_of("help", "file", command), command

# A link to a file works once, and everything that speaks of it says so.
assert "works once" in text("README.md") and "everyone with its link" not in text("README.md")
assert "to anyone" not in files

# Who moderates deletes messages of others.
stage.tacit("alice", "group", "create", "team")
sent = stage.tacit("alice", "send", "+team", "mine", "--wait", "queued").out.split()[-1]
stage.play(rf'''
    alice$ tacit group moderate {sent} --yes
    ! tacit: cannot delete messages for all members: {sent} was sent by you
    !   try: tacit message delete {sent} --everywhere    delete the message for all members
    [69]
''')

# What a link is that cannot be joined, and what can be done.
for link, words in (
    (f"https://smp.example.org/r#{'A' * 43}", "the link leads to a relay of channels"),
    ("simplex:/name#example", "your relays do not resolve names"),
    ("@alice.example.org", "your relays do not resolve names"),
    ("example.simplex", "your relays do not resolve names"),
):
    ended = stage.tacit("alice", "connect", link, expect=69)
    assert words in ended.err and ("why:" in ended.err or "try:" in ended.err), ended.err
for link in ("@alice", "alice", "example.org", "@-a.b", "#a..b"):
    assert "invalid or incomplete link" in stage.tacit("alice", "connect", link, expect=65).err
