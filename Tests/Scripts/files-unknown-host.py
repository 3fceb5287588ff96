"""The fingerprint of a known file relay with one unknown host beside its own: a host that the profile does not know is never
connected to before the user approves it."""

import json
import socket
import threading

from support.stage import FileRelay, Stage

stage = Stage()
messages = stage.relay("messages").start()
files = FileRelay(stage, "files").start()
for name in "alice", "bob":
    stage.person(name, messages)
    stage.tacit(name, "server", "add", files.files)
stage.connect("alice", "bob")


class Listener:
    """A host that must not be connected to."""

    def __init__(self, host, port):
        self.listener = socket.create_server((host, port))
        self.connections = 0
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            connection.close()

    def stop(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


port = int(files.files.rsplit(":", 1)[1])
fingerprint = files.files.split("//")[1].split("@")[0]
for number, hosts in enumerate(["127.0.0.2,127.0.0.1", "127.0.0.1,127.0.0.2"]):
    stage.tacit("alice", "server", "remove", files.files)
    address = f"xftp://{fingerprint}@{hosts}:{port}"
    stage.tacit("alice", "server", "add", address)
    name = f"photo{number}.bin"
    (stage.folder / name).write_bytes(bytes(50_000))
    # The description names the relay as the sender's configuration does.
    stage.tacit("alice", "send", "@bob", "--attach", name)
    stranger = Listener("127.0.0.2", port)
    stage.tacit("bob", "fetch")
    listed = [json.loads(line) for line in stage.tacit("bob", "file", "list", "--json").out.splitlines()]
    file = next(each["id"] for each in listed if each["name"] == name)
    ended = stage.start("bob", "file", "receive", file, "--timeout", "10s").ended()
    assert ended.code == 79, (hosts, ended.code, ended.out, ended.err)
    assert "would learn your IP address" in ended.err, (hosts, ended.err)
    assert stranger.connections == 0, (hosts, stranger.connections)
    # After the user's approval the given hosts are connected to, in their order.
    stage.tacit("bob", "file", "receive", file, "--approve-relays")
    assert stranger.connections == (1 if hosts.startswith("127.0.0.2") else 0), (hosts, stranger.connections)
    assert (stage.place("bob") / "files" / name).read_bytes() == bytes(50_000)
    stranger.stop()
    stage.tacit("alice", "server", "remove", address)
    stage.tacit("alice", "server", "add", files.files)
files.stop()
messages.stop()
