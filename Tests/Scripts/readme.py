"""The block of the README that is meant to be pasted works in a fresh account, byte for byte."""

import os
import re
import signal
import subprocess
from pathlib import Path

from support.process import PATIENCE
from support.stage import Stage

stage = Stage()
readme = (Path(os.environ["TACIT_REPOSITORY"]) / "README.md").read_text()
block = re.search(r"```sh\n(tacit relay init .*?)```\n\nThe last command prints[^\n]*\n\n```\n(.*?)```", readme, re.DOTALL)
assert block, "the README has no block to paste"
home = stage.folder / "home"
home.mkdir()
environment = {name: os.environ[name] for name in ("LC_ALL", "TZ")}
shell = subprocess.Popen(
    ["sh"], cwd=home, env={**environment, "HOME": str(home), "PATH": stage.environment["PATH"]}, stdin=subprocess.PIPE,
    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
)  # fmt: skip
try:
    # The relay holds the streams open until it is told to end.
    out, err = shell.communicate(block.group(1) + "kill $!\n", timeout=PATIENCE)
finally:
    try:
        os.killpg(shell.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
assert shell.returncode == 0, (shell.returncode, out, err)


def shape(text):
    """The text without dates and times."""
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "TIME", text)


assert shape(out).endswith(shape(block.group(2))), (out, err)
