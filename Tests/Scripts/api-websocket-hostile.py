"""tacit api --websocket beside clients that break the protocol, flood it or sleep: each is refused, and others are served."""
# limit: 120

import json
import os
import signal
import socket
import subprocess
import time

from support.process import wait_until
from support.sockets import BINARY, CLOSE, PING, PONG, TEXT, Server, frame, handshake, read_all, request
from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")
server = Server(stage, "alice")
good = server.open()


def is_served():
    assert good.ask("/user")["user"]["localDisplayName"] == "alice"


# Handshakes that are none. (TLS is cut off without a word that it would understand.)
first = handshake().split(b"\r\n")[0].decode()
for status, data in [
    (400, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"), (400, b"hello\r\n\r\n"), (400, b"GET /\r\n\r\n"),
    (405, b"POST / HTTP/1.1\r\nHost: x\r\n\r\n"), (505, b"GET / HTTP/1.0\r\nHost: x\r\n\r\n"),
    (426, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"), (431, b"GET / HTTP/1.1\r\nX: " + b"a" * 20000),
    (400, handshake(lines=[first, "Host: x", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"])),
    (426, handshake(lines=[first, "Host: x", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 8"])),
    (400, handshake("Content-Length: 5")), (400, handshake("Transfer-Encoding: chunked")), (400, handshake(" folded")),
    # A browser says which page it runs.
    (403, handshake("Origin: https://evil.example")), (403, handshake("Origin: null")),
    (403, handshake("Origin: http://127.0.0.1")),
]:  # fmt: skip
    assert server.refused(data) == status, (status, data)
is_served()

# Processes of other users are strangers, with words and without.
if os.geteuid() == 0 and os.path.exists("/usr/bin/python3"):
    code = (
        f"import socket; client = socket.create_connection(('127.0.0.1', {server.port})); "
        f"client.sendall({handshake()!r}); print(client.recv(100).split()[1].decode())"
    )
    done = subprocess.run(["/usr/bin/python3", "-c", code], user=65534, cwd="/", capture_output=True, text=True, timeout=20)
    assert done.stdout == "403\n", done
    code = f"import socket; client = socket.create_connection(('127.0.0.1', {server.port})); print(client.recv(100).split()[1].decode())"
    done = subprocess.run(["/usr/bin/python3", "-c", code], user=65534, cwd="/", capture_output=True, text=True, timeout=5)
    assert done.stdout == "403\n", done
else:
    print("skipped: a client of another user, because only root can be one")

# One byte after the other is a handshake too, and frames may come with it.
slow = server.connect()
data = handshake() + frame(TEXT, request("9", "/v"))
for index in range(len(data)):
    slow.sendall(data[index : index + 1])
answer = b""
while b'"corrId":"9"' not in answer:
    answer += slow.recv(65536)
slow.close()

# What is against the protocol is closed with its code.
for code, data in [
    (1002, frame(TEXT, request("1", "/v"), mask=None)), (1002, frame(TEXT, "a", reserved=4)), (1002, frame(3, "a")),
    (1002, frame(PING, "a", final=False)), (1002, frame(PING, "a" * 126)), (1002, frame(0, "a")),
    (1002, frame(TEXT, "a", final=False) + frame(TEXT, "b")), (1002, frame(CLOSE, b"\x03")),
    (1002, frame(CLOSE, b"\x03\xed")), (1007, frame(CLOSE, b"\x03\xe8\xff")), (1003, frame(BINARY, "a")),
    (1002, b"\x81\xfe\x00\x05abcdhello"), (1009, b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xffmask"),
    (1009, b"\x81\xff\x00\x00\x00\x00\x01\x00\x00\x01mask"), (1007, frame(TEXT, b"\xff")),
    (1007, frame(TEXT, b"\xed\xa0\x80")), (1007, frame(TEXT, b"\xe2", final=False) + frame(0, b"\x28\xa1")),
    # An answer of the server to a close is the same code.
    (1000, frame(CLOSE, b"\x03\xe8bye")), (1000, frame(CLOSE, b"")), (3000, frame(CLOSE, b"\x0b\xb8")),
]:  # fmt: skip
    client = server.open()
    client.send(data)
    assert client.closed() == code, (code, data)
is_served()

# A message of sixteen megabytes in many parts is too large with its last part.
client = server.open()
client.send(frame(TEXT, "a", final=False))
try:
    for _ in range(17):
        client.send(frame(0, b"a" * (1 << 20), final=False))
    code = client.closed()
    assert code == 1009, code
except (ConnectionResetError, BrokenPipeError):
    pass

# Parts with a ping between them, and a character that is split.
client = server.open()
text = json.dumps({"corrId": "7", "cmd": "/v 🙂"}, ensure_ascii=False).encode()
cut = text.index("🙂".encode()) + 2
client.send(frame(TEXT, text[:cut], final=False), frame(PING, "p"), frame(0, b"", final=False), frame(0, text[cut:]))
assert client.frame() == (PONG, b"p")
assert client.message()["corrId"] == "7"
client.send(frame(PONG, "unasked"))

# Bad requests have no number to answer to.
for text in ("", "no json", "[]", "{}", '{"corrId":1,"cmd":"/v"}', '{"corrId":"1"}', '{"cmd":"/v"}', "[" * 100_000):
    client.send(frame(TEXT, text))
    assert client.message() == {
        "resp": {
            "type": "chatCmdError",
            "chatError": {"type": "error", "errorType": {"type": "commandError", "message": "Failed reading: empty"}},
        }
    }, text[:50]
is_served()

# Nothing of what a client asks at once is lost, and it is answered in order.
client.send(*[frame(TEXT, request(number, "/v")) for number in range(2000)])
assert [client.message()["corrId"] for _ in range(2000)] == [str(number) for number in range(2000)]

# A client that never reads is given up, and its memory with it; the others are served meanwhile.
sleeper = server.open()
sleeper.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 16)
sleeper.socket.settimeout(0.5)
big = [frame(TEXT, request(number, "/_get chats 1 count=100")) for number in range(20_000)]
sent = 0
try:
    for data in big:
        sleeper.socket.sendall(data)
        sent += 1
except (TimeoutError, ConnectionResetError, BrokenPipeError):
    pass
is_served()
with open(f"/proc/{server.running.process.pid}/status") as status:
    resident = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
assert resident < 400_000, f"{resident} KiB"

# Clients that end in the middle leave nothing behind.
for data in (b"", handshake()[:30], handshake(), handshake() + frame(TEXT, "abc")[:4], handshake() + b"\x81"):
    with server.connect() as gone:
        gone.sendall(data)
half = server.open()
half.socket.shutdown(socket.SHUT_WR)
assert read_all(half.socket) == b""
# More than may connect are refused, and room is made when some have gone.
crowd = []
while len(crowd) < 120:
    connected = server.connect()
    connected.sendall(handshake())
    if not connected.recv(100).startswith(b"HTTP/1.1 101"):
        connected.close()
        break
    crowd.append(connected)
assert 50 < len(crowd) < 100, len(crowd)
for connected in crowd:
    connected.close()


def has_room():
    with server.connect() as client:
        client.sendall(handshake())
        return client.recv(100).startswith(b"HTTP/1.1 101")


wait_until(has_room, "room")
is_served()

# Whoever says nothing at all is cut off after ten seconds.
silent = server.connect()
start = time.monotonic()
answer = read_all(silent)
assert answer.startswith(b"HTTP/1.1 408 ") and 5 < time.monotonic() - start < 20, answer

# A signal says goodbye to all.
server.running.signal(signal.SIGTERM)
assert good.closed() == 1001
ended = server.running.ended()
assert ended.code == 0, ended.err
