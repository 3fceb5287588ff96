"""What every screen of a session looks like at 20, 40, 80 and 200 columns, compared with Tests/Fixtures/Screens.

With TACIT_RECORD=1 it writes what it sees there, and fails all the same: somebody must read it.
"""
# limit: 240

import difflib
import os
import re
from pathlib import Path

from support.screen import constant
from support.seat import control
from support.stage import Stage

FOLDER = Path(os.environ["TACIT_REPOSITORY"]) / "Tests/Fixtures/Screens"
WIDTHS = [20, 40, 80, 200]

stage = Stage()
relay = stage.connected("alice", "bob")
for name in ("张伟", "eve"):
    stage.person(name, relay)
stage.connect("alice", "张伟")
stage.tacit("bob", "profile", "set", "--full-name", "Robert Mueller-Lüdenscheidt of the long names")
stage.tacit("alice", "fetch")
stage.tacit("bob", "send", "@alice", "a text that is longer than a narrow screen is wide, in several words")
stage.tacit("alice", "fetch")
stage.tacit("张伟", "send", "@alice", "你好，我有一个很长的消息，它需要几行才能显示 😀👍")
stage.tacit("alice", "fetch")
stage.tacit("bob", "send", "@alice", "two\n\tlines\nand a control \x1b[31m character")
stage.tacit("alice", "fetch")
stage.tacit("alice", "send", "@bob", "an answer", "--reply-to", "m1")
stage.tacit("alice", "message", "react", "m1", "👍")
stage.tacit("bob", "fetch")
stage.tacit("alice", "fetch")
stage.tacit("alice", "profile", "create", "work", "--full-name", "Alice at work")

# Every line leads to one screen, which is recorded.
WALK = """
show
help
requests
open /address
home
bob
/help
/info
code
back
connection
back
back
/info 1
/back
/open 张伟
/search 消息
/home
list contacts
settings
notifications
back
net
back
privacy
back
database
back
profiles
back
appearance
open /profiles
work
open /profiles
alice
no such thing
open nowhere
"""

# And these again when there is an address, and somebody has asked.
LATER = """
home
open /address
requests
"""


def masked(text, columns):
    """The text without what differs from run to run. What is masked has the same width each time."""
    rows = text.split("\n")
    text = ""
    for row in rows:
        # A row that the terminal has broken is one: a link goes on in the next.
        is_full = len(row) == columns and re.search(r"\S{12}$", row)
        text += row if is_full else row + "\n"
    text = stage.constant(text)
    text = re.sub(r"/tmp/tacit-script-\w{8}", "/stage", text)
    text = re.sub(r"\d{4}-\d\d-\d\d", "YYYY-MM-DD", constant(text))
    text = re.sub(r"\b\d\d:\d\d\b", "hh:mm", text)
    # A security code.
    text = re.sub(r"(?m)^(\d{5} [\d ]*\n)+(\d+\n)?", "CODE\n", text)
    return text.rstrip("\n")


def screens(seat, words):
    """What is seen after each line: whatever it leads to is drawn when the line after it is carried out."""
    seen = []
    for word in words.split("\n"):
        if not word:
            continue
        seat.type(control("l"))
        seat.until(lambda: len(seat.screen.text.strip().split("\n")) == 1 and seat.line.endswith(">"), "an empty screen")
        seat.enter(word)
        seat.enter("/zz")
        seat.until(lambda: re.search(r">zz\S*helpliststhecommands\S*>$", joined(seat)), "the end")
        lines = seat.screen.text.split("\n")
        end = max(index for index, line in enumerate(lines) if line.startswith("> zz"))
        screen = masked("\n".join(lines[:end]), seat.screen.columns)
        # How large databases are changes with everything that is in them.
        if word == "database":
            # A log may have been folded into its file, or not yet.
            screen = re.sub(r"N+ bytes", "NNNNNN bytes", re.sub(r"\d", "N", screen))
        seen += [f"[{word}]", screen, seat.line, ""]
    return seen


def joined(seat):
    """The screen in one row, without spaces: where rows are broken depends on the width."""
    return re.sub(r"\s", "", seat.screen.text)


def walk(columns):
    seat = stage.sit("alice", "repl", "--fresh", columns=columns, rows=100)
    seat.until(lambda: "settings,help" in joined(seat) and seat.line.startswith("ali"), "the chats")
    seen = screens(seat, WALK)
    seat.enter("home")
    stage.tacit("alice", "address", "create")
    link = stage.tacit("alice", "address", "show", "--json").objects[0]["link"]
    stage.tacit("eve", "connect", link)
    stage.tacit("alice", "fetch")
    seen += screens(seat, LATER)
    stage.tacit("alice", "reject", "@eve")
    stage.tacit("alice", "address", "delete")
    seat.enter("quit")
    assert seat.ended() == 0
    return seen


def first_steps(columns):
    """The pages of the first start."""
    name = f"new{columns}"
    seat = stage.sit(name, columns=columns, rows=100)
    for question, answer in [
        ("1 or 2? [1]", "2"),
        ("Name:", "frank"),
        ("1 to 4? [1]", "4"),
        ("Address:", "back"),
        ("1 to 4? [1]", "1"),
        ("Accept them? [y/N]", "y"),
        ("1 to 3? [3]", "2"),
        ("1 to 3? [1]", "3"),
    ]:
        asked = lambda: " ".join(seat.screen.text.split("\n")[-2:]).rstrip().removesuffix(" >").endswith(question)
        seat.until(asked, question)
        seat.enter(answer)
    seat.until(lambda: "No chats yet" in seat.screen.text and seat.line.endswith("frank:/ >"), "the end")
    seen = masked(seat.screen.text, columns).replace(name, "frank").split("\n")
    seat.enter("quit")
    assert seat.ended() == 0
    return ["[the first start]"] + seen


failures = []
for columns in WIDTHS:
    seen = "\n".join(first_steps(columns) + [""] + walk(columns)).splitlines()
    path = FOLDER / f"session-{columns}.txt"
    expected = path.read_text().splitlines() if path.exists() else []
    if seen != expected:
        failures += difflib.unified_diff(expected, seen, f"expected at {columns}", "seen", lineterm="", n=3)
        if os.environ.get("TACIT_RECORD") == "1":
            FOLDER.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(seen) + "\n")
assert not failures, "\n".join(failures)
