"""Pictures of groups and profiles: set from files, shown, received by contacts, and removed."""

import json
import struct
import zlib

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
for name in "alice", "bob":
    stage.person(name, relay)
stage.connect("alice", "bob")


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


# 300 by 200 pixels, with a text that must not be sent.
rows = b"".join(b"\0" + bytes((x * y + color * 40) % 256 for x in range(300) for color in range(3)) for y in range(200))
(stage.folder / "logo.png").write_bytes(
    b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 300, 200, 8, 2, 0, 0, 0))
    + chunk(b"tEXt", b"Comment\0taken at home") + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
(stage.folder / "notes.txt").write_text("no picture")


def image(person, *words):
    return stage.tacit(person, *words, "--json").objects[0].get("image")


stage.tacit("alice", "group", "create", "team", "--image", "logo.png")
assert image("alice", "group", "show", "+team") is True
assert "picture       yes" in stage.tacit("alice", "group", "show", "+team").out
stage.tacit("alice", "group", "set", "+team", "--image", "")
assert image("alice", "group", "show", "+team") is None
stage.tacit("alice", "group", "set", "+team", "--image", "logo.png")
assert image("alice", "group", "show", "+team") is True
stage.tacit("alice", "group", "set", "+team", "--description", "a team")
assert image("alice", "group", "show", "+team") is True

stage.play(r'''
    alice$ tacit group set +team --image notes.txt
    ! tacit: cannot change '+team': 'notes.txt' is not a picture
    !   why: pictures are JPEG, PNG, GIF or WebP files that are not damaged or too large
    [65]
    alice$ tacit group create other --image missing.png
    ! tacit: cannot create the group 'other': there is no readable file 'missing.png'
    [66]
    alice$ tacit profile set --image notes.txt
    ! tacit: cannot change the profile: 'notes.txt' is not a picture
    !   why: pictures are JPEG, PNG, GIF or WebP files that are not damaged or too large
    [65]
''')
assert [group["name"] for group in stage.tacit("alice", "list", "groups", "--json").objects] == ["team"]

# A contact gets the picture of the profile, small and without metadata.
stage.tacit("alice", "profile", "set", "--image", "logo.png")
assert image("alice", "profile", "show") is True
stage.tacit("alice", "fetch")
stage.tacit("bob", "fetch")


def received():
    chats = json.loads(stage.tacit("bob", "api", "/_get chats 1").lines[0])
    contacts = [chat["chatInfo"]["contact"] for chat in chats["result"]["chats"] if chat["chatInfo"]["type"] == "direct"]
    return contacts[0]["profile"].get("image")


picture = received()
assert picture.startswith("data:image/jpg;base64,") and len(picture) <= 12500, picture[:40]
stage.tacit("alice", "profile", "set", "--image", "")
stage.tacit("alice", "fetch")
stage.tacit("bob", "fetch")
assert image("alice", "profile", "show") is None and received() is None
