"""Whatever an inputrc binds to keys, no sequence of them ends the session: macros and prefixes inside of searches, too."""
# limit: 120

import random
import time

from support.seat import UP, control
from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")
# Half of these end a search or a count with keys that mean nothing together, or give up in the middle.
macros = [
    r"\C-r\C-xz", r"\C-r\C-tz", r"\C-rsho\C-tq\C-r\C-xq", r"\C-s\C-xz\C-g", r"\e5\C-xz", r"\e5\C-tz", r"\C-x\C-xz\C-tz",
    r"\C-g", r"ab\C-g", r"\C-rx\C-g\C-xz", r"\C-]\C-g", r"\C-q\C-g", r"\C-o0", r"\C-o1\C-o2", r"\C-o3", r"one\C-mtwo\C-xz",
]
lines = [rf'"\C-o{number:x}": "{macro}"' for number, macro in enumerate(macros)]
lines += [r'"\C-tab": forward-char', r'"\C-x\C-u": undo', "set keyseq-timeout 10"]
for mode in ("emacs", "vi"):
    (stage.folder / "inputrc").write_text("\n".join([f"set editing-mode {mode}", *lines]) + "\n")
    alice = stage.sit("alice", "repl", "--fresh", columns=70, env={"INPUTRC": str(stage.folder / "inputrc")})
    alice.until("alice:/ >")
    alice.enter("show")
    alice.until("> show")
    # A macro does what its keys do.
    alice.type(control("o") + "f")
    alice.until("unknown command or name 'one'")
    alice.until("> two")
    alice.type(control("u"))
    for number in range(len(macros)):
        alice.type(control("o") + f"{number:x}")
        alice.look(0.02)
        alice.type(control("g"))
    chance = random.Random(7)
    keys = [control("o") + f"{number:x}" for number in range(len(macros))] * 2
    keys += [control(letter) for letter in "RSTXGOQ]"] + ["\x1b", "\x1b5", "z", "a", "sho", UP]
    for _ in range(600):
        alice.type(chance.choice(keys))
    # What was begun is given up, and the session takes commands as ever.
    for _ in range(4):
        alice.type(control("g"))
    # Ctrl-C ends a command as long as one runs, and empties the line then.
    time.sleep(0.5)
    if mode == "vi":
        alice.type("\x1b")
        alice.look(0.1)
        alice.type("i")
    alice.type("x" + control("c"))
    alice.enter("help")
    alice.until("Leave; the next session")
    alice.signal(15)
    assert alice.ended() == -15
