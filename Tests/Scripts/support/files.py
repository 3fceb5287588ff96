"""A client of a file relay (XFTP version 1, without handshake) made of the standard library and the program openssl, which signs."""

import hashlib
import os
import socket
import ssl
import struct
import subprocess

from support.process import TIMEOUT

BLOCK = 16384
DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY, WINDOW = 0, 1, 3, 4, 6, 7, 8
ED25519 = bytes.fromhex("302a300506032b6570032100")
X25519 = bytes.fromhex("302a300506032b656e032100")


def short(data):
    return bytes([len(data)]) + data


class Key:
    """A key that signs commands."""

    def __init__(self, folder):
        self.path = str(folder / f"key-{os.urandom(8).hex()}.pem")
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", self.path], check=True)
        words = ["openssl", "pkey", "-in", self.path, "-pubout", "-outform", "DER"]
        self.public = subprocess.run(words, check=True, capture_output=True).stdout

    def sign(self, data):
        """openssl signs files only."""
        source = self.path + ".data"
        with open(source, "wb") as file:
            file.write(data)
        words = ["openssl", "pkeyutl", "-sign", "-inkey", self.path, "-rawin", "-in", source]
        return subprocess.run(words, check=True, capture_output=True).stdout


class FileClient:
    """A connection to a file relay, one request at a time."""

    def __init__(self, address, alpn=None, name=None, authority=None):
        place = address.rsplit("@", 1)[1]
        host, port = place.rsplit(":", 1)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        if authority:
            # As a browser, which names the host.
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(authority)
            context.check_hostname = True
        if alpn:
            context.set_alpn_protocols([alpn])
        self.stream = context.wrap_socket(socket.create_connection((host, int(port)), TIMEOUT), server_hostname=name)
        self.session = self.stream.get_channel_binding("tls-unique")
        self.window = 65535
        self.next = 1
        # Windows of 1 MiB in both directions of the connection.
        self.stream.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        self.send(SETTINGS, 0, 0, struct.pack(">HI", 4, 1 << 20))
        self.send(WINDOW, 0, 0, struct.pack(">I", 1 << 20))
        while self.window < 1 << 20:
            kind, flags, _, payload = self.receive()
            if kind == WINDOW:
                self.window += struct.unpack(">I", payload)[0]

    def send(self, kind, flags, number, payload):
        self.stream.sendall(struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, number) + payload)

    def exactly(self, count):
        data = b""
        while len(data) < count:
            part = self.stream.recv(count - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def receive(self):
        head = self.exactly(9)
        kind, flags, number = struct.unpack(">BBI", head[3:])
        payload = self.exactly(int.from_bytes(head[:3], "big"))
        if kind == SETTINGS and not flags & 1:
            self.send(SETTINGS, 1, 0, b"")
        return kind, flags, number, payload

    def post(self, body, method=b"\x83", **headers):
        """The body of the response to a request; its head stays encoded."""
        number, self.next = self.next, self.next + 2
        head = method + b"\x87\x84\x41\x09localhost"
        for name, value in headers.items():
            head += b"\0" + short(name.replace("_", "-").encode()) + short(value)
        self.send(HEADERS, 4 | (not body), number, head)
        for start in range(0, len(body), 16384):
            part = body[start : start + 16384]
            self.send(DATA, start + len(part) == len(body), number, part)
        answer = b""
        while True:
            kind, flags, stream, payload = self.receive()
            assert kind not in (RESET, GOAWAY), (kind, payload)
            if stream == number and kind == HEADERS:
                self.head = payload
            if stream == number and kind == DATA:
                answer += payload
                if payload:
                    # Both windows of what was read.
                    for window in (0, number):
                        self.send(WINDOW, 0, window, struct.pack(">I", len(payload)))
            if stream == number and kind in (DATA, HEADERS) and flags & 1:
                return answer

    def ask(self, command, entity=b"", key=None, body=b""):
        """The answer to a command, and the bytes behind it."""
        content = short(self.session) + short(b"") + short(entity) + command
        signed = short(key.sign(content) if key else b"") + content
        batch = b"\x01" + struct.pack(">H", len(signed)) + signed
        block = (struct.pack(">H", len(batch)) + batch).ljust(BLOCK, b"#")
        answer = self.post(block + body)
        size = struct.unpack(">H", answer[:2])[0]
        # Nothing, the session id, no correlation id, the id.
        inner = answer[2 + 1 + 2 : 2 + size][1 + 1 + len(self.session) + 1 :]
        return inner[1 + inner[0] :], answer[BLOCK:]


class Chunk:
    """A chunk with a recipient."""

    def __init__(self, folder, data):
        self.data, self.sender, self.recipient = data, Key(folder), Key(folder)

    def announce(self, client):
        digest = short(hashlib.sha256(self.data).digest())
        keys = b"\x01" + short(self.recipient.public)
        command = b"FNEW " + short(self.sender.public) + struct.pack(">I", len(self.data)) + digest + keys + b"0"
        answer, _ = client.ask(command, key=self.sender)
        assert answer.startswith(b"SIDS "), answer
        self.sender_id = answer[6 : 6 + answer[5]]
        self.recipient_id = answer[6 + answer[5] + 2 :]
        return self

    def upload(self, client, data=None):
        return client.ask(b"FPUT", self.sender_id, self.sender, self.data if data is None else data)[0]

    def download(self, client):
        """The answer, and how many bytes came: they are encrypted for a key that nobody has."""
        answer, body = client.ask(b"FGET " + short(X25519 + os.urandom(32)), self.recipient_id, self.recipient)
        return answer, len(body)

    def delete(self, client):
        return client.ask(b"FDEL", self.sender_id, self.sender)[0]
