"""The passcode of the session: asked at the terminal or read from a descriptor, counted when wrong, never printed."""

import json
import os
import pty
import select
import time

from support.process import TIMEOUT
from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
stage.values["relay"] = relay.address
stage.person("alice", relay)


class Session:
    """A command at a terminal."""

    def __init__(self, *words):
        self.pid, self.screen = pty.fork()
        if self.pid == 0:
            os.execve(stage.program, ["tacit", *words], {**stage._environment("alice", None), "TERM": "xterm"})
        self.seen = b""

    def until(self, text):
        deadline = time.monotonic() + TIMEOUT
        while text is None or text not in self.seen:
            assert select.select([self.screen], [], [], max(0, deadline - time.monotonic()))[0], f"no {text}: {self.seen}"
            try:
                part = os.read(self.screen, 4096)
            except OSError:
                part = b""
            if not part:
                assert text is None, f"no {text}: {self.seen}"
                return
            self.seen += part

    def answer(self, question, text):
        self.until(question)
        self.seen = b""
        os.write(self.screen, text + b"\n")

    def ended(self):
        self.until(None)
        status = os.waitpid(self.pid, 0)[1]
        os.close(self.screen)
        return os.waitstatus_to_exitcode(status)


def passcode(*words, current=None, new=None, expect=0):
    """A command whose passcodes come through descriptors."""
    line = "tacit passcode " + " ".join(words)
    for number, text, option in ((7, current, "--passcode-fd"), (8, new, "--new-passcode-fd")):
        if text is not None:
            (stage.folder / f"fd{number}").write_text(text)
            line += f" {option} {number} {number}< fd{number}"
    ended = stage.shell("alice", line + " --json")
    assert ended.code == expect, (line, ended.code, ended.out, ended.err)
    return ended


# At a terminal it is typed twice, and nothing of it is shown.
session = Session("passcode", "set", "--grace", "30s")
session.answer(b"New passcode", b"1234")
session.answer(b"Repeat the passcode", b"1235")
assert session.ended() == 77
session = Session("passcode", "set", "--grace", "30s")
session.answer(b"New passcode", b"1234")
session.answer(b"Repeat the passcode", b"1234")
assert session.ended() == 0
assert b"1234" not in session.seen

# It is there, and cannot be set again without the old one.
assert passcode("set", current="9999", expect=73).error["code"] == "passcode.exists"
report = json.loads(passcode("change", "--idle", "5m", current="1234\n").out)
assert (report["set"], report["numeric"], report["grace_ms"], report["idle_ms"]) == (True, True, 30000, 300000), report

# Nobody is asked where nobody may be.
ended = stage.shell("alice", "tacit passcode off --no-input --json")
assert (ended.code, ended.error["code"]) == (77, "passcode.missing"), ended.err

# A passcode for the end of everything is another one.
assert passcode("self-destruct", current="1234", new="1234", expect=77).error["code"] == "passcode.same"
assert json.loads(passcode("self-destruct", current="1234", new="0000").out)["self_destruct"]
assert passcode("change", current="1234", new="0000", expect=77).error["code"] == "passcode.same"

# Wrong ones are counted over processes; after three of them there is a wait.
for _ in range(3):
    assert passcode("off", current="4321", expect=77).error["code"] == "passcode.wrong"
assert passcode("off", current="1234", expect=75).error["code"] == "passcode.wait"
deadline = time.monotonic() + TIMEOUT
while True:
    assert time.monotonic() < deadline
    ended = stage.shell("alice", "tacit passcode change --grace 0s --passcode-fd 7 7< fd7 --json")
    if ended.code == 0:
        break
    assert ended.code == 75, ended.err
    time.sleep(0.1)

# status does not say whether there is one.
assert "passcode" not in stage.tacit("alice", "status", "--json").out

# Changed and taken away, the one for the end with it.
passcode("change", current="1234", new="correct horse")
passcode("off", current="1234", expect=77)
report = json.loads(passcode("off", current="correct horse\n").out)
assert report == {**report, "set": False, "self_destruct": False}
assert passcode("off", current="1234", expect=67).error["code"] == "passcode.none"
