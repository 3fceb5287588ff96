# limit: 120
"""The README is true: its block to paste works byte for byte in a fresh account, its bot answers, and the commands, options and
files that it and its neighbours name exist."""

import functools
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

from support.process import TIMEOUT
from support.stage import Stage

stage = Stage()
repository = Path(os.environ["TACIT_REPOSITORY"])
pages = ["README.md", "SECURITY.md", "CHANGELOG.md", "CONTRIBUTING.md", "examples/README.md"]
readme = (repository / "README.md").read_text()
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
    out, err = shell.communicate(block.group(1) + "kill $!\n", timeout=TIMEOUT)
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

# Every file that a page links to or names exists.
for page in pages:
    for target in re.findall(r"\]\(([^)#]+)\)", (repository / page).read_text()):
        assert "://" in target or (repository / page).parent.joinpath(target).exists(), (page, target)
    for path in re.findall(r"`((?:Commands|Sources|Tests|docs|scripts)/[\w./+-]+)`", (repository / page).read_text()):
        assert (repository / path).exists() or (repository / "Sources" / path).exists(), (page, path)

# Every command exists and has the options that are given to it.
@functools.cache
def help_text(*words):
    return stage.tacit(None, *words).out


main_help = help_text("--help")
typed = set()
for page in ("README.md", "SECURITY.md", "CHANGELOG.md"):
    text = (repository / page).read_text()
    codes = [line for block in re.findall(r"^```(?:sh)?\n(.*?)^```$", text, re.DOTALL | re.MULTILINE) for line in block.split("\n")]
    codes += re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE))
    for code in codes:
        code = re.sub(r"(^|\s)#.*", "", code)
        typed |= {(page, *words.split()) for words in re.findall(r"""(?:^|[\s("'])(?:tacit|alice|bob) ([a-z][^|;&]*)""", code)}
assert len(typed) > 80, typed
for page, *words in sorted(typed):
    if words[0] == "help":
        help_text(*words[:2])
        continue
    shown = help_text(words[0], "--help")
    if len(words) > 1 and re.search(rf"^  {re.escape(words[1])}  ", shown, re.MULTILINE):
        shown = help_text(*words[:2], "--help")
    for option in re.findall(r"--[a-z-]+", " ".join(words)):
        found = re.search(rf"{option}(?![a-z-])", shown + main_help.replace("--[no-]", "--"))
        assert found or option == "--help", (page, words, option)

# The bot answers once.
if shutil.which("jq"):
    script = re.search(r"\$ cat bot\.sh\n(.*?)\$ tacit watch --cursor bot --exec 'sh bot\.sh'\n", readme, re.DOTALL).group(1)
    (stage.folder / "bot.sh").write_text(script)
    stage.connected("alice", "bob")
    for text in ("ping", "anything else"):
        stage.tacit("bob", "send", "@alice", text)
    stage.tacit("alice", "fetch")
    for _ in range(2):
        done = stage.tacit("alice", "read", "--cursor", "bot", "--exec", f"sh {stage.folder}/bot.sh")
        assert done.code == 0, done.err
    stage.tacit("bob", "fetch")
    answers = [item["text"] for item in stage.tacit("bob", "read", "--json").objects if item["direction"] == "in"]
    assert answers == ["pong"], answers
else:
    print("skipped: the bot of the README, because there is no jq")
