"""Wish 10: the control socket is reached by its user only, speaks JSON-RPC 2.0, and trusts no line."""

import json
import os
import re
import socket
import stat

from support.process import PATIENCE, open_files
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
daemon = stage.start("bob", "daemon", "run")
path = daemon.error_line().removeprefix("commands are taken at ")
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
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(path)
        self.file = self.socket.makefile("rb")

    def send(self, value):
        self.socket.sendall(value if isinstance(value, bytes) else json.dumps(value).encode() + b"\n")

    def next(self):
        return json.loads(self.file.readline())

    def call(self, method, params=None, id=1):
        self.send({"jsonrpc": "2.0", "id": id, "method": method, **({} if params is None else {"params": params})})
        answer = self.next()
        assert answer["jsonrpc"] == "2.0" and answer["id"] == id, answer
        return answer


# The methods are the commands, and their reports the same.
client = Client()
listed = client.call("contact.list")["result"]
assert listed["exit"] == 0 and listed["reports"] == stage.tacit("bob", "contact", "list", "--json").objects, listed
assert client.call("contact", id="text")["result"] == listed
sent = client.call("send", {"target": "@alice", "text": "by name -- 'as it is'", "wait": "sent", "timeout": "20s"})
assert sent["result"]["reports"][0]["state"] == "sent", sent
sent = client.call("send", ["@alice", "by place", "--wait", "queued"])
assert sent["result"]["reports"][0]["type"] == "send", sent
assert client.call("send", {"target": "@alice", "text": "--help"})["result"]["exit"] == 0
read = client.call("read", {"last": 3})["result"]["reports"]
assert [item["text"] for item in read] == ["by name -- 'as it is'", "by place", "--help"], read

# What fails has the exit code of the command, and its error in the data.
error = client.call("send", {"target": "@eve", "text": "hi"})["error"]
assert error["code"] == 67 and error["data"]["errors"][0]["code"] == "contact.unknown", error
error = client.call("contact.delete", {"contact": "@alice"})["error"]
assert error["code"] == 64 and "nobody said yes" in error["message"], error
error = client.call("db.rekey")["error"]
assert error["code"] == 75, error

# Wrong requests get the answers of the standard, and the connection goes on.
for line, code in ((b"{\n", -32700), (b"[]\n", -32600), (b"{}\n", -32600), (b'"\\ud800"\n', -32700),
                   (b'{"jsonrpc":"1.0","id":1,"method":"status"}\n', -32600),
                   (b'{"jsonrpc":"2.0","id":[],"method":"status"}\n', -32600),
                   (b'{"jsonrpc":"2.0","id":1,"method":"status","params":3}\n', -32600),
                   (b'{"jsonrpc":"2.0","id":1,"method":"no.such"}\n', -32601),
                   (b'{"jsonrpc":"2.0","id":1,"method":"__complete"}\n', -32601),
                   (b'{"jsonrpc":"2.0","id":1,"method":"status","params":{"stranger":1}}\n', -32602),
                   (b'{"jsonrpc":"2.0","id":1,"method":"send","params":{"target":{}}}\n', -32602),
                   (b'{"jsonrpc":"2.0","id":1,"method":"tacit.run","params":["status"]}\n', -32602),
                   (b'{"jsonrpc":"2.0","id":1,"method":"tacit.run","params":["status"],"face":{"stdout":1}}\n', -32602),
                   (b"[" * 100000 + b"\n", -32700), (b"\0\xff\n", -32700)):
    client.send(line)
    assert client.next()["error"]["code"] == code, line[:100]
assert client.call("status")["result"]["exit"] == 0

# A notification gets no answer, and a wish or an answer that belongs to nothing does no harm.
client.send({"jsonrpc": "2.0", "method": "message.mark", "params": ["@alice"]})
client.send({"jsonrpc": "2.0", "method": "tacit.cancel", "params": {"id": 99}})
client.send({"jsonrpc": "2.0", "method": "answer", "params": {"question": 7, "yes": True}})
assert client.call("status", id=2)["result"]["exit"] == 0

# A stream of events, until it is cancelled.
watcher = Client()
watcher.send({"jsonrpc": "2.0", "id": "w", "method": "watch"})
assert client.call("status", id=3)["result"]["exit"] == 0
stage.tacit("alice", "send", "@bob", "seen over the socket")
seen = watcher.next()
while seen["params"]["report"].get("text") != "seen over the socket":
    seen = watcher.next()
assert seen["method"] == "report" and seen["params"]["id"] == "w", seen
watcher.send({"jsonrpc": "2.0", "method": "tacit.cancel", "params": {"id": "w"}})
while "result" not in (answer := watcher.next()):
    pass
assert answer["id"] == "w", answer

# One that sends without an end is cut off; others notice nothing.
greedy = Client()
try:
    for _ in range(100):
        greedy.send(b"x" * 65536)
except OSError:
    pass
assert client.call("status", id=4)["result"]["exit"] == 0

# Several requests at once, and one that hangs up in the middle.
for number in range(50):
    client.send({"jsonrpc": "2.0", "id": number, "method": "status"})
assert {client.next()["id"] for _ in range(50)} == set(range(50))
gone = Client()
gone.send({"jsonrpc": "2.0", "id": 1, "method": "fetch"})
gone.socket.close()
assert client.call("status", id=5)["result"]["exit"] == 0

# Whoever asks once and reads the answer needs no more than a pipe.
listed = client.call("contact.list", id=6)["result"]
once = Client()
once.send({"jsonrpc": "2.0", "id": 1, "method": "contact.list"})
once.socket.shutdown(socket.SHUT_WR)
assert once.next()["result"] == listed
assert once.file.readline() == b""

# The same over standard input, with a daemon and without.
request = '{"jsonrpc":"2.0","id":1,"method":"contact.list"}\n'
assert json.loads(stage.shell("bob", f"echo '{request.strip()}' | tacit rpc").out)["result"] == listed
stage.tacit("bob", "daemon", "stop", "-q")
assert daemon.ended().code == 0
assert not os.path.exists(path)
assert json.loads(stage.shell("bob", f"echo '{request.strip()}' | tacit rpc").out)["result"] == listed

# Somebody else's socket is not talked to: a daemon of another store is passed over.
for person in ("alice", "bob"):
    daemons = stage.start(person, "daemon", "run", env={"XDG_RUNTIME_DIR": str(stage.folder / "runtime")})
    daemons.error_line()
    stage.tacit(person, "daemon", "stop", "-q")
