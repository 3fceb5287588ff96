"""Pictures: shown in messages, without what they say about time, place and device."""
# limit: 120

import json
import shutil
from pathlib import Path

from support.stage import Stage

vectors = Path(__file__).resolve().parent.parent / "Vectors/pictures"
stage = Stage()
relay = stage.connected("alice", "bob", files=True)


def send(*words):
    return json.loads(stage.tacit("alice", "send", "@bob", *words, "--json").out)


def receive(file):
    """Receives a file, and returns its content."""
    stage.tacit("bob", "fetch")
    stage.tacit("bob", "file", "receive", file, "--approve-relays", "--to", str(stage.folder / file))
    return (stage.folder / file).read_bytes()


for name in "turned-6.jpg", "turned-6.png", "turned-6.webp", "frames.gif":
    original = (vectors / name).read_bytes()
    assert b"SECRET" in original
    shutil.copy(vectors / name, stage.folder / name)

# The picture is shown, the caption stays, and the metadata are gone. The file of the user is not touched.
assert send("look", "--attach", "turned-6.jpg")["state"] == "sent"
got = receive("f1")
assert b"SECRET" not in got and 0 < len(got) < (vectors / "turned-6.jpg").stat().st_size
assert (stage.folder / "turned-6.jpg").read_bytes() == (vectors / "turned-6.jpg").read_bytes()
message = json.loads(stage.tacit("bob", "read", "--json").out.splitlines()[-1])
assert (message["kind"], message["text"], message["file"]["name"]) == ("image", "look", "turned-6.jpg")
for number, name in enumerate(["turned-6.png", "turned-6.webp", "frames.gif"], 2):
    send("--attach", name)
    assert b"SECRET" not in receive(f"f{number}")

# With --keep-metadata the file is sent as it is.
send("--attach", "turned-6.jpg", "--keep-metadata")
assert receive("f5") == (vectors / "turned-6.jpg").read_bytes()

# A damaged picture is not sent: nobody could say what it tells.
(stage.folder / "damaged.jpg").write_bytes((vectors / "turned-6.jpg").read_bytes()[:500])
stage.play(r'''
    alice$ tacit send @bob --attach damaged.jpg
    ! tacit: cannot remove the metadata of '/stage/damaged.jpg'
    !   why: the picture is damaged or too large
    !   try: tacit send --keep-metadata    send it unchanged, with the place and time that it names
    [65]
''')
assert send("--attach", "damaged.jpg", "--keep-metadata")["state"] == "sent"
# What is no picture is a file, whatever it is called.
(stage.folder / "text.jpg").write_text("no picture")
send("--attach", "text.jpg")
assert receive("f7") == b"no picture"
