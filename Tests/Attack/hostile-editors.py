"""Editors and files of `config edit` that harm: the command ends with a code in a short time and little memory, runs nothing from the
file, and writes no control characters to the terminal."""

# limit: 400

import os
import pty
import resource
import select
import subprocess
import time

from support import hostile
from support.stage import Stage

stage = Stage()
stage.tacit("alice", "init", "--name", "alice", "--no-encryption")
conf = stage.place("alice") / "tacit.conf"
TIMEOUT, MEMORY = 30, 1 << 30
binaries = stage.folder / "bin"
binaries.mkdir(exist_ok=True)


def limited():
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def edited(script, editor="editor", **environment):
    """Runs `config edit` at a terminal. Returns its code and what it wrote."""
    path = binaries / "editor"
    path.write_text("#!/bin/sh\n" + script + "\n")
    path.chmod(0o755)
    master, slave = pty.openpty()
    variables = stage._environment("alice", {"EDITOR": editor, "TERM": "dumb", **environment})
    variables["PATH"] = f"{binaries}:{variables['PATH']}"
    start = time.monotonic()
    process = subprocess.Popen([stage.program, "config", "edit"], env=variables, stdin=slave, stdout=slave, stderr=slave, preexec_fn=limited, cwd=stage.folder)
    os.close(slave)
    said = b""
    while time.monotonic() - start < TIMEOUT:
        if not select.select([master], [], [], 0.2)[0]:
            if process.poll() is not None:
                break
            continue
        try:
            part = os.read(master, 65536)
        except OSError:
            part = b""
        if not part:
            break
        said += part
    os.close(master)
    code = process.wait(max(1, TIMEOUT - (time.monotonic() - start)))
    text = said.decode(errors="replace")
    assert code not in (70,) and 0 <= code < 128, (script, editor, code, text[-1000:])
    # The shell names the editor that it does not find.
    own = "\n".join(line for line in text.replace("\r\n", "\n").split("\n") if not line.startswith(("sh: ", "/bin/sh: ")))
    hostile.check_text(own, (script, editor))
    assert not (stage.folder / "owned").exists(), (script, editor)
    assert len(text) < 200_000, (script, len(text))
    return code, text


def restore():
    if conf.is_symlink() or conf.is_file() or conf.is_fifo():
        conf.unlink()
    elif conf.is_dir():
        conf.rmdir()


# What an editor can leave behind.
LEFT = {
    "bytes": 'head -c 4096 /dev/urandom >"$1"', "zeros": 'head -c 300000 /dev/zero >"$1"', "large": 'head -c 200000000 /dev/zero | tr "\\0" a >"$1"',
    "sparse": 'truncate -s 100G "$1"', "lines": 'yes "[global]" | head -n 500000 >"$1"', "no-end": 'printf "[global]\\nutc = yes" >"$1"',
    "controls": 'printf "[global]\\nutc = \\033]0;title\\007\\033[2J\\n" >"$1"', "key-controls": 'printf "[gl\\033[2Jobal]\\nu\\033cc = 1\\n" >"$1"',
    "bidi": 'printf "[global]\\nutc = \\342\\200\\256sey\\n" >"$1"', "alias": 'printf "[alias]\\na = send @bob \\"\\$(touch owned)\\"\\nb = b\\nc = d\\nd = c\\n" >"$1"',
    "crlf": 'printf "[global]\\r\\nutc = yes\\r\\n" >"$1"', "utf-16": 'printf "\\377\\376[\\0g\\0" >"$1"', "deep": 'head -c 100000 /dev/zero | tr "\\0" [ >"$1"',
    "folder": 'rm "$1"; mkdir "$1"', "missing": 'rm "$1"', "link": 'rm "$1"; ln -s /etc/passwd "$1"', "loop": 'rm "$1"; ln -s "$1" "$1"', "fifo": 'rm "$1"; mkfifo "$1"',
    "device": 'rm "$1"; ln -s /dev/zero "$1"', "terminal": 'rm "$1"; ln -s /dev/tty "$1"', "unreadable": 'chmod 000 "$1"', "shared": 'chmod 666 "$1"',
}  # fmt: skip
codes = {}
for name, script in LEFT.items():
    code, text = edited(script)
    codes[name] = code
    restore()
assert codes["no-end"] == 0 and codes["controls"] == 78 and codes["bytes"] == 78, codes

# How an editor can end, and what can be named as one.
ENDS = {
    "signal": "kill -9 $$", "term": "kill -TERM $$", "code": "exit 255", "background": "(sleep 300 >/dev/null 2>&1 </dev/null &) ; exit 0", "closed": "exec 0<&- 1>&- 2>&-",
    "terminal": "stty raw -echo; exit 1", "title": "printf '' ; exit 1",
}  # fmt: skip
for name, script in ENDS.items():
    codes[name] = edited(script)[0]
    restore()
assert codes["signal"] == codes["code"] == 71, codes
for editor in ("", " ", "/nowhere/editor", "editor 'open", "editor \\", "x" * 100_000, "-c", "\u202eeditor", "editor #", ".", "/", "editor &&", "cd"):
    code, _ = edited("exit 0", editor=editor, VISUAL="" if editor else "editor")
    codes[editor[:20]] = code
    restore()

# A path of the file that is a command for a shell.
for word in ("$(touch owned)", "`touch owned`", "a;touch owned", "-x", "a b", '"; touch owned; "', "a'b"):
    path = stage.folder / word / "tacit.conf"
    path.parent.mkdir(parents=True, exist_ok=True)
    code, text = edited('printf "[global]\\nutc = yes\\n" >"$1"', TACIT_CONFIG=str(path))
    codes[word] = code
    assert code == 0 and path.exists(), (word, code, text)
print(f"{len(codes)} editors, files and paths with the codes {sorted(set(codes.values()))}")
