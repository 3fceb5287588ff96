"""Links and archives of `migrate from` made to harm: each ends with a code in a short time, leaves no store, contacts no host that
only the link names, and shows nothing that a terminal obeys."""

# limit: 400

import io
import json
import os
import random
import re
import resource
import socket
import threading
import time
import zipfile
from urllib.parse import quote, unquote

from support import hostile
from support.stage import FileRelay, Stage

SEED = int(os.environ.get("TACIT_SEED", "0")) or random.randrange(1 << 32)
print(f"TACIT_SEED={SEED}", flush=True)
chance = random.Random(SEED)
CHAT, AGENT, FOLDER = "simplex_v1_chat.db", "simplex_v1_agent.db", "simplex_v1_files/"
TIMEOUT, MEMORY = 60, 1 << 30

stage = Stage()
relay = FileRelay(stage).start()
stage.person("mallory", relay, "--no-encryption")
stage.tacit("mallory", "server", "add", relay.files)
stage.person("bob", relay)
stage.connect("mallory", "bob")
(stage.folder / "outside").write_text("stays")

# A listener at an address that only links name.
listener = socket.create_server(("127.0.0.9", 0))
visits = []


def listen():
    while True:
        try:
            visits.append(listener.accept()[1])
        except OSError:
            return


threading.Thread(target=listen, daemon=True).start()
ELSEWHERE = listener.getsockname()


def limited():
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def migrated(link, what, codes=(64, 65, 66, 69, 75, 76, 77, 79)):
    """Tries to move a store to a machine without one."""
    start = time.monotonic()
    ended = stage.start("victim", "migrate", "from", "--yes", "--new-key-file", "victim.key", "--json", "--", link, preexec_fn=limited).ended()
    seconds = time.monotonic() - start
    assert ended.code in codes, (SEED, what, ended.code, ended.out[-500:], ended.err[-2000:])
    assert seconds < TIMEOUT, (SEED, what, seconds)
    hostile.check_text(ended.out + ended.err, what)
    assert not list(stage.place("victim").glob("*.db")), (what, os.listdir(stage.place("victim")))
    assert (stage.folder / "outside").read_text() == "stays", what
    assert not (stage.folder / "owned").exists() and not visits, (what, visits)
    stage.shell("victim", "tacit migrate cancel --yes")
    for path in stage.folder.glob("victim.key*"):
        path.unlink()
    return ended.code


def offered(content):
    """A link to a file."""
    (stage.folder / "hostile.bin").write_bytes(content)
    report = stage.tacit("mallory", "file", "send", "hostile.bin", "--json").objects[-1]
    return report.get("link") or report["links"][0]


def packed(entries, method=zipfile.ZIP_STORED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return file.getvalue()


own = {name: (stage.place("mallory") / name).read_bytes() for name in (CHAT, AGENT)}
ARCHIVES = {
    "empty": b"", "noise": os.urandom(100_000), "text": b"[global]\n", "zip-without-entries": packed([]), "one-database": packed([(CHAT, own[CHAT])]),
    "outside": packed([*own.items(), ("../outside", "owned")]), "absolute": packed([*own.items(), (str(stage.folder / "outside"), "owned")]),
    "files-outside": packed([*own.items(), (FOLDER + "../../outside", "owned")]), "no-databases": packed([(CHAT, b"SQLite format 3\0"), (AGENT, b"")]),
    "exchanged": packed([(CHAT, own[AGENT]), (AGENT, own[CHAT])]), "config": packed([*own.items(), ("tacit.conf", "[alias]\nx = y\n")]),
    "bomb": packed([(CHAT, bytes(1 << 28)), (AGENT, bytes(1 << 20)), (FOLDER, "")], zipfile.ZIP_DEFLATED), "control-name": packed([*own.items(), (FOLDER + "\x1b]0;x\x07", "x")]),
    "cut": packed(list(own.items()))[:-100], "twice": packed([*own.items()] + [(CHAT, own[CHAT])]),
}  # fmt: skip
codes = {}
# The control: an honest archive becomes a store.
link = offered(packed([*own.items(), (FOLDER, "")]))
stage.tacit("guest", "migrate", "from", "--yes", "--new-key-file", "guest.key", "--", link)
assert stage.tacit("guest", "list", "contacts", "--json", "--key-file", "guest.key").objects[0]["name"] == "bob"
for name, content in ARCHIVES.items():
    if not content:
        content = b"\0"
    link = offered(content)
    codes[name] = migrated(link, name)

# Links: what they name is another host, another size, another digest, or nothing.
text = unquote(re.search(r"desc=([^&]*)", link)[1])
for name, change in {
    "other-host": lambda desc: re.sub(r"@[^:/\s,]+(:\d+)?", f"@{ELSEWHERE[0]}:{ELSEWHERE[1]}", desc),
    "added-host": lambda desc: re.sub(r"@([^:/\s,]+)", rf"@{ELSEWHERE[0]},\1", desc),
    "size": lambda desc: re.sub(r"size: \S+", "size: 9223372036854775807", desc), "no-size": lambda desc: re.sub(r"size: \S+", "size: -1", desc),
    "digest": lambda desc: re.sub(r"digest: \S+", "digest: " + "A" * 86 + "==", desc), "key": lambda desc: re.sub(r"key: \S+", "key: AAAA", desc),
    "party": lambda desc: desc.replace("party: recipient", "party: sender"), "cut": lambda desc: desc[: len(desc) // 2], "empty": lambda desc: "",
    "controls": lambda desc: desc + "\n\x1b]0;x\x07: \u202e\n", "replicas": lambda desc: desc + "\n- 1:AAAA:AAAA:AAAA" * 1000,
}.items():  # fmt: skip
    harmful = link.replace(re.search(r"desc=[^&]*", link)[0], "desc=" + quote(change(text), safe=""))
    # The fingerprint of a relay of the attacker is known to nobody: the client may ask that host, which must prove it. It is not to be asked
    # in place of a known one.
    if name == "other-host":
        continue
    codes["link-" + name] = migrated(harmful, name)

# What another program wrote beside the archive.
link = offered(ARCHIVES["noise"])
DATA = [
    "", "{", "[" * 20_000, "null", json.dumps({"networkConfig": {"socksProxy": f"{ELSEWHERE[0]}:{ELSEWHERE[1]}", "hostMode": "onionViaSocks", "requiredHostMode": True}}),
    json.dumps({"networkConfig": {"networkProxy": {"host": "\x1b]0;x\x07", "port": -1}}}), json.dumps({"networkConfig": {"hostMode": "\u202e", "networkProxy": 7}}),
    json.dumps({"tacit": {"report": f"simplex:/invitation#/?v=2-7&smp=smp://{'A' * 43}=@{ELSEWHERE[0]}:{ELSEWHERE[1]}/AAAA#"}}), json.dumps({"tacit": {"report": "$(touch owned)"}}),
    json.dumps({"tacit": {"report": "x" * 50_000}}), json.dumps({"tacit": 7, "networkConfig": []}),
]  # fmt: skip
for data in DATA:
    codes["data-" + data[:20]] = migrated(link.split("&data=")[0] + "&data=" + quote(data, safe=""), data[:80])
for odd in ("", "simplex:/file#/?", "simplex:/file#/?desc=", "https://[::1/file#/?desc=x", "simplex:/file#/?desc=%", "\x1b]0;x\x07", "x" * 100_000, "-", "$(touch owned)", "file:///etc/passwd"):
    codes["odd-" + odd[:20]] = migrated(odd, odd[:80])
for _ in range(10):
    place = chance.randrange(len(link) - 8)
    changed = link[:place] + chance.choice(["%00", "%1b", "", "A", "/", "%u202e", "=", "&desc="]) + link[place + chance.randrange(8) :]
    codes[changed[-20:]] = migrated(changed, changed)
listener.close()
assert not visits
print(f"{len(codes)} links and archives with the codes {sorted(set(codes.values()))}")
