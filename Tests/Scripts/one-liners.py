"""The one-liners that people paste into a shell do what is written beside them, and so does the line for cron.

They are run as they stand, by the shell, in a home with nothing but a store in its usual place. What is not installed has
a stand-in.
"""

# limit: 120

import os
import shutil
import signal
import subprocess
import time

from support.process import Running, report, wait_until
from support.stage import FileRelay, Stage

stage = Stage()
relay = FileRelay(stage).start()
stage.values["relay"] = relay.address
if not shutil.which("jq"):
    print("skipped: jq is not installed")
    raise SystemExit

STAND_INS = {
    # Encrypts for a recipient, as far as its place in a pipe is concerned.
    "age": 'test "$1" = -r && test "$2" = "$R" || exit 2; exec cat',
    "mail": 'test "$1" = -s && echo "to $3: $2" >> "$HOME/mail" && exec cat >> "$HOME/mail"',
}
for name, script in STAND_INS.items():
    (stage.folder / f"bin/{name}").write_text(f"#!/bin/sh\n{script}\n")
    (stage.folder / f"bin/{name}").chmod(0o755)


class Person:
    """Somebody with a home, and a shell in it."""

    def __init__(self, name):
        self.home = stage.folder / name
        (self.home / ".local/bin").mkdir(parents=True)
        (self.home / ".local/bin/tacit").symlink_to(stage.program)

    def environment(self):
        kept = {name: os.environ[name] for name in ("TZ", "LC_ALL")}
        return {**kept, "HOME": str(self.home), "PATH": f"{stage.folder}/bin:{os.environ['PATH']}", "R": "age1recipient"}

    def start(self, line, **env):
        return Running(subprocess.Popen(
            ["sh", "-c", line], cwd=self.home, env={**self.environment(), **env}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True))

    def type(self, line, code=0, **env):
        ended = self.start(line, **env).ended()
        assert ended.code == code, f"{line}: {ended.code}, not {code}\n{ended.out}{ended.err}"
        return ended

    def texts(self):
        return [each["text"] for each in self.type("tacit read --json").objects]


ops, alice = Person("ops"), Person("alice")

# First start in a container; and each start after it.
for _ in range(2):
    ops.type("tacit init --if-missing --name ops --no-input --new-key-file ~/.config/tacit/key")
assert (ops.home / ".config/tacit/key").stat().st_mode & 0o777 == 0o600
alice.type('tacit init --name alice --server "$relay"', relay=relay.address)
ops.type('tacit server add "$relay" -q', relay=relay.address)
for person in ops, alice:
    person.type('tacit server add "$relay" -q', relay=relay.files)

# Only the link is on standard output.
ended = alice.type("tacit connect | tee invite.txt")
assert len(ended.lines) == 1 and ended.out.startswith(("simplex:/", "https://")), ended.out
shutil.copy(alice.home / "invite.txt", ops.home)
joining = ops.start('tacit connect "$(cat invite.txt)" --as alice --wait connected --timeout 10m')
while joining.process.poll() is None:
    alice.type("tacit fetch -q")
assert joining.ended().code == 0
alice.type("tacit fetch -q")
assert ops.type("tacit list contacts --plain --fields name,state").out == "alice\tconnected\n"

# Explicit standard input.
ops.type("uptime | tacit send @alice -")
alice.type("tacit fetch -q")
assert "load average" in alice.texts()[-1]

# Safe to repeat. A script learns that a group does not exist; with a contact it is sent once.
line = """tacit send +ops 'disk 91%' --once "disk-$(date +%F)" || echo "not sent: $?\""""
ended = ops.type(line)
assert ended.out == "not sent: 67\n" and "unknown group 'ops'" in ended.err, ended
for _ in range(2):
    assert "not sent" not in ops.type(line.replace("+ops", "@alice")).out
alice.type("tacit fetch -q")
assert alice.texts().count("disk 91%") == 1

# Until the contact has it.
(ops.home / "out.pdf").write_bytes(b"%PDF-1.4")
line = "tacit send @alice 'report' --attach out.pdf --wait delivered --timeout 5m --json | jq -r .id"
waiting = ops.start(line)
while waiting.process.poll() is None:
    alice.type("tacit fetch -q")
ended = waiting.ended()
assert ended.code == 0 and ended.out.startswith("m") and len(ended.lines) == 1, ended.out
assert alice.texts()[-1] == "report" and alice.texts().count("report") == 1

# One run for each message, at least once.
(ops.home / "bot.sh").write_text("#!/bin/sh\njq -r .text >> log\n")
(ops.home / "bot.sh").chmod(0o755)
for number in range(3):
    alice.type(f"tacit send @ops 'to the bot {number}' -q")
for _ in range(2):
    ops.type("tacit fetch -q && tacit read --cursor bot --json --exec ./bot.sh")
assert [f"to the bot {number}" for number in range(3)] == (ops.home / "log").read_text().splitlines()[-3:]
assert len((ops.home / "log").read_text().splitlines()) == len(ops.texts())

# A digest by mail; the second one has nothing of the first.
line = """tacit read --cursor digest --json | jq -r 'select(.direction=="in").text' | mail -s digest me@example.org"""
ops.type(line)
assert (ops.home / "mail").read_text() == "to me@example.org: digest\n" + "".join(f"to the bot {n}\n" for n in range(3))
ops.type(line)
assert (ops.home / "mail").read_text().endswith("to the bot 2\nto me@example.org: digest\n")

# Counting is free.
for _ in range(2):
    assert ops.type("tacit list chats --plain --fields name,unread | awk -F'\\t' '$2>0'").out == "alice\t3\n"

# A stream into a file.
line = """tacit watch @alice --json | while IFS= read -r e; do printf '%s\\n' "$e" >> alice.jsonl; done"""
watching = ops.start(line)
stream = ops.home / "alice.jsonl"


def streamed():
    return [report(each).get("text") for each in stream.read_text().splitlines()] if stream.exists() else []


for text in ("as it \\ comes", "and \t again"):
    alice.type(f"tacit send @ops '{text}' -q")
    wait_until(lambda: text in streamed(), text, watching.process)
os.killpg(watching.pid, signal.SIGTERM)
watching.ended()

# Every file that was received, in one folder.
(alice.home / "in").mkdir()
alice.type("tacit file receive f1 -q")
alice.type("""tacit file list --json | jq -r 'select(.state=="ready").id' | xargs -rn1 tacit file save --to ~/in""")
assert (alice.home / "in/out.pdf").read_bytes() == b"%PDF-1.4"

# A copy of everything, encrypted for somebody.
ops.type('tacit export - | age -r "$R" > "tacit-$(date +%F).age"')
(archive,) = ops.home.glob("tacit-*.age")
assert archive.name == f"tacit-{time.strftime('%F', time.gmtime())}.age"
ended = ops.type(f"tacit import {archive.name} --dry-run --json")
assert ended.objects[0]["type"] == "import", ended.out

# What a script does next depends on the code alone.
line = "case $(tacit send @b hi >/dev/null 2>&1; echo $?) in 0) ;; 75) echo later;; 79) echo CHECK-KEY;; *) echo fail;; esac"
ops.type("tacit contact rename @alice b -q")
assert ops.type(line).out == ""
relay.kill()
assert ops.type(line, TACIT_SEND_TIMEOUT="1s").out == "later\n"
relay.start()
assert ops.type(line.replace("@b", "@nobody")).out == "fail\n"

# The line for cron, with the environment that cron gives, but for the two minutes that it may wait before it begins.
cron = ("TACIT_KEY_FILE=$HOME/.config/tacit/key  $HOME/.local/bin/tacit fetch --if-free -qq --no-input --jitter 2m "
        "--timeout 90s || [ $? -eq 75 ]").replace("2m", "100ms")


def runs(code=0):
    """What cron would mail."""
    done = subprocess.run(["env", "-i", f"HOME={ops.home}", "LOGNAME=ops", "SHELL=/bin/sh", "PATH=/usr/bin:/bin",
                           "/bin/sh", "-c", cron], cwd="/", capture_output=True, text=True, timeout=60)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


alice.type("tacit send @ops 'for cron' -q")
assert runs() == "" and ops.texts()[-1] == "for cron"
relay.kill()
assert runs() == "", "a relay that is away is no mail"
relay.start()
watching = ops.start("exec tacit watch -q")
lock = ops.home / ".local/share/tacit/lock"
wait_until(lambda: str(watching.pid) in lock.read_text(), "the lock", watching.process)
assert runs() == "", "a receiver that runs already is no mail"
watching.signal(signal.SIGTERM)
watching.ended()
(ops.home / ".config/tacit/key").chmod(0o644)
assert "other users can read the key file" in runs(code=1), "what needs a person is told"
