"""The programs in examples/ do what their first lines say."""

import os
import shutil
import socket
import subprocess
from pathlib import Path

from support.process import TIMEOUT, wait_until
from support.stage import Stage, free_port

stage = Stage()
stage.connected("alice", "bob")
examples = Path(os.environ["TACIT_REPOSITORY"]) / "examples"
assert {path.stem.replace("-", " ") for path in examples.glob("*.sh")} == {
    "bot", "rpc bot", "health check", "disk monitor", "backup", "webhook"
}  # fmt: skip


def run(person, name, *words, stdin=b"", env=None, expect=0):
    done = subprocess.run(
        [examples / name, *words], input=stdin, env=stage._environment(person, env), cwd=stage.folder,
        capture_output=True, timeout=TIMEOUT,
    )  # fmt: skip
    assert done.returncode == expect, (name, words, done.returncode, done.stdout, done.stderr)
    return done.stdout.decode()


def texts(person):
    stage.tacit(person, "fetch")
    items = stage.tacit(person, "read", "--last", "100", "--json").objects
    return [item["text"] for item in items if item["direction"] == "in"]


# A bot: each message is answered once, also when it is asked twice.
if shutil.which("jq"):
    for text in ("ping", "-x $(id) `id`", "time"):
        stage.tacit("bob", "send", "@alice", "--", text)
    stage.tacit("alice", "fetch")
    stage.tacit("alice", "read", "--cursor", "bot", "--exec", str(examples / "bot.sh"))
    stage.tacit("alice", "cursor", "reset", "bot", "--to", "start")
    stage.tacit("alice", "read", "--cursor", "bot", "--exec", str(examples / "bot.sh"))
    stage.tacit("alice", "outbox", "flush")
    answers = texts("bob")
    assert answers[:2] == ["pong", "I know: ping, time"] and len(answers) == 3, answers
else:
    print("skipped: bot.sh, because there is no jq")

# A health check: one message for each change.
broken = stage.folder / "broken"
seen = len(texts("bob"))
for is_broken in (False, True, True, False, False):
    broken.touch() if is_broken else broken.unlink(missing_ok=True)
    run("alice", "health-check.sh", "@bob", "web", "sh", "-c", f"echo no route; ! test -e {broken}", env={"HOME": str(stage.folder)})
assert texts("bob")[seen:] == ["web fails: no route", "web works again"], texts("bob")
run("alice", "health-check.sh", "@bob", expect=64)

# A disk monitor: once a day, if at all.
seen = len(texts("bob"))
for _ in range(2):
    run("alice", "disk-monitor.sh", "@bob", "0")
warnings = texts("bob")[seen:]
assert warnings and len(warnings) == len(set(warnings)) and all(text.endswith("full") for text in warnings), warnings
run("alice", "disk-monitor.sh", "@bob", "101")
assert len(texts("bob")) == seen + len(warnings)

# A backup, and what the first lines of it say about restoring.
folder = stage.folder / "backups"
folder.mkdir()
for day in range(1, 9):
    (folder / f"tacit-2020-01-0{day}.zip").write_text("old")
run("alice", "backup.sh", str(folder))
kept = sorted(path.name for path in folder.iterdir())
assert len(kept) == 7 and kept[0] == "tacit-2020-01-03.zip", kept
archive = str(folder / kept[-1])
key = stage.place("alice") / "key"
before = stage.tacit("alice", "read", "--last", "100", "--json").out
environment = {"TACIT_KEY_FILE": str(key)}
stage.tacit("restored", "import", archive, "--dry-run", env=environment)
stage.tacit("restored", "import", archive, env=environment)
assert stage.tacit("restored", "read", "--last", "100", "--json", env=environment).out == before

# A webhook.
token = stage.folder / "token"
token.write_text("s3cret\n")
environment = {"WEBHOOK_TARGET": "@bob", "WEBHOOK_TOKEN_FILE": str(token)}


def request(body, *headers, method="POST"):
    lines = [f"{method} / HTTP/1.1", "Host: x", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def ask(text):
    return run("alice", "webhook.sh", stdin=text, env=environment).split("\r\n")[0]


seen = len(texts("bob"))
body = "build 7 failed: -x $(id) é".encode()
right = ("Authorization: Bearer s3cret", f"Content-Length: {len(body)}")
assert ask(request(body, *right)) == "HTTP/1.1 204 No Content"
assert ask(request(body, right[1])) == "HTTP/1.1 401 Unauthorized"
assert ask(request(body, "Authorization: Bearer other", right[1])) == "HTTP/1.1 401 Unauthorized"
assert ask(request(body, *right, method="GET")) == "HTTP/1.1 405 Method Not Allowed"
for length in ("10001", "-1", "99999999999999999999", "1e3"):
    assert ask(request(body, right[0], f"Content-Length: {length}")) == "HTTP/1.1 413 Content Too Large", length
assert ask(b"POST / HTTP/1.1\r\n") == "HTTP/1.1 400 Bad Request"
assert texts("bob")[seen:] == [body.decode()], texts("bob")

if shutil.which("socat"):
    port = free_port()
    server = subprocess.Popen(
        ["socat", f"TCP-LISTEN:{port},bind=127.0.0.1,reuseaddr,fork", f"EXEC:{examples / 'webhook.sh'}"],
        env=stage._environment("alice", environment), cwd=stage.folder,
    )  # fmt: skip

    def is_there():
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return True
        except ConnectionRefusedError:
            return False

    wait_until(is_there, "socat")
    with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT) as client:
        client.sendall(request(body, *right))
        assert client.recv(1000).startswith(b"HTTP/1.1 204 "), "no answer over socat"
    server.terminate()
    server.wait()
else:
    print("skipped: webhook.sh behind socat, because there is no socat")
