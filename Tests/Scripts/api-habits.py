"""tacit api --websocket: spellings of bots and people, names without a sign, whole seconds, paths of files, pictures as text, and errors."""
# limit: 120

import json
import re
import signal
from pathlib import Path

from support.sockets import Server
from support.stage import FileRelay, Stage

stage = Stage()
relay = FileRelay(stage).start()
for name in ("bot", "ann"):
    stage.person(name, relay.address)
    stage.tacit(name, "server", "add", relay.files)
stage.connect("bot", "ann")
stage.tacit("bot", "group", "create", "team")
stage.tacit("ann", "send", "@bot", "hello", "--wait", "sent")
server = Server(stage, "bot")
client = server.open()


def event(type, fits=lambda event: True):
    while (found := client.message().get("resp", {}))["type"] != type or not fits(found):
        pass
    return found


def error(command):
    found = client.ask(command)["chatError"]
    return found.get("storeError") or found["errorType"]


# The time of a received message is that of its relay, in whole seconds.
live = event("newChatItems")["chatItems"][0]["chatItem"]
for item in (live, client.ask("/tail @ann 1")["chatItems"][-1]["chatItem"], client.ask("/_get chat @1 count=1")["chat"]["chatItems"][-1]):
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", item["meta"]["itemTs"]), item["meta"]["itemTs"]

# A file may be named without "fileSource".
(stage.folder / "report.pdf").write_bytes(b"%PDF-1.4 report")
message = {"filePath": str(stage.folder / "report.pdf"), "msgContent": {"type": "file", "text": "the report"}}
sent = client.ask(f"/_send @1 json {json.dumps([message])}")
assert sent["chatItems"][0]["chatItem"]["file"]["fileName"] == "report.pdf", sent
event("sndFileCompleteXFTP")

# Without a folder for files a bot learns an absolute path; with one, a name in it.
for number, folder in ((1, None), (2, stage.folder / "files of the bot")):
    (stage.folder / f"list{number}.txt").write_text("milk\n")
    stage.tacit("ann", "send", "@bot", "the list", "--attach", str(stage.folder / f"list{number}.txt"))
    offer = event("newChatItems", lambda found: "file" in found["chatItems"][0]["chatItem"])
    if folder:
        assert client.ask(f"/_files_folder {folder}") == {"type": "cmdOk"}
    assert client.ask(f"/freceive {offer['chatItems'][0]['chatItem']['file']['fileId']} approved_relays=on encrypt=off")["type"] == "rcvFileAccepted"
    path = event("rcvFileComplete")["chatItem"]["chatItem"]["file"]["fileSource"]["filePath"]
    assert path == f"list{number}.txt" if folder else Path(path).is_absolute(), path
    assert ((folder or Path("/")) / path).read_text() == "milk\n", path

# Entries of one kind.
for kind, count in (("file", 3), ("text", 1), ("image", 0), ("report", 0)):
    found = client.ask(f"/_get chat @1 content={kind} count=10")["chat"]["chatItems"]
    assert len(found) == count and all(item["content"]["msgContent"]["type"] == kind for item in found), (kind, found)
assert len(client.ask("/_get chat @1 content=file count=10 search=report")["chat"]["chatItems"]) == 1

# The menu of a bot.
answer = client.ask("/set bot commands 'Help':/help,'Orders':{'Track':/'track <id>','Cancel':/'cancel <id>'}")
assert answer["type"] == "userProfileUpdated", answer
profile = client.ask("/u")["user"]
assert profile["fullPreferences"]["commands"] == [
    {"type": "command", "keyword": "help", "label": "Help"},
    {"type": "menu", "label": "Orders", "commands": [
        {"type": "command", "keyword": "track", "label": "Track", "params": "<id>"},
        {"type": "command", "keyword": "cancel", "label": "Cancel", "params": "<id>"}]},
]  # fmt: skip
for wrong in ("", "Help", "Help:", ":/help", "'Help:/help", "a:{b:/c", "a:/b,", "a:{" * 1000):
    assert error(f"/set bot commands {wrong}")["type"] == "commandError", wrong
assert client.ask("/delete bot commands")["type"] == "userProfileUpdated"
assert client.ask("/u")["user"]["fullPreferences"]["commands"] == []

# Pictures are text, whatever their type.
for kind in ("png", "jpg", "jpeg", "webp", "gif", "svg+xml"):
    picture = {"fullName": "", "image": f"data:image/{kind};base64,AAAA"}
    assert client.ask(f"/_group 1 {json.dumps({'displayName': kind, **picture})}")["type"] == "groupCreated", kind
    assert client.ask(f"/_profile 1 {json.dumps({'displayName': 'bot', **picture})}")["type"] == "userProfileUpdated", kind


# Chats are muted by name.
def notifications():
    groups = [entry.get("groupInfo", entry) for entry in client.ask("/_groups 1")["groups"]]
    return next(group["chatSettings"]["enableNtfs"] for group in groups if group["localDisplayName"] == "team")


for command, value in (("/mute #team", "none"), ("/unmute #team", "all"), ("/unmute mentions #team", "mentions")):
    assert client.ask(command)["type"] == "cmdOk" and notifications() == value, command
for command, value in (("/mute @ann", "none"), ("/unmute @ann", "all")):
    assert client.ask(command)["type"] == "cmdOk", command
    assert client.ask("/info ann")["contact"]["chatSettings"]["enableNtfs"] == value

# An unknown group is not an unknown contact.
for command in ("#nowhere hello", "#'no where' hello", "/tail #nowhere 3", "/file #nowhere /etc/hostname", "/mute #nowhere"):
    assert error(command)["type"] == "groupNotFoundByName", command
assert error("@nobody hello")["type"] == "contactNotFound"
assert error("/info nobody")["type"] == "contactNotFoundByName"

# Signs before names may be left out.
for command, type in (
    ("/info ann", "contactInfo"), ("/i ann", "contactInfo"), ("/code ann", "contactCode"), ("/verify ann", "connectionVerified"),
    ("/set welcome team be kind", "groupUpdated"), ("/show welcome team", "groupDescription"), ("/enable ann", "cmdOk"),
    ("/clear ann", "chatCleared"), ("/d ann", "contactDeleted"),
):  # fmt: skip
    answer = client.ask(command)
    assert answer["type"] == type, (command, answer)
server.running.signal(signal.SIGTERM)
assert server.running.ended().code == 0
