"""Files in a session: sending one with a completed path, receiving, saving and showing it by the number of its message."""
# limit: 180

import os
import shutil
from pathlib import Path

from support.process import wait_until
from support.seat import TAB, control
from support.stage import Stage

vectors = Path(__file__).resolve().parent.parent / "Vectors/pictures"
stage = Stage()
relay = stage.connected("alice", "bob", files=True)
plans = stage.folder / "plans"
plans.mkdir()
data = os.urandom(70_000)
(plans / "the plan.bin").write_bytes(data)
(plans / "other.txt").write_text("other")


def files(person):
    return {file["name"]: file for file in stage.tacit(person, "file", "list", "--json").objects}


# A path is completed, with quotes where it needs them; a caption follows.
alice = stage.sit("alice", columns=100)
alice.until("alice:/ >")
alice.enter("bob")
alice.until("alice:/bob >")
alice.enter("/attach")
alice.until("/attach PATH [CAPTION]")
alice.type(f"/attach {stage.folder}/pla" + TAB)
alice.until("/plans/")
alice.type("the" + TAB)
alice.until("the plan.bin")
alice.enter("for tomorrow")
alice.until("│ for tomorrow")
alice.until("the plan.bin, 70.0 kB")
wait_until(lambda: files("alice").get("the plan.bin", {}).get("state") == "sent", "the upload of the session")

# What is not there is said, and the line comes back.
alice.enter(f"/attach {plans}/none")
alice.until("there is no readable file")
alice.until(f"alice:/bob > /attach {plans}/none")
alice.type(control("u"))
alice.gone(f"alice:/bob > /attach {plans}/none")

# The other side has an offer, receives it, and saves it where it likes.
stage.tacit("bob", "fetch")
bob = stage.sit("bob", columns=100)
bob.until("bob:/")
bob.enter("open @alice")
bob.until("bob:/alice >")
bob.until("the plan.bin, 70.0 kB, offered")
number = stage.tacit("bob", "read", "@alice", "--json", "--last", "1").objects[0]["id"].removeprefix("m")
bob.enter("/receive")
bob.until("/receive NUMBER [PATH]")
bob.enter(f"/receive {number}")
wait_until(lambda: files("bob")["the plan.bin"]["state"] == "ready", "the download of the session")
assert (stage.place("bob") / "files/the plan.bin").read_bytes() == data
bob.enter(f"/receive {number}")
bob.until("the file is here already")
bob.enter(f"/save {number} {stage.folder}/copy.bin")
wait_until((stage.folder / "copy.bin").exists, "the copy")
assert (stage.folder / "copy.bin").read_bytes() == data
bob.enter(f"/save {number}")
bob.until("/save NUMBER PATH")
bob.enter("/receive 4711")
bob.until("4711")

# A picture is drawn on request, where the terminal says that it can show one, and its answer is not taken for keys.
shutil.copy(vectors / "turned-6.png", plans / "picture.png")
stage.tacit("alice", "send", "@bob", "look", "--attach", str(plans / "picture.png"))
bob.until("picture.png")
picture = stage.tacit("bob", "read", "@alice", "--json", "--last", "1").objects[0]["id"].removeprefix("m")
bob.enter(f"/show {picture}")
bob.until("does not report that it can show pictures")
bob.is_kitty, bob.attributes = True, "62;22"
bob.enter(f"/show {picture}")
bob.until("▀")
bob.until("/receive")
assert "62;22c" not in bob.screen.everything and "Gi=31" not in bob.screen.everything
bob.enter(f"/show {number}")
bob.until("is not a picture")

for seat in alice, bob:
    seat.enter("/quit")
    assert seat.ended() == 0
relay.stop()
