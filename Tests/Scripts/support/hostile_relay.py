"""A file relay that answers downloads with something else: version 1 of XFTP, without ALPN and handshake, made of the standard
library. It has the certificates of a relay whose place it takes."""

import hashlib
import os
import socket
import ssl
import struct
import threading
import time

from support.files import BLOCK, DATA, HEADERS, RESET, SETTINGS, WINDOW, X25519, short

# What it sends instead of a chunk of `size` bytes and its tag: the block, what follows it, and how that ends.
KINDS = (
    "short",  # bytes are missing
    "long",  # there are too many
    "endless",  # there is no end
    "empty",  # nothing follows the answer
    "wrong",  # other bytes, of the right length
    "other answer",  # the answer to another command
    "noise",  # a block that cannot be read
    "silence",  # half of it, and then nothing
    "closed",  # half of it, and then the connection ends
    "status",  # an error of HTTP
)


class HostileRelay:
    """Serves until :meth:`stop`, at the port of an address."""

    def __init__(self, folder, address, kind):
        self.kind = kind
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        chain = folder / "hostile.crt"
        chain.write_text((folder / "server.crt").read_text() + (folder / "ca.crt").read_text())
        self.context.load_cert_chain(chain, folder / "server.key")
        self.listener = socket.create_server(("127.0.0.1", int(address.rsplit(":", 1)[1])), reuse_port=False)
        self.downloads = 0
        self.is_over = threading.Event()
        threading.Thread(target=self.accept, daemon=True).start()

    def stop(self):
        self.is_over.set()
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def session(self, stream):
        return Session(self, stream)

    def accept(self):
        while not self.is_over.is_set():
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            with self.context.wrap_socket(connection, server_side=True) as stream:
                self.session(stream).run()
        except (OSError, EOFError):
            pass


class Session:
    def __init__(self, relay, stream):
        self.relay, self.stream = relay, stream
        self.id = stream.get_channel_binding("tls-unique")
        self.bodies = {}

    def exactly(self, count):
        data = b""
        while len(data) < count:
            part = self.stream.recv(count - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def send(self, kind, flags, number, payload):
        self.stream.sendall(struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, number) + payload)

    def run(self):
        assert self.exactly(24) == b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        self.send(SETTINGS, 0, 0, b"")
        while True:
            head = self.exactly(9)
            kind, flags, number = struct.unpack(">BBI", head[3:])
            payload = self.exactly(int.from_bytes(head[:3], "big"))
            if kind == SETTINGS and not flags & 1:
                self.send(SETTINGS, 1, 0, b"")
            if kind == DATA:
                self.bodies[number] = self.bodies.get(number, b"") + payload
                if payload:
                    for window in (0, number):
                        self.send(WINDOW, 0, window, struct.pack(">I", len(payload)))
            if kind in (DATA, HEADERS) and flags & 1:
                self.answer(number, self.bodies.pop(number, b""))

    def block(self, entity, command):
        content = short(self.id) + short(b"") + short(entity) + command
        batch = b"\x01" + struct.pack(">H", len(content) + 1) + short(b"") + content
        return (struct.pack(">H", len(batch)) + batch).ljust(BLOCK, b"#")

    def answer(self, number, body):
        size = struct.unpack(">H", body[:2])[0]
        rest = body[2 + 1 + 2 : 2 + size]
        for _ in range(3):
            # Signature, session, correlation id.
            rest = rest[1 + rest[0] :]
        entity, command = rest[1 : 1 + rest[0]], rest[1 + rest[0] :]
        if not command.startswith(b"FGET "):
            return self.respond(number, self.block(entity, b"OK"), isLast=True)
        self.relay.downloads += 1
        self.chunk(number, entity, 65536 + 16)

    def chunk(self, number, entity, size):
        kind = self.relay.kind
        command = b"OK" if kind == "other answer" else b"FILE " + short(X25519 + os.urandom(32)) + os.urandom(24)
        block = os.urandom(BLOCK) if kind == "noise" else self.block(entity, command)
        self.respond(number, block, status=b"\x8e" if kind == "status" else b"\x88")
        length = {"short": size - 1000, "long": size + 1000, "empty": 0, "other answer": 0, "silence": size // 2, "closed": size // 2}
        sent = 0
        while kind == "endless" or sent < length.get(kind, size):
            # Small enough for the window of any client.
            part = os.urandom(min(8192, length.get(kind, size) - sent if kind != "endless" else 8192))
            self.send(DATA, 0, number, part)
            sent += len(part)
        if kind == "closed":
            raise EOFError
        if kind != "silence":
            self.send(DATA, 1, number, b"")

    def respond(self, number, block, isLast=False, status=b"\x88"):
        # Indexed header fields of RFC 7541: 200 and 500.
        self.send(HEADERS, 4, number, status)
        self.send(DATA, 1 if isLast else 0, number, block)


class BusyRelay(HostileRelay):
    """A relay that works on few requests of a connection at a time, as the official one on three: what follows lies unread, and uses
    up the window of the connection. It checks chunks and forgets them."""

    def __init__(self, folder, address, requests, delay=0.0):
        self.requests, self.delay = requests, delay
        # The digests of the chunks, and the ids of those that came with them, as often as they came.
        self.digests, self.stored = {}, []
        super().__init__(folder, address, "busy")

    def session(self, stream):
        return BusySession(self, stream)


class BusySession(Session):
    def run(self):
        assert self.exactly(24) == b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        self.send(SETTINGS, 0, 0, b"")
        # The requests in their order; the numbers of their bytes that are unread; those that are complete.
        self.open, self.unread, self.complete = [], {}, set()
        while True:
            head = self.exactly(9)
            kind, flags, number = struct.unpack(">BBI", head[3:])
            payload = self.exactly(int.from_bytes(head[:3], "big"))
            if kind == SETTINGS and not flags & 1:
                self.send(SETTINGS, 1, 0, b"")
            if kind == HEADERS:
                self.open.append(number)
                self.bodies[number] = b""
            if kind == DATA and number in self.bodies:
                self.bodies[number] += payload
                self.unread[number] = self.unread.get(number, 0) + len(payload)
            if kind in (DATA, HEADERS) and flags & 1:
                self.complete.add(number)
            if kind == RESET and number in self.bodies:
                # What was not read of it is lost for the window.
                self.forget(number)
            self.work()

    def forget(self, number):
        self.open.remove(number)
        self.unread.pop(number, None)
        self.complete.discard(number)
        return self.bodies.pop(number)

    def work(self):
        for number in self.open[: self.relay.requests]:
            count = self.unread.pop(number, 0)
            if count:
                self.send(WINDOW, 0, 0, struct.pack(">I", count))
                if number not in self.complete:
                    self.send(WINDOW, 0, number, struct.pack(">I", count))
            if number in self.complete:
                self.answer(number, self.forget(number))
                return self.work()

    def answer(self, number, body):
        size = struct.unpack(">H", body[:2])[0]
        rest = body[2 + 1 + 2 : 2 + size]
        for _ in range(3):
            rest = rest[1 + rest[0] :]
        entity, command = rest[1 : 1 + rest[0]], rest[1 + rest[0] :]
        if command.startswith(b"FNEW "):
            sender = os.urandom(16)
            fields = command[5:]
            fields = fields[1 + fields[0] + 4 :]
            digest, fields = fields[1 : 1 + fields[0]], fields[1 + fields[0] :]
            self.relay.digests[sender] = digest
            answer = b"SIDS " + short(sender) + self.ids(fields[0])
        elif command.startswith(b"FADD "):
            answer = b"RIDS " + self.ids(command[5])
        else:
            answer = b"OK"
        if command.startswith(b"FPUT"):
            right = hashlib.sha256(body[BLOCK:]).digest() == self.relay.digests.get(entity)
            answer = b"OK" if right else b"ERR DIGEST"
            self.relay.stored += [entity] if right else []
            time.sleep(self.relay.delay)
        self.respond(number, self.block(entity, answer), isLast=True)

    @staticmethod
    def ids(count):
        return bytes([count]) + b"".join(short(os.urandom(16)) for _ in range(count))
