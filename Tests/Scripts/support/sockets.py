"""A client of `tacit api --websocket` that knows frames, so that it can send what no library would."""

import base64
import json
import os
import re
import socket
import struct

from support.process import TIMEOUT

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Server:
    """The process that serves clients."""

    def __init__(self, stage, person, *words, place="127.0.0.1:0", env=None):
        self.running = stage.start(person, "api", "--websocket", place, *words, env=env)
        self.wait()

    def wait(self):
        """Until it accepts clients."""
        while not (found := re.search(r"ws://(.*):(\d+)", self.running.error_line())):
            pass
        self.host, self.port = found.group(1).strip("[]"), int(found.group(2))

    @property
    def url(self):
        return f"ws://{self.host}:{self.port}"

    def connect(self):
        client = socket.create_connection((self.host, self.port), timeout=TIMEOUT)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return client

    def open(self, *headers):
        """A client behind its handshake."""
        client = Client(self.connect())
        client.socket.sendall(handshake(*headers))
        answer = client.header()
        assert answer.startswith("HTTP/1.1 101 "), answer
        return client

    def refused(self, request):
        """The status of the answer to a request, behind which nothing comes. None for a connection that was cut."""
        with self.connect() as client:
            client.sendall(request)
            answer = read_all(client)
        if not answer:
            return None
        assert answer.endswith(b"\r\n\r\n"), answer
        return int(answer.split()[1])


def handshake(*headers, lines=None):
    key = base64.b64encode(os.urandom(16)).decode()
    whole = lines or [
        "GET / HTTP/1.1", "Host: localhost", "Upgrade: websocket", "Connection: Upgrade",
        f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13",
    ]  # fmt: skip
    return "\r\n".join([*whole, *headers, "", ""]).encode()


def frame(opcode, payload, final=True, mask=b"\x01\x02\x03\x04", reserved=0):
    payload = payload.encode() if isinstance(payload, str) else payload
    first = (0x80 if final else 0) | reserved << 4 | opcode
    flag = 0x80 if mask else 0
    if len(payload) < 126:
        header = struct.pack("!BB", first, flag | len(payload))
    elif len(payload) < 1 << 16:
        header = struct.pack("!BBH", first, flag | 126, len(payload))
    else:
        header = struct.pack("!BBQ", first, flag | 127, len(payload))
    if not mask:
        return header + payload
    masked = bytearray(payload)
    for index in range(4):
        masked[index::4] = bytes(byte ^ mask[index] for byte in masked[index::4])
    return header + mask + bytes(masked)


def request(number, command):
    return json.dumps({"corrId": str(number), "cmd": command})


def read_all(client):
    answer = b""
    try:
        while part := client.recv(65536):
            answer += part
    except ConnectionResetError:
        pass
    return answer


class Client:
    def __init__(self, connected):
        self.socket = connected
        self.rest = b""

    def header(self):
        while b"\r\n\r\n" not in self.rest:
            part = self.socket.recv(65536)
            assert part, self.rest
            self.rest += part
        header, self.rest = self.rest.split(b"\r\n\r\n", 1)
        return header.decode()

    def send(self, *frames):
        self.socket.sendall(b"".join(frames))

    def take(self, count):
        while len(self.rest) < count:
            part = self.socket.recv(65536)
            if not part:
                raise EOFError
            self.rest += part
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def frame(self):
        """The opcode and the payload of the next frame."""
        first, second = self.take(2)
        assert first & 0x80 and not second & 0x80, "servers send whole messages without a mask"
        length = second
        if length == 126:
            (length,) = struct.unpack("!H", self.take(2))
        elif length == 127:
            (length,) = struct.unpack("!Q", self.take(8))
        return first & 0x0F, self.take(length)

    def message(self):
        opcode, payload = self.frame()
        assert opcode == TEXT, (opcode, payload)
        return json.loads(payload)

    def ask(self, command, number="1"):
        """The answer to a command; events before it are passed over."""
        self.send(frame(TEXT, request(number, command)))
        while (message := self.message()).get("corrId") != number:
            assert "corrId" not in message, message
        return message["resp"]

    def closed(self):
        """The code with which the server closes."""
        opcode, payload = self.frame()
        while opcode != CLOSE:
            opcode, payload = self.frame()
        assert self.rest == b"" and read_all(self.socket) == b"", "nothing comes behind a close"
        return struct.unpack("!H", payload[:2])[0]
