"""A file relay that answers downloads with something else: version 1 of XFTP, without ALPN and handshake, made of the standard
library. It has the certificates of a relay whose place it takes."""

import os
import socket
import ssl
import struct
import threading

from support.files import BLOCK, DATA, HEADERS, SETTINGS, WINDOW, X25519, short

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
                Session(self, stream).run()
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
