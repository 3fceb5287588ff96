# limit: 120
"""Words are completed as the user types them: what is offered, and what real shells make of it."""

import os
import pty
import re
import select
import shutil
import subprocess
import time
from pathlib import Path

from support.process import TIMEOUT
from support.stage import Stage

REPOSITORY = Path(os.environ["TACIT_REPOSITORY"])

stage = Stage()
relay = stage.connected("alice", "bob")
stage.person("Ann Lee", relay)
stage.connect("alice", "Ann Lee")
stage.tacit("alice", "connect", "--as", "carol")
stage.tacit("alice", "send", "@bob", "a secret")
stage.tacit("alice", "profile", "create", "work")
(stage.folder / "key file").write_text("")
(stage.folder / "keys").mkdir()


def offered(*words, person="alice", env=None):
    """The words that are offered for the last of these, with what they mean."""
    ended = stage.tacit(person, "__complete", "fish", "--", *words, env=env)
    assert ended.err == "", ended.err
    return dict(line.split("\t") for line in ended.lines)


# What there is.
assert set(offered("s")) == {"send", "status", "server", "schema"}
assert offered("send", "@") == {"@bob": "connected", "@Ann Lee": "connected"}
assert set(offered("send", "")) == {"@bob", "@Ann Lee", "notes"} and set(offered("send", "b")) == {"bob"}
assert offered("send", "id:") == {"id:c1": "@bob", "id:c2": "@Ann Lee"}
assert set(offered("read", "--json", "@b")) == set(offered("contact", "resync", "@b")) == {"@bob"}
assert set(offered("send", "--to=@A")) == {"--to=@Ann Lee"}
assert offered("message", "wait", "m") == {"m1": "to @bob, sent"}
assert offered("invitation", "cancel", "") == {"id:i3": "for carol"}
assert set(offered("profile", "use", "")) == {"alice", "work"} == set(offered("--profile", ""))
assert set(offered("--profile", "work", "send", "")) == {"notes"}, "contacts of another profile"
assert set(offered("server", "disable", "127")) == {relay.address.split("@")[1]}
reports = {"relay", "relay-status", "relay-backup", "relay-block", "relay-cert", "relay-delete"}
assert set(offered("schema", "relay")) == reports
assert set(offered("send", "--fields", "id,ch")) == {"id,chat", "id,chat_id"}
assert set(offered("help", "t")) == {"targets", "time", "tor"} and set(offered("help", "contact", "")) >= {"resync"}
assert set(offered("list", "con")) == {"contacts"} and set(offered("address", "auto-accept", "o")) == {"on", "off"}
assert offered("send", "@bob", "") == {} and offered("nobody", "") == {}
assert stage.tacit("alice", "__complete", "zsh", "--", "relay", "start", "").out == ":folder\n"
assert stage.tacit("alice", "__complete", "zsh", "--", "init", "--new-key-file=k").out == ":file\n"

# Who asks.
stage.tacit("bob", "address", "create")
link = stage.tacit("bob", "address", "show").out.strip()
stage.tacit("alice", "connect", link, "--profile", "work")
stage.tacit("bob", "fetch")
assert set(offered("accept", "@", person="bob")) == {"@work"}, offered("accept", "@", person="bob")

# Without a store, with a wrong environment, without a relay: what is known is offered, and nothing is said.
assert set(offered("con", person="nobody")) == {"connect", "contact", "config"} and offered("send", "@", person="nobody") == {}
assert offered("send", "@b", env={"TACIT_PROXY": "nonsense"}) == {"@bob": "connected"}
# Another process that writes keeps nobody waiting.
holder = stage.start("alice", "connect", "--wait", "connected", "--timeout", "60s")
holder.line()
assert set(offered("send", "@b")) == {"@bob"}
holder.signal(15)
holder.ended()

# Names that would do something to a shell.
HOSTILE = {"@ru": "@run $(touch owned)", "@say": '@say "hi" `touch owned`', "@wow": "@wow;touch owned|!x"}
# A sign with a mark behind it is one character for people, and that sign nevertheless for a shell.
HOSTILE["@al"] = "@al`\u0301;touch owned`\u0301"
for number, name in enumerate(HOSTILE.values()):
    stage.person(f"person{number}", relay)
    stage.connect("alice", f"person{number}")
    stage.tacit("alice", "contact", "rename", f"@person{number}", name[1:])


class Shell:
    """An interactive shell on a terminal."""

    def __init__(self, *words, setup):
        self.pid, self.screen = pty.fork()
        if self.pid == 0:
            environment = stage._environment("alice", {"TERM": "xterm", "PS1": "> ", "HISTFILE": "", "ENV": ""})
            os.chdir(stage.folder)
            os.execvpe(words[0], words, environment)
        self.seen = ""
        for number, line in enumerate(setup):
            # The answer is not in what is typed.
            self.type(f"{line}; echo rea''dy{number}\r")
            self.until(f"ready{number}\r")

    def type(self, text):
        os.write(self.screen, text.encode())

    def until(self, text):
        deadline = time.monotonic() + TIMEOUT
        while text not in self.seen:
            assert select.select([self.screen], [], [], max(0, deadline - time.monotonic()))[0], f"no {text}: {self.seen}"
            try:
                part = os.read(self.screen, 65536)
            except OSError:
                part = b""
            assert part, f"ended without {text}: {self.seen}"
            # Colours and movements of the cursor are none of the text.
            self.seen += re.sub(r"\x1b(\[[0-9;?>=]*[ -/]*[A-Za-z]|[()][A-Z0-9]|[=>]|\][^\x07]*\x07)", "", part.decode(errors="replace"))

    def completes(self, typed, *words):
        """Types the beginning of a line and a tab, and compares the words of the line that then stands there."""
        self.seen = ""
        self.type(f"{typed}\t\x01printf '<%s>' \r")
        self.until("".join(f"<{word}>" for word in ["tacit", *words]))

    def lists(self, typed, *texts):
        """Types the beginning of a line and two tabs, and looks for texts on the screen."""
        self.seen = ""
        self.type(f"{typed}\t\t")
        for text in texts:
            self.until(text)
        self.type("\x15")

    def end(self):
        self.type("\x15exit\r")
        deadline = time.monotonic() + TIMEOUT
        while os.waitpid(self.pid, os.WNOHANG) == (0, 0):
            assert time.monotonic() < deadline, "the shell does not end"
            if select.select([self.screen], [], [], 0.01)[0]:
                try:
                    os.read(self.screen, 65536)
                except OSError:
                    pass
        os.close(self.screen)


def bash():
    return Shell(
        "bash", "--norc", "--noprofile", "-i",
        setup=["bind 'set enable-bracketed-paste off'", f"source '{REPOSITORY}/completions/tacit.bash'"],
    )


def zsh():
    return Shell(
        "zsh", "-f", "-i",
        setup=["bindkey -e", "unsetopt zle_bracketed_paste 2>/dev/null; unset zle_bracketed_paste", f"fpath=('{REPOSITORY}/completions' $fpath)",
               "autoload -Uz compinit", "compinit -D -u"],
    )


def fish():
    return Shell("fish", "--no-config", "-i", setup=[f"source '{REPOSITORY}/completions/tacit.fish'"])


for shell in (bash, zsh, fish):
    name = shell.__name__
    if not shutil.which(name):
        print(f"skipped: {name} is not installed")
        continue
    session = shell()
    session.completes("tacit stat", "status")
    session.completes("tacit contact res", "contact", "resync")
    session.completes("tacit send @b", "send", "@bob")
    session.completes("tacit send bo", "send", "bob")
    session.completes("tacit send @A", "send", "@Ann Lee")
    session.completes("tacit send '@A", "send", "@Ann Lee")
    session.completes("tacit send @bob --dry", "send", "@bob", "--dry-run")
    session.completes("tacit send @bob --wait q", "send", "@bob", "--wait", "queued")
    session.completes("tacit send @bob --wait=q", "send", "@bob", "--wait=queued")
    session.completes("tacit send --to=@A", "send", "--to=@Ann Lee")
    session.completes("tacit read id:c1", "read", "id:c1")
    session.completes("tacit init --new-key-file key\\ f", "init", "--new-key-file", "key file")
    # zsh takes the slash away again when no name follows.
    session.completes("tacit relay start ke", "relay", "start", "keys" if shell == zsh else "keys/")
    for typed, name_typed in HOSTILE.items():
        session.completes(f"tacit send {typed}", "send", name_typed)
    # In double quotes too; bash cannot write the name with an exclamation mark there.
    for typed in ("@ru", "@say", "@al"):
        session.completes(f'tacit send "{typed}', "send", HOSTILE[typed])
    session.lists("tacit con", "connect", "contact")
    session.lists("tacit send --t", "--timeout", "--to")
    session.end()
    assert not (stage.folder / "owned").exists()
