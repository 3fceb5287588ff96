"""Guarantee 10: the control socket is reached by its user only, carries commands of the core, and trusts no line."""

# limit: 120

import json
import os
import re
import socket
import stat
import subprocess

from support.process import TIMEOUT, open_files, wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
daemon = stage.start("bob", "daemon", "run")
path = daemon.error_line().removeprefix("accepting commands at ")
assert path == str(stage.place("bob") / "run/control.sock"), path

# Its user's alone, in a folder that is its user's alone, and nothing listens to the network.
assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700
inodes = {re.sub(r"\D", "", name) for name in open_files(daemon.pid) if name.startswith("socket:")}
for table in ("tcp", "tcp6"):
    for line in open(f"/proc/{daemon.pid}/net/{table}"):
        fields = line.split()
        assert fields[3] != "0A" or fields[9] not in inodes, f"listens: {line}"


class Client:
    """A program that talks with the core over the socket."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(TIMEOUT)
        self.socket.connect(path)
        self.file = self.socket.makefile("rb")
        version = json.loads(stage.tacit(None, "version", "--json").out)["version"]
        assert self.next() == {"tacit": version, "core": 1}

    def send(self, value):
        self.socket.sendall(value if isinstance(value, bytes) else json.dumps(value).encode() + b"\n")

    def next(self):
        return json.loads(self.file.readline())

    def ask(self, id="1", **fields):
        """The answer to one request, which is the next that is said."""
        self.send({"corrId": id, **fields})
        answer = self.next()
        assert answer.pop("corrId") == id, answer
        return answer

    def run(self, text, id="1"):
        return self.ask(id, cmd=text)


client = Client()

# The texts and answers are those of the core, as `tacit api` prints them.
for text in ("/users", "/_get chats 1 count=20", "/_get chat @1 count=5", "/_send @9 text hi", "no such command"):
    code = 67 if "@9" in text else 65 if text.startswith("no") else 0
    shown = stage.tacit("bob", "api", text, expect=code).lines
    assert client.run(text) == json.loads(shown[-1]), (text, shown)
sent = client.run('/_send @1 json [{"msgContent":{"type":"text","text":"over the socket"},"mentions":{}}]')
assert sent["result"]["type"] == "newChatItems", sent
stage.tacit("bob", "outbox", "flush")
assert "over the socket" in stage.tacit("alice", "fetch").out
assert client.ask(control="ping") == {"result": {}}
assert client.ask(control="status")["result"]["pid"] == daemon.pid

# What is no request gets an error with the id that it had, if it had one, and the conversation goes on. Empty lines are left
# out.
REFUSED = [
    b"{\n", b"[]\n", b"{}\n", b'"\\ud800"\n', b"null\n", b'{"corrId":"x"}\n', b'{"corrId":7,"cmd":"/users"}\n',
    b'{"cmd":"/users"}\n', b'{"corrId":"x","cmd":["/users"]}\n', b'{"corrId":"x","cmd":""}\n', b'{"corrId":"x","cmd":"/"}\n',
    b'{"corrId":"x","cmd":"/_send @1"}\n', b'{"corrId":"x","cmd":"/_get chats 99999999999999999999 count=1"}\n',
    b'{"corrId":"x","cmd":"\\u0000"}\n', b'{"corrId":"x","control":"no such"}\n', b'{"corrId":"x","control":"visit"}\n',
    b'{"corrId":"x","control":"route"}\n', b'{"corrId":"x","control":"route","settings":7}\n', b'{"cancel":7}\n',
    b'{"events":"yes"}\n', b'{"jsonrpc":"2.0","id":1,"method":"status"}\n', b"[" * 100000 + b"\n", b"\0\xff\n",
    b'{"corrId":"x","cmd":"/_send @1 json ' + b"[" * 100000 + b'"}\n',
]  # fmt: skip
client.send(b"\n\n")
for line in REFUSED:
    client.send(line)
    answer = client.next()
    assert answer["corrId"] == ("x" if b'"corrId":"x"' in line else "") and "type" in answer["error"], (line[:100], answer)
assert "result" in client.run("/users")

# A line that is too long is refused when it ends, and those behind it are answered.
client.send(b'{"corrId":"long","cmd":"' + b"x" * 5_000_000 + b'"}\n')
answer = client.next()
assert answer["corrId"] == "" and "error" in answer, answer
assert "result" in client.run("/users", id="behind")

# An end that is wished for nothing does no harm, and neither do ids that repeat.
for line in ({"cancel": "no such"}, {"cancel": ""}, {"events": False}, {"events": False}):
    client.send(line)
for _ in range(2):
    client.send({"corrId": "twice", "cmd": "/users"})
assert [client.next()["corrId"] for _ in range(2)] == ["twice"] * 2
assert "result" in client.run("/users")

# A stream of events, to those who want it only, until they want it no more.
watcher = Client()
watcher.send({"events": True})
watcher.send({"events": True})
assert watcher.ask(control="ping") == {"result": {}}
stage.tacit("alice", "send", "@bob", "seen over the socket")
while "seen over the socket" not in json.dumps(seen := watcher.next()):
    pass
assert list(seen) == ["event"] and seen["event"]["type"] == "newChatItems", seen
assert "result" in client.run("/users", id="silent")
watcher.send({"events": False})
while watcher.ask(control="ping") != {"result": {}}:
    pass
stage.tacit("alice", "send", "@bob", "not seen")
wait_until(lambda: "not seen" in stage.tacit("bob", "read").out, "a message")
assert "result" in watcher.run("/users", id="only")

# One that sends without an end is cut off or thrown away; others notice nothing.
greedy = Client()
try:
    for _ in range(200):
        greedy.send(b"x" * 65536)
except OSError:
    pass
assert "result" in client.run("/users")

# One that never reads is not waited for.
deaf = Client()
deaf.socket.setblocking(False)
try:
    for _ in range(2000):
        deaf.send({"corrId": "1", "cmd": "/_get chats 1 count=20"})
except OSError:
    pass
assert "result" in client.run("/users")
deaf.socket.close()

# Several requests at once, from one and from many, and some that hang up in the middle.
for number in range(50):
    client.send({"corrId": str(number), "cmd": "/users"})
assert {client.next()["corrId"] for _ in range(50)} == set(map(str, range(50)))
crowd = [Client() for _ in range(50)]
for one in crowd:
    one.send({"corrId": "1", "cmd": "/users"})
for one in crowd[::2]:
    one.socket.shutdown(socket.SHUT_RDWR)
    one.socket.close()
for one in crowd[1::2]:
    assert "result" in one.next()
for line in (b'{"corrId":"1","cmd":"/us', b'{"corrId":"1","cmd":"/users"}\n', b'{"events":true}\n'):
    gone = Client()
    gone.send(line)
    gone.socket.close()
assert "result" in client.run("/users")

# What was asked for is answered though nothing more is asked; the last line needs no end.
once = Client()
once.send(b'{"corrId":"1","cmd":"/users"}')
once.socket.shutdown(socket.SHUT_WR)
assert once.next()["result"] == client.run("/users")["result"]
assert once.file.readline() == b""


# The commands themselves are answered over standard input, with a daemon and without.
def call(method, params=None):
    request = {"jsonrpc": "2.0", "id": 1, "method": method, **({} if params is None else {"params": params})}
    answers = [json.loads(line) for line in stage.tacit("bob", "rpc", stdin=json.dumps(request)).lines]
    answer = answers[-1]
    assert answer["jsonrpc"] == "2.0" and answer["id"] == 1, answers
    return answer


def check_rpc():
    # The methods are the commands, and their reports the same.
    listed = call("contact.list")["result"]
    assert listed["exit"] == 0 and listed["reports"] == stage.tacit("bob", "contact", "list", "--json").objects, listed
    assert call("contact")["result"] == listed
    sent = call("send", {"target": "@alice", "text": "by name -- 'as it is'", "wait": "sent", "timeout": "20s"})
    assert sent["result"]["reports"][0]["state"] == "sent", sent
    sent = call("send", ["@alice", "by place", "--wait", "queued"])
    assert sent["result"]["reports"][0]["type"] == "send", sent
    assert call("send", {"target": "@alice", "text": "--help"})["result"]["exit"] == 0
    read = call("read", {"last": 3})["result"]["reports"]
    assert [item["text"] for item in read] == ["by name -- 'as it is'", "by place", "--help"], read

    # What fails has the exit code of the command, and its error in the data.
    error = call("send", {"target": "@eve", "text": "hi"})["error"]
    assert error["code"] == 67 and error["data"]["errors"][0]["code"] == "contact.unknown", error
    error = call("contact.delete", {"contact": "@alice"})["error"]
    assert error["code"] == 64 and "not confirmed" in error["message"], error
    error = call("db.rekey")["error"]
    assert error["code"] == 75, error

    # Wrong requests get the answers of the standard, and those behind them are answered.
    wrong = (
        (b"{", -32700), (b"[]", -32600), (b"{}", -32600), (b'"\\ud800"', -32700),
        (b'{"jsonrpc":"1.0","id":1,"method":"status"}', -32600),
        (b'{"jsonrpc":"2.0","id":[],"method":"status"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"status","params":3}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"no.such"}', -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"__complete"}', -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"status","params":{"stranger":1}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"send","params":{"target":{}}}', -32602),
        (b"[" * 100000, -32700), (b"\0\xff", -32700),
    )  # fmt: skip
    # A notification gets no answer, even if it is wrong, and the end of nothing does no harm.
    silent = (
        b'{"jsonrpc":"2.0","method":"message.mark","params":["@alice"]}',
        b'{"jsonrpc":"2.0","method":"tacit.cancel","params":{"id":99}}',
        b'{"jsonrpc":"2.0","method":"no.such"}',
        b'{"jsonrpc":"2.0","method":"status","params":{"stranger":1}}',
    )
    lines = [line for line, _ in wrong] + [*silent, b'{"jsonrpc":"2.0","id":"last","method":"status"}']
    answers = [json.loads(line) for line in stage.tacit("bob", "rpc", stdin=b"\n".join(lines)).lines]
    codes = [answer["error"]["code"] for answer in answers if "error" in answer]
    assert sorted(codes) == sorted(code for _, code in wrong), answers
    (last,) = [answer for answer in answers if "result" in answer]
    assert last["id"] == "last" and last["result"]["exit"] == 0, last


check_rpc()

# A stream of reports, until it is cancelled.
watching = stage.start("bob", "rpc", stdin=subprocess.PIPE)


def say(**fields):
    watching.process.stdin.write(json.dumps({"jsonrpc": "2.0", **fields}).encode() + b"\n")
    watching.process.stdin.flush()


say(id="w", method="watch")
count = iter(range(1000))


def is_seen():
    stage.tacit("alice", "send", "@bob", f"seen {next(count)}", "-q")
    return json.loads(watching.line())["method"] == "report"


wait_until(is_seen, "a report")
say(method="tacit.cancel", params={"id": "w"})
while "result" not in (answer := json.loads(watching.line())):
    assert answer["params"]["id"] == "w", answer
assert answer["id"] == "w", answer
watching.process.stdin.close()
watching.process.stdin = None
assert watching.ended().code == 0

listed = call("contact.list")
stage.tacit("bob", "daemon", "stop", "-q")
assert daemon.ended().code == 0
assert not os.path.exists(path)
assert call("contact.list") == listed
check_rpc()

# Somebody else's socket is not talked to: a daemon of another store is passed over.
for person in ("alice", "bob"):
    daemons = stage.start(person, "daemon", "run", env={"XDG_RUNTIME_DIR": str(stage.folder / "runtime")})
    daemons.error_line()
    stage.tacit(person, "daemon", "stop", "-q")
