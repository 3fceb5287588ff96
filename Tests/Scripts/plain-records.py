"""The columns of plain records are those that help, manual and schema name; no cell holds JSON."""

import json
import os
import re

from support.schema import schemas
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.tacit("alice", "send", "@bob", "one")
stage.tacit("bob", "fetch", "-q")
stage.tacit("bob", "send", "@alice", "two", "--reply-to", "m1")
stage.tacit("alice", "fetch", "-q")
stage.tacit("alice", "message", "react", "m2", "👍")
stage.tacit("alice", "read", "--cursor", "bot", "-q")
stage.tacit("alice", "connect", "--as", "carol")

# Commands that change nothing, so that they can run twice: as they are, and with the columns that are documented.
LINES = """list; list contacts; list messages; list invitations; list profiles; list servers; read; message show m2;
    contact show @bob; contact verify @bob; cursor list; invitation show carol; profile show; status; net status; net proxy;
    db info; db check; hook list; hook path; config path; config check; version; notify-mode; doctor;
    open @bob --dry-run; send @bob x --dry-run; outbox list; daemon status"""
for line in LINES.split(";"):
    words = line.split()
    expect = {"daemon status": 1}.get(line.strip(), 0)
    env = {"SHELL": "/bin/sh"}
    objects = stage.tacit("alice", *words, "--json", expect=expect, env=env).objects
    plain = stage.tacit("alice", *words, "--plain", expect=expect, env=env).lines
    kind = objects[0]["type"] if objects else None
    assert objects or words in (["list", "requests"], ["outbox", "list"], ["daemon", "status"]), words
    if not objects:
        continue
    columns = schemas()[kind]["x-plain"]
    help = stage.tacit(None, "help", *[word for word in words[:2] if re.fullmatch("[a-z-]+", word)][: 1 if words[0] in ("list", "read", "open", "send") else 2]).out
    assert re.search(rf"^  {kind} +{columns[0]}\b", help, re.MULTILINE), (words, help)
    manual = os.environ["TACIT_REPOSITORY"] + f"/man/tacit-{words[0]}.1"
    page = open(manual).read().replace("\\-", "-")
    assert re.search(rf"\\fB{kind}\\fR\S*\n{', '.join(columns)}\n".replace(", ", r",\s"), page), (words, columns)
    again = stage.tacit("alice", *words, "--fields", ",".join(columns), expect=expect, env=env).lines
    assert [row.count("\t") for row in plain] == [len(columns) - 1] * len(plain), (words, plain)
    assert plain == again or words == ["doctor"], (words, plain, again)
    # Any field may be a column, also one inside of another.
    names = [name for name in schemas()[kind]["properties"]]
    inner = [
        f"{name}.{other}"
        for name, value in schemas()[kind]["properties"].items()
        for other in value.get("items", value).get("properties", {})
    ]
    for row, value in zip(stage.tacit("alice", *words, "--fields", ",".join(names + inner), expect=expect, env=env).lines, objects):
        cells = row.split("\t")
        assert len(cells) == len(names + inner), (words, row)
        for name, cell in zip(names + inner, cells):
            if "." not in name and not isinstance(value.get(name), (list, dict)):
                expected = value.get(name, "")
                text = expected if isinstance(expected, str) else json.dumps(expected)
                assert cell == text.replace("\\", "\\\\").replace("\n", "\\n") or words == ["doctor"], (name, cell, text)
            assert not cell.startswith(("{", "[")), (words, name, cell)

# What has parts.
stage.play(r'''
    alice$ tacit message show m2 --fields quote.text,reactions.reaction,reactions
    one	👍	reaction=👍\ndirection=out
    alice$ tacit status --plain --fields servers,problems
    smp://FINGERPRINT@127.0.0.1:PORT	
    alice$ tacit status --fields lock.pid,lock | tr '\t' '|'
    |
    alice$ tacit list --fields chat,state,role
    @bob	connected	
    	waiting	inviting
    alice$ tacit send @bob x --fields nonsense
    ! tacit: 'tacit send' has no field 'nonsense'
    !   why: fields: id, chat, state, created_at, v, type, chat_id, at, reason, partly, to_moderators,
    !        recipients, part, parts, duplicate, differs, ttl_ms, expires_at
    [64]
    alice$ tacit fetch --fields id,nonsense
    ! tacit: 'tacit fetch' has no field 'nonsense'
    !   why: fields: id, created_at, chat, direction, state, text, v, type, chat_id, member, member_id,
    !        member_name, forwarded_by, forwarded_by_id, signature, support_id, mentions, mentions_you, …
    [64]
    alice$ tacit status --fields lock.nonsense
    ! tacit: 'tacit status' has no field 'lock.nonsense'
    !   why: fields: profile, contacts, unread, outbox, store, v, type, profile_id, profiles, held_up,
    !        uploads, unconfirmed, files, files_size, servers, file_servers, onboarding, lock, encrypted,…
    [64]
''')
stage.tacit("bob", "fetch", "-q")
texts = [line["text"] for line in stage.tacit("bob", "read", "--json").objects]
assert texts == ["one", "two"], "a message was sent although a field is not there"

# All records of one command have the same columns: what was queued and goes now is a message as well.
relay.kill()
stage.tacit("alice", "send", "@bob", "late", expect=75)
relay.start()
records = [row.split("\t") for row in stage.tacit("alice", "fetch", "--plain").lines]
assert [(row[0], row[2], row[3], row[4], row[5]) for row in records] == [("m3", "@bob", "out", "sent", "late")], records
