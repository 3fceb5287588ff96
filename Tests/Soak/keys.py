"""Whatever is typed while messages pour in: no crash, and no line is lost, doubled or out of order.

The keys are random; the seed is printed, and TACIT_SEED repeats them. TACIT_SECONDS says how long, and TACIT_TERM on what
kind of terminal: on a dumb one nothing can be pasted.
"""

import atexit
import fcntl
import os
import random
import select
import subprocess
import time

from support.process import TIMEOUT
from support.seat import ALT_ENTER, BACKSPACE, DOWN, ENTER, ESCAPE, LEFT, RIGHT, TAB, UP, control
from support.stage import Stage

SECONDS = float(os.environ.get("TACIT_SECONDS", "1800"))
SEED = int(os.environ.get("TACIT_SEED", time.time_ns() % 1_000_000))
TERM = os.environ.get("TACIT_TERM", "xterm")
print(f"seed {SEED}")
chance = random.Random(SEED)

stage = Stage()
# Nobody else ends it when this does.
atexit.register(stage.connected("alice", "bob").stop)
# An editor would take the keys that are meant for the session.
(stage.folder / "inputrc").write_text('$include /etc/inputrc\n"\\C-x\\C-e": abort\n')
alice = stage.sit("alice", columns=70, term=TERM, env={"INPUTRC": str(stage.folder / "inputrc")})
alice.until("alice:/ >")
alice.enter("open bob")
alice.until("alice:/bob >")

# Whoever pours in types into a pipe. What names a command, leaves, stops, or empties the screen is not typed here.
# What he is told is read by nobody, and must not fill a pipe.
bob = stage.start("bob", "repl", stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
# A small pipe keeps him from being hundreds of messages ahead of a slow machine.
fcntl.fcntl(bob.process.stdin, fcntl.F_SETPIPE_SZ, 4096)
EDITING = [control(letter) for letter in "ABEFGHIKNOPQRTUVWXY"] + [UP, DOWN, LEFT, RIGHT, BACKSPACE, TAB, ESCAPE]
EDITING += [ESCAPE + key for key in "bfdutlcy<>.#*?_"] + [ALT_ENTER, "\x1b[3~", "\x1b[H", "\x1b[F", "\x1bOA"]
TEXT = ["a", "word ", "x" * 30, "ä", "日本", "😀", "e\u0301", "👨‍👩‍👧", "\\", "'", '"', ":he", "  ", "𝕏"]


def touch():
    draw = chance.random()
    if draw < 0.5:
        alice.type(chance.choice(TEXT))
    elif draw < 0.9:
        alice.type(chance.choice(EDITING))
    elif draw < 0.93:
        alice.type(ENTER)
    elif draw < 0.96 and TERM == "dumb":
        alice.type("y" * 50)
    elif draw < 0.96:
        alice.paste(chance.choice(["pasted", "two\nlines", "\x1b[2Jevil\x07", "日本\r\n" * 20, "y" * 500]))
    else:
        alice.resize(chance.randint(50, 120), chance.randint(6, 40))


sent = 0
end = time.monotonic() + SECONDS
while time.monotonic() < end:
    count = chance.randint(0, 3)
    has_room = select.select([], [bob.process.stdin], [], 0)[1]
    for _ in range(count if has_room else 0):
        sent += 1
        bob.process.stdin.write(f"send @alice 'number {sent} of many' --wait queued\n".encode())
    bob.process.stdin.flush()
    for _ in range(chance.randint(1, 20)):
        touch()
    alice.look(0.01)

# The last one is the sign that all have come. Bob stays until then: what did not fit into the queue at the relay is still his.
sent += 1
bob.process.stdin.write(f"send @alice 'number {sent} of many' --wait queued\n".encode())
bob.process.stdin.flush()


def has_come(number):
    return any(f"number {number} of many" in line for line in alice.screen.past[-1000:] + alice.screen.lines)


alice.until(lambda: has_come(sent), "last message", timeout=TIMEOUT + 2 * SECONDS)
rows = alice.screen.past + alice.screen.lines
seen = [row.split("│ number ")[1].split()[0] for row in rows if "bob │ number" in row]
# A reply to a search or the screen drawn anew may show some once more; nothing here asks for that.
assert seen == [str(number) for number in range(1, sent + 1)], (SEED, [n for n in range(1, sent + 1) if str(n) not in seen], len(seen), sent)
bob.process.stdin.close()
bob.process.stdin = None
assert bob.ended().code == 0
alice.type(control("g") + control("g") + control("c"))
alice.until(">")
alice.type(control("c") + control("d"))
assert alice.ended() == 0
print(f"{sent} messages")
