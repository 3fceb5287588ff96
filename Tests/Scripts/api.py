"""The text form of the core's commands: for programs that know the interface of the official core."""

import json

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
for person in ("alice", "bob"):
    stage.tacit(person, "init")


def api(person, text, *options, expect=0):
    """Runs a command, and returns its answer and what happened meanwhile."""
    ended = stage.tacit(person, *options, "api", text, expect=expect)
    replies = [json.loads(line) for line in ended.lines]
    assert all(len(reply) == 1 and list(reply)[0] in ("event", "result", "error") for reply in replies), ended.out
    *events, answer = replies
    assert all("event" in event for event in events), ended.out
    return answer["result" if expect == 0 else "error"], [event["event"] for event in events]


def result(person, text, *options):
    answer, events = api(person, text, *options)
    assert events == [], events
    return answer


# Before there is a profile.
assert api("alice", "/user", expect=78)[0]["errorType"]["type"] == "noActiveUser"
assert result("alice", "/users") == {"type": "usersList", "users": []}
assert result("alice", "/version")["type"] == result("alice", "/v")["type"] == "versionInfo"
assert result("alice", "/_status")["users"] == 0

# Profiles and servers.
assert result("alice", f"/servers {relay.address}") == {"type": "cmdOk"}
profile = {"displayName": "alice", "fullName": "Alice A"}
created = result("alice", f"/_create user {json.dumps({'profile': profile, 'pastTimestamp': False})}")
assert created["type"] == "activeUser" and created["user"]["localDisplayName"] == "alice"
assert result("alice", "/create user work office hours")["user"]["profile"]["shortDescr"] == "office hours"
assert result("alice", "/u") == result("alice", "/user")
assert result("alice", "/_user 1")["user"]["userId"] == 1
assert [user["user"]["localDisplayName"] for user in result("alice", "/users")["users"]] == ["alice", "work"]


def servers(person, text):
    """The addresses of the servers of one's own, and the groups that all servers come in."""
    groups = result(person, text)["userServers"]
    assert all(group["xftpServers"] == [] for group in groups), groups
    return [server["server"] for group in groups if "operator" not in group for server in group["smpServers"]], groups


assert servers("alice", "/_servers 1")[0] == [relay.address]
assert result("alice", f"/_servers 2 {relay.address};{relay.address.replace('127.0.0.1', 'localhost')}")["type"] == "cmdOk"
addresses, groups = servers("alice", "/_servers 2")
assert len(addresses) == 2 and [group.get("operator", {}).get("operatorTag") for group in groups] == [None]
server = groups[-1]["smpServers"][1]
assert server == {**server, "preset": False, "enabled": True, "deleted": False}, server
change = [{"smpServers": [{**server, "enabled": False}], "xftpServers": []}]
assert result("alice", f"/_servers 2 {json.dumps(change)}")["type"] == "cmdOk"
assert result("alice", "/_status 2")["servers"] == [relay.address]
change[0]["smpServers"] = [{**server, "enabled": True}]
assert result("alice", f"/_servers 2 {json.dumps(change)}")["type"] == "cmdOk"
assert servers("alice", "/_servers 2") == (addresses, groups)
assert servers("alice", "/smp") == servers("alice", "/_servers 1")

# Operators and their conditions.
tested, events = api("alice", f"/smp test {relay.address}")
assert (tested["type"], tested["testServer"], "testFailure" in tested) == ("serverTestResult", relay.address, False), tested
tested, events = api("alice", f"/_server test 1 {relay.address.replace('127.0.0.1', 'relay.invalid')}")
assert tested["testFailure"]["testStep"] == "connect" and tested["testFailure"]["testError"]["brokerErr"]["type"] == "HOST"
conditions = result("bob", "/_operators")["conditions"]
assert [known["operatorTag"] for known in conditions["serverOperators"]] == ["simplex", "flux"]
assert conditions["conditionsAction"]["type"] == "review"
number = conditions["currentConditions"]["conditionsId"]
assert result("bob", "/_conditions")["usageConditions"]["conditionsId"] == number
result("bob", "/create user 'Bob B'")
assert result("bob", f"/_servers 1 {relay.address}")["type"] == "cmdOk"
status = result("bob", "/_status")
assert (status["users"], status["servers"]) == (1, [relay.address]), status
assert len(result("alice", "/_status 2")["servers"]) == 2

# Connecting.
invitation = result("alice", "/_connect 1 as='My Bob'")
assert invitation["type"] == "invitation"
link = invitation["connLinkInvitation"]["connFullLink"]
joined = result("bob", f"/_connect 1 {link}")
assert joined["type"] == "sentConfirmation"
number = joined["connection"]["pccConnId"]
waited = result("bob", f"/_wait connection {number} joined timeout=10")
assert waited["type"] == "connectionWaited"
answer, events = api("alice", "/_fetch timeout=10s idle=0ms")
assert answer == {"type": "fetched", "received": 0, "sent": 0, "waiting": 0, "complete": True, "obstacles": []}, answer
types = [event["type"] for event in events]
assert "contactConnecting" in types and "contactConnected" in types, types
answer, events = api("bob", f"/_wait connection {number} ready timeout=10s")
assert answer["contact"]["localDisplayName"] == "alice", answer
assert "contactConnected" in [event["type"] for event in events], events
second = result("alice", "/connect")["connLinkInvitation"]["connFullLink"]
assert second != link and result("alice", "/c")["type"] == "invitation"
assert result("alice", f"/connect {second}")["type"] == "connectionPlan"

# Contacts and chats.
assert result("alice", "/_contacts 1") == result("alice", "/contacts")
assert [contact["localDisplayName"] for contact in result("alice", "/contacts")["contacts"]] == ["My Bob"]
assert result("alice", "/_info 1 @'My Bob'") == result("alice", "/i @'My Bob'") == result("alice", "/info @'My Bob'")
assert len(result("alice", "/_get chats 1")["chats"]) == 1
assert len(result("alice", "/_get chats 1 pcc=on")["chats"]) == 3
assert len(result("alice", "/chats pcc=on count=1")["chats"]) in (1, 3)
assert result("alice", "/cs") == result("alice", "/chats")

# Messages.
content = [{"msgContent": {"type": "text", "text": "one"}}, {"msgContent": {"type": "text", "text": "two"}}]
sent = result("alice", f"/_send @1 json {json.dumps(content)}", "--offline")
assert sent["type"] == "newChatItems" and len(sent["chatItems"]) == 2
ids = [item["chatItem"]["meta"]["itemId"] for item in sent["chatItems"]]
assert result("alice", "/_send @1 text three four", "--offline")["chatItems"][0]["chatItem"]["content"]["msgContent"]["text"] == "three four"
assert result("alice", "@'My Bob' five", "--offline")["type"] == "newChatItems"
assert result("alice", "/_status")["waiting"] == 4
waited, events = api("alice", f"/_wait item {ids[1]} timeout=10")
assert waited["chatItem"]["chatItem"]["meta"]["itemStatus"]["type"] == "sndSent", waited
assert api("alice", "/_fetch")[0]["waiting"] == 0
answer, events = api("bob", "/_fetch timeout=5000ms")
assert answer["received"] == 4
texts = [item["chatItem"]["content"]["msgContent"]["text"] for event in events if event["type"] == "newChatItems"
         for item in event["chatItems"]]
assert texts == ["one", "two", "three four", "five"], texts


def shown(person, text):
    answer = result(person, text)
    items = answer["chatItems"] if "chatItems" in answer else answer["chat"]["chatItems"]
    items = [item.get("chatItem", item) for item in items]
    return [item["content"]["msgContent"]["text"] for item in items]


assert shown("bob", "/_get chat @1 count=2") == ["three four", "five"]
assert shown("bob", "/_get chat @1 before=3 count=1") == ["two"]
assert shown("bob", "/_get chat @1 after=1 count=2") == ["two", "three four"]
assert shown("bob", "/_get items 1 count=1") == shown("bob", "/items count=1") == ["five"]
assert shown("bob", "/tail @alice 1") == shown("bob", "/t @alice 1") == shown("bob", "/tail 1") == ["five"]
assert shown("bob", "/tail") == texts


def unread():
    return result("bob", "/_get chat @1 count=1")["chat"]["chatStats"]["unreadCount"]


assert unread() == 4
assert result("bob", "/_read chat items @1 1,3,3,99")["type"] == "itemsReadForChat"
assert unread() == 2
assert result("bob", "/_read chat @1")["type"] == "cmdOk"
assert unread() == 0 and result("bob", "/read @alice")["type"] == "cmdOk"

# What is refused: an error object on standard output, and the error for people.
stage.play(r'''
    alice$ tacit api /frobnicate
    {"error":{"type":"error","errorType":{"type":"commandError","message":"Failed reading: empty"}}}
    ! tacit: cannot run this command: not a command of the SimpleX API
    [65]
    alice$ tacit api ''
    {"error":{"type":"error","errorType":{"type":"commandError","message":"Failed reading: empty"}}}
    ! tacit: cannot run this command: not a command of the SimpleX API
    [65]
    alice$ tacit api '/_send @1 json [{]' --json
    {"error":{"type":"error","errorType":{"type":"commandError","message":"Failed reading: empty"}}}
    ! {"v":1,"type":"error","code":"command.invalid","exit":65,"message":"cannot run this command: not a command of the SimpleX API","try":[]}
    [65]
    alice$ tacit api '/_info 1 @nobody'
    {"error":{"type":"errorStore","storeError":{"type":"contactNotFoundByName","contactName":"nobody"}}}
    ! tacit: cannot run this command: unknown contact
    !   try: tacit list contacts    show the list
    [67]
    alice$ tacit api '/_get chat @7 count=1'
    {"error":{"type":"errorStore","storeError":{"type":"contactNotFound","contactId":7}}}
    ! tacit: cannot run this command: unknown contact
    !   try: tacit list contacts    show the list
    [67]
    alice$ tacit api '/_user 9'
    {"error":{"type":"error","errorType":{"type":"userUnknown","userId":9}}}
    ! tacit: cannot run this command: unknown profile
    [67]
    alice$ tacit api '/_wait item 99'
    {"error":{"type":"errorStore","storeError":{"type":"chatItemNotFound","itemId":99}}}
    ! tacit: cannot run this command: unknown message m99
    [67]
    alice$ tacit api '/_wait connection 99 ready'
    {"error":{"type":"errorStore","storeError":{"type":"connectionNotFoundById","connId":99}}}
    ! tacit: cannot run this command: unknown connection
    [67]
    alice$ tacit api '/connect hello'
    {"error":{"type":"error","errorType":{"type":"invalidConnReq"}}}
    ! tacit: cannot run this command: invalid or incomplete link
    !   why: a link begins with simplex:/ or https:// and must be quoted for the shell
    !   try: tacit connect 'LINK'
    [65]
    alice$ tacit api '/create user alice'
    {"error":{"type":"error","errorType":{"type":"userExists","contactName":"alice"}}}
    ! tacit: cannot run this command: the name 'alice' is taken
    [73]
    alice$ tacit api '/_servers 1 nowhere'
    {"error":{"type":"error","errorType":{"type":"commandError","message":"Failed reading: empty"}}}
    ! tacit: cannot run this command: not a command of the SimpleX API
    [65]
    alice$ tacit api
    ! tacit: 'tacit api' needs a command text or '--websocket'
    !   try: tacit api /users              run one command
    !   try: tacit api --websocket 5225    serve clients
    [64]
    alice$ tacit api /user extra
    ! tacit: 'tacit api' takes no argument 'extra'
    !   try: tacit api -h    show its usage
    [64]
''')
relay.kill()
stage.play(r'''
    alice$ tacit api /connect
    {"error":{"type":"errorAgent","agentError":{"type":"BROKER","brokerAddress":"smp://FINGERPRINT@127.0.0.1:PORT","brokerErr":{"type":"NETWORK","networkError":{"type":"failedError"}},"problem":{"type":"unreachable","reason":"connection refused"}},"agentConnId":""}}
    ! tacit: cannot run this command: the relay is unreachable
    !   why: relay: 127.0.0.1:PORT
    !        connection refused
    [75]
    alice$ tacit api '/_fetch timeout=5' | sed 's/"event".*/"event"/'
    {"event"
    {"result":{"type":"fetched","received":0,"sent":0,"waiting":0,"complete":false,"obstacles":[{"type":"BROKER","brokerAddress":"smp://FINGERPRINT@127.0.0.1:PORT","brokerErr":{"type":"NETWORK","networkError":{"type":"failedError"}},"problem":{"type":"unreachable","reason":"connection refused"},"receiving":true}]}}
''')
