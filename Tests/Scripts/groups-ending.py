"""Links of groups that are used again, invitations of members, and groups that are left, joined again and deleted."""
# limit: 120

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
for name in "alice", "bob", "cath":
    stage.person(name, relay)
stage.connect("alice", "bob")
stage.tacit("alice", "group", "create", "team")
link = stage.tacit("alice", "group", "link", "+team", "--create").out.strip()


def groups(person):
    return {group["name"]: group["state"] for group in stage.tacit(person, "list", "groups", "--json").objects}


def join(person, name="team"):
    stage.tacit(person, "connect", link)

    def is_in():
        for each in "alice", person:
            stage.tacit(each, "fetch", "-qq")
        return groups(person).get(name) == "connected"

    wait_until(is_in, "a member")


# A member does not join twice.
join("cath")
again = stage.tacit("cath", "connect", link)
assert again.out == "already in +team (g1)\n", again.out
assert stage.tacit("cath", "connect", link, "--json").objects[0]["state"] == "connected"
for name in "cath", "alice":
    stage.tacit(name, "fetch")
assert groups("cath") == {"team": "connected"} and len(stage.tacit("alice", "group", "members", "+team", "--json").objects) == 2
# Who left does.
stage.tacit("cath", "group", "leave", "+team", "--yes")
stage.tacit("alice", "fetch")
join("cath", "team_1")
assert groups("cath") == {"team": "left", "team_1": "connected"}
# A contact that is a member cannot be invited.
stage.tacit("alice", "group", "invite", "+team", "@bob")
stage.tacit("bob", "fetch")
stage.tacit("bob", "group", "join", "+team")
wait_until(lambda: [stage.tacit(name, "fetch", "-qq") for name in ("alice", "bob")] and groups("bob") == {"team": "connected"}, "bob")
assert "'@bob' is a member already" in stage.tacit("alice", "group", "invite", "+team", "@bob", expect=73).err
# A direct chat of two members is accepted like a request, also when it begins again.
def connected():
    for name in "alice", "bob", "cath":
        stage.tacit(name, "fetch", "-qq")
    return [m["state"] for m in stage.tacit("cath", "group", "members", "+team_1", "--json").objects].count("connected") == 3


def contact(person):
    return stage.tacit(person, "list", "contacts", "--json").objects[-1]


wait_until(connected, "all members")
for text in "first", "second":
    stage.tacit("cath", "group", "contact", "+team_1/@bob")
    assert "tacit accept" in stage.tacit("bob", "fetch").out
    chat = contact("bob")["chat"]
    assert f"{chat} " in stage.tacit("bob", "list", "requests").out
    early = stage.tacit("bob", "send", chat, "too early", expect=69).err
    assert f"try: tacit accept {chat}" in early, early
    stage.tacit("bob", "accept", chat)
    assert not stage.tacit("bob", "list", "requests", "--json").objects
    wait_until(lambda: connected() and contact("cath")["state"] == "connected", "a direct chat")
    stage.tacit("cath", "send", contact("cath")["chat"], text)
    stage.tacit("bob", "fetch")
    assert stage.tacit("bob", "read", contact("bob")["chat"], "--json").objects[-1]["text"] == text
    stage.tacit("cath", "contact", "delete", contact("cath")["chat"], "--yes")
    stage.tacit("bob", "fetch")
    assert contact("bob")["state"] == "deleted-by-contact", contact("bob")
stage.tacit("bob", "accept", contact("bob")["chat"], expect=67)
# A rejected one is gone, and may come again. One that lost the contact comes to a chat that works.
stage.tacit("cath", "group", "contact", "+team_1/@bob")
stage.tacit("bob", "fetch")
chat = contact("bob")["chat"]
assert stage.tacit("bob", "reject", chat).out.startswith(f"rejected {chat} ")
assert chat not in [each["chat"] for each in stage.tacit("bob", "list", "contacts", "--json").objects]
stage.tacit("cath", "contact", "delete", contact("cath")["chat"], "--yes")
stage.tacit("cath", "group", "contact", "+team_1/@bob")
stage.tacit("bob", "fetch")
stage.tacit("bob", "accept", "--all")
wait_until(lambda: connected() and contact("cath")["state"] == "connected", "a direct chat")
stage.tacit("cath", "api", f"/_delete @{contact('cath')['id'][1:]} full notify=off")
stage.tacit("cath", "group", "contact", "+team_1/@bob")
stage.tacit("bob", "fetch")
lost = contact("bob")
assert lost["state"] == "connected", lost
assert [each["id"] for each in stage.tacit("bob", "list", "requests", "--json").objects] == [lost["id"]]
assert "is connected already" in stage.tacit("bob", "reject", lost["chat"], expect=69).err
stage.tacit("bob", "accept", lost["chat"])
wait_until(lambda: connected() and contact("cath")["state"] == contact("bob")["state"] == "connected", "a direct chat")
assert contact("bob")["id"] == lost["id"]
for person, other in ("bob", "cath"), ("cath", "bob"):
    stage.tacit(person, "send", contact(person)["chat"], f"found again, says {person}")
    stage.tacit(other, "fetch")
    assert stage.tacit(other, "read", contact(other)["chat"], "--json").objects[-1]["text"] == f"found again, says {person}"
stage.tacit("bob", "db", "check")
# Members are told of the end before the command ends.
stage.tacit("bob", "group", "delete", "+team", "--yes", expect=69)
stage.tacit("alice", "group", "delete", "+team", "--yes")
for name, group in ("bob", "team"), ("cath", "team_1"):
    stage.tacit(name, "fetch")
    assert groups(name)[group] == "deleted", groups(name)
    stage.tacit(name, "group", "delete", f"+{group}", "--yes")
    assert group not in groups(name)
