"""A member whose program is forged sends every event of a group that its role does not allow, as member, moderator, admin and as a host
who was demoted: nothing changes for the others, and their messages arrive."""

# limit: 400

import base64
import itertools
import json
import sqlite3

from support.process import wait_until
from support.stage import Stage

CHAT = "simplex_v1_chat.db"
stage = Stage()
relay = stage.relay().start()
OTHERS = ["alice", "cat", "dora"]
for name in [*OTHERS, "mallory"]:
    stage.person(name, relay, "--no-encryption")
for name in OTHERS:
    stage.connect(name, "mallory")
stage.connect("alice", "cat")
numbers = itertools.count(1)


def objects(person, *words):
    return stage.tacit(person, *words, "--json").objects


def fetch(*names):
    for name in names or [*OTHERS, "mallory"]:
        assert stage.shell(name, "tacit fetch -qq --timeout 5s").code in (0, 75), name


def connected(name):
    """The names of the members that a person is connected with."""
    return {each["name"] for each in objects(name, "group", "members", "+team", "--all") if each["state"] == "connected"}


def settle(*names):
    def is_so():
        fetch(*names)
        return all(connected(name) >= set(names) - {name} for name in names)

    wait_until(is_so, f"connections of {names}")


stage.tacit("alice", "group", "create", "team")
for name in ("cat", "mallory"):
    stage.tacit("alice", "group", "invite", "+team", f"@{name}")
    fetch(name)
    stage.tacit(name, "group", "join", "+team")
settle("alice", "cat", "mallory")
for name in ("alice", "cat"):
    stage.tacit(name, "send", "+team", f"of {name}")
fetch()


def query(person, sql, *values):
    database = sqlite3.connect(stage.place(person) / CHAT)
    try:
        with database:
            return database.execute(sql, values).fetchall()
    finally:
        database.close()


def identity(name):
    """The id of a member, in the form of messages."""
    person = "mallory" if name != "mallory" else "alice"
    ((found,),) = query(person, "SELECT member_id FROM group_members WHERE name = ? AND category <> 'user'", name)
    return base64.b64encode(found).decode()


def forge(events, *people):
    """Sends events through the connections that mallory has as a member: they take the places of those with the contacts."""
    former = query("mallory", "SELECT contact_id, connection_id FROM connections WHERE contact_id IS NOT NULL")
    for name in people:
        ((contact,),) = query("mallory", "SELECT contact_id FROM contacts WHERE name = ?", name)
        ((member,),) = query("mallory", "SELECT group_member_id FROM group_members WHERE name = ? AND category <> 'user'", name)
        query("mallory", "UPDATE connections SET contact_id = NULL WHERE contact_id = ? AND member_id IS NULL", contact)
        query("mallory", "UPDATE connections SET contact_id = ? WHERE member_id = ?", contact, member)
        for event, params in events:
            message = {"v": "1-16", "msgId": base64.b64encode(b"forged %5d" % next(numbers)).decode(), "event": event, "params": params}
            query("mallory", "INSERT INTO owed_events (contact_id, message) VALUES (?, ?)", contact, json.dumps(message))
    fetch("mallory")
    assert query("mallory", "SELECT count(*) FROM owed_events") == [(0,)]
    query("mallory", "UPDATE connections SET contact_id = NULL WHERE member_id IS NOT NULL")
    for contact, connection in former:
        query("mallory", "UPDATE connections SET contact_id = ? WHERE connection_id = ?", contact, connection)


def seen(name):
    """What a person has of the group: members with roles, the profile, the messages, and all chats."""
    members = {(each["name"], each["role"], each["state"], each.get("blocked", False)) for each in objects(name, "group", "members", "+team", "--all")}
    group = objects(name, "group", "show", "+team")[0]
    texts = [(each["text"], each.get("from")) for each in objects(name, "read", "+team", "--last", "100") if each["type"] == "message" and each.get("kind") == "text"]
    return members, {key: group.get(key) for key in ("name", "title", "role", "state", "preferences", "description")}, texts, {each["name"] for each in objects(name, "list", "contacts")}


def content(text):
    return {"content": {"type": "text", "text": text}}


def forwarded(author, event, params):
    inner = {"v": "1-16", "msgId": base64.b64encode(b"inner  %5d" % next(numbers)).decode(), "event": event, "params": params}
    return ("x.grp.msg.forward", {"memberId": identity(author), "memberName": author, "msg": inner, "msgTs": "2026-01-01T00:00:00Z"})


def stranger(role):
    return {"memberId": base64.b64encode(b"stranger1234").decode(), "memberRole": role, "profile": {"displayName": "stranger", "fullName": ""}, "v": "1-16"}


ME, ALICE, CAT = identity("mallory"), identity("alice"), identity("cat")
PROFILE = {"groupProfile": {"displayName": "taken", "fullName": ""}}
# What only an owner may do.
OWNER = [
    ("x.grp.mem.role", {"memberId": ME, "role": "owner"}),
    ("x.grp.mem.role", {"memberId": ALICE, "role": "observer"}),
    ("x.grp.mem.role", {"memberId": CAT, "role": "owner"}),
    ("x.grp.mem.del", {"memberId": ALICE, "messages": True}),
    ("x.grp.mem.restrict", {"memberId": ALICE, "memberRestrictions": {"restriction": "blocked"}}),
    ("x.grp.info", PROFILE),
    ("x.grp.prefs", {"groupPreferences": {"files": {"enable": "off"}, "history": {"enable": "off"}}}),
    ("x.grp.mem.new", {"memberInfo": stranger("owner")}),
    ("x.grp.link.acpt", {"acceptance": "accepted", "role": "owner", "memberId": ME}),
    # In the name of members that are connected.
    *(forwarded(*inner) for inner in [
        ("alice", "x.grp.mem.role", {"memberId": ME, "role": "owner"}), ("alice", "x.grp.del", {}), ("alice", "x.grp.info", PROFILE),
        ("alice", "x.grp.mem.del", {"memberId": CAT}), ("alice", "x.info", {"profile": {"displayName": "forged", "fullName": ""}}),
        ("cat", "x.grp.leave", {}), ("alice", "x.grp.leave", {}),
    ]),
    ("x.grp.del", {}),
]  # fmt: skip
# What an admin may do.
ADMIN = [
    ("x.grp.mem.role", {"memberId": ME, "role": "admin"}),
    ("x.grp.mem.role", {"memberId": CAT, "role": "observer"}),
    ("x.grp.mem.del", {"memberId": CAT}),
    ("x.grp.mem.new", {"memberInfo": stranger("member")}),
    ("x.grp.mem.intro", {"memberInfo": stranger("owner")}),
    ("x.grp.mem.fwd", {"memberInfo": stranger("member"), "memberIntro": {"groupConnReq": "simplex:/invitation"}}),
    forwarded("alice", "x.msg.new", content("forged words")),
]
# What a moderator may do, and scopes of others.
MODERATOR = [
    ("x.grp.mem.restrict", {"memberId": CAT, "memberRestrictions": {"restriction": "blocked"}}),
    ("x.grp.link.acpt", {"acceptance": "accepted", "role": "member", "memberId": CAT}),
    ("x.msg.new", content("in the scope of cat") | {"scope": {"type": "member", "data": {"memberId": CAT}, "memberId": CAT}}),
    ("x.msg.new", content("in an unknown scope") | {"scope": {"type": "else"}}),
]
# What no member may do.
NOBODY = [
    ("x.grp.inv", {"groupInvitation": {}}), ("x.grp.acpt", {"memberId": ALICE}), ("x.grp.mem.info", {"memberId": ALICE, "profile": {"displayName": "x", "fullName": ""}}),
    ("x.grp.link.mem", {"profile": {"displayName": "host", "fullName": ""}}), ("x.grp.link.inv", {"groupLinkInvitation": {}}),
    ("x.grp.mem.con.all", {"memberId": CAT}), ("x.direct.del", {}), ("x.contact", {"profile": {"displayName": "x", "fullName": ""}}),
]  # fmt: skip


def deletions(*people):
    """Deletes the messages of others."""
    for name in people:
        ((shared,),) = query(name, "SELECT shared_id FROM items WHERE direction = 'sent' AND chat_id IN (SELECT chat_id FROM chats WHERE group_id IS NOT NULL) AND shared_id IS NOT NULL LIMIT 1")
        yield "x.msg.del", {"msgId": base64.b64encode(shared).decode(), "memberId": identity(name)}


def refused(events, people, what):
    """Sends forged events; the others have what they had."""
    before = {name: seen(name) for name in people}
    forge(events, *people)
    fetch(*people)
    for name in people:
        after = seen(name)
        for one, other in zip(before[name], after):
            assert one == other, (what, name, one, other)
        assert stage.tacit(name, "db", "check", "--json").objects[0]["ok"]
    text = f"honest after {what}"
    stage.tacit("alice", "send", "+team", text)
    for name in people[1:]:
        stage.until_fetched(name, text)
    return len(events) * len(people)


counts = []
people = ["alice", "cat"]
texts = list(deletions(*people))
counts.append(refused([*NOBODY, *MODERATOR, *ADMIN, *texts, *OWNER], people, "a member"))
stage.tacit("alice", "group", "role", "+team/@mallory", "moderator")
fetch("mallory", "cat")
counts.append(refused([*NOBODY, *ADMIN, *OWNER], people, "a moderator"))
stage.tacit("alice", "group", "role", "+team/@mallory", "admin")
fetch("mallory", "cat")
counts.append(refused([*NOBODY, *OWNER], people, "an admin"))

# The control: an event that the role allows arrives, and is followed.
forge([("x.grp.mem.role", {"memberId": CAT, "role": "moderator"})], "alice", "cat")
fetch("alice", "cat")
for name in ("alice", "cat"):
    roles = {each["name"]: each["role"] for each in objects(name, "group", "members", "+team")}
    assert roles["cat"] == "moderator", (name, roles)

# The host of dora invites her as an admin, and is demoted to observer.
stage.tacit("mallory", "group", "invite", "+team", "@dora", "--role", "member")
fetch("dora")
stage.tacit("dora", "group", "join", "+team")
settle("alice", "cat", "mallory", "dora")
stage.tacit("alice", "group", "role", "+team/@mallory", "observer")
fetch()
assert {each["name"]: each["role"] for each in objects("dora", "group", "members", "+team")}["mallory"] == "observer"
host = [
    ("x.grp.mem.intro", {"memberInfo": stranger("owner")}), ("x.grp.mem.intro", {"memberInfo": stranger("member")}),
    ("x.grp.link.acpt", {"acceptance": "accepted", "role": "owner", "memberId": identity("dora")}),
    ("x.grp.mem.role", {"memberId": identity("dora"), "role": "observer"}), ("x.grp.mem.del", {"memberId": identity("dora")}),
    ("x.msg.new", content("words of an observer")),
]  # fmt: skip
counts.append(refused([*NOBODY[:3], *host, *MODERATOR, *ADMIN, *OWNER], ["alice", "cat", "dora"], "a demoted host"))
print(f"{sum(counts)} forged events: {counts} as member, moderator, admin and demoted host")
