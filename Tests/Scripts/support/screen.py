"""What people see, compared with what is written in a test."""

import difflib
import os
import re
import sys
import textwrap
from pathlib import Path

VARIABLE = [
    (re.compile(r"(simplex:/(invitation|contact)|https://127\.0\.0\.1/[ai])#[^\s'\"]+"), "LINK"),
    (re.compile(r"smp://[A-Za-z0-9_-]{43}="), "smp://FINGERPRINT"),
    (re.compile(r"(127\.0\.0\.\d|relay\.invalid):\d+"), r"\1:PORT"),
    (re.compile(r'(\bpid"?[ :])\d+'), r"\1PID"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"), "YYYY-MM-DDThh:mm:ss.sssZ"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d"), "YYYY-MM-DD hh:mm"),
]


def constant(text):
    """The text without what differs from run to run."""
    for pattern, name in VARIABLE:
        text = pattern.sub(name, text)
    return text


def lines(text):
    """The lines of a text that is indented as the test is."""
    return textwrap.dedent(text).strip("\n").split("\n")


def compare(text, seen):
    expected = lines(text)
    if seen == expected:
        return
    record(text, seen)
    raise AssertionError("\n".join(difflib.unified_diff(expected, seen, "expected", "seen", lineterm="", n=20)))


def record(text, seen):
    """With TACIT_RECORD=1 writes what was seen into the test, which fails all the same: somebody must read it."""
    if os.environ.get("TACIT_RECORD") != "1":
        return
    indent = re.match(r"\n*( *)", text).group(1)
    path = Path(sys.argv[0])
    new = "\n" + "".join(f"{indent}{line}\n" if line else "\n" for line in seen)
    source = path.read_text()
    assert text in source, "what was seen can only be written where the text stands as it is"
    path.write_text(source.replace(text, new + text[len(text.rstrip(" ")):], 1))
