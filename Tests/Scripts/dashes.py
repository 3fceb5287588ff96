"""Texts that begin with dashes, spaces, signs and emoji are sent and received as written, or refused with 64 and advice."""

import json

from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")

SENT = [
    "-high load on host",
    "-h is the letter of help",
    "-qq be quiet",
    "- item",
    "-10 °C",
    "-> here",
    "-:)",
    "-ö",
    "-w=queued or not",
    "--json is an option",
    "--json=1 of 2",
    "--help me",
    "--wait queued",
    "-- signature",
    "--- cut here ---",
    "--",
    "—dash",
    "–5",
    " leading space",
    "   ",
    "\t-tab",
    "@alice hello",
    "@",
    "+group",
    "#group",
    "/help",
    "!not a command",
    "👍",
    "-👍",
    "👩‍👩‍👧 -h",
    "notes",
    "id:c1",
    "$HOME `id`",
    "line one\n-h\n--json",
]
# Words that have the form of an option and are none.
REFUSED = ["-high", "-x", "-5", "-10", "-2h", "--wat", "--wat=5", "---", "-o-o-", "--dry_run", "-dry-run", "-json"]

for text in SENT:
    words = ["--", text] if text == "--" else [text]
    stage.tacit("bob", "send", "-q", "@alice", *words)
stage.tacit("alice", "fetch", "-q")
received = [line["text"] for line in stage.tacit("alice", "read", "--last", "100", "--json").objects]
assert received == SENT, [pair for pair in zip(received, SENT) if pair[0] != pair[1]]

for text in REFUSED:
    ended = stage.tacit("bob", "send", "@alice", text, "--json", expect=64)
    error = json.loads(ended.err.splitlines()[-1])
    assert error["code"] == "usage.option" and error["try"], (text, ended.err)
    # Where an option is close, that is the advice.
    if not any(line.startswith("tacit send --") for line in error["try"]):
        assert f"tacit send TARGET -- {text.split('=')[0]}" in [line.split("    ")[0] for line in error["try"]], ended.err
    # Behind two dashes each of them is a text.
    stage.tacit("bob", "send", "@alice", "-q", "--", text)
stage.tacit("alice", "fetch", "-q")
received = [line["text"] for line in stage.tacit("alice", "read", "--last", "100", "--json").objects]
assert received == SENT + REFUSED, received[len(SENT):]

# Options of the command are no texts: without another word there is none, and the advice shows how they become one.
for text in ["--json", "--plain", "-q", "-v", "-0", "--dry-run", "--wait=queued", "--utc"]:
    ended = stage.tacit("bob", "send", "@alice", text, expect=64)
    assert "no text given" in (json.loads(ended.err)["message"] if text == "--json" else ended.err), (text, ended.err)
    assert "tacit send TARGET -- --json" in ended.err, (text, ended.err)
    stage.tacit("bob", "send", "notes", "-q", "--", text)
for text in ["--wait", "--once", "--to"]:
    assert "needs a value" in stage.tacit("bob", "send", "@alice", text, expect=64).err

# A text may also be the value of an option, and the name of a contact is a word like any other.
stage.tacit("bob", "read", "--search", "-high load", expect=0)
assert "unknown contact" in stage.tacit("bob", "send", "-Ann Lee", "hi", expect=67).err

# Letters that are flags stay options, together or alone.
assert stage.tacit("bob", "send", "@alice", "-h").out.startswith("Send a message")
assert stage.tacit("bob", "send", "@alice", "-qh").out.startswith("Send a message")
assert "--" in stage.tacit("bob", "send", "--help").out and "-- --json" in stage.tacit("bob", "send", "--help").out
assert '-- "$text"' in stage.tacit("bob", "help", "scripting").out
