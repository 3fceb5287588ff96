"""A command prints the same and ends the same beside a daemon as without one, on its own terminal and in its own time zone."""

# limit: 240

import difflib
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from pathlib import Path

from support.process import TIMEOUT, wait_until
from support.stage import Stage

COLUMNS = 40
# The daemon is in UTC, and 20 columns wide. Who types the commands is 14 hours ahead.
ZONE, AHEAD = "KIRI-14", timedelta(hours=14)

# What differs between two worlds besides what differs between two runs of a play.
VARIABLE = [
    (re.compile(r"\b[0-9A-Za-z_-]{43}="), "FINGERPRINT"),
    # A path that is cut off.
    (re.compile(r"/[\w./-]*…"), "/…"),
    (re.compile(r"\b\d{5}( \d{5}){10,}( \d{1,4})?\b"), "CODE"),
    (re.compile(r"\d{4}-\d\d-\d\d(?!T)"), "YYYY-MM-DD"),
    # The time of a relay has no fraction of a second.
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "YYYY-MM-DDThh:mm:ss.sssZ"),
    (re.compile(r"\b\d\d:\d\d</time>"), "hh:mm</time>"),
    # Sizes of compressed files.
    (re.compile(r"\b\d+\.\d kB"), "SIZE"),
    (re.compile(r"\b\d+ bytes|\b\d+, \d+ of them free"), "SIZE"),
    (re.compile(r'"itemSharedMsgId":"[^"]*"'), '"itemSharedMsgId":"ID"'),
    (re.compile(r'"(bytes|pages|free_pages|size)":\d+'), r'"\1":SIZE'),
]
# Who holds the store, which is no secret. Lines are as wide as the longest value.
HOLDER = re.compile(r"(writer\S*\s+).*|\"lock\":\{.*?\},")
# A line of progress, and what removes it. How often it is written depends on the time that a step takes.
PROGRESS = re.compile(r"\r\x1b\[2m[^\r\n]*|\r *(?=\r|$)|\r")
# A daemon has its sessions with relays before a command begins, and after it ends.
RELAY = re.compile(r"^.*relay \S*127\.0\.0\.1\S* is (unreachable|reachable again).*\n", re.MULTILINE)


class Terminal:
    """A terminal that collects what is written to it."""

    def __init__(self):
        self.own, self.other = pty.openpty()
        fcntl.ioctl(self.other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
        # Lines end as they were written.
        mode = termios.tcgetattr(self.other)
        mode[1] &= ~termios.OPOST
        termios.tcsetattr(self.other, termios.TCSANOW, mode)
        self.data = b""
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self):
        try:
            while part := os.read(self.own, 65536):
                self.data += part
        except OSError:
            pass

    def text(self):
        """All that was written, when everybody has closed it."""
        self.reader.join(TIMEOUT)
        assert not self.reader.is_alive(), "the terminal is still open"
        os.close(self.own)
        return self.data.decode()


class World:
    """Bob, those whom he knows, and what they have said to each other, which is the same in every world."""

    def __init__(self, name):
        home = Path.cwd()
        (home / name).mkdir()
        os.chdir(home / name)
        self.stage = Stage()
        os.chdir(home)
        self.values, self.daemon = {}, None

    def begin(self):
        stage = self.stage
        self.relay = stage.connected("alice", "bob")
        for person in ("carol", "dora"):
            stage.person(person, self.relay)
        stage.connect("carol", "bob")
        long = "a longer text that does not fit into one line of a narrow terminal"
        stage.tell("alice", "bob", ["hello", long, "two\nlines, «Ümläute» 漢字"])
        stage.tell("bob", "alice", ["mine", "mine too"])
        stage.tell("carol", "bob", ["from carol"])
        stage.tacit("bob", "send", "notes", "call the plumber")
        stage.tacit("bob", "connect")
        stage.tacit("bob", "profile", "create", "work")
        stage.tacit("bob", "profile", "use", "bob")
        # Receipts are on their way no more: what bob has sent is delivered, and nothing that alice has sent waits for a receipt.
        for person, chat in (("bob", "@alice"), ("alice", "@bob"), ("carol", "@bob")):
            wait_until(lambda person=person, chat=chat: self.is_delivered(person, chat), f"receipts for {person}")
        stage.tacit("bob", "fetch", "-q")

    def is_delivered(self, person, chat):
        self.stage.tacit(person, "fetch", "-q")
        items = self.stage.tacit(person, "read", chat, "--json").objects
        return all(item["state"] == "delivered" for item in items if item.get("direction") == "out")

    def host(self):
        env = {"TZ": "UTC0", "COLUMNS": "20", "NO_COLOR": "1", "TACIT_UTC": "yes"}
        self.daemon = self.stage.start("bob", "daemon", "run", env=env)
        line = self.daemon.error_line()
        assert line.startswith("accepting commands at "), line

    def run(self, words, on_terminal=True, env=None, stdin=None):
        """What a command prints, and its exit code."""
        stage = self.stage
        words = [self.values[word[1:]] if word[:1] == "$" else word for word in words]
        person = {"TZ": ZONE, "TERM": "xterm-256color", "COLUMNS": None, **(env or {})}
        environment = stage._environment("bob", person)
        streams = [Terminal(), Terminal()] if on_terminal else []
        places = [stream.other for stream in streams] or [subprocess.PIPE] * 2
        source = subprocess.DEVNULL if stdin is None else subprocess.PIPE
        process = subprocess.Popen(
            ["tacit", *words], executable=stage.program, cwd=stage.folder, env=environment, stdin=source,
            stdout=places[0], stderr=places[1])
        for stream in streams:
            os.close(stream.other)
        try:
            out, err = process.communicate(stdin and stdin.encode(), timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise AssertionError(f"tacit {' '.join(words)} did not end") from None
        out, err = [stream.text() for stream in streams] or (out.decode(), err.decode())
        self.check_times(words, out + err)
        return self.constant(out), RELAY.sub("", PROGRESS.sub("", self.constant(err))), process.returncode

    @staticmethod
    def check_times(words, text):
        """Fails if a time for people is not that on the wall where the command was typed, give or take days."""
        now = datetime.now(timezone.utc).replace(tzinfo=None) + (timedelta() if "--utc" in words else AHEAD)
        for found in re.findall(r"\d{4}-\d\d-\d\d \d\d:\d\d", text):
            apart = (now - datetime.strptime(found, "%Y-%m-%d %H:%M")) % timedelta(days=1)
            assert apart < timedelta(minutes=10), f"tacit {' '.join(words)}: {found} is not near {now}"

    def constant(self, text):
        text = self.stage.constant(text)
        for pattern, name in VARIABLE:
            text = pattern.sub(name, text)
        return text


worlds = [World("without"), World("beside")]
without, beside = worlds
threads = ThreadPoolExecutor(2)


def both(action):
    """Does something in both worlds at once."""
    return list(threads.map(action, worlds))


differences = []
commands = set()


def compare(what, one, other):
    if one != other:
        lines = difflib.unified_diff(
            one.splitlines(), other.splitlines(), "without a daemon", "beside a daemon", lineterm="", n=3)
        differences.append("\n".join([f"{what} differs", *map(repr, lines)]))


def ends(code, *lines, ignored=None, **options):
    """Has Bob type the lines in both worlds, and end with the exit code."""
    for line in lines:
        words = line.split() if isinstance(line, str) else line
        commands.add(" ".join(word for word in words[:2] if re.fullmatch("[a-z-]+", word)))
        one, other = both(lambda world: world.run(words, **options))
        typed = f"tacit {' '.join(words)}"
        assert one[2] == code, f"{typed}: exit code {one[2]}, not {code}\n{one[0]}{one[1]}"
        for what, left, right in zip(("standard output", "standard error", "the exit code"), one, other):
            left, right = (ignored.sub("", str(side)) if ignored else str(side) for side in (left, right))
            compare(f"{typed}: {what}", left, right)


def same(*lines, **options):
    ends(0, *lines, **options)


def settle():
    """Has Bob receive everything, as he has in one world already."""
    both(lambda world: world.stage.tacit("bob", "fetch", "-q"))


def ask_and_refuse(world):
    """What stands on the screen when Bob is asked, and says no."""
    seat = world.stage.sit("bob", "contact", "delete", "@carol", columns=COLUMNS)
    seat.until("?")
    seat.enter("no")
    assert seat.ended() == 64, seat.screen.everything
    return seat.screen.everything


both(World.begin)
beside.host()

# What is read, by a person and by a script.
READING = """
    list
    list chats --wide
    list contacts
    list messages
    list requests
    list invitations
    list outbox
    list profiles
    list servers
    list --profile work
    read --no-mark
    read @alice --no-mark
    read notes --no-mark
    read --unread --no-mark
    read --since today --no-mark
    read --last 2 --utc --no-mark
    message show m1
    message search hello
    contact
    contact show @alice
    contact verify @alice
    cursor
    outbox
    profile
    profile show
    invitation
    server
    net
    net proxy
    db info --wide
    db check
    call
    hook
"""
reading = [line.strip() for line in READING.strip().splitlines()]
same(*reading)
same(*(f"{line} --json" for line in reading), on_terminal=False)
same("list chats --plain --fields name,unread", "read --plain", "contact --plain -0", on_terminal=False)
same("status", "status --json", ignored=HOLDER)
same("api /users", ["api", "/_get chats 1 count=20"], ["api", "/_get chat @1 count=5"])

# What is said.
same(
    ["send", "@alice", "hi from a terminal"],
    ["send", "@alice", "with a report", "--json"],
    ["send", "notes", "to oneself"],
    ["send", "@alice", "an answer", "--reply-to", "m1"],
    ["send", "@alice", "once", "--once", "key"],
    ["send", "@alice", "once", "--once", "key"],
    ["send", "@alice", "differs", "--once", "key"],
    ["send", "@alice", "several", "--to", "@carol"],
    ["send", "@alice", "a try", "--dry-run"],
    ["message", "edit", "m8", "hi, edited"],
    "message show m8",
    "message react m1 thumbs-up",
    "message react m1 thumbs-up --remove",
    "message forward m1 @carol",
    "message delete m9",
    "message delete m11 --everywhere",
    "message wait m8 --for sent",
)
same("send @alice -", stdin="from a pipe\nof two lines\n")
ends(75, "message wait m8 --timeout 1s", "send @alice hi --wait delivered --timeout 1s")

# What is marked, and how far programs have read.
same(
    "message mark m1",
    "message mark @carol",
    "list",
    "read --cursor bot --peek",
    "read --cursor bot --hold",
    "cursor commit bot m2",
    "read --cursor bot --json",
    "read --cursor bot",
    "cursor",
    "cursor reset bot --to start",
    ["read", "--cursor", "bot", "--exec", "wc -l"],
    "cursor delete bot",
    "read @alice",
    "read --mark",
    "list",
)
same("read --cursor pipe", "read --mark", on_terminal=False)
ends(75, ["read", "--cursor", "failing", "--exec", "exit 3"])

# Contacts and profiles.
same(
    "contact mute @alice",
    "contact unmute @alice",
    "contact mute @alice -q",
    "contact unmute @alice -v",
    "contact rename @alice ann",
    "contact rename @ann alice",
    "contact block @carol",
    "contact unblock @carol",
    "contact set @alice --retention 30d",
    "contact set @alice --receipts on",
    "contact show @alice",
    ["profile", "set", "--bio", "somebody at a terminal"],
    "profile mute work",
    "profile use work",
    "list",
    "profile use bob",
    "profile create third",
    "profile",
)

# Invitations, addresses and requests.
same("connect --dry-run", "connect", "invitation show id:i4", "invitation cancel id:i4", "address create", "address")
same("address auto-accept off")


def ask(world):
    link = world.stage.tacit("bob", "address", "show").out.strip()
    world.stage.tacit("dora", "connect", link)
    world.values["link"] = world.stage.tacit("carol", "connect").out.strip()


both(ask)
settle()
same("list requests", "list", "accept @dora", "list contacts", "address delete")
same(["connect", "$link", "--dry-run"], ["connect", "$link", "--as", "carol-2"], ["connect", "$link"])
for person in ("dora", "carol"):
    both(lambda world: world.stage.tacit(person, "fetch", "-q"))
settle()
same("list contacts", "fetch", "fetch --json", "outbox flush")
# Beside a daemon there is nothing to do, and nothing to say.
same("fetch --if-free -q", "fetch --if-free -qq")

# What cannot be sent yet.
both(lambda world: world.relay.kill())
same(["send", "@alice", "later", "--wait", "queued"], "outbox", "list outbox --json", "list", "outbox drop m18", "outbox")
both(lambda world: world.relay.start())
# A daemon pauses between attempts; a fetch tries at once.
same("fetch")

# Histories and archives.
same(
    "export history.txt --format txt",
    "export history.html --format html --target @alice",
    "export history.jsonl --format jsonl",
    "export - --format txt",
    "export archive.zip",
    "import archive.zip --dry-run",
)
ends(73, "export history.txt --format txt", "export archive.zip")
for name in ("history.txt", "history.html", "history.jsonl"):
    compare(f"the content of {name}", *both(lambda world: world.constant((world.stage.folder / name).read_text())))

# What fails.
UNKNOWN = """
    send @eve hi
    send @alice hi --reply-to m999
    read @eve
    read @eve --mark
    read @eve --cursor c
    message show m999
    message mark m999
    message edit m999 hi
    message delete m999
    message react m999 thumbs-up
    message forward m1 @eve
    message wait m999
    contact show @eve
    contact rename @eve ann
    contact mute @eve
    contact delete @eve --yes
    cursor commit none m1
    cursor delete none
    cursor reset none --to m999
    accept @eve
    reject @eve
    profile use nobody
    list --profile nobody
    send @alice hi --profile nobody
    invitation cancel id:i99
    address
    outbox drop m999
    server test nowhere
    export none.txt --format txt --target @eve
"""
unknown = [line.strip() for line in UNKNOWN.strip().splitlines()]
ends(67, *unknown, ["api", "/_send @99 text hi"])
ends(67, *(f"{line} --json" for line in unknown), on_terminal=False)
ends(64, ["send", "@alice", ""], "contact delete @alice", "send @alice hi --no-such-option", "fetch --timeout never")
ends(65, "connect https://smp.example.com/i#nothing", ["api", "no such command"])
ends(69, "message edit m1 mine", "outbox drop m1")
ends(73, "contact rename @alice carol")
ends(66, "list --key-file /nowhere")
elsewhere = {"TACIT_DIR": "/nowhere"}
ends(78, "list", "send @alice hi", "fetch", env=elsewhere)

# What ends something, after a question or without.
compare("a question", *both(ask_and_refuse))
same("contact clear @carol --yes", "contact delete @carol --yes", "list", "message purge --older-than 1d --yes")
same("profile delete third --yes", "profile delete work --yes", "list profiles")

beside.stage.tacit("bob", "daemon", "stop", "-q")
assert beside.daemon.ended().code == 0
assert len(commands) > 40, sorted(commands)
assert not differences, "\n\n".join([f"{len(differences)} differences", *differences])
