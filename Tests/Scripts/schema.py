"""Every report has a JSON Schema, which says what it holds; what scripts see in the tests is held against it everywhere."""

import json

from support import schema
from support.stage import Stage

stage = Stage()
lines = stage.tacit(None, "schema").lines
whole = [json.loads(line) for line in lines]
titles = [each["title"] for each in whole]
assert titles == sorted(set(titles)) and {"send", "message", "event", "error", "status", "version"} <= set(titles), titles
for each, line in zip(whole, lines):
    assert each["$schema"] == "https://json-schema.org/draft/2020-12/schema" and each["required"][:2] == ["v", "type"]
    assert stage.tacit(None, "schema", each["title"]).lines == [line]

# The check itself finds what is wrong.
good = {"v": 1, "type": "profile", "id": "p1", "name": "x", "active": True, "muted": False, "receipts": True, "unread": 0, "created_at": "2026-11-21T10:00:00.000Z"}
schema.check(good, "")
for change in ({"v": 2}, {"id": "1"}, {"id": 1}, {"active": 1}, {"unread": -1}, {"unread": True}, {"created_at": "today"},
               {"name": None}, {"other": "x"}, {"type": "nothing"}):
    try:
        schema.check({**good, **change}, "")
    except AssertionError:
        continue
    raise SystemExit(f"not found: {change}")

stage.play(r'''
    nobody$ tacit schema mesage
    ! tacit: unknown report 'mesage'
    !   try: tacit schema message           did you mean this?
    !   try: tacit schema | jq -r .title    show the list
    [64]
''')
