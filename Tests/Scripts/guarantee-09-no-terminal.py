"""Guarantee 9: every start works without a terminal, the first too. Where a person would be asked, it fails at once."""

# limit: 120

import os
import re
import subprocess
import time

from support.process import Ended
from support.stage import Stage

stage = Stage()
relay = stage.relay().start()

# How long a command may take that has nothing to wait for, in seconds: far more than it needs, far less than a hang.
SOON = 10


def bare(person, *words, stdin="null", env=None, option=True):
    """Runs a command without a terminal anywhere near: in a session of its own, with nothing or less on standard input."""
    environment = {"PATH": os.environ["PATH"], "TACIT_DIR": str(stage.place(person)), **(env or {})}
    command = ["tacit", *words, *(["--no-input"] if option else [])]
    if stdin == "closed":
        command = ["sh", "-c", 'exec "$@" <&-', "sh", stage.program, *command[1:]]
    begin = time.monotonic()
    reading, writing = os.pipe()
    try:
        done = subprocess.run(
            command, executable=None if stdin == "closed" else stage.program, cwd=stage.folder, env=environment,
            # A pipe that nobody writes to and nobody closes: whoever reads it unasked waits for ever.
            stdin=reading if stdin == "pipe" else subprocess.DEVNULL, capture_output=True, start_new_session=True,
            timeout=20)
    finally:
        os.close(reading)
        os.close(writing)
    assert time.monotonic() - begin < SOON, f"{words}: took {time.monotonic() - begin:.1f} s"
    return Ended(done.returncode, done.stdout, done.stderr)


# The first start, as a container does it, and once more.
key = stage.folder / "keys/key"
first = ["init", "--if-missing", "--name", "ops", "--server", relay.address, "--new-key-file", str(key)]
for _ in range(2):
    ended = bare("ops", *first, env={"TACIT_KEY_FILE": str(key)} if key.exists() else None)
    assert ended.code == 0, ended.err
ended = bare("peer", "init", "--name", "peer", "--server", relay.address, "--no-encryption", stdin="closed")
assert ended.code == 0, ended.err
own = {"TACIT_KEY_FILE": str(key)}
link = bare("ops", "connect", env=own).out.strip()
assert bare("peer", "connect", link).code == 0
for person, env in (("ops", own), ("peer", None)) * 2:
    assert bare(person, "fetch", env=env).code == 0
assert bare("ops", "send", "@peer", "hi", env=own, stdin="closed").code == 0

# Every command there is, as it would be typed by mistake or in earnest: it never waits for a person.
tree = subprocess.run(
    [stage.program, "__complete", "fish", "--", ""], capture_output=True, text=True, env={"HOME": "/"}, check=True)
commands = [line.split("\t")[0] for line in tree.stdout.splitlines()]
assert {"send", "db", "contact", "unlock"} <= set(commands), commands
paths = []
for command in commands:
    verbs = subprocess.run(
        [stage.program, "__complete", "fish", "--", command, ""], capture_output=True, text=True, env={"HOME": "/"})
    page = subprocess.run([stage.program, "help", command], capture_output=True, text=True, env={"HOME": "/"}).stdout
    found = [line.split("\t")[0] for line in verbs.stdout.splitlines()]
    nouns = [verb for verb in found if re.search(rf"^  {re.escape(verb)}  +\S", page, re.MULTILINE)]
    paths += [[command, verb] for verb in nouns] or [[command]]
assert len(paths) > 60, len(paths)
# They end only when they are told to; other tests do that.
LASTING = {("watch",), ("relay", "start"), ("daemon", "run"), ("repl",), ("rpc",), ("demo",), ("unlock",)}
for path in paths:
    if tuple(path) in LASTING:
        continue
    for arguments in ([], ["@peer"], ["@peer", "word"]):
        for stdin in ("null", "pipe", "closed"):
            ended = bare("peer", *path, *arguments, stdin=stdin)
            assert ended.code not in (70,) and ended.code < 128, (path, arguments, stdin, ended.code, ended.err)
    # What was destroyed without a yes would be gone now.
    assert (stage.place("peer") / "simplex_v1_chat.db").exists(), path
assert bare("peer", "list", "contacts", "--plain").lines, "a command without a yes has deleted the contact"

# Where a question would be needed, the code says so, and the last line says what to do instead.
for words, code, env in (
        (["list"], 77, None), (["unlock"], 77, None), (["fetch"], 77, None), (["db", "rekey"], 77, own),
        (["contact", "delete", "@peer"], 64, own), (["profile", "delete", "ops"], 64, own),
        (["db", "decrypt"], 64, own), (["send", "@peer"], 64, own)):
    for option in (True, False):
        for stdin in ("null", "pipe", "closed"):
            ended = bare("ops", *words, env=env, stdin=stdin, option=option)
            assert ended.code == code, (words, option, stdin, ended.code, ended.err)
            assert "try: " in ended.err or code == 69, ended.err

# The same by the variable; and without a command it is usage, not a session.
ended = bare("ops", "list", env={"TACIT_NO_INPUT": "1"}, option=False)
assert ended.code == 77, ended.err
for stdin in ("null", "closed"):
    ended = bare("ops", stdin=stdin, env=own, option=False)
    assert ended.code == 64 and ended.out == "" and "Usage:" in ended.err, ended.err

# An odd terminal is as good as none: no colour, no width, no language, no home.
for env in ({"TERM": "dumb"}, {"TERM": "unknown-thing"}, {"LANG": "C", "LC_ALL": "POSIX"}, {"COLUMNS": "0"},
            {"COLUMNS": "-5"}, {"HOME": "/nonexistent"}):
    ended = bare("ops", "list", env={**own, **env})
    assert ended.code == 0 and "@peer" in ended.out and "\x1b" not in ended.out, (env, ended.code, ended.err)
