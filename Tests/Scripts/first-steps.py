"""What newcomers type first: words of other programs lead to the command that does it here, and no advice misleads."""

import re

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")


def tries(words, expect=64):
    """The lines that an error tells to try."""
    ended = stage.shell("alice", f"tacit {words}")
    assert ended.code == expect, (words, ended.code, ended.out, ended.err)
    return [re.split(r"\s{2,}", line.strip()[5:])[0] for line in ended.err.splitlines() if line.startswith("  try: ")]


# The first thing to try, for each.
for words, first in {
    "invite": "tacit connect", "join https://smp.example.org/i#abc": "tacit connect 'LINK'", "add bob": "tacit connect",
    "contact add bob": "tacit connect", "msg @bob hi": "tacit send @NAME 'TEXT'", "message send @bob hi": "tacit send @NAME 'TEXT'",
    "inbox": "tacit fetch", "recv": "tacit fetch", "ls": "tacit list", "chats": "tacit list", "search hello": "tacit message search WORDS",
    "block @bob": "tacit contact block @NAME", "delete @bob": "tacit contact delete @NAME", "group new team": "tacit group create NAME",
    "group add +team @bob": "tacit group invite +NAME @CONTACT", "group kick +team/@bob": "tacit group remove +NAME/@MEMBER",
    "profile rename Al": "tacit profile set --name NEW", "whoami": "tacit status", "backup": "tacit export FILE",
    "register alice": "tacit init --name NAME --accept-conditions", "login": "tacit init --name NAME --accept-conditions",
    "daemon start": "tacit daemon run", "relay run": "tacit relay start DIR", "set name x": "tacit config set KEY VALUE",
    "config read.mark no": "tacit config set read.mark VALUE", "man": "tacit help", "file download f1": "tacit file receive FILE",
}.items():
    given = tries(words)
    assert given[0] == first and len(given) <= 3, (words, given)

# Words that are only spelled alike are offered for mistakes in spelling, and for these alone.
assert tries("hlep")[0] == "tacit help" and tries("contacts")[0] == "tacit contact"
for words, other in {"invite": "tacit init", "block @bob": "tacit lock", "set x y": "tacit net"}.items():
    assert other not in tries(words), words

# A shell takes '#team' as a comment.
assert tries("send #team hello")[0] == "+NAME" and tries("group leave #team")[0] == "+NAME"

# The name of a group may be typed as it is called afterwards.
stage.play(r'''
    alice$ tacit group create +team
    created +team (g1)
    alice$ tacit group rename +team +crew -q
    alice$ tacit group list --plain --fields name
    crew
''')

# Each line that is offered is a command.
for line in ("connect", "fetch", "list", "status", "profile show", "repl", "daemon run", "message search", "db backup", "export", "import"):
    assert "Usage: tacit" in stage.tacit(None, *line.split(), "-h").out, line
