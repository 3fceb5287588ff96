"""The picture in the README shows the output of the demonstration. With TACIT_RECORD=1 it is written again."""

import importlib.machinery
import importlib.util
import os
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from support.stage import Stage

repository = Path(os.environ["TACIT_REPOSITORY"])
loader = importlib.machinery.SourceFileLoader("demo", str(repository / "scripts/demo"))
demo = importlib.util.module_from_spec(importlib.util.spec_from_loader("demo", loader))
loader.exec_module(demo)

stage = Stage()
temporary = stage.folder / "temporary"
temporary.mkdir()
output = stage.tacit(None, "demo", "--color", "always", env={"TMPDIR": str(temporary), "TACIT_DIR": None}).out
path = repository / "docs/demo.svg"
if os.environ.get("TACIT_RECORD") == "1":
    path.write_text(demo.picture(output))

# The file is small, valid XML, and asks for nothing from elsewhere.
recorded = path.read_text()
assert len(recorded.encode()) < 60_000, len(recorded)
root = ElementTree.fromstring(recorded)
assert root.tag == "{http://www.w3.org/2000/svg}svg", root.tag
for element in root.iter():
    assert not any(name.endswith("href") or name.startswith("on") for name in element.attrib), element.attrib
assert "url(" not in recorded and "@import" not in recorded

# Its text is that of the demonstration.
shown = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text") if text.get("class") == "line"]
printed = [line for line in demo.plain(demo.constant(output)).splitlines() if line]
assert shown == printed, (shown, printed)
# So are its colours.
assert recorded == demo.picture(output), "run: make demo"
# Nothing in it depends on the machine or the time.
assert str(stage.folder) not in recorded and "/tmp/tacit-demo/" in recorded
