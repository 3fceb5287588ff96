"""tacit api: what is answered as sent is at a relay; requests are repeated, incognito answers are refused, members have codes."""
# limit: 180

import json
import signal

from support.sockets import Server
from support.stage import FileRelay, Stage

stage = Stage()
relay = FileRelay(stage).start()
names = ["ann", "ben", "cat"]
for name in names:
    stage.person(name, relay.address)


def once(person, command, expect=0):
    """The last line of a command that runs alone, and how it ended."""
    ended = stage.tacit(person, "api", command, expect=expect)
    return json.loads(ended.out.splitlines()[-1]), ended


def failure(reply):
    found = reply["error"] if "error" in reply else reply["chatError"]
    return found.get("errorType") or found.get("storeError") or found


def accepted(person, link, profile=1):
    return once(person, f"/_connect {profile} {link}")[0]["result"]


# The owner is away and the joiner ends: the relay has the confirmation, and the request, at the answer.
link = once("ann", "/_connect 1")[0]["result"]["connLinkInvitation"]
joined = accepted("ben", f"{link['connFullLink']} {link['connShortLink']}")
assert joined["type"] == "sentConfirmation" and "prepared" not in str(joined["connection"]["pccConnStatus"]), joined
stage.tacit("ann", "fetch")
stage.tacit("ben", "fetch")
assert [entry["profile"]["displayName"] for entry in once("ann", "/_contacts 1")[0]["result"]["contacts"]] == ["ben"]

address = once("ann", "/_address 1")[0]["result"]["connLinkContact"]
asked = accepted("cat", address["connShortLink"])
assert asked["type"] == "sentInvitation", asked


def requests():
    stage.tacit("ann", "fetch")
    return [(entry["id"], entry["display_name"]) for entry in stage.tacit("ann", "list", "requests", "--json").objects]


first = requests()
assert [name for _, name in first] == ["cat"], first

# A request under a new name is the same request; a rejected one is a new one.
stage.tacit("cat", "profile", "set", "--name", "catherine")
accepted("cat", address["connShortLink"])
second = requests()
assert second == [(first[0][0], "catherine")], (first, second)
stage.tacit("ann", "reject", "@catherine")
accepted("cat", address["connShortLink"])
third = requests()
assert [name for _, name in third] == ["catherine"] and third[0][0] != first[0][0], third

# The short link shows the name of the owner, so nobody is accepted under another one.
number = third[0][0].removeprefix("r")
reply, _ = once("ann", f"/_accept incognito=on {number}", expect=69)
assert failure(reply)["type"] == "commandError", reply
assert once("ann", f"/_accept {number}")[0]["result"]["type"] == "acceptingContactRequest"
stage.tacit("cat", "fetch")
stage.tacit("ann", "fetch")
stage.tacit("cat", "fetch")
# Of the three requests one is left, and it is the contact.
assert [c["name"] for c in stage.tacit("cat", "list", "contacts", "--json").objects] == ["ann"]
assert stage.tacit("cat", "list", "invitations", "--json").objects == []

# A command that runs alone sends what it puts into the outbox.
text = json.dumps([{"msgContent": {"type": "text", "text": "hello"}, "mentions": {}}])
sent, _ = once("ann", f"/_send @1 json {text}")
assert sent["result"]["type"] == "newChatItems", sent
relay.kill()
reply, ended = once("ann", f"/_send @1 json {text}", expect=75)
assert reply["result"]["type"] == "newChatItems" and "outbox" in ended.err, (reply, ended.err)
reply, _ = once("ben", f"/_connect 1 {address['connFullLink']}", expect=75)
assert "result" not in reply and reply["error"], reply
stage.tacit("ann", "--offline", "api", f"/_send @1 json {text}")
relay.start()
stage.tacit("ben", "fetch")
assert [m["text"] for m in stage.tacit("ben", "read", "@ann", "--json", "--last", "9").objects if m["type"] == "message"] == ["hello"]
stage.tacit("ann", "fetch")

# The members of a group: codes, queues, ratchets.
stage.tacit("ann", "group", "create", "team")
for name in ("ben", "catherine"):
    stage.tacit("ann", "group", "invite", "+team", f"@{name}")
for name in ("ben", "cat"):
    stage.tacit(name, "fetch")
    stage.tacit(name, "group", "join", "+team")
for name in names * 3:
    stage.tacit(name, "fetch")
servers = {name: Server(stage, name) for name in names}
clients = {name: server.open() for name, server in servers.items()}


def member(person, of):
    members = clients[person].ask("/_members #1")["group"]["members"]
    return next(m["groupMemberId"] for m in members if m["memberProfile"]["displayName"] == of)


ben, ann = member("ann", "ben"), member("ben", "ann")
code = clients["ann"].ask(f"/_get code #1 {ben}")
assert code["type"] == "groupMemberCode", code
assert clients["ben"].ask("/code #team @ann")["connectionCode"] == code["connectionCode"]
for command, right in ((f"/_verify code #1 {ben} 12345", False), (f"/_verify code #1 {ben} {code['connectionCode']}", True),
                       (f"/verify #team ben {code['connectionCode']}", True), (f"/_verify code #1 {ben}", False)):  # fmt: skip
    answer = clients["ann"].ask(command)
    assert answer["type"] == "connectionVerified" and answer["verified"] is right, (command, answer)
for command, type in (
    (f"/_sync #1 {ben} force=on", "groupMemberRatchetSyncStarted"), (f"/_enable #1 {ben}", "cmdOk"),
    (f"/_switch #1 {member('ann', 'catherine')}", "groupMemberSwitchStarted"),
):  # fmt: skip
    answer = clients["ann"].ask(command)
    assert answer["type"] == type, (command, answer)
assert failure(clients["ann"].ask("/_get code #1 999"))["type"] == "groupMemberNotFound"

# The newer call counts, whatever became of the one before.
session = json.dumps({"rtcSession": "s", "rtcIceCandidates": "c"})
call = {"media": "audio", "capabilities": {"encryption": True}}
offer = json.dumps({"callType": call, "rtcSession": json.loads(session)})
invite = f"/_call invite @1 {json.dumps(call)}"


def event(person, type):
    while (found := clients[person].message().get("resp", {}))["type"] != type:
        pass


for between in ([], ["/_call end @1"], ["/_call status @1 disconnected"]):
    assert clients["ann"].ask(invite)["type"] == "cmdOk"
    event("ben", "callInvitation")
    for command in between:
        assert clients["ann"].ask(command)["type"] == "cmdOk"
    assert clients["ann"].ask(invite)["type"] == "cmdOk"
    event("ben", "callInvitation")
    state = failure(clients["ann"].ask(f"/_call answer @1 {session}"))
    assert (state["type"], state["currentCallState"]) == ("callState", "invitationSent"), state
    assert clients["ben"].ask(f"/_call offer @1 {offer}")["type"] == "cmdOk"
    event("ann", "callOffer")
    assert clients["ann"].ask(f"/_call answer @1 {session}")["type"] == "cmdOk"
    event("ben", "callAnswer")
    clients["ann"].ask("/_call end @1")
    event("ben", "callEnded")
assert failure(clients["ann"].ask(f"/_call answer @1 {session}"))["type"] == "noCurrentCall"

# A deleted link of a group admits nobody, also not a request that arrives later, and also beside an address that accepts all.
assert clients["ann"].ask("/auto_accept on")["type"] == "userContactLinkUpdated"
group = clients["ann"].ask('/_group 1 {"displayName":"club","fullName":""}')["groupInfo"]["groupId"]
link = clients["ann"].ask(f"/_create link #{group} member")["groupLink"]["connLinkContact"]
clients["ann"].ask("/_stop")
assert clients["cat"].ask(f"/_connect 1 {link['connFullLink']}")["type"] == "sentInvitation"
relay.kill()
assert clients["ann"].ask(f"/_delete link #{group}")["type"] == "groupLinkDeleted"
relay.start()
clients["ann"].ask("/_start")
clients["ann"].ask("/_fetch timeout=20")
clients["ann"].ask("/_fetch timeout=20")
people = clients["ann"].ask(f"/_members #{group}")["group"]["members"]
assert [m["memberProfile"]["displayName"] for m in people if m["memberCategory"] != "user"] == [], people
assert len(clients["ann"].ask("/_contacts 1")["contacts"]) == 2
reply = clients["ben"].ask(f"/_connect 1 {link['connFullLink']}")
assert "sent" not in reply["type"], reply

for server in servers.values():
    server.running.signal(signal.SIGTERM)
    assert server.running.ended().code == 0
