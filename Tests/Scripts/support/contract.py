"""What commands promise on their help pages, held against what they do: exit codes and types of objects."""

import functools
import os
import re
import subprocess


@functools.cache
def page(*path):
    """The page of help about a command, or nothing."""
    done = subprocess.run([os.environ["TACIT"], "help", *path], capture_output=True, timeout=20, env={"HOME": "/"})
    return done.stdout.decode() if done.returncode == 0 else ""


@functools.cache
def promise(*words):
    """The exit codes and the types of the command that a line begins with; None where that is not plain to see."""
    text = len(words) > 1 and page(*words[:2]) or words and page(words[0])
    codes = re.search(r"^Exit codes:\n((?:  .*\n)+)", text or "", re.MULTILINE)
    if not codes:
        return None
    types = re.search(r"With --json each line is an object of the type ([^:]*):", text)
    return set(map(int, re.findall(r"^  (\d+) ", codes[1], re.MULTILINE))), set(re.findall(r'"(.*?)"', types[1] if types else ""))


def check(words, ended):
    """Fails if a command has ended with a code that its page does not name, or has printed an object of another type."""
    path = [word for word in words[:2] if re.fullmatch("[a-z-]+", word) and not word.startswith("-")]
    found = promise(*path) if words and path and words[0] == path[0] else None
    if not found or "-h" in words or "--help" in words:
        return
    codes, types = found
    line = " ".join(words)
    assert ended.code in codes or ended.code > 128, f"tacit {line}: the exit code {ended.code} is on no page"
    for text in ended.out.splitlines() if "--json" in words else []:
        kind = re.match(r'\{"v":1,"type":"([^"]*)"', text)
        assert not kind or kind[1] in types, f"tacit {line}: the type {kind[1]} is on no page"
