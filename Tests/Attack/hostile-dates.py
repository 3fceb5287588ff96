"""Whatever time a relay gives to messages, they are stored, shown and exported, and the store works afterwards; so does one
that was poisoned before times were limited."""

import os

from support.attacker import Attacker
from support.stage import Stage

LIMIT = 1 << 63
TIMES = [
    -LIMIT, -LIMIT + 1, LIMIT - 1, LIMIT - 2, -9_223_372_036_854_775, -9_223_372_036_854_776, 9_223_372_036_854_775,
    9_223_372_036_854_776, -9_223_372_036_828_800, -62_167_219_201, -1, 0, 253_402_300_799, 253_402_300_800, 1 << 62,
]

stage = Stage()
with Attacker("relay", "--times", ",".join(map(str, TIMES))) as relay:
    address = relay.line()
    stage.person("alice", address)
    stage.person("bob", address)
    stage.connect("alice", "bob")
    texts = [f"number {number}" for number in range(2 * len(TIMES))]
    for text in texts:
        stage.tacit("alice", "send", "@bob", text)
    stage.tacit("bob", "fetch")
    seen = stage.tacit("bob", "read", "--last", "100", "--json").objects
    assert sorted(item["text"] for item in seen if item["type"] == "message") == sorted(texts), seen
    for item in seen:
        assert "1970-01-01T00:00:00.000Z" <= item["at"] <= "9999-12-31T23:59:59.999Z", item
    for words in (
        ["read", "--last", "100"], ["read", "--last", "100", "--plain"], ["read", "--last", "100", "--utc"], ["list"],
        ["list", "messages"], ["status"], ["contact", "show", "@alice"], ["db", "check"], ["doctor"],
        ["read", "--cursor", "bot"], ["export", "-", "--format", "jsonl"], ["export", "-", "--format", "html"],
    ):
        ended = stage.shell("bob", "TZ=Pacific/Auckland tacit " + " ".join(words))
        assert ended.code in (0, 80), (words, ended.code, ended.err)
    stage.tacit("bob", "send", "@alice", "an answer")
    stage.until_fetched("alice", "an answer")

# A program from before, if one is there, poisons a store, and this one opens it.
before = os.environ.get("TACIT_BEFORE")
if before:
    stage.program, now = before, stage.program
    with Attacker("relay", "--times", str(-LIMIT)) as relay:
        address = relay.line()
        stage.person("carol", address)
        stage.person("dave", address)
        stage.connect("carol", "dave")
        stage.tacit("dave", "send", "@carol", "poison")
        codes = [stage.tacit("carol", *words, expect=132).code for words in (["fetch"], ["fetch"], ["send", "@dave", "hi"])]
        print("before:", codes)
        stage.program = now
        assert "poison" in stage.tacit("carol", "fetch").out
        stage.tacit("carol", "send", "@dave", "hi")
        stage.until_fetched("dave", "hi")
        print("after: 0, sent")
else:
    print("skipped: TACIT_BEFORE names no program from before times were limited")
