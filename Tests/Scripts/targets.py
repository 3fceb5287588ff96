"""Names of members, requests and invitations: a living one wins over one that left, and two living ones are told apart by ids."""
# limit: 180

import json

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.person("cat", relay)
stage.connect("alice", "cat")
people = ["alice", "bob", "cat"]


def settle(condition, what):
    def is_so():
        for name in people:
            assert stage.shell(name, "tacit fetch -qq --timeout 5s").code in (0, 75)
        return condition()

    wait_until(is_so, what)


def reports(person, *words):
    return [json.loads(line) for line in stage.tacit(person, *words, "--json").out.splitlines()]


def members(name):
    """The members with a name, those that left too, by id."""
    found = {each["id"]: each for each in reports("alice", "group", "members", "+team", "--all") if each["name"] == name}
    return {id: (each["state"], each["role"]) for id, each in found.items()}


def join(person):
    """Takes an invitation, and returns the name of the group there."""
    settle(lambda: any(each["state"] == "invited" for each in reports(person, "group", "list")), "invited")
    name = [each["name"] for each in reports(person, "group", "list") if each["state"] == "invited"][0]
    stage.tacit(person, "group", "join", f"+{name}")
    settle(lambda: any(state == "connected" for state, _ in members(person).values()), "joined")
    return name


stage.tacit("alice", "group", "create", "team")
stage.tacit("alice", "group", "invite", "+team", "@cat")
group = join("cat")
stage.tacit("cat", "group", "leave", f"+{group}", "--yes")
settle(lambda: members("cat") == {"u2": ("left", "member")}, "cat left")

# What changes a member changes nothing of one that left, and says so.
stage.play(r'''
    alice$ tacit group role +team/@cat moderator
    ! tacit: cannot change the role of '+team/@cat': the member left the group
    !   try: tacit group members +team    show the list
    [69]
    alice$ tacit group remove +team/@cat --yes
    ! tacit: cannot remove '+team/@cat': the member left the group
    !   try: tacit group members +team    show the list
    [69]
    alice$ tacit group block +team/@cat --for-all
    ! tacit: cannot block '+team/@cat': the member left the group
    !   try: tacit group members +team    show the list
    [69]
    alice$ tacit group member +team/@cat --plain --fields id,state
    u2	left
''')

# Who is there again is meant by the name.
stage.tacit("alice", "group", "invite", "+team", "@cat")
group = join("cat")
stage.tacit("alice", "group", "role", "+team/@cat", "moderator")
assert members("cat") == {"u2": ("left", "member"), "u3": ("connected", "moderator")}, members("cat")
stage.play(r'''
    alice$ tacit group member +team/@cat --plain --fields id,state
    u3	connected
    alice$ tacit group role id:u2 admin
    ! tacit: cannot change the role of 'id:u2': the member left the group
    !   try: +team/@cat    a member with the same profile name
    [69]
''')
settle(lambda: reports("cat", "group", "show", f"+{group}")[0]["role"] == "moderator", "cat has the role")
api = json.loads(stage.tacit("alice", "api", "/mr #team @cat observer").out.splitlines()[-1])["result"]
assert api["members"][0]["groupMemberId"] == 3, api
stage.tacit("alice", "group", "remove", "+team/@cat", "--yes")
assert {id: state for id, (state, _) in members("cat").items()} == {"u2": "left", "u3": "removed"}
stage.play(r'''
    alice$ tacit group role +team/@cat member
    ! tacit: cannot change the role of '+team/@cat': the member was removed from the group
    !   try: tacit group members +team    show the list
    [69]
''')

# Two invitations for one name.
for _ in range(2):
    stage.tacit("alice", "connect", "--as", "dan")
ids = [each["id"] for each in reports("alice", "list", "invitations") if each.get("name") == "dan"]
assert len(ids) == 2, reports("alice", "list", "invitations")
ended = stage.tacit("alice", "invitation", "show", "@dan", expect=67)
assert ended.err == (
    "tacit: cannot show the invitation: 2 have the name '@dan'\n"
    f"  try: id:{ids[0]}    use an id\n  try: id:{ids[1]}    use an id\n"
), ended.err
stage.tacit("alice", "invitation", "cancel", f"id:{ids[0]}")
assert json.loads(stage.tacit("alice", "invitation", "show", "@dan", "--json").out)["id"] == ids[1]
