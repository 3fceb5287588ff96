"""tacit api --websocket: a bot that is written for the official program connects, asks, and hears what happens."""

import asyncio
import json
import signal
import socket
from pathlib import Path

try:
    import websockets
except ImportError:
    websockets = None

from support.process import TIMEOUT, wait_until
from support.sockets import Client, Server, handshake
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")


class Bot:
    """What the official libraries do, over the client of the package `websockets`."""

    def __init__(self, connection):
        self.connection = connection
        self.last = 0
        self.events = []

    async def receive(self):
        return json.loads(await asyncio.wait_for(self.connection.recv(), TIMEOUT))

    async def ask(self, command):
        self.last += 1
        await self.connection.send(json.dumps({"corrId": str(self.last), "cmd": command}))
        while True:
            message = await self.receive()
            if message.get("corrId") == str(self.last):
                return message["resp"]
            assert "corrId" not in message, message
            self.events.append(message["resp"])

    async def expect(self, type):
        while True:
            for event in self.events:
                if event["type"] == type:
                    self.events.remove(event)
                    return event
            message = await self.receive()
            assert "corrId" not in message, message
            self.events.append(message["resp"])


async def talk(url, **options):
    async with websockets.connect(url, max_size=None, **options) as first, websockets.connect(url) as second:
        bot, other = Bot(first), Bot(second)
        user = (await bot.ask("/user"))["user"]
        assert user["localDisplayName"] == "alice" and user["userId"] == 1
        assert (await bot.ask("/_start"))["type"] == "chatStarted"
        assert (await other.ask("/_start"))["type"] == "chatRunning"
        files = stage.folder / "files of alice"
        assert await bot.ask(f"/_files_folder {files}") == {"type": "cmdOk"} and files.is_dir()
        error = await bot.ask("/nothing")
        assert error["chatError"]["errorType"] == {"type": "commandError", "message": "Failed reading: empty"}
        error = await bot.ask("/store remote file 1 encrypt=off picture.jpg")
        assert error["chatError"]["errorType"] == {"type": "commandError", "message": "not supported"}
        for command, type in [
            ("/_groups 1", "groupsList"), ("/v", "versionInfo"), ("/help", "chatHelp"), ("/_connections diff", "connectionsDiff"),
            ("/get subs", "agentSubs"), ("/get servers summary 1", "agentServersSummary"), ("/_servers 1", "userServers"),
            ("/_operators", "serverOperatorConditions"), ("/network", "networkConfig"), ("/debug locks", "debugLocks"),
            ("/_app suspend 0", "cmdOk"), ("/_app activate", "cmdOk"), ("/reconnect", "cmdOk"),
            ("/_resubscribe all", "cmdOk"), ("/_get app settings", "appSettings"),
        ]:  # fmt: skip
            answer = await bot.ask(command)
            assert answer["type"] == type, (command, answer)

        # Everybody hears what happens, and the one who sends hears its answer.
        sent = await bot.ask("/_send @1 json " + json.dumps([{"msgContent": {"type": "text", "text": "hello 🙂"}, "mentions": {}}]))
        assert sent["type"] == "newChatItems", sent
        await asyncio.to_thread(stage.until_fetched, "bob", "hello 🙂")
        await asyncio.to_thread(stage.tacit, "bob", "send", "@alice", "and hello to you")
        for client in (bot, other):
            item = (await client.expect("newChatItems"))["chatItems"][0]["chatItem"]
            assert item["content"]["msgContent"] == {"type": "text", "text": "and hello to you"}, item

        # Other commands of the shell go on beside it.
        assert await asyncio.to_thread(lambda: stage.tacit("alice", "send", "@bob", "from the shell").code) == 0
        assert (await bot.ask("/_stop"))["type"] == "chatStopped"
        await asyncio.to_thread(stage.tacit, "bob", "send", "@alice", "nobody listens")
        assert (await other.ask("/_start"))["type"] == "chatStarted"
        item = (await bot.expect("newChatItems"))["chatItems"][0]["chatItem"]
        assert item["meta"]["itemText"] == "nobody listens", item
        # Pings of the library are answered.
        await asyncio.wait_for(await first.ping(), TIMEOUT)


server = Server(stage, "alice")
if websockets:
    asyncio.run(talk(server.url))
else:
    print("skipped: the client of a library, because there is no python3-websockets")

# What comes while no client is there is kept for the next one.
stage.tacit("bob", "send", "@alice", "for the next client", "--wait", "sent")
wait_until(lambda: "for the next client" in stage.tacit("alice", "read", "@bob", "--last", "5").out, "a message")
late = server.open()
while (event := late.message()["resp"])["type"] != "newChatItems":
    pass
assert event["chatItems"][0]["chatItem"]["meta"]["itemText"] == "for the next client"

# A second server has no port, and a plain client is served whatever library there is.
other = stage.tacit("bob", "api", "--websocket", f"127.0.0.1:{server.port}", expect=69)
assert "cannot listen for clients" in other.err, other.err
assert server.open().ask("/user")["type"] == "activeUser"
server.running.signal(signal.SIGINT)
assert server.running.ended().code == 0

# A service manager hears when clients are served, and when no more.
manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.settimeout(TIMEOUT)
manager.bind(str(stage.folder / "manager"))
server = Server(stage, "alice", env={"NOTIFY_SOCKET": str(stage.folder / "manager")})
assert b"READY=1" in manager.recv(1000)
server.running.signal(signal.SIGHUP)
states = b""
while b"RELOADING=1" not in states or b"READY=1" not in states.split(b"RELOADING=1")[1]:
    states += manager.recv(1000) + b"\n"
server.wait()
assert server.open().ask("/user")["type"] == "activeUser"
server.running.signal(signal.SIGTERM)
while b"STOPPING=1" not in manager.recv(1000):
    pass
assert server.running.ended().code == 0

# Beside a daemon, its commands go there, and its events come back.
daemon = stage.start("alice", "daemon", "run")
wait_until(lambda: stage.shell("alice", "tacit daemon status").code == 0, "a daemon")
server = Server(stage, "alice")
client = server.open()
assert client.ask("/_start")["type"] == "chatStarted"
stage.tacit("bob", "send", "@alice", "through the daemon", "--wait", "sent")
while (event := client.message()["resp"])["type"] != "newChatItems":
    pass
assert event["chatItems"][0]["chatItem"]["meta"]["itemText"] == "through the daemon"
# When the daemon ends the server has the store itself; clients connect again.
stage.tacit("alice", "daemon", "stop")
assert client.closed() == 1001
server.wait()
assert server.open().ask("/user")["type"] == "activeUser"
server.running.signal(signal.SIGTERM)
assert server.running.ended().code == 0

# A Unix socket is another way in. What an earlier server left there is replaced, other files are not.
path = stage.folder / "bot.sock"
running = stage.start("alice", "api", "--websocket", f"unix:{path}")
while f"unix:{path}" not in running.error_line():
    pass


def at_socket(*headers):
    connected = socket.socket(socket.AF_UNIX)
    connected.settimeout(TIMEOUT)
    connected.connect(str(path))
    connected.sendall(handshake(*headers))
    client = Client(connected)
    return client, client.header().split()[1]


client, status = at_socket()
assert status == "101" and client.ask("/user")["type"] == "activeUser"
assert at_socket("Origin: https://app.example")[1] == "403"
assert path.stat().st_mode & 0o777 == 0o600
taken = stage.tacit("bob", "api", "--websocket", f"unix:{path}", expect=69)
assert "cannot listen for clients" in taken.err, taken.err
running.signal(signal.SIGKILL)
running.ended()
assert path.is_socket()
running = stage.start("alice", "api", "--websocket", f"unix:{path}")
while f"unix:{path}" not in running.error_line():
    pass
assert at_socket()[0].ask("/user")["type"] == "activeUser"
running.signal(signal.SIGTERM)
assert running.ended().code == 0 and not path.exists()
path.write_text("a file")
stage.tacit("bob", "api", "--websocket", f"unix:{path}", expect=69)
assert path.read_text() == "a file"

# A new token is written for clients of this user, and removed at the end.
server = Server(stage, "alice", "--new-token")
token = Path(server.running.error_line().strip().removeprefix("token in "))
assert token.name == f"api-{server.port}.token" and token.stat().st_mode & 0o777 == 0o600, token
assert server.refused(handshake()) == 401
assert server.open(f"Authorization: Bearer {token.read_text().strip()}").ask("/user")["type"] == "activeUser"
server.running.signal(signal.SIGTERM)
assert server.running.ended().code == 0 and not token.exists()

# A store that receives is neither replaced nor deleted before it is stopped.
server = Server(stage, "bob")
client = server.open()
archive = json.dumps({"archivePath": str(stage.folder / "bob.zip")})
for command in ("/_db delete", f"/_db import {archive}", '/_db encryption {"currentKey":"","newKey":"key"}', "/db encrypt key", f"/_db export {archive}"):
    error = client.ask(command)["chatError"]
    assert error == {"type": "error", "errorType": {"type": "chatNotStopped"}}, (command, error)
assert client.ask("/user")["user"]["localDisplayName"] == "bob"
assert client.ask("/_stop")["type"] == "chatStopped"
assert client.ask(f"/_db export {archive}")["type"] == "archiveExported"
assert client.ask("/_db delete")["type"] == "cmdOk"
assert client.ask("/user")["chatError"]["errorType"]["type"] == "chatStoreChanged"
server.running.signal(signal.SIGTERM)
server.running.ended()
assert "bob" not in stage.tacit("bob", "api", "/users").out

# Who may connect.
token = stage.folder / "token"
token.write_text("0123456789abcdef\n")
stage.play('''
    alice$ tacit api
    ! tacit: 'tacit api' needs a command text or '--websocket'
    !   try: tacit api /users              run one command
    !   try: tacit api --websocket 5225    serve clients
    [64]
    alice$ tacit api --websocket 0.0.0.0:5225
    ! tacit: '--websocket' with an address that is not of this machine needs '--allow-remote'
    !   why: clients control the whole store
    [64]
    alice$ tacit api --websocket 0.0.0.0:5225 --allow-remote
    ! tacit: '--allow-remote' needs '--token-file' or '--new-token'
    !   why: clients control the whole store
    [64]
''')
server = Server(
    stage, "alice", "--allow-remote", "--token-file", str(token), "--allow-origin", "https://app.example", place="0.0.0.0:0"
)
server.host = "127.0.0.1"
for words in ((), ("Authorization: Bearer 0123456789abcdeF",), ("Authorization: Basic 0123456789abcdef",)):
    assert server.refused(handshake(*words)) == 401, words
right = "Authorization: Bearer 0123456789abcdef"
assert server.refused(handshake(right, "Origin: https://other.example")) == 403
assert server.open(right).ask("/user")["type"] == "activeUser"
assert server.open(right, "Origin: https://app.example").ask("/user")["type"] == "activeUser"
server.running.signal(signal.SIGTERM)
assert server.running.ended().code == 0
