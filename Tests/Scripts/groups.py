"""A group of up to four people: created, joined by invitation and by link, talked in, moderated, left and deleted."""
# limit: 180

import json

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.person("cath", relay)
stage.connect("alice", "cath")
stage.person("dave", relay)
people = ["alice", "bob", "cath", "dave"]


def settle(condition, what, *names):
    """Everybody fetches until a condition holds."""

    def is_so():
        for name in names or people:
            assert stage.shell(name, "tacit fetch -qq --timeout 5s").code in (0, 75)
        return condition()

    wait_until(is_so, what)


def reports(person, *words):
    return [json.loads(line) for line in stage.tacit(person, *words, "--json").out.splitlines()]


def states(person):
    return {each["name"]: each["state"] for each in reports(person, "group", "members", "+team", "--all")}


def texts(person):
    return [each["text"] for each in reports(person, "read", "+team", "--last", "100") if each["type"] == "message"]


# Made, shown and listed.
stage.play(r'''
    alice$ tacit group create team --description 'people who work'
    created +team (g1)
    alice$ tacit group list --plain --fields name,state,role
    team	connected	owner
    alice$ tacit group members +team --plain --fields name,role,state
    alice	owner	connected
    alice$ tacit group show +taem
    ! tacit: cannot show '+taem': unknown group 'taem'
    !   try: +team               did you mean this?
    !   try: tacit group list    show the list
    [67]
    alice$ tacit group show @bob
    ! tacit: cannot show '@bob': '@bob' is not a group
    !   try: tacit group list    list groups
    [67]
    alice$ tacit contact rename +team x
    ! tacit: cannot rename '+team': '+team' is a group
    !   try: +team                  the group
    !   try: tacit list contacts    list contacts
    [67]
    alice$ tacit group create team
    created +team_1 (g2)
    alice$ tacit group delete id:g2 --yes
    deleted +team_1 (g2)
''')

# Invited, joined and talked in.
stage.tacit("alice", "group", "invite", "+team", "@bob", "@cath")
settle(lambda: "team" in stage.tacit("bob", "group", "list").out, "bob is invited")
settle(lambda: "team" in stage.tacit("cath", "group", "list").out, "cath is invited")
assert reports("bob", "group", "list")[0]["state"] == "invited"
for name in "bob", "cath":
    stage.tacit(name, "group", "join", "+team")
settle(
    lambda: all(
        list(states(name).values()) == ["connected"] * 3 for name in ("alice", "bob", "cath")
    ),
    "three are connected",
)
stage.play(r'''
    bob$ tacit send +team hello
    sent +team m5
    alice$ tacit send +team 'nobody but us' --dry-run
    would be sent to +team: bob, cath
''')
settle(lambda: "hello" in texts("alice") and "hello" in texts("cath"), "the message is everywhere")
message = [each for each in reports("alice", "read", "+team") if each["text"] == "hello"][0]
assert message["chat"] == "+team" and message["chat_id"] == "g1", message
assert message["member"] == "+team/@bob" and message["member_name"] == "bob" and message["member_id"][0] == "u", message
assert "+team/@bob" in stage.tacit("alice", "read", "+team").out

# Mentioned.
stage.tacit("alice", "group", "mute", "+team", "--mentions")
stage.tacit("cath", "send", "+team", "what does @alice say?")
settle(lambda: "what does @alice say?" in texts("alice"), "the mention is there")
assert reports("alice", "group", "show", "+team")[0]["mentions"] == 1
assert reports("alice", "read", "+team", "--last", "1")[0]["mentions_you"]
stage.tacit("alice", "message", "mark", "+team")
assert reports("alice", "group", "show", "+team")[0]["mentions"] == 0

# Roles.
stage.play(r'''
    bob$ tacit group role +team/@cath admin
    ! tacit: cannot change the role of '+team/@cath': your role in the group does not allow it
    !   why: the role 'admin' is required
    [69]
''')
stage.tacit("alice", "group", "role", "+team/@bob", "moderator")
settle(lambda: reports("bob", "group", "show", "+team")[0]["role"] == "moderator", "bob is a moderator")

# By link.
assert stage.tacit("alice", "group", "link", "+team", expect=67).err.startswith("tacit: cannot show the link of '+team'")
link = stage.tacit("alice", "group", "link", "+team", "--create").out.strip()
assert stage.tacit("alice", "group", "link", "+team").out.strip() == link
stage.tacit("dave", "connect", link)
settle(
    lambda: "team" in stage.tacit("dave", "group", "list").out and sum(state == "connected" for state in states("dave").values()) == 4,
    "dave has joined through the link",
)
stage.tacit("dave", "send", "+team", "from dave")
settle(lambda: all("from dave" in texts(name) for name in ("alice", "bob", "cath")), "all know what dave says")
stage.tacit("alice", "group", "link", "+team", "--delete")
assert stage.tacit("alice", "group", "link", "+team", expect=67).code == 67

# Moderated: a message goes, and a member is blocked for all.
bad = [each["id"] for each in reports("bob", "read", "+team") if each["text"] == "from dave"][0]
stage.tacit("bob", "group", "moderate", bad, expect=64)
asked = stage.tacit("bob", "group", "moderate", "last", "--in", "+team", expect=64).err
assert "try: tacit group moderate last --in +team --yes" in asked, asked
stage.tacit("bob", "group", "moderate", "last", "--in", "+team", "--yes")
settle(
    lambda: [each for each in reports("alice", "read", "+team") if each.get("removal") == "moderated"],
    "alice knows that the message was moderated",
)
stage.tacit("bob", "group", "block", "+team/@dave", "--for-all")
settle(
    lambda: [each for each in reports("cath", "group", "members", "+team") if each["blocked_for_all"]],
    "cath knows that dave is blocked",
)

# Removed and left.
stage.tacit("alice", "group", "remove", "+team/@dave", "--yes")
settle(lambda: reports("dave", "group", "list")[0]["state"] == "removed", "dave is removed")
assert stage.tacit("dave", "send", "+team", "still here?", expect=69).code == 69
stage.tacit("cath", "group", "leave", "+team", "--yes")
settle(lambda: states("alice")["cath"] == "left" and states("bob")["cath"] == "left", "cath has left")
stage.tacit("cath", "group", "delete", "+team", "--yes")
assert stage.tacit("cath", "group", "list").out == ""

# Deleted for all.
stage.tacit("alice", "group", "delete", "+team", "--yes")
settle(lambda: reports("bob", "group", "list")[0]["state"] == "deleted", "bob knows that the group is deleted", "alice", "bob")
