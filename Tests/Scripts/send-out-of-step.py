"""send to a contact whose encryption is out of sync ends at once and names contact resync, and fetch names the contact."""
# limit: 120

import shutil
import time

from support.stage import Stage

stage = Stage()
stage.connected("ann", "ben")
shutil.copytree(stage.place("ann"), stage.folder / "backup")
for number in range(3):
    stage.tell("ann", "ben", [f"a{number}"])
    stage.tell("ben", "ann", [f"b{number}"])
shutil.rmtree(stage.place("ann"))
shutil.copytree(stage.folder / "backup", stage.place("ann"))
stage.shell("ann", "tacit send @ben 'from the backup'")
stage.tacit("ben", "fetch")

began = time.monotonic()
ended = stage.tacit("ben", "send", "@ann", "are you there?", "--json", expect=75)
assert time.monotonic() - began < 20, time.monotonic() - began
assert ended.error["code"] == "contact.out-of-step" and "tacit contact resync @ann" in str(ended.error), ended.err
report = stage.tacit("ben", "fetch", "--json").objects[-1]
assert report["waiting"] == 1 and not report["complete"], report
assert [(r["chat"], r["code"]) for r in report["reasons"]] == [("@ann", "contact.out-of-step")], report
assert "tacit contact resync @ann" in stage.tacit("ben", "fetch").err

stage.tacit("ben", "contact", "resync", "@ann")
for name in ("ann", "ben") * 3:
    stage.tacit(name, "fetch")
assert "are you there?" in stage.tacit("ann", "read", "@ben").out
