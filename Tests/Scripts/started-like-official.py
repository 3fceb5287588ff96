# limit: 180
"""The link simplex-chat: bots and scripts start it with the options of the official program, and find what they expect."""

import json
import re
import shutil
import signal
import stat
import subprocess
import time
from pathlib import Path

from support.process import Ended, Running, wait_until
from support.sockets import Server
from support.stage import FileRelay, Stage, free_port

stage = Stage()
relay = FileRelay(stage).start()
link = stage.folder / "bin/simplex-chat"
link.symlink_to(stage.program)
RELAYS = ["-s", relay.address, "--xftp-server", relay.files]
environment = {**stage.environment, "HOME": str(stage.folder / "home")}
environment.pop("TACIT_DIR", None)
(stage.folder / "home").mkdir()


def start(*words, env=None, **streams):
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return Running(subprocess.Popen([str(link), *words], cwd=stage.folder, env={**environment, **(env or {})}, **streams))


def run(*words, stdin=None, env=None, expect=0):
    given = {"input": stdin.encode()} if stdin is not None else {"stdin": subprocess.DEVNULL}
    done = subprocess.run(
        [str(link), *words], cwd=stage.folder, env={**environment, **(env or {})}, capture_output=True, timeout=60, **given
    )
    ended = Ended(done.returncode, done.stdout, done.stderr)
    assert ended.code == expect, (words, ended.code, ended.out, ended.err)
    return ended


def text(prefix, command, *words, expect=0):
    """The lines that -e prints behind the current user."""
    ended = run("-d", prefix, "-e", command, "-t", "0", *words, expect=expect)
    first, *lines = ended.out.split("\n")
    assert re.fullmatch(r"Current user: \S+", first), ended.out
    assert lines[-2:] == ["", ""], ended.out
    return lines[:-2]


class Bot(Server):
    """The server of a bot, as images start it: without a terminal, and with a free port."""

    def __init__(self, *words, name=None):
        self.words = words
        self.begin(name)

    def begin(self, name=None):
        self.running = start(*self.words, "-p", str(free_port()))
        assert re.fullmatch(r"Current user: .*", line := self.running.line()), line
        assert name is None or line == f"Current user: {name}"
        self.wait()

    def end(self):
        self.running.signal(signal.SIGTERM)
        ended = self.running.ended()
        assert ended.code == 0, (ended.code, ended.err)


# As an image starts a bot: the store is beside the prefix, and the profile is made without a question.
bot = Bot("-d", "data/bot", "-y", *RELAYS, "--create-bot-display-name", "helper", "--create-bot-allow-files", name="helper")
store = stage.folder / "data/bot.tacit"
assert (store / "simplex_v1_chat.db").exists() and stat.S_IMODE(store.stat().st_mode) == 0o700
assert stat.S_IMODE((store / "key").stat().st_mode) == 0o600
client = bot.open()
user = client.ask("/user")["user"]
assert user["profile"]["peerType"] == "bot", user
assert client.ask("/_start")["type"] == "chatRunning"
address = client.ask("/_address 1")["connLinkContact"]
assert client.ask('/_address_settings 1 {"businessAddress":false,"autoAccept":{"acceptIncognito":false}}')["type"] == "userContactLinkUpdated"

# One command beside the server, which carries it out.
assert text("data/bot", "/u") == ["user profile: helper (bot)", "use /p <name> [<bio>] to change it"]
sent = text("data/bot", "/sa")
assert sent[0] == "Your chat address:" and sent[2] == (address.get("connShortLink") or address["connFullLink"])
assert sent[-1] == "auto_accept on"

# Somebody connects, and both write with -e as scripts do.
ann = run("-d", "ann", *RELAYS, "-e", "/users", "-t", "0", stdin="an/n\nann\n")
assert ann.out.startswith("No user profiles found, it will be created now.\nPlease choose your display name.\n"), ann.out
assert "display name: invalid display name: an/n\nyou could use this one: ann\n" in ann.out
assert ann.out.endswith("display name: Current user: ann\nann (active)\n\n"), ann.out
assert "created a store in " in ann.err
assert text("ann", f"/c {sent[2]}") == ["connection request sent!"]
wait_until(lambda: text("ann", "/contacts") == ["helper"], "a contact")
wait_until(lambda: re.fullmatch(r"\d\d:\d\d @helper \*hi\* there", text("ann", "@helper *hi* there")[0]), "a ready contact")
wait_until(lambda: any("ann> *hi* there" in line for line in text("data/bot", "/tail @ann 5")), "the message")
lines = text("ann", "/tail @helper 1")
assert re.fullmatch(r"\d\d:\d\d @helper \*hi\* there", lines[0]) and len(lines) == 1, lines
assert text("ann", "@nobody hi") == ["no contact nobody"]
assert text("ann", "#nothing hi") == ["no group #nothing"]
assert text("ann", "/nonsense") == ["bad chat command: Failed reading: empty"]
assert text("ann", "/g team") == ["group #team is created", "to add members use /a team <name> or /create link #team"]
assert text("ann", "/gs") == ["#team (1 member)"]
assert re.fullmatch(r"\d\d:\d\d #team hi", text("ann", "#team hi")[0])
assert text("ann", "/i #team") == ["group ID: 1", "current members: 1"]
assert re.fullmatch(r"contact ID: \d+", text("ann", "/i @helper")[0])
invitation = text("ann", "/c")
assert invitation[0] == "pass this invitation link to your contact (via another channel): "
assert invitation[-1].startswith("https://simplex.chat/invitation#/?v="), invitation
chats = json.loads(text("ann", "/_get chats 1 pcc=off")[0])
assert {chat["chatInfo"]["type"] for chat in chats} >= {"direct", "group"}
assert any(line.endswith("#team hi") for line in text("ann", "/chats"))
assert json.loads(text("ann", "/_operators")[0])["type"] == "serverOperatorConditions"

# A file, in the folder that --files-folder names.
(stage.folder / "note.txt").write_text("a note\n")
folder = stage.folder / "received"
bot.end()
bot.words = ("-d", "data/bot", "--files-folder", "received", "-a", *RELAYS, "--create-bot-display-name", "other")
bot.begin("helper")
client = bot.open()
begin = time.monotonic()
ended = run("-d", "ann", "-e", f"/f @helper {stage.folder}/note.txt", "-t", "2")
assert time.monotonic() - begin >= 2
assert re.search(r"^\d\d:\d\d /f @helper \S+/note.txt\nuse /fc 1 to cancel sending\n", ended.out, re.MULTILINE), ended.out
for _ in range(10):
    if list(folder.glob("note*.txt")):
        break
    run("-d", "ann", "-e", "/fs 1", "-t", "1")
assert [path.read_text() for path in folder.glob("note*.txt")] == ["a note\n"]
bot.end()

# Events during -e are printed if that is asked for.
run("-d", "data/bot", "-e", "@ann answer", "-t", "1")
ended = run("-d", "ann", "-e", "/u", "-t", "2", "--execute-log", "messages")
assert re.search(r"^\d\d:\d\d helper> answer$", ended.out, re.MULTILINE), ended.out

# A message that does not leave is an error for scripts, and stays.
relay.stop()
ended = run("-d", "ann", "-e", "@helper later", "-t", "0", expect=75)
assert re.search(r"^\d\d:\d\d @helper later$", ended.out, re.MULTILINE) and "stored here" in ended.err, ended.err
relay.start()
run("-d", "ann", "-e", "/q")

# The key: -k is a passphrase, of which a warning tells, and which is not in the list of processes.
ended = run("-d", "locked", "-k", "correct horse", *RELAYS, "--user-display-name", "eve", "-e", "/u", "-t", "0")
assert "user profile: eve" in ended.out and "behind -k" in ended.err
assert not (stage.folder / "locked.tacit/key").exists()
ended = run("-d", "locked", "-k", "wrong", "-e", "/u", expect=77)
assert "the option -k" in ended.err, ended.err
server = start("-d", "locked", "--key=correct horse", "-p", str(free_port()))
assert server.line() == "Current user: eve"
assert b"horse" not in Path(f"/proc/{server.pid}/cmdline").read_bytes()
server.signal(signal.SIGTERM)
assert server.ended().code == 0
key = stage.folder / "keyfile"
key.write_text("correct horse\n")
key.chmod(0o600)
assert "eve" in run("-d", "locked", "-e", "/u", "-t", "0", env={"TACIT_KEY_FILE": str(key)}).out

# Maintenance: nothing is received before /_start, and no profile is made.
bot = Bot("-d", "data/bot", "-m", name="helper")
client = bot.open()
assert client.ask("/_start")["type"] == "chatStarted"
bot.end()
assert "--maintenance" in run("-d", "none", "-m", "-e", "/u", expect=78).err

# Without -d the store is below the home of the user, or where TACIT_DIR says.
run(*RELAYS, "--user-display-name", "joe", "-e", "/u", "-t", "0")
assert (stage.folder / "home/.simplex/simplex_v1.tacit/simplex_v1_chat.db").exists()
assert "Current user: ann" in run("-e", "/u", "-t", "0", env={"TACIT_DIR": str(stage.folder / "ann.tacit")}).out
(stage.folder / "old_chat.db").write_bytes(b"\0")
assert "SimpleX Chat" in run("-d", "old", *RELAYS, "--user-display-name", "joe", "-e", "/u", expect=78).err

# Mistakes are told apart from answers.
for words in [["--nope"], ["-p", "abc"], ["-e"], ["word"], ["--relay", "-p", "1"], ["--create-bot-allow-files"], ["-d", "ann"]]:
    ended = run(*words, expect=64)
    assert ended.out == "" and ended.err.startswith("tacit: "), ended.err
assert "display name" in run("-d", "new", *RELAYS, "-p", str(free_port()), expect=78).err
assert not (stage.folder / "new.tacit/simplex_v1_chat.db").exists()
assert run("--version").out == stage.tacit(None, "version").out.split(" (")[0] + "\n"
for word in ("-h", "--help"):
    assert "--create-bot-display-name" in run(word).out
shutil.rmtree(stage.folder / "data")
