# limit: 300
"""Every example of the help pages, and so of the manual, does what is written beside it: it is run, and ends with 0.

Who types them has a store, two contacts, alice and bob, a group with both, an invitation that nobody has used, an address, a
second profile and two relays. What examples call by a made-up name is given the name of something real: see ``names``. Whatever a command has
changed is put back before the next one. An example that needs somebody else to act at the same time has its line in
``COMPANY``, one that cannot be run here has its reason in ``IMPOSSIBLE``.
"""

import base64
import json
import os
import re
import shutil
import struct
import signal
import subprocess
import tarfile

from support.official import Store as OfficialStore
from support.process import TIMEOUT, Running, wait_until
from support.stage import FileRelay, Stage, free_port

# Example lines that cannot be run on one machine without a network, and why.
PASSPHRASE = "it asks for a passphrase at the terminal; keys.py and terminal.py do that"
PASSCODE = "it asks for a passcode at the terminal; passcode.py does that"
SIGNAL = "it is ended by a signal, with its code; guarantee-05-side-by-side.py does that"
HIDDEN = "it needs a hidden profile and its password; hidden-profiles.py does that"
CALL = "nobody calls here; calls.py and the tests of calls do that"
CHANNEL = "it needs a chat relay; channels.py does that"
SIGNING = "it needs a channel; signatures.py does that"
NAME = "it needs a relay that resolves names; names.py does that"
IMPOSSIBLE = {
    "tacit watch": SIGNAL,
    "tacit watch @alice --json | while read -r line; do echo \"$line\"; done": SIGNAL,
    "tacit watch --cursor bot --exec ./bot.sh": SIGNAL,
    "tacit contact verify @bob '24685 13579 ...'": "the security codes differ, and the exit code says so",
    "tacit profile hide work": HIDDEN,
    "tacit list --profile work --profile-password-fd 3 3< password": HIDDEN,
    "tacit profile unhide work --profile-password-fd 3 3< password": HIDDEN,
    "tacit config edit": "it needs an editor at a terminal; config.py does that",
    "tacit db encrypt": PASSPHRASE,
    "tacit db rekey": PASSPHRASE,
    "tacit unlock --for 8h": PASSPHRASE,
    "tacit migrate to --passphrase": PASSPHRASE,
    "tacit migrate to --format official --qr": "it asks for a passphrase at the terminal; migration-official.py gives one",
    "tacit server disable xftp1.simplex.im": "the profile here has no relays of operators",
    "tacit passcode set": PASSCODE,
    "tacit passcode set --grace 30s --idle 5m": PASSCODE,
    "tacit passcode change": PASSCODE,
    "tacit passcode change --idle 10m": PASSCODE,
    "tacit passcode off": PASSCODE,
    "tacit passcode self-destruct": PASSCODE,
    "tacit passcode self-destruct --off": PASSCODE,
    "tacit channel create news --relay 'https://smp.example.com/r#...'": CHANNEL,
    "tacit channel create news --history --link": CHANNEL,
    "tacit channel relays +news": CHANNEL,
    "tacit channel relays +news --add 'https://smp.example.com/r#...'": CHANNEL,
    "tacit channel test 'https://smp.example.com/r#...'": CHANNEL,
    "tacit send +news 'we moved' --as-member": CHANNEL,
    "tacit send +news 'I agree' --sign": SIGNING,
    "tacit channel set +news --domain news.simplex": NAME,
    "tacit connect @alice.simplex": NAME,
    **dict.fromkeys(
        [
            "tacit channel-relay init /srv/relay --name example",
            "tacit channel-relay init /srv/channels --accept-conditions",
            "tacit channel-relay start /srv/relay",
            "tacit channel-relay start /srv/relay --metrics /srv/channels.prom",
            "tacit channel-relay status /srv/relay",
            "tacit channel-relay status /srv/relay --json | jq .subscribers",
            "tacit channel-relay status /srv/relay --check || mail -s channels ops",
        ],
        "it needs a chat relay; channel-relay.py does that",
    ),
    "tacit call reject @bob": CALL,
    "tacit call end @bob": CALL,
    "./webrtc offer | tacit call accept @bob -": CALL,
}

stage = Stage()
(stage.folder / "bin/mail").write_text("#!/bin/sh\nexec cat >/dev/null\n")
(stage.folder / "bin/ssh").write_text('#!/bin/sh\nshift\nTACIT_DIR=$HOME/elsewhere exec "$@"\n')
(stage.folder / "bin/systemctl").write_text("#!/bin/sh\n")
(stage.folder / "bin/crontab").write_text("#!/bin/sh\nif [ $1 = -l ]; then echo 'no crontab for you' >&2; exit 1; fi\ncat >/dev/null\n")
for program in ("mail", "ssh", "systemctl", "crontab"):
    (stage.folder / f"bin/{program}").chmod(0o755)
if not shutil.which("jq"):
    print("skipped: examples with jq, which is not installed")


def newcomer(name):
    """Somebody with an empty store."""
    servers = "--server", World.home.address, "--server", World.home.files
    stage.tacit(name, "init", "--name", name.split("/")[-1], *servers, "--no-encryption")
    return name


def until_members(count, *people):
    """Has people fetch until each of them is connected with so many members of the group, themselves included."""

    def are_there():
        for person in people:
            stage.tacit(person, "fetch", "-q")
        return all(
            sum(each["state"] == "connected" for each in stage.tacit(person, "group", "members", "+team", "--json").objects)
            == count
            for person in people
        )

    wait_until(are_there, f"{count} members")


class World:
    """The person who types, everybody else, and the relays: a folder, and a copy of it as it was at first."""

    folder = stage.folder / "world"
    copy = stage.folder / "copy"
    # The relay of /srv, and a queue there.
    srv, queue = folder / "srv", ""
    me, alice, bob = "world/me", "world/alice", "world/bob"

    @classmethod
    def make(cls):
        (cls.folder / "backup").mkdir(parents=True)
        cls.home, cls.away = FileRelay(stage, "world/home").start(), stage.relay("world/away").start()
        for person in (cls.me, cls.alice, cls.bob):
            newcomer(person)
        for person in (cls.alice, cls.bob):
            stage.connect(cls.me, person)
        cls.message = stage.tacit(cls.me, "send", "@alice", "hello", "--json").objects[0]["id"]
        stage.tacit(cls.alice, "fetch")
        stage.tacit(cls.alice, "send", "@me", "hello to you")
        stage.tacit(cls.me, "fetch")
        stage.tacit(cls.me, "group", "create", "team")
        stage.tacit(cls.me, "group", "invite", "+team", "@alice", "@bob")
        for person in (cls.alice, cls.bob):
            stage.tacit(person, "fetch")
            stage.tacit(person, "group", "join", "+team")
        until_members(3, cls.me, cls.alice, cls.bob)
        stage.tacit(cls.me, "connect")
        cls.invitation = stage.tacit(cls.me, "invitation", "list", "--json").objects[0]["id"]
        cls.link = stage.tacit(cls.alice, "connect").out.strip()
        stage.tacit(cls.me, "profile", "create", "work")
        stage.tacit(cls.me, "address", "create")
        cls.stop()
        shutil.copytree(cls.folder, cls.copy)
        cls.start()

    @classmethod
    def start(cls):
        for relay in (cls.home, cls.away):
            relay.start()

    @classmethod
    def stop(cls):
        for relay in (cls.home, cls.away):
            relay.stop()

    @classmethod
    def again(cls):
        """Puts everything back, queues and relays too."""
        cls.stop()
        shutil.rmtree(cls.folder)
        shutil.copytree(cls.copy, cls.folder)
        cls.start()


# The key of a store that is encrypted.
KEY = World.folder / "key"
# What stands for an archive that is imported.
ARCHIVE = World.folder / "archive.zip"


def ogg_page(position, packet):
    return b"OggS" + struct.pack("<BBqIIIBB", 0, 0, position, 1, 0, 0, 1, len(packet)) + packet


def prepare(command, line):
    """Brings about what a command needs besides, and tells who types it; nobody, where a store must not be there."""
    World.meant, World.file = World.message, None
    if command[0] in ("accept", "reject"):
        # Those who ask must be no contacts yet.
        host = newcomer("world/host")
        address = stage.tacit(host, "address", "create").out.strip()
        for name in ("bob", "eve"):
            stage.tacit(newcomer(f"world/asking/{name}"), "connect", address)
        stage.tacit(host, "fetch")
        return host
    if command == ["hook", "test"]:
        hooks = stage.place(World.me) / "hooks"
        hooks.mkdir(mode=0o700)
        for hook in ("on-message", "pre-send"):
            (hooks / hook).write_text("#!/bin/sh\nexec cat >/dev/null\n")
            (hooks / hook).chmod(0o755)
    if command == ["address", "create"]:
        stage.tacit(World.me, "address", "delete")
    if command[0] == "server" and command[1] in ("remove", "enable", "disable"):
        stage.tacit(World.me, "server", "add", World.away.address)
    if command == ["contact", "resync"]:
        # What came after the copy was made cannot be read with it.
        before = stage.folder / "before"
        shutil.copytree(stage.place(World.me), before)
        for text in "123":
            stage.tacit(World.bob, "send", "@me", text)
            stage.tacit(World.me, "fetch")
            stage.tacit(World.me, "send", "@bob", text)
            stage.tacit(World.bob, "fetch")
        shutil.rmtree(stage.place(World.me))
        shutil.move(before, stage.place(World.me))
        stage.tacit(World.bob, "send", "@me", "and now")
        stage.tacit(World.me, "fetch")
    if command == ["contact", "rotate"] and "--abort" in line:
        stage.tacit(World.me, "contact", "rotate", "@bob")
    if command in (["db", "rekey"], ["db", "decrypt"]) or command[0] in ("lock", "unlock") or "--passphrase" in line:
        stage.tacit(World.me, "db", "encrypt", "--new-key-file", str(KEY))
    if command[0] == "cursor":
        stage.tacit(World.me, "read", "--cursor", "bot")
    if command == ["outbox", "drop"]:
        World.meant = stage.tacit(World.me, "send", "@alice", "late", "--wait", "queued", "--json").objects[0]["id"]
    if command == ["db", "thaw"]:
        stage.tacit(World.me, "export", "--freeze", str(ARCHIVE))
    if command == ["import"]:
        stage.tacit(World.me, "export", str(ARCHIVE))
        if "--" not in line:
            return "world/elsewhere"
    if "/backup/tacit-2026-11-20" in line:
        stage.tacit(World.me, "db", "backup", str(World.folder / "backup/tacit-2026-11-20"))
    World.srv = World.folder / "srv"
    if command[-1] in ("block", "unblock") and command[0] == "relay":
        World.srv = World.home.folder
        World.queue = stage.tacit(None, "relay", "block", str(World.srv), World.link, "--json").objects[0]["id"]
    elif command[0] == "relay" and command[1] != "init":
        place = ["--host", "127.0.0.1", "--listen", "127.0.0.1", "--port", str(free_port())]
        stage.tacit(None, "relay", "init", str(World.folder / "srv"), *place)
        if "/media/usb" in line:
            (World.folder / "usb").mkdir()
            shutil.move(World.folder / "srv/ca.key", World.folder / "usb")
    if command == ["daemon", "reload"]:
        stage.start(World.me, "daemon", "run").error_line()
    if command[0] == "file":
        prepare_file(command[1])
    if command[0] == "migrate":
        return prepare_migration(command[1], line)
    if command[0] == "group" or "--support" in line:
        return prepare_group(command, line)
    return None if command == ["init"] else World.me


def pack(path):
    """A packed folder with nothing in it."""
    tarfile.open(path, "w:gz").close()
    return str(path)


def prepare_file(verb):
    """The same for commands about files."""
    path = pack(World.folder / "plan.tar.gz")
    if verb == "get":
        World.file = json.loads(stage.tacit(World.alice, "file", "send", path, "--json").out)["links"][0]
    elif verb == "cancel":
        stage.tacit(World.me, "send", "@alice", "--attach", path)
    elif verb in ("show", "save", "receive"):
        stage.tacit(World.alice, "send", "@me", "--attach", path)
        stage.tacit(World.me, "fetch")
    if verb in ("cancel", "show", "save", "receive"):
        World.file = stage.tacit(World.me, "file", "list", "--json").objects[0]["id"]
    if verb == "save":
        stage.tacit(World.me, "file", "receive", World.file)


def prepare_migration(verb, line):
    """The same for commands about moves to another machine."""
    if verb == "to":
        return World.me
    words, env = [], {}
    if "--key-file" in line:
        stage.tacit(World.me, "db", "encrypt", "--new-key-file", str(KEY))
    if "--passphrase-file" in line:
        (World.folder / "words").write_text("correct horse battery staple")
        (World.folder / "words").chmod(0o600)
        words = ["--passphrase-file", str(World.folder / "words")]
    if KEY.exists():
        env = {"TACIT_KEY_FILE": str(KEY)}
    offered = stage.tacit(World.me, "migrate", "to", "--no-wait", "--json", *words, env=env)
    World.file = offered.objects[0]["link"]
    if words:
        stage.tacit("world/elsewhere", "migrate", "from", World.file, expect=77)
    return "world/elsewhere" if verb == "from" or words else World.me


def prepare_group(command, line):
    """The same for commands about groups."""
    if "--support" in line or command == ["group", "contact"]:
        return World.alice
    if command == ["group", "report"]:
        stage.tacit(World.me, "send", "+team", "buy cheap watches")
        stage.tacit(World.alice, "fetch")
        World.meant = stage.tacit(World.alice, "read", "+team", "--last", "1", "--json").objects[0]["id"]
        return World.alice
    if command == ["group", "join"] or line == "tacit group reject +team":
        guest = newcomer("world/guest")
        stage.connect(World.me, guest)
        stage.tacit(World.me, "group", "invite", "+team", "@guest")
        stage.tacit(guest, "fetch")
        return guest
    if command[1] in ("accept", "reject"):
        # The one that waits must be no contact yet.
        host = newcomer("world/host")
        stage.tacit(host, "group", "create", "team")
        stage.tacit(host, "group", "set", "+team", "--review", "on")
        asking = newcomer("world/asking/bob")
        stage.tacit(asking, "connect", stage.tacit(host, "group", "link", "+team", "--create").out.strip())

        def waits():
            stage.tacit(host, "fetch", "-q")
            stage.tacit(asking, "fetch", "-q")
            return "pending" in stage.tacit(host, "group", "members", "+team").out

        wait_until(waits, "bob waits")
        return host
    if command == ["group", "invite"]:
        # Who is invited must be no member yet.
        stage.tacit(World.me, "group", "rename", "+team", "old")
        stage.tacit(World.me, "group", "create", "team")
        stage.connect(World.me, newcomer("world/cath"))
    if command == ["group", "link"] and "--create" not in line:
        stage.tacit(World.me, "group", "link", "+team", "--create")
    if command == ["group", "unblock"]:
        stage.tacit(World.me, "group", "block", "+team/@bob", *["--for-all"] * ("--for-all" in line))
    if command == ["group", "moderate"]:
        stage.tacit(World.alice, "send", "+team", "not nice")
        stage.tacit(World.me, "fetch")
        World.meant = stage.tacit(World.me, "read", "+team", "--last", "1", "--json").objects[0]["id"]
    return World.me


def names(folder):
    """What stands for the made-up names of examples."""
    (folder / "other").mkdir()
    return {
        r"smp://A{43}=@smp\.example": World.away.address,
        r"\bsmp\.example(?!\.)": World.away.address.split("@")[1],
        r"smp\.example\.org": "127.0.0.1",
        r"xftp://A{43}=@files\.example": World.away.address.replace("smp:", "xftp:"),
        r"simplex:/file#/\?desc=\.\.\.": World.file or "",
        r"\bf7\b": World.file or "",
        r"https://smp\.example\.com/i#\.\.\.": World.link,
        r"/srv/relay": str(folder / "new" if folder.name == "init" else World.srv),
        r"\bPP2bfpmUI6hNpnGUHgKiEFx6mXCFdE1i\b": World.queue,
        r"/srv/other": str(folder / "other"),
        r"/run/user/1000": str(folder),
        r"/media/usb": str(World.folder / "usb"),
        r"(?<=[ =])/backup\b": str(World.folder / "backup"),
        r"\b(backup|move)\.zip": str(ARCHIVE),
        r"\bm12\b": World.meant,
        r"\bid:i3\b": f"id:{World.invitation}",
    }


# Who else acts, by the line of the example. Its process is running.


def join(running):
    stage.tacit(newcomer("world/carol"), "connect", running.line())
    stage.tacit("world/carol", "fetch")


def receive(running):
    while running.process.poll() is None:
        stage.tacit(World.alice, "fetch")


def admit(running):
    while running.process.poll() is None:
        stage.tacit(World.me, "fetch")


def interrupt(running):
    running.line()
    os.killpg(running.pid, signal.SIGINT)


def interrupt_server(running):
    running.error_line()
    os.killpg(running.pid, signal.SIGINT)


def stop(running):
    running.error_line()
    stage.tacit(World.me, "daemon", "stop")


def move(running):
    stage.tacit("world/elsewhere", "migrate", "from", running.line())


COMPANY = {
    "tacit migrate to": move,
    "tacit migrate resume": move,
    "tacit connect --wait connected --timeout 10m": join,
    "tacit send @alice hi --wait delivered": receive,
    "tacit message wait m12": receive,
    "tacit message wait last --in @alice": receive,
    "tacit group join +team --wait connected --timeout 5m": admit,
    "tacit relay start /srv/relay": interrupt,
    "tacit relay start /srv/relay --metrics /srv/relay.prom": interrupt,
    "tacit daemon run": stop,
    "tacit api --websocket 5225": interrupt_server,
    "tacit api --websocket unix:/run/user/1000/bot.sock": interrupt_server,
}


def commands(*path):
    """All commands below a noun, or of the program, with their pages of help."""
    for line in stage.tacit(None, "__complete", "fish", "--", *path, "").lines:
        name = line.split("\t")[0]
        page = stage.tacit(None, "help", *path, name).out
        if "\nVerbs:\n" in page:
            yield from commands(*path, name)
        else:
            yield [*path, name], page


def examples(page):
    part = page.split("\nExamples:\n")[1].split("\n\n")[0]
    return re.findall(r"^  (\S.*)$", part, re.MULTILINE)


def run(command, line, person):
    folder = stage.folder / f"{len(done)}" / command[-1]
    folder.mkdir(parents=True)
    if "simplex-chat.zip" in line:
        official = OfficialStore()
        official.contact("bob")
        (folder / "simplex-chat.zip").write_bytes(official.archive())
    if "old.key" in line:
        shutil.copy(KEY, folder / "old.key")
    (folder / "bot.sh").write_text("#!/bin/sh\nexec cat >/dev/null\n")
    (folder / "bot.sh").chmod(0o755)
    picture = base64.b64decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
    for name in ("logo.png", "beach.jpg", "harbour.jpg"):
        (folder / name).write_bytes(picture)
    # A second of Ogg with Opus.
    (folder / "memo.ogg").write_bytes(
        ogg_page(0, b"OpusHead" + struct.pack("<BBHIHB", 1, 1, 0, 48000, 0, 0)) + ogg_page(48000, b"sound"))
    (folder / "link.txt").write_text(f"{World.file}\n")
    (folder / "words.txt").write_text("correct horse battery staple")
    (folder / "words.txt").chmod(0o600)
    for name in ("Documents", "Downloads"):
        (folder / name).mkdir()
    for name in ("minutes.pdf", "talk.mp4", "key.asc"):
        (folder / name).write_text("minutes")
    pack(folder / "backup.tar.gz")
    text = line
    for pattern, name in names(folder).items():
        text = re.sub(pattern, lambda _: name, text)
    given = {"HOME": str(folder), "TACIT_TIMEOUT": f"{TIMEOUT}s", "TACIT_KEY_FILE": str(KEY) if KEY.exists() else None}
    environment = stage._environment(person, given)
    process = subprocess.Popen(
        ["bash", "-c", f"set -o pipefail; {text}"], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )
    running = Running(process)
    if line in COMPANY:
        COMPANY[line](running)
    ended = running.ended()
    assert ended.code == 0, f"{text}\nexit code {ended.code}\n{ended.out}{ended.err}"
    if command == ["daemon", "reload"]:
        stage.tacit(World.me, "daemon", "stop")


World.make()
done = []
is_fresh = True
for command, page in commands():
    for line in examples(page):
        if line in IMPOSSIBLE or "jq" in line and not shutil.which("jq"):
            continue
        if not is_fresh:
            World.again()
        run(command, line, prepare(command, line))
        done.append(line)
        is_fresh = "Reads the store without waiting" in page or command[0] in ("help", "version", "schema", "completion")
assert set(COMPANY) <= set(done), f"no longer examples: {set(COMPANY) - set(done)}"
print(f"{len(done)} examples")
