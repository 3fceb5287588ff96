"""The units of systemd that are installed are understood by it, and start commands that exist."""

import os
import re
import shutil
import subprocess
from pathlib import Path

repository = Path(os.environ["TACIT_REPOSITORY"])
program = os.environ["TACIT"]
folder = Path.cwd() / "units"
folder.mkdir()
for unit in (repository / "systemd").iterdir():
    text = unit.read_text().replace("/usr/bin/tacit", program)
    (folder / unit.name).write_text(text)
    # Each command line has a help page, and its options are known.
    for line in re.findall(r"^Exec\w+=(.*)$", text, re.MULTILINE):
        if line.startswith("/bin/kill "):
            continue
        words = line.replace("%S", "/var/lib").split()
        assert words[0] == program, line
        done = subprocess.run([*words, "--help"], capture_output=True, text=True)
        assert done.returncode == 0 and done.stdout, (line, done)
    for page in re.findall(r"^Documentation=man:([\w-]+)\((\d)\)$", text, re.MULTILINE):
        assert (repository / "man" / ".".join(page)).exists(), page

if not shutil.which("systemd-analyze"):
    print("skipped: systemd-analyze is not installed")
    raise SystemExit
os.environ["XDG_RUNTIME_DIR"] = str(Path.cwd() / "runtime")
Path(os.environ["XDG_RUNTIME_DIR"]).mkdir(mode=0o700)
for manager, names in (
    ("--system", ["tacit-relay.service", "tacit-channel-relay.service"]),
    ("--user", ["tacit.service", "tacit-api.service", "tacit-fetch.service", "tacit-fetch.timer"]),
):
    done = subprocess.run(
        ["systemd-analyze", manager, "--man=no", "verify", *(str(folder / name) for name in names)],
        capture_output=True,
        text=True,
    )
    said = [line for line in done.stderr.splitlines() if "tacit" in line]
    assert not said, said

# A relay is reachable from everywhere: it may do as little as possible. Exposure goes from 0 to 10; 10 times that is the limit.
for name in ("tacit-relay.service", "tacit-channel-relay.service"):
    options = ["--offline=true", "--threshold=20", "--no-pager", str(folder / name)]
    done = subprocess.run(["systemd-analyze", "security", *options], capture_output=True, text=True)
    if "--offline" in done.stderr or "unrecognized" in done.stderr:
        print("skipped: systemd-analyze cannot judge a file")
    else:
        assert done.returncode == 0, done.stdout[-300:] + done.stderr

# A mistake would be seen.
broken = folder / "tacit-fetch.service"
broken.write_text(broken.read_text().replace("Type=oneshot", "Type=nonsense\nExecStop=/nowhere/tacit"))
done = subprocess.run(
    ["systemd-analyze", "--user", "--man=no", "verify", str(broken)], capture_output=True, text=True
)
assert "tacit-fetch" in done.stderr, done
