"""Another user of the machine runs no command through tacit api --websocket, and does not keep its owner out."""

# limit: 400

import os
import subprocess
import time

from support.sockets import TEXT, Server, frame, handshake, request
from support.stage import Stage

OTHER, PYTHON = 65534, "/usr/bin/python3"
if os.geteuid() != 0 or not os.path.exists(PYTHON):
    print("skipped: another user, because only root can be one")
    raise SystemExit(0)

SECONDS = float(os.environ.get("TACIT_SECONDS", "10"))
LIMIT = min(SECONDS, 60)
stage = Stage()
stage.connected("alice", "bob")

# Connects, sends a handshake and a command in one write, and ends the connection at once: with a FIN or with a RST. The
# system lists such a socket as one of root.
HIT_AND_RUN = """
import socket, struct, sys, time
host, port, seconds, data = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), bytes.fromhex(sys.argv[4])
end, count = time.monotonic() + seconds, 0
while time.monotonic() < end:
    try:
        client = socket.create_connection((host, port), timeout=5)
        if count % 2:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.sendall(data)
        client.close()
        count += 1
    except OSError:
        pass
print(count)
"""

# Holds as many connections as it can, without a word or with half a handshake, and makes new ones for those that are cut.
SILENT = """
import select, socket, sys, time
host, port, end = sys.argv[1], int(sys.argv[2]), time.monotonic() + float(sys.argv[3])
held, count = [], 0
while time.monotonic() < end:
    while len(held) < 400:
        try:
            client = socket.create_connection((host, port), timeout=5)
            if count % 2:
                client.sendall(b"GET / HTTP/1.1\\r\\n")
            held.append(client)
            count += 1
        except OSError:
            break
    for client in select.select(held, [], [], 0.05)[0]:
        try:
            gone = not client.recv(1000)
        except OSError:
            gone = True
        if gone:
            client.close()
            held.remove(client)
print(count)
"""


def attack(code, server, *words):
    words = [PYTHON, "-c", code, server.host, str(server.port), str(LIMIT), *words]
    return subprocess.Popen(words, user=OTHER, cwd="/", stdout=subprocess.PIPE, text=True)


def attempts(process):
    out, _ = process.communicate(timeout=LIMIT + 30)
    assert process.returncode == 0 and int(out) > 20, (process.returncode, out)
    return int(out)


for place in ("127.0.0.1:0", "[::1]:0"):
    server = Server(stage, "alice", place=place)
    owner = server.open()
    command = handshake() + frame(TEXT, request(1, "/create user mallory"))
    running = attack(HIT_AND_RUN, server, command.hex())
    # A server that is busy sees a connection late, when its other end is gone.
    while running.poll() is None:
        owner.ask("/_get chats 1 count=100")
        big = [frame(TEXT, request(number, "/_get chat @1 count=100")) for number in range(50)]
        owner.send(*big)
        answers = 0
        while answers < len(big):
            # An event may come between.
            answers += "corrId" in owner.message()
    count = attempts(running)
    names = [entry["user"]["localDisplayName"] for entry in owner.ask("/users")["users"]]
    assert names == ["alice"], (place, names)
    print(f"{place}: {count} commands of another user, none was carried out")

    running = attack(SILENT, server)
    time.sleep(1)
    worst = 0.0
    while running.poll() is None:
        start = time.monotonic()
        client = server.open()
        assert client.ask("/user")["user"]["localDisplayName"] == "alice"
        worst = max(worst, time.monotonic() - start)
        client.socket.close()
    print(f"{place}: {attempts(running)} silent connections of another user, the owner waited for {worst:.2f} s at most")
    assert worst < 5, worst

    # Silent connections of the owner do not keep the owner out either.
    silent = [server.connect() for _ in range(250)]
    assert server.open().ask("/user")["type"] == "activeUser"
    for client in silent:
        client.close()
    server.running.signal(15)
    assert server.running.ended().code == 0
