"""Without HOME the home of the user database counts; a user without one is told what to set."""

import os
import pwd
import subprocess

from support.stage import Stage

stage = Stage()
home = pwd.getpwuid(os.geteuid()).pw_dir
nowhere = {name: None for name in ("TACIT_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
for value in (None, ""):
    assert stage.tacit(None, "config", "path", env={**nowhere, "HOME": value}).out == f"{home}/.config/tacit/tacit.conf\n"
assert stage.tacit(None, "config", "path", env={**nowhere, "HOME": "/else"}).out == "/else/.config/tacit/tacit.conf\n"

# What is set is what counts, even if it leads nowhere.
for words in (["status"], ["config", "path"], ["init"]):
    ended = stage.tacit(None, *words, "--json", env={**nowhere, "HOME": "relative"}, expect=78)
    assert ended.error["code"] == "config.home" and "not an absolute path" in ended.error["message"], ended.err
assert any(
    check["check"] == "folders" and check["state"] == "failure"
    for check in stage.tacit(None, "doctor", "--json", env={**nowhere, "HOME": "relative"}, expect=1).objects
)

# A user whom the database does not know.
number = 54321
try:
    pwd.getpwuid(number)
    unknown = False
except KeyError:
    unknown = os.geteuid() == 0
if unknown:
    stage.folder.chmod(0o755)
    program = stage.folder / "tacit"
    program.write_bytes(open(stage.program, "rb").read())
    program.chmod(0o755)
    done = subprocess.run([program, "status"], env={}, cwd="/", user=number, group=number, capture_output=True, text=True)
    assert done.returncode == 78 and done.stderr.splitlines() == [
        "tacit: cannot locate the store: HOME is not set",
        f"  why: the user database has no home for user {number}",
        "  try: TACIT_DIR=/some/folder tacit status    use one folder for all files",
    ], done
else:
    print("skipped: a user whom the database does not know, which needs root")
