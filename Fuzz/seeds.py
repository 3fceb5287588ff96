#!/usr/bin/env python3
"""Writes first inputs for the fuzzer, FOLDER/TARGET/*: what is made from the known answers in Tests/Vectors, and what
earlier runs found, which is kept in Fuzz/Corpus.

    Fuzz/seeds.py FOLDER
    Fuzz/seeds.py --made FOLDER     only what is made

Every byte string and every text of a recording is a seed of the targets that read such things, whatever it was recorded
for: the fuzzer keeps those that reach new code.
"""

import base64
import hashlib
import io
import json
import re
import struct
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Tests/Scripts"))
from support import bombs  # noqa: E402

CORPUS = Path(__file__).resolve().parent / "Corpus"
VECTORS = Path(__file__).resolve().parent.parent / "Tests/Vectors"
# What reads what. "#" marks recordings of which only the texts are inputs.
SOURCES = {
    "transmissions": ["smp-commands.json", "smp-transmissions.json", "smp-agent-vectors.tsv"],
    "hellos": ["smp-handshake.json", "smp-agent-vectors.tsv"],
    "addresses": ["keys.json", "encodings.json", "#links.json"],
    "xftp": ["xftp.json"],
    "links": ["#links.json", "#keys.json"],
    "agent": ["agent-messages.json", "links.json", "smp-agent-vectors.tsv"],
    "link-records": ["short-link-crypto.json", "links.json", "chat-messages.tsv"],
    "chat": ["chat-messages.tsv"],
    "json": ["chat-messages.tsv", "#smp-agent-vectors.tsv"],
    "screen": ["chat-messages.tsv", "#encodings.json"],
}
LIMIT = 8192


def strings(value):
    """All texts in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def recorded(name):
    if name.endswith(".json"):
        yield from strings(json.loads((VECTORS / name).read_text()))
        return
    for line in (VECTORS / name).read_text().splitlines():
        if not line.startswith("#"):
            value = line.split("\t")[-1]
            yield value[1:-1] if value.startswith('"') and value.endswith('"') else value


def seeds(source):
    is_text = source.startswith("#")
    for text in recorded(source.removeprefix("#")):
        if re.fullmatch(r"([0-9a-f]{2})+", text) and not is_text:
            yield bytes.fromhex(text)
        else:
            yield text.encode()


def element(value):
    """A large byte string: two bytes of length before it."""
    return struct.pack(">H", len(value)) + value


def chats():
    messages = [text.encode() for text in recorded("chat-messages.tsv")]
    for start in range(0, len(messages), 3):
        three = messages[start : start + 3]
        yield b"[" + b", ".join(three) + b"]"
        yield b"=" + bytes([len(three)]) + b"".join(map(element, three))
        yield b"X" + bytes([1]) + b"0" + bytes([min(len(three[0]), 180)]) + three[0][:180]
    yield b"F\0\x03abc\x01data"
    # One frame of zstd: {"v":"1","event":"x.ok","params":{}} as it is, in a single raw block.
    text = b'{"v":"1","event":"x.ok","params":{}}'
    frame = bytes.fromhex("28b52ffd20") + bytes([len(text)]) + struct.pack("<I", len(text) << 3 | 1)[:3] + text
    yield b"X\x011" + element(frame)


def payloads():
    """Binary payloads of 7.0, one of each kind, and their elements by themselves and in other orders."""
    known = set()
    for case in json.loads((VECTORS / "chat-transcripts-7.json").read_text())["cases"]:
        if case["kind"] != "payload" or tuple(case["contains"]) in known:
            continue
        known.add(tuple(case["contains"]))
        payload = base64.urlsafe_b64decode(case["payload"])
        yield payload
        if payload[:1] != b"=":
            continue
        parts, rest = [], payload[2:]
        while rest:
            size = struct.unpack(">H", rest[:2])[0]
            parts.append(rest[2 : 2 + size])
            rest = rest[2 + size :]
        yield from parts
        yield b"=" + bytes([len(parts)]) + b"".join(map(element, reversed(parts)))
    yield b">M\1\1\3bob" + struct.pack(">q", 1795785657) + b"F\0\3abc\1data"


def groups():
    """Messages, batches and forwarded messages of groups, and the objects in them."""
    for case in json.loads((VECTORS / "chat-transcripts.json").read_text())["cases"]:
        if "payload" in case:
            yield case["payload"].encode()
        if case.get("in") == "group" or case.get("event", "").startswith("x.grp."):
            yield json.dumps(case["message"], separators=(",", ":"), ensure_ascii=False).encode()
            for value in case["message"]["params"].values():
                if isinstance(value, dict):
                    yield json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
    for text in recorded("chat-messages.tsv"):
        if '"x.grp.' in text:
            yield text.encode()
    yield b'{"voice":{"enable":"on","role":"pope"},"files":7,"timedMessages":{"enable":"on","ttl":-1},"commands":[]}'


def frames():
    text = b"raw block"
    yield bytes.fromhex("28b52ffd20") + bytes([len(text)]) + struct.pack("<I", len(text) << 3 | 1)[:3] + text
    # A repeated byte, with and without a size in the header.
    yield bytes.fromhex("28b52ffd2040") + struct.pack("<I", 64 << 3 | 3)[:3] + b"a"
    yield bytes.fromhex("28b52ffd0058") + struct.pack("<I", 64 << 3 | 3)[:3] + b"a"


def headers():
    """Plaintexts of ratchet headers behind the byte that chooses the conversation."""
    key = bytes([68]) + bytes.fromhex("3042300506032b656f033900") + bytes(range(1, 57))
    accepted = b"1A" + element(bytes(1039)) + element(bytes(1158))
    kems = [b"", b"0", b"1P" + element(bytes(1158)), accepted, b"1P" + element(b"")]
    for choice in [*range(6), 32, 64, 67, 128]:
        for kem in kems:
            for numbers in [(0, 0), (0, 1), (2, 0), (1, 3), (0, 600), (2**32 - 1, 2**32 - 1)]:
                yield bytes([choice]) + b"\0\3" + key + kem + struct.pack(">II", *numbers)


def stored():
    yield from (text.encode() for text in ["J", "C\0\1a", "S\3abc", "E\0", "U\1", "F\1a\0"])
    key = bytes(range(56))
    for kem in [b"0", b"1" + element(bytes(1158)) + element(bytes(1763)) + b"0"]:
        for chains in [b"00", b"1" + bytes(4 + 64 + 56) + b"1" + bytes(4 + 64), b"01\xff\xff\xff\xff" + bytes(64)]:
            yield b"\1" + bytes(112) + b"\0\3\0\3" + bytes(4) + key * 2 + bytes(96) + chains + b"TTFF" + kem
        yield b"\1" + key * 4 + kem
    yield b"\1" + bytes(4 + 32 + 32 + 16)


def settings():
    fingerprint = "fingerprint = " + "A" * 43 + "=\n"
    lines = [
        "host = a.example,127.0.0.1\nport = 5223\nlisten = ::1\nnew_queues = on\npassword = secret\n",
        "host=::1\n# x\nquota = 7\nmessage_days = 1\ndurability = power\nproxy = off\nproxy_relays = 3\n",
        "host=h\nproxy_requests=1\nconnections=1\nhandshake_seconds=1\nidle_hours=1\ncommands_per_second=1\n",
        "host=h\nmegabytes_per_second=1\nqueues_per_connection=1\n",
    ]
    return [(text + fingerprint).encode() for text in lines]


def certificates():
    recording = json.loads((VECTORS / "smp-handshake.json").read_text())
    chain = [bytes.fromhex(text) for text in strings(recording["serverCertificateChain"])]
    yield bytes([len(chain)]) + b"".join(map(element, chain))
    yield from chain
    yield bytes.fromhex("302e020100300506032b657004220420") + bytes(32)
    yield b"-----BEGIN CERTIFICATE-----\nAAECAwQ=\n-----END CERTIFICATE-----\n"


def chains():
    """Places in the pool of certificates: genuine chains, forged ones, changed ones."""
    for places in ([0, 1], [2, 3, 1], [4, 5, 6, 1], [7, 1, 8], [9, 1, 10, 8], [7, 8, 1], [0, 1, 1], [2, 3, 0], [1, 1]):
        yield bytes(places)
        yield bytes([0xC0 | places[0], 0, 40, 1, *places[1:]])


def numbers():
    limit = 1 << 63
    for number in (0, 1, -1, limit - 1, -limit, -limit + 1, limit // 1000, -limit // 1000, 253_402_300_800):
        yield struct.pack(">q", number)
        yield struct.pack(">qq", number, limit - 1)
    yield b"2026-09-27T09:14:03.120Z"


def receipts():
    yield from numbers()
    one = struct.pack(">q", 5) + bytes([32]) + bytes(32) + b"\0\0"
    yield bytes([1]) + one
    yield bytes([3]) + one * 3


def proxy_answers():
    for first in range(8):
        for answer in (b"OK", b"ERR AUTH", b"ERR PROXY NO_SESSION", b"ERR PROXY BROKER TIMEOUT", b"PRES abc", b"PKEY abc"):
            yield bytes([first]) + answer


def commands():
    """One of each kind of value that stands in the text of a command."""
    texts = [
        "/_start main=on snd_files=off", "/_create user {\"profile\":{\"displayName\":\"a\",\"fullName\":\"\"}}", "/_user 1",
        "/_send @1 json [{\"msgContent\":{\"type\":\"text\",\"text\":\"a\"},\"mentions\":{}}]", "/_get chat @1 count=2",
        "/_get chats 1 pcc=on before=2026-11-23T00:00:00Z count=5", "/_delete item @1 1,2 broadcast", "/_ttl 1 @1 default",
        "/_connect 1 incognito=on", "/_set alias @1 b", "/info @'Ann Lee'", "/_servers 1 [{\"smpServers\":[]}]",
        "/_reaction @1 2 on {\"type\":\"emoji\",\"emoji\":\"\u2764\"}", "/operators 1:on,2:off", "/_app activate restore=off",
        "/set file paths {\"appFilesFolder\":\"f\",\"appTempFolder\":\"t\",\"appAssetsFolder\":\"a\"}", "/_receive timeout=5s",
        "/_verify code @1 12345", "/_network {\"socksMode\":\"always\"}", "/smp smp://" + "A" * 43 + "=@a.example;smp://" + "A" * 43 + "=@b",
    ]
    return [text.encode() for text in texts]


def events():
    user = {"userId": 1, "agentUserId": 1, "userContactId": 1, "localDisplayName": "a", "activeUser": True}
    for value in ({"type": "chatSuspended"}, {"type": "error", "errorType": {"type": "noActiveUser"}}, {"type": "contactConnected", "user": user}):
        yield json.dumps(value).encode()


def websocket():
    lines = ["GET / HTTP/1.1", "Host: a", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
    yield "\r\n".join([*lines, "Sec-WebSocket-Version: 13", "Origin: https://a.example", "", ""]).encode()
    hello = bytes.fromhex("818537fa213d7f9f4d5158")
    yield hello
    yield bytes.fromhex("010348656c") + bytes.fromhex("890161") + bytes.fromhex("80026c6f")
    yield bytes.fromhex("8802 03e8") + hello
    yield bytes.fromhex("827e0100") + bytes(256)


def archives():
    """Small zip files, with sizes before and behind the contents, in 32 and in 64 bits, stored and compressed."""
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        for is_large in (False, True):
            for is_stream in (False, True):
                target = Stream() if is_stream else io.BytesIO()
                with zipfile.ZipFile(target, "w", method) as archive:
                    for name, content in (("simplex_v1_chat.db", b"SQLite " * 9), ("simplex_v1_files/ä", b"")):
                        with archive.open(zipfile.ZipInfo(name), "w", force_zip64=is_large) as entry:
                            entry.write(content)
                    archive.mkdir("simplex_v1_files") if hasattr(archive, "mkdir") else None
                yield target.getvalue()


class Stream(io.BytesIO):
    """A file that cannot go back, as a pipe."""

    def seekable(self):
        return False

    def seek(self, *_):
        raise io.UnsupportedOperation

    def tell(self):
        raise io.UnsupportedOperation


def marked_texts():
    for text in (
        "a *b* _c_ ~d~ `e` ##f### !1 g! !red h!", "@'i j' @k! /l m\n/'n o'.", "+44 (0) 7777.777.777 p@q.example r.example",
        "[s](https://t.example/u?utm=1&q=2#v) https://w.example/x1?ref=3", "simplex:/contact#/?v=2&smp=a",
        "https://smp6.example/a#lrdvu2d8A1GumSmoKb2krQmtKhWXq-tyGpHuM7aMwsw",
    ):  # fmt: skip
        yield text.encode()


def file_offers():
    """Offers of files, descriptions in parts, and pieces of small files."""
    descriptions = [text for text in recorded("xftp.json") if "party:" in text]
    for text in descriptions:
        yield text.encode()
        part = {"fileDescrText": text, "fileDescrPartNo": 1, "fileDescrComplete": True}
        params = {"msgId": "AQIDBAUGBwgJCgsM", "fileDescr": part}
        yield json.dumps({"v": "1", "event": "x.msg.file.descr", "params": params}).encode()
    for more in (
        {"fileDescr": {"fileDescrText": "", "fileDescrPartNo": 0, "fileDescrComplete": False}, "fileDigest": "A" * 86},
        {"fileInline": "offer"}, {"fileInline": "sent", "fileConnReq": "simplex:/invitation"},
    ):  # fmt: skip
        for name in ("../../etc/a\tb.txt", " " * 300, "\u202egpj.exe", "\u3164", "a\u0301" * 200):
            file = {"fileName": name, "fileSize": 70000, **more}
            yield json.dumps(file).encode()
            params = {"content": {"type": "file", "text": ""}, "file": file}
            yield json.dumps({"v": "1", "msgId": "AQIDBAUGBwgJCgsM", "event": "x.msg.new", "params": params}).encode()
    yield b"F\0\x03abc\x01data"
    yield b"F\0\x03abc\x00"


def pictures():
    """Good pictures, and small ones that promise much."""
    yield bombs.jpeg(8000, 8000, 0xC2)
    yield bombs.jpeg(56000, 56000, 0xC2)
    yield bombs.jpeg(15000, 15000, first=1, factors=(0x11, 0x11, 0x11))
    yield bombs.jpeg(1000, 1000, 0xC2, scans=30)
    yield bombs.png(3000, 3000, 16, 6, True)
    yield bombs.png(10, 10, more=bombs.chunk(b"iCCP", b"a\0\0" + bombs.zeros(1 << 20)))
    yield bombs.gif(7000, 7000, 3000, 3000, frames=3, interlaced=True)
    yield bombs.webp(7000, 7000, True)
    yield bombs.animation(100, 100, 3)
    for path in sorted((VECTORS / "pictures").iterdir()):
        if path.suffix != ".py":
            yield path.read_bytes()


def databases():
    # A table, a column, a kind with the database in its lowest bit, and the bytes of a value.
    for table in range(12):
        for kind, value in ((0, b""), (2, bytes(32)), (4, b"{}"), (6, b"\1")):
            for database in (0, 1):
                yield b"".join(bytes([table, column, kind | database, len(value)]) + value for column in range(0, 4))


def uploads():
    """Connect, announce a chunk, begin, continue, end and break off uploads."""
    yield bytes([0, 0, 1, 0, 2, 0, 3, 255, 4, 0, 7, 0, 6, 0])
    yield bytes([0, 0, 0, 0, 1, 1, 2, 0, 2, 1, 3, 9, 5, 0, 4, 64, 9, 0])
    yield bytes([0, 0, 1, 0, 2, 0, 8, 9, 0, 0, 0, 0, 0, 0, 0, 0, 1, 9, 0])


def group_events():
    """Steps of five bytes: a kind of event, its author, its subject, a role, and the way and scope."""
    # Each kind, by the host and by a member, about the user, another member, a stranger and nobody.
    for kind in range(35):
        for author in (0, 1, 2, 9):
            yield b"".join(bytes([kind, author, subject, role, flags]) for subject in (10, 3, 11, 12) for role, flags in ((6, 0), (1, 1), (7, 0x23)))
    # The messages of members.
    yield from groups()


def channels():
    """Rosters, what stands behind the links of channels, names, and payloads of relays."""
    member = b"\x0c" + b"abcdefghijkl" + b"\x2c" + bytes(44) + b"\x09moderator\0\0"
    other = b"\x02id\x01k\x06member\0\1"
    yield b"\0\2" + member + other
    yield b"\0\3" + other + other + b"\x02xy\0\x04king\0\0"
    access = {"groupDomainClaim": {"domain": "news.simplex", "proof": {"linkOwnerId": "AQID", "presHeader": "TAA", "signature": "AQID"}}}
    group = {"displayName": "news", "fullName": "", "publicGroup": {"groupType": "channel", "groupLink": "https://h/c#AQID", "publicGroupId": "AQID", "publicGroupAccess": {**access, "domainWebPage": True, "allowEmbedding": False}}}
    yield json.dumps({"groupProfile": group, "publicGroupData": {"publicMemberCount": 3}}).encode()
    profile = {"displayName": "alice", "fullName": "", "contactDomain": {"domain": "alice.simplex"}}
    yield json.dumps({"profile": profile, "message": {"type": "text", "text": "hi"}, "business": False}).encode()
    yield json.dumps({"relayProfile": profile}).encode()
    yield from (b"@alice.simplex", b"#news", b"simplex:/name@shop.a-b.testing", b"chat.example.org", b"a.simplex")
    yield from payloads()


def http2():
    """Both sides: a preface with SETTINGS and a request, and SETTINGS with a response."""
    settings = bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
    request = bytes([0, 0, 6, 1, 4, 0, 0, 0, 1, 0x83, 0x87, 0x84, 0x41, 1, 0x68])
    data = bytes([0, 0, 3, 0, 1, 0, 0, 0, 1]) + b"abc"
    yield b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + settings + request + data
    yield settings + bytes([0, 0, 1, 1, 4, 0, 0, 0, 1, 0x88]) + data


MADE = {
    "uploads": uploads,
    "http2": http2,
    "archive": archives,
    "commands": commands,
    "events": events,
    "websocket": websocket,
    "markdown": marked_texts,
    "chat": chats,
    "payloads": payloads,
    "groups": groups,
    "group-events": group_events,
    "channels": channels,
    "file-offers": file_offers,
    "pictures": pictures,
    "compression": frames,
    "ratchet": headers,
    "stored": stored,
    "settings": settings,
    "certificates": certificates,
    "chains": chains,
    "dates": numbers,
    "receipts": receipts,
    "proxy-answers": proxy_answers,
    "databases": databases,
    "own-databases": databases,
}


def kept(target):
    """A file per target, with an input in base64 on each line."""
    path = CORPUS / target
    return [base64.b64decode(line) for line in path.read_text().splitlines()] if path.exists() else []


def main(folder, is_complete):
    for target in sorted(set(SOURCES) | set(MADE)):
        found = [seed for source in SOURCES.get(target, []) for seed in seeds(source) if len(seed) <= LIMIT]
        found += MADE.get(target, lambda: [])()
        if is_complete:
            found += kept(target)
        place = Path(folder) / target
        place.mkdir(parents=True, exist_ok=True)
        for seed in found:
            (place / hashlib.sha1(seed).hexdigest()).write_bytes(seed)


if __name__ == "__main__":
    *options, folder = sys.argv[1:] or [""]
    if not folder or options not in ([], ["--made"]):
        sys.exit(__doc__)
    main(folder, is_complete=not options)
