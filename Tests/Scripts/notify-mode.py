"""How messages arrive is chosen with notify-mode: what it installs works in a bare environment, and goes away again."""
# limit: 120

import os
import shlex
import shutil
import stat
import subprocess

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
home = stage.folder / "home"
home.mkdir()
bin_folder = stage.folder / "bin"

# Stand-ins that take down what they are told. That of cron keeps the table in a file.
(bin_folder / "systemctl").write_text(f'#!/bin/sh\necho "$*" >> {stage.folder}/systemctl.log\n')
(bin_folder / "crontab").write_text(
    f"""#!/bin/sh
table={stage.folder}/crontab
if [ -e $table.broken ]; then echo 'the spool is locked' >&2; exit 1; fi
case $1 in
-l) if [ -e $table ]; then cat $table; else echo 'no crontab for you' >&2; exit 1; fi ;;
-r) rm $table ;;
-) cat > $table ;;
*) exit 2 ;;
esac
"""
)
for name in ("systemctl", "crontab"):
    (bin_folder / name).chmod(0o755)
environment = {"HOME": str(home), "XDG_CONFIG_HOME": None}
units = home / ".config/systemd/user"
table = stage.folder / "crontab"


def notify(*words, expect=0, **more):
    return stage.tacit("bob", "notify-mode", *words, "--json", env={**environment, **more}, expect=expect)


def mode():
    report = notify().objects[0]
    return report["mode"], report.get("every_ms"), report.get("installed")


def told():
    log = stage.folder / "systemctl.log"
    lines = log.read_text().splitlines() if log.exists() else []
    log.unlink(missing_ok=True)
    return lines


# Nothing is there at first, and a wish installs nothing.
assert mode() == ("off", None, None)
assert "nothing starts tacit yet" in notify("periodic", "--every", "15m").err
assert mode() == ("periodic", 900_000, None)
assert not units.exists() and not table.exists() and told() == []

# What would be written is shown, and not done.
report = notify("periodic", "--install", "systemd", "--dry-run").objects[0]
assert [f["path"] for f in report["files"]] == [f"{units}/tacit-fetch.service", f"{units}/tacit-fetch.timer"]
assert report["commands"] == ["systemctl --user daemon-reload", "systemctl --user enable --now tacit-fetch.timer"]
assert not units.exists() and told() == [] and mode() == ("periodic", 900_000, None)

# A timer of systemd.
ended = stage.tacit("bob", "notify-mode", "periodic", "--every", "20m", "--install", "systemd", env=environment)
assert f"writes {units}/tacit-fetch.timer:" in ended.err and "  OnUnitInactiveSec=20min" in ended.err
assert ended.out == "periodic every 20min, by systemd\n"
PROBE = "--user show-environment"
assert told() == [PROBE, "--user daemon-reload", "--user enable --now tacit-fetch.timer"]
assert mode() == ("periodic", 1_200_000, "systemd")

# A service manager that does not answer, or does not start a unit, leaves all as it was.
stand_in = (bin_folder / "systemctl").read_text()
before = {path.name: path.read_text() for path in units.iterdir()}
for broken, code, exit_code in [
    ("show-environment", "notify-mode.no-manager", 69), ("daemon-reload", "notify-mode.tool", 71),
    ("enable", "notify-mode.tool", 71),
]:
    (bin_folder / "systemctl").write_text(
        stand_in + f"case \"$*\" in *{broken}*) echo 'Failed to connect to bus: No medium found' >&2; exit 1 ;; esac\n"
    )
    for words in (("instant",), ("periodic", "--every", "30m")):
        error = notify(*words, "--install", "systemd", expect=exit_code).error
        assert error["code"] == code and "No medium found" in error["why"], error
        assert {path.name: path.read_text() for path in units.iterdir()} == before
        assert mode() == ("periodic", 1_200_000, "systemd")
    assert any("enable-linger" in line for line in error["try"]) == (exit_code == 69), error
    assert notify("instant", "--install", "systemd", "--dry-run").objects[0]["commands"]
ended = stage.tacit("bob", "notify-mode", "instant", "--install", "systemd", env=environment, expect=71)
(bin_folder / "systemctl").write_text(
    stand_in + "echo 'Failed to connect to bus' >&2; exit 1\n"
)
ended = stage.tacit("bob", "notify-mode", "instant", "--install", "systemd", env=environment, expect=69)
assert "writes" not in ended.err, ended.err
(bin_folder / "systemctl").write_text(stand_in)
told()
text = (units / "tacit-fetch.service").read_text()
assert f"LoadCredential=tacit.key:{stage.place('bob')}/key\n" in text
assert f'Environment="TACIT_DIR={stage.place("bob")}"\n' in text
assert stat.S_IMODE((units / "tacit-fetch.service").stat().st_mode) == 0o600
if shutil.which("systemd-analyze"):
    runtime = stage.folder / "runtime"
    runtime.mkdir(mode=0o700)
    done = subprocess.run(
        ["systemd-analyze", "--user", "--man=no", "verify", *(str(units / n) for n in os.listdir(units) if "." in n)],
        env={**os.environ, "HOME": str(home), "XDG_RUNTIME_DIR": str(runtime)},
        capture_output=True,
        text=True,
    )
    assert "tacit" not in done.stderr, done.stderr
else:
    print("skipped: systemd-analyze is not installed")

# The line that systemd runs receives, in an environment that has nothing else.
stage.tacit("alice", "send", "@bob", "by a timer")
(line,) = [x.split("=", 1)[1] for x in text.splitlines() if x.startswith("ExecStart=")]
(variable,) = [x.split("=", 1)[1].strip('"') for x in text.splitlines() if x.startswith("Environment=")]
credentials = stage.folder / "credentials"
credentials.mkdir()
shutil.copy(stage.place("bob") / "key", credentials / "tacit.key")
done = subprocess.run(
    ["env", "-i", variable, f"CREDENTIALS_DIRECTORY={credentials}", *shlex.split(line)], cwd="/", capture_output=True
)
assert (done.returncode, done.stdout, done.stderr) == (0, b"", b""), done
assert stage.tacit("bob", "read", "--last", "1", "--plain", "--fields", "text").out == "by a timer\n"

# Another mode takes the place of the former; what somebody else has written stays.
(units / "other.service").write_text("[Unit]\n")
told()
notify("instant", "--install", "systemd")
assert sorted(os.listdir(units)) == ["other.service", "tacit.service"]
assert told() == [
    PROBE,
    "--user daemon-reload",
    "--user enable --now tacit.service",
    "--user disable --now tacit-fetch.timer",
    "--user daemon-reload",
]
assert mode() == ("instant", None, "systemd")
notify("off")
assert os.listdir(units) == ["other.service"] and mode() == ("off", None, None)
assert told() == ["--user disable --now tacit.service", "--user daemon-reload"]
(units / "tacit.service").write_text("[Unit]\nDescription=mine\n")
assert notify("instant", "--install", "systemd", expect=73).error["code"] == "notify-mode.foreign"
notify("off")
assert (units / "tacit.service").read_text() == "[Unit]\nDescription=mine\n" and mode()[0] == "off"
(units / "tacit.service").unlink()

# Bots may be served by the process that receives.
planned = notify("instant", "--websocket", "5225", "--install", "systemd", "--dry-run").objects[0]
assert [file["path"].rsplit("/", 1)[-1] for file in planned["files"]] == ["tacit-api.service"]
assert "api --websocket 127.0.0.1:5225 --no-input" in planned["files"][0]["text"]
assert planned["commands"][-1] == "systemctl --user enable --now tacit-api.service"
notify("instant", "--websocket", "5225", "--install", "systemd")
assert told() == [PROBE, "--user daemon-reload", "--user enable --now tacit-api.service"]
assert notify().objects[0]["websocket"] == "127.0.0.1:5225"
notify("instant", "--install", "systemd")
assert not (units / "tacit-api.service").exists() and (units / "tacit.service").exists()
assert "websocket" not in notify().objects[0]
notify("periodic", "--websocket", "5225", expect=64)
notify("instant", "--websocket", "0.0.0.0:5225", expect=64)
told()

# Without a service manager the files are written, and it is said what is to be typed.
(bin_folder / "systemctl").unlink()
bare = stage.folder / "bare"
bare.mkdir()
ended = stage.tacit(
    "bob", "notify-mode", "periodic", "--install", "systemd", "--json", env={**environment, "PATH": str(bare)}
)
assert ended.objects[0]["active"] is False
assert "now run: systemctl --user enable --now tacit-fetch.timer" in ended.err, ended.err
stage.tacit("bob", "notify-mode", "off", env={**environment, "PATH": str(bare)})
assert os.listdir(units) == ["other.service"]

# cron: a block between the lines of others, which stay as they are.
others = b"MAILTO=me\n# caf\xe9\n0 5 * * *  run-something  # no line break at the end"
table.write_bytes(others)
notify("periodic", "--every", "10m", "--install", "cron")
assert table.read_bytes().startswith(others + b"\n# tacit notify-mode: from here\n")
assert mode() == ("periodic", 600_000, "cron")
notify("periodic", "--every", "2h", "--install", "cron")
text = table.read_bytes()
assert text.count(b"tacit notify-mode: from here") == 1 and b"\n0 */2 * * *  " in text
# A table that cannot be read is not taken for an empty one, and stays.
broken = stage.folder / "crontab.broken"
broken.touch()
failed = notify("periodic", "--every", "3h", "--install", "cron", expect=71)
assert "notify-mode.tool" in failed.err and "the spool is locked" in failed.err, failed.err
broken.unlink()
assert table.read_bytes() == text
notify("--uninstall")
assert table.read_bytes() == others + b"\n" and mode() == ("periodic", 7_200_000, None)
table.unlink()
notify("periodic", "--install", "cron")
stage.tacit("alice", "send", "@bob", "by cron")
(line,) = [x for x in table.read_text().splitlines() if not x.startswith("#")]
assert line.startswith("*/10 * * * *  "), line
command = line.removeprefix("*/10 * * * *  ").replace("\\%", "%").replace("--jitter 120s", "--jitter 0s")
done = subprocess.run(["env", "-i", f"HOME={home}", "/bin/sh", "-c", command], cwd="/", capture_output=True)
assert (done.returncode, done.stdout, done.stderr) == (0, b"", b""), (command, done)
assert stage.tacit("bob", "read", "--last", "1", "--plain", "--fields", "text").out == "by cron\n"
# A relay that is away is no reason for a mail, a wrong key is.
relay.stop()
done = subprocess.run(["env", "-i", f"HOME={home}", "/bin/sh", "-c", command], cwd="/", capture_output=True)
assert (done.returncode, done.stdout, done.stderr) == (0, b"", b""), (command, done)
wrong = command.replace(f"TACIT_KEY_FILE={stage.place('bob')}/key", "TACIT_KEY_FILE=/nowhere")
done = subprocess.run(["env", "-i", f"HOME={home}", "/bin/sh", "-c", wrong], cwd="/", capture_output=True)
assert wrong != command and done.returncode == 1 and b"key" in done.stderr, done
notify("off")
assert not table.exists()

# The way to relays goes on into what is installed.
report = notify("periodic", "--install", "cron", "--dry-run", TACIT_PROXY="tor", TACIT_REQUIRE_PROXY="yes").objects[0]
assert "TACIT_PROXY=tor TACIT_REQUIRE_PROXY=yes" in report["files"][0]["text"]

# Paths with marks of the shell, of cron and of systemd are written so that each reads the path.
odd = stage.folder / "it's 50% $HOME `x` \"q\" \\back"
odd.mkdir()
shutil.copytree(stage.place("bob"), odd / "store")
key = odd / "a key"
shutil.copy(stage.place("bob") / "key", key)
place = {"TACIT_DIR": str(odd / "store"), "TACIT_KEY_FILE": str(key)}
notify("periodic", "--install", "cron", **place)
stage.tacit("alice", "send", "@bob", "to an odd place", "--wait", "queued")
relay.start()
stage.tacit("alice", "outbox", "flush")
(line,) = [x for x in table.read_text().splitlines() if not x.startswith("#")]
command = line.removeprefix("*/10 * * * *  ").replace("\\%", "%").replace("--jitter 120s", "--jitter 0s")
done = subprocess.run(["env", "-i", f"HOME={home}", "/bin/sh", "-c", command], cwd="/", capture_output=True)
assert (done.returncode, done.stdout, done.stderr) == (0, b"", b""), (command, done)
texts = stage.tacit("bob", "read", "--last", "1", "--plain", "--fields", "text", env=place).out
assert texts == "to an odd place\n", texts
notify("--uninstall", **place)
(bin_folder / "systemctl").write_text("#!/bin/sh\n")
(bin_folder / "systemctl").chmod(0o755)
notify("periodic", "--install", "systemd", **place)
text = (units / "tacit-fetch.service").read_text()
# A credential has no quotes: systemd would take them for a part of the path.
assert f"LoadCredential=tacit.key:{str(key).replace('%', '%%')}\n" in text, text
if shutil.which("systemd-analyze"):
    done = subprocess.run(
        ["systemd-analyze", "--user", "--man=no", "verify", str(units / "tacit-fetch.service")],
        env={**os.environ, "HOME": str(home), "XDG_RUNTIME_DIR": str(runtime)}, capture_output=True, text=True)
    assert "tacit" not in done.stderr, done.stderr
notify("off", **place)

# A path that would be shown in another way than it is written could not be copied: it is refused.
MARKS = ("\u202e", "\u2028", "\u2066", "\u200b", "\x85", "\x9b", "\n", "\ue000", "\u3164")


def odd_place(variable, mark):
    """The environment of bob's store with a mark in one path."""
    name = f"{stage.folder}/x{mark}{variable}"
    if variable == "TACIT_DIR":
        shutil.copytree(stage.place("bob"), name)
    elif variable == "TACIT_KEY_FILE":
        shutil.copy(stage.place("bob") / "key", name)
    elif variable == "TACIT_KEY_COMMAND":
        name = f": '{mark}'; cat {stage.place('bob')}/key"
    return {variable: name}


cases = [("TACIT_DIR", mark) for mark in MARKS] + [
    (variable, mark) for variable in ("XDG_CONFIG_HOME", "TACIT_KEY_COMMAND", "TACIT_KEY_FILE") for mark in MARKS[:2]
]
for number, (variable, mark) in enumerate(cases):
    starter = ("systemd", "cron")[number % 2]
    refused = notify("periodic", "--install", starter, "--dry-run", expect=78, **odd_place(variable, mark))
    assert refused.error["code"] == "notify-mode.path", (mark, variable, refused.error)
assert not table.exists() and os.listdir(units) == ["other.service"]
# The end of a line belongs to systemd.
for ending in (" ", "\\"):
    name = f"{stage.folder}/key{ending}"
    shutil.copy(stage.place("bob") / "key", name)
    refused = notify("periodic", "--install", "systemd", "--dry-run", expect=78, TACIT_KEY_FILE=name)
    assert refused.error["code"] == "notify-mode.path", refused.error

# What does not go together.
for words in (
    ["off", "--install", "cron"],
    ["instant", "--install", "cron"],
    ["instant", "--every", "5m"],
    ["periodic", "--every", "30s"],
    ["periodic", "--every", "7m", "--install", "cron"],
    ["periodic", "--install", "cron", "--uninstall"],
):
    notify(*words, expect=64)
assert mode()[0] == "off" and not table.exists()
