"""Guarantee 7: output is safe to parse. A record is a line whatever others write, and standard output has nothing else."""

# limit: 120

import json
import re

from support.hostile import TEXTS, check_text
from support.process import report
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.tacit("alice", "fetch")

for text in TEXTS:
    message = json.dumps([{"msgContent": {"type": "text", "text": text}}])
    stage.tacit("alice", "api", f"/_send @1 json {message}")
stage.tacit("alice", "fetch", "-q")

# Full names and words about oneself are others' words too.
profile = {"displayName": "alice", "fullName": TEXTS[1], "shortDescr": TEXTS[0]}
stage.tacit("alice", "api", "/_profile 1 " + json.dumps(profile))
stage.tacit("alice", "fetch", "-q")


def unescaped(field):
    """A field of a plain record as it was before."""
    letters = {"t": "\t", "n": "\n", "r": "\r"}

    def scalar(found):
        code = found[1] or found[2]
        return chr(int(code, 16)) if code else letters.get(found[3], found[3])

    return re.sub(r"\\(?:x([0-9a-f]{2})|u\{([0-9a-f]+)\}|(.))", scalar, field)


# As it arrives: one object a line, in the order in which it was written.
arrived = [each for each in stage.tacit("bob", "fetch", "--json").objects if each["type"] == "message"]
assert [each["text"] for each in arrived] == TEXTS

# Every form of the same list has as many records, and they say the same.
for words in (["read", "--last", "100"], ["list", "messages", "--last", "100"], ["read", "@alice", "--last", "100"],
              ["message", "search", ""], ["read", "--cursor", "seven", "--peek"]):
    objects = stage.tacit("bob", *words, "--json").objects
    assert [each["text"] for each in objects if each["type"] == "message"] == TEXTS, words
    for switch, end in ((["--plain"], "\n"), (["-0"], "\0")):
        out = stage.tacit("bob", *words, *switch, "--fields", "id,text,chat").out
        records = out.removesuffix(end).split(end)
        assert len(records) == len(objects), (words, switch, len(records))
        for record, each in zip(records, objects):
            fields = record.split("\t")
            assert len(fields) == 3 and fields[0] == each["id"] and fields[2] == "@alice", record
            assert unescaped(fields[1]) == each["text"], (fields[1], each["text"])
    text = stage.tacit("bob", *words).out
    check_text(text, words)
    # A message begins with its time, in a list with its id before that, and nothing else does.
    heads = [line for line in text.splitlines() if re.match(r"(?:m\d+ +)?\d{4}-\d\d-\d\d \d\d:\d\d  @", line)]
    assert len(heads) == len(objects), words

# Lists of one line for each thing stay so.
for words, count in ((["list"], 1), (["list", "contacts"], 1), (["contact", "list"], 1), (["list", "profiles"], 1)):
    assert len(stage.tacit("bob", *words, "--json").objects) == count, words
    assert len(stage.tacit("bob", *words, "--plain").lines) == count, words
    text = stage.tacit("bob", *words).out
    check_text(text, words)
    assert len(text.splitlines()) == count + 1, text

# JSON is read by anything: line by line, and byte by byte it is ASCII controls' enemy.
raw = stage.tacit("bob", "read", "--last", "100", "--json").out
assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", raw)
for line in raw.splitlines():
    report(line)

# A program that is run for each message gets one line, however many the message has.
stage.tacit("bob", "read", "--cursor", "exec", "--exec", 'wc -l >> "$TACIT_DIR/lines"')
assert set((stage.place("bob") / "lines").read_text().split()) == {"1"}
assert len((stage.place("bob") / "lines").read_text().split()) == len(stage.tacit("bob", "read", "--last", "100", "--json").lines)

# Whatever is said of what is done stands on standard error, also where it is said loudly.
for words in (["fetch", "-vv"], ["send", "@alice", "hi", "-vv"], ["read", "-vv"], ["list", "-vv"]):
    ended = stage.tacit("bob", *words, "--json")
    for line in ended.lines:
        report(line)
    assert not any(line.startswith('{"v":1,"type":"message"') for line in ended.err.splitlines()), ended.err
ended = stage.tacit("bob", "fetch", "-vv", "--json")
assert "connected to" in ended.err and "connected to" not in ended.out, ended.err

# Where it fails, standard output stays empty, and the error is one line of JSON at the end of standard error.
for text in TEXTS:
    # What no shell can hand over, and what would be an option.
    if "\0" in text or text.startswith("-"):
        continue
    for words in (["send", f"@{text}", "x"], ["read", text], ["message", "show", text], ["connect", text],
                  ["profile", "use", text], ["cursor", "delete", text], ["list", "--fields", text]):
        as_json, as_text = (stage.start("bob", *words, *option).ended() for option in (["--json"], []))
        assert as_text.code == as_json.code > 0 or words[0] in ("read", "list"), (words, as_text.code, as_json.code)
        check_text(as_text.err, words)
        if as_json.code:
            assert as_json.out == "" and as_json.error["exit"] == as_json.code, words
            # No line of an error was written by whoever wrote the name.
            for line in as_text.err.splitlines():
                assert re.match(r"tacit: |  why: |  try: |       ", line), (words, line)

# Readable exports hold it as well.
for form in ("txt", "html"):
    exported = stage.tacit("bob", "export", "-", "--format", form).out
    check_text(exported, form)
    assert "<script>" not in exported or form == "txt", "markup"
history = stage.tacit("bob", "export", "-", "--format", "jsonl")
assert [each["text"] for each in history.objects if each["type"] == "message" and each["direction"] == "in"] == TEXTS
