"""A SOCKS5 proxy on loopback, which notes who asks for what."""

import socket
import struct
import threading


class SocksProxy:
    def __init__(self):
        self.users = []
        self.targets = []
        # Where names lead: the proxy's own idea of what they mean.
        self.names = {}
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def url(self):
        return f"socks5h://127.0.0.1:{self.port}"

    def _serve(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self._lead, args=(client,), daemon=True).start()

    def _lead(self, client):
        with client, client.makefile("rb") as words:
            version, count = words.read(2)
            methods = words.read(count)
            assert version == 5 and 2 in methods, methods
            client.sendall(b"\x05\x02")
            assert words.read(1) == b"\x01"
            login = [words.read(words.read(1)[0]) for _ in range(2)]
            self.users.append(login[0])
            client.sendall(b"\x01\x00")
            assert words.read(3) == b"\x05\x01\x00"
            host = self._host(words)
            (port,) = struct.unpack(">H", words.read(2))
            self.targets.append(host)
            try:
                far = socket.create_connection((self.names.get(host, host), port))
            except OSError:
                client.sendall(b"\x05\x04\x00\x01" + bytes(6))
                return
            client.sendall(b"\x05\x00\x00\x01" + bytes(6))
            threading.Thread(target=pump, args=(far, client), daemon=True).start()
            pump(client, far)

    def _host(self, words):
        kind = words.read(1)[0]
        if kind == 1:
            return socket.inet_ntop(socket.AF_INET, words.read(4))
        assert kind == 3, kind
        return words.read(words.read(1)[0]).decode()


def pump(source, sink):
    try:
        while part := source.recv(65536):
            sink.sendall(part)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass
