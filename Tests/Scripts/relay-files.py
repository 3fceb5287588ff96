"""A relay that serves files: its addresses, its settings, uploads and downloads across kills, its status, copies and end."""

# limit: 120

import base64
import os
import re
import shutil
import signal
import ssl
import struct
import subprocess

from support.process import wait_until
from support.stage import Stage

stage = Stage()
SIZE = 65536


def tacit(*words, expect=0):
    return stage.tacit(None, "relay", *words, expect=expect)


# Addresses: one for messages, one for files.
made = tacit("init", "relay", "--host", "127.0.0.1", "--listen", "127.0.0.1", "--port", "0", "--xftp-port", "0")
messages, files = made.out.split()
assert messages.startswith("smp://") and files.startswith("xftp://")
assert messages.split("//")[1].split("@")[0] == files.split("//")[1].split("@")[0]
assert messages.rsplit(":", 1)[1] != files.rsplit(":", 1)[1]
assert tacit("address", "relay").out.split() == [messages, files]
report = tacit("address", "relay", "--json").objects[0]
assert report["address"] == messages and report["files_address"] == files, report
conf = stage.folder / "relay/relay.conf"
assert f"xftp_port = {files.rsplit(':', 1)[1]}\n" in conf.read_text()
# The default port is no part of the address; without the option there is no address for files.
made = tacit("init", "usual", "--host", "relay.example", "--port", "5223", "--xftp-port", "443")
assert [line.rsplit("@", 1)[1] for line in made.out.split()] == ["relay.example"] * 2
made = tacit("init", "plain", "--host", "127.0.0.1", "--port", "0", "--json").objects[0]
assert "files_address" not in made
assert re.search(r"(?m)^# xftp_port =$", (stage.folder / "plain/relay.conf").read_text())
refused = tacit("init", "other", "--host", "127.0.0.1", "--xftp-port", "no", expect=64)
assert "--xftp-port" in refused.err


def start():
    running = stage.start(None, "relay", "start", str(stage.folder / "relay"))
    assert [running.line(), running.line()] == [messages, files]
    return running


def status():
    return tacit("status", "relay", "--json").objects[0]


running = start()
log = running.error_line()
assert f" and, for files, {files.rsplit(':', 1)[1]} of 127.0.0.1" in log, log
stage.person("alice", messages)

can_sign = shutil.which("openssl") and "tls-unique" in ssl.CHANNEL_BINDING_TYPES
if not can_sign:
    print("skipped: uploads (the program openssl signs commands)")
else:
    from support.files import BLOCK, Chunk, FileClient, short

    hello = FileClient(files, "xftp/1").post(b"")
    assert len(hello) == 16384 and hello[2:6] == b"\0\1\0\3", hello[:10]

    client = FileClient(files)
    assert client.ask(b"PING")[0] == b"PONG"
    chunks = [Chunk(stage.folder, os.urandom(SIZE)).announce(client) for _ in range(3)]
    assert chunks[0].download(client)[0] == b"ERR NO_FILE"
    assert chunks[0].upload(client, os.urandom(SIZE)) == b"ERR DIGEST"
    assert chunks[0].upload(client, b"short") == b"ERR SIZE"
    for chunk in chunks[:2]:
        assert chunk.upload(client) == b"OK"
        answer, size = chunk.download(client)
        assert answer.startswith(b"FILE ") and size == SIZE + 16, (answer, size)
    state = status()
    assert (state["files"], state["files_announced"], state["files_size"]) == (2, 1, 2 * SIZE), state
    assert "file chunks" in tacit("status", "relay").out

    # Killed in an upload: what was answered is there, the rest can be repeated.
    data = chunks[2].data
    body = client.session
    partial = FileClient(files)
    content = bytes([len(partial.session)]) + partial.session + b"\0" + bytes([16]) + chunks[2].sender_id + b"FPUT"
    signed = bytes([64]) + chunks[2].sender.sign(content) + content
    batch = b"\x01" + len(signed).to_bytes(2, "big") + signed
    block = (len(batch).to_bytes(2, "big") + batch).ljust(16384, b"#")
    partial.send(1, 4, 1, b"\x83\x87\x84\x41\x09localhost")
    partial.send(0, 0, 1, block)
    partial.send(0, 0, 1, data[:16384])
    folder = stage.folder / "relay/files"
    wait_until(lambda: len(list(folder.iterdir())) == 3, "the draft is there")
    running.signal(signal.SIGKILL)
    running.ended()
    assert len(list(folder.iterdir())) == 3
    running = start()
    assert len(list(folder.iterdir())) == 2, list(folder.iterdir())
    client = FileClient(files)
    assert [chunk.download(client)[1] for chunk in chunks] == [SIZE + 16, SIZE + 16, 0]
    assert chunks[2].upload(client) == b"OK" and chunks[2].upload(client) == b"OK"
    assert chunks[0].delete(client) == b"OK" and chunks[0].delete(client) == b"ERR AUTH"
    running.signal(signal.SIGKILL)
    running.ended()
    running = start()
    client = FileClient(files)
    assert chunks[0].download(client)[0] == b"ERR AUTH"
    assert [chunk.download(client)[1] for chunk in chunks[1:]] == [SIZE + 16] * 2

    # A copy, made while the relay runs, is the relay.
    copy = tacit("backup", "relay", "copy.tar", "--json").objects[0]
    assert "files.db" in copy["contents"] and "files" in copy["contents"] and copy["size"] > 2 * SIZE, copy
    assert chunks[1].delete(client) == b"OK"
    running.signal(signal.SIGTERM)
    assert running.ended().code == 0
    shutil.rmtree(stage.folder / "relay")
    (stage.folder / "relay").mkdir()
    subprocess.run(["tar", "-xf", str(stage.folder / "copy.tar"), "-C", str(stage.folder / "relay")], check=True)
    running = start()
    client = FileClient(files)
    assert [chunk.download(client)[1] for chunk in chunks[1:]] == [SIZE + 16] * 2

    # Browsers name the host, get another certificate, and say in headers which step of the handshake a request is.
    web = stage.folder / "web.pem"
    words = ["openssl", "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-days", "1"]
    words += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run([*words, "-keyout", stage.folder / "relay/web.key", "-out", web], check=True, capture_output=True)
    settings = conf.read_text()
    settings = re.sub(r"(?m)^# xftp_web_certificate =$", f"xftp_web_certificate = {web}", settings)
    conf.write_text(re.sub(r"(?m)^# xftp_web_key =$", "xftp_web_key = other.key", settings))
    running.signal(signal.SIGTERM)
    assert running.ended().code == 0
    refused = tacit("start", "relay", expect=78)
    assert "certificate for browsers" in refused.err and "no such file" in refused.err, refused.err
    conf.write_text(conf.read_text().replace("other.key", "web.key"))
    running = start()

    def browser():
        return FileClient(files, "h2", "localhost", web)

    client = browser()
    assert client.stream.selected_alpn_protocol() == "h2"
    answer = client.post(b"", b"\x02\x07OPTIONS", origin=b"https://files.example")
    assert answer == b"" and client.head.startswith(b"\x88") and b"\x54\x01*" in client.head, client.head
    assert client.post(b"", b"\x82") == b"" and client.head.startswith(b"\x8d"), client.head

    def padded(content):
        return (struct.pack(">H", len(content)) + content).ljust(BLOCK, b"#")

    def content(block):
        return block[2 : 2 + struct.unpack(">H", block[:2])[0]]

    client = browser()
    assert content(client.post(padded(b"\0"))) == b"SESSION" and b"\x54\x01*" in client.head
    assert content(client.post(padded(b"1short"), xftp_web_hello=b"1")) == b"HANDSHAKE"
    assert content(client.post(b"", xftp_web_hello=b"1"))[-1:] == b"\0", "no challenge, no proof"
    challenge = os.urandom(32)
    hello = content(client.post(padded(b"1" + short(challenge)), xftp_web_hello=b"1"))
    assert hello[:4] == b"\0\1\0\3" and hello[5:37] == client.session and hello[-65:-64] == b"@", hello
    (stage.folder / "proof").write_bytes(hello[-64:])
    (stage.folder / "signed").write_bytes(challenge + client.session)
    words = ["openssl", "pkeyutl", "-verify", "-certin", "-inkey", stage.folder / "relay/server.crt", "-rawin"]
    words += ["-in", stage.folder / "signed", "-sigfile", stage.folder / "proof"]
    subprocess.run(words, check=True, capture_output=True)
    fingerprint = base64.urlsafe_b64decode(files.split("//")[1].split("@")[0])
    own = padded(b"\0\3" + short(fingerprint))
    assert client.post(own, xftp_handshake=b"1") == b""
    assert [chunk.download(client)[1] for chunk in chunks[1:]] == [SIZE + 16] * 2
    chunk = Chunk(stage.folder, os.urandom(SIZE)).announce(client)
    assert chunk.upload(client) == b"OK" and chunk.delete(client) == b"OK"
    # A page that is loaded again greets again on the same connection.
    assert len(client.post(padded(b"0"), xftp_web_hello=b"1")) == BLOCK and client.post(own, xftp_handshake=b"1") == b""
    assert client.ask(b"PING")[0] == b"PONG"
    # Apps do not name the host and get the certificate of the relay, as before.
    assert len(FileClient(files, "xftp/1").post(b"")) == BLOCK and FileClient(files).ask(b"PING")[0] == b"PONG"
    assert FileClient(files, "h2").stream.selected_alpn_protocol() is None

    # The limit: new files are refused, and those that are there are not.
    conf.write_text(re.sub(r"(?m)^file_megabytes = .*$", "file_megabytes = 1", conf.read_text()))
    running.signal(signal.SIGHUP)
    wait_until(lambda: "file_megabytes 10000 -> 1" in running.error_line(), "the settings are read")
    many = [Chunk(stage.folder, b"x" * 262_144).announce(client) for _ in range(4)]
    answers = [chunk.upload(client) for chunk in many]
    assert answers == [b"OK"] * 3 + [b"ERR QUOTA"], answers
    assert [chunk.download(client)[1] for chunk in chunks[1:]] == [SIZE + 16] * 2

# Messages were served all the time.
assert stage.tacit("alice", "fetch").code == 0
running.signal(signal.SIGTERM)
assert running.ended().code == 0
(stage.folder / "relay/web.key").unlink(missing_ok=True)
tacit("delete", "relay", "--yes")
assert not (stage.folder / "relay").exists()
