"""Page Up and Page Down in a conversation; keys that mean nothing type nothing."""

from support.seat import control
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.tell("bob", "alice", (f"number {number} of many" for number in range(1, 41)))
PAGE_UP, PAGE_DOWN = "\x1b[5~", "\x1b[6~"

alice = stage.sit("alice", "repl", "--at", "/bob", rows=16)
alice.until("number 40 of many")
alice.type("half a line")
alice.type(PAGE_UP)
alice.until(lambda: alice.screen.lines[alice.screen.row - 1].endswith("number 29 of many"), "the page before")
assert alice.line.rstrip() == "alice:/bob > half a line", alice.screen.text
for _ in range(8):
    alice.type(PAGE_UP)
alice.until("no earlier messages")
alice.type(PAGE_DOWN)
alice.until("number 40 of many")
alice.type(control("u"))

# Insert, F1 to F12 as several terminals send them, Shift and Ctrl with arrows and others, the focus, a click.
KEYS = ["[2~", "OP", "OQ", "OR", "OS", "[[A", "[[E", *(f"[{number}~" for number in range(11, 25)), "[1;2P", "[15;5~", "[3;5~",
        "[1;10A", "[5;2~", "[Z", "[I", "[O", "[<0;10;10M", "[57428u", "[27;5;13~"]
for mode in ("emacs", "vi"):
    (stage.folder / "inputrc").write_text(f"set editing-mode {mode}\n")
    alice.type(control("d"))
    assert alice.ended() == 0
    alice = stage.sit("alice", rows=16, env={"INPUTRC": str(stage.folder / "inputrc")})
    alice.until("number 40 of many")
    for key in KEYS:
        alice.type("\x1b" + key)
    alice.type("x")
    alice.until(lambda: alice.line.rstrip() == "alice:/bob > x", "one letter")
    alice.type("\x7f")

# What somebody has bound stays so.
(stage.folder / "inputrc").write_text('"\\e[5~": "bound"\n')
alice.type(control("d"))
assert alice.ended() == 0
alice = stage.sit("alice", rows=16, env={"INPUTRC": str(stage.folder / "inputrc")})
alice.until("number 40 of many")
alice.type(PAGE_UP)
alice.until("alice:/bob > bound")
