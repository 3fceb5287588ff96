# limit: 180
"""The C library: several stores in one process talk to each other, from many threads."""

import json
import os
import threading

from support.library import Controller, Failed, call, read_file
from support.process import TIMEOUT
from support.stage import Stage

stage = Stage()
relay = stage.relay().start()


def fails(kind, action):
    try:
        result = action()
    except Failed as failed:
        text = json.dumps(failed.error)
        assert f'"{kind}"' in text, text
        return failed.error
    raise AssertionError(f"not {kind}: {result}")


# Two stores in one process meet and talk.
alice, bob = Controller(stage.folder / "alice"), Controller(stage.folder / "bob")
users = alice.create("alice", relay.address), bob.create("bob", relay.address)
invitation = alice.send(f"/_connect {users[0]}")["connLinkInvitation"]
link = invitation.get("connShortLink") or invitation["connFullLink"]
bob.send(f"/connect {link}")
contacts = [controller.until("contactConnected")["contact"] for controller in (alice, bob)]
assert [contact["localDisplayName"] for contact in contacts] == ["bob", "alice"]
identifiers = [contact["contactId"] for contact in contacts]
sent = alice.say(identifiers[0], "hello *bob*")
assert sent[0]["chatItem"]["content"]["msgContent"]["text"] == "hello *bob*"
received = bob.until("newChatItems")["chatItems"][0]
assert received["chatItem"]["formattedText"] == [{"text": "hello "}, {"format": {"type": "bold"}, "text": "bob"}], received

# Eight threads send, and two take the events: nothing is lost, doubled or out of order within a sender's thread.
threads, each = 8, 25
seen = []


def send(number):
    for count in range(each):
        alice.say(identifiers[0], f"{number} {count}")


def take():
    while len(seen) < threads * each and threading.current_thread().is_wanted:
        event = bob.next()
        if event and event["type"] == "newChatItems":
            seen.extend(item["chatItem"]["content"]["msgContent"]["text"] for item in event["chatItems"])


workers = [threading.Thread(target=send, args=(number,)) for number in range(threads)]
takers = [threading.Thread(target=take) for _ in range(2)]
for thread in takers + workers:
    thread.is_wanted = True
    thread.start()
for thread in workers:
    thread.join(TIMEOUT)
for thread in takers:
    thread.join(TIMEOUT)
    thread.is_wanted = False
assert sorted(seen) == sorted(f"{number} {count}" for number in range(threads) for count in range(each)), len(seen)

# A program in C has the texts of several threads at once, also of functions that need no store.
def parse():
    for _ in range(200):
        parsed = json.loads(call("chat_parse_markdown", "see https://example.org now"))
        assert [part["text"] for part in parsed["formattedText"]] == ["see ", "https://example.org", " now"]


parsers = [threading.Thread(target=parse) for _ in range(threads)]
for thread in parsers:
    thread.start()
for thread in parsers:
    thread.join(TIMEOUT)

# Errors have the form of the official API.
assert fails("commandError", lambda: alice.send("/nothing"))["type"] == "error"
fails("contactNotFound", lambda: alice.say(77, "hi"))
assert json.loads(call("chat_send_remote_cmd", alice.number, 1, "/u"))["error"]["type"] == "errorRemoteHost"
for number in (None, 1, 0xDEAD0000):
    assert "not a controller" in call("chat_send_cmd", number, "/u")
    assert "not a controller" in call("chat_close_store", number)
assert json.loads(call("chat_parse_markdown", None)) == {}
assert call("chat_valid_name", "@alice  x") == "alice x"
assert call("chat_json_length", 'a"b') == 4

# One process at a time has a store, and a key is checked.
assert "is open in" in fails("errorSQL", lambda: Controller(stage.folder / "alice"))["migrationSQLError"]
stage.tacit(None, "send", "@bob", "hi", expect=75, env={"TACIT_DIR": f"{stage.folder}/alice.tacit", "TACIT_LOCK_TIMEOUT": "0"})
fails("invalidConfirmation", lambda: Controller(stage.folder / "carol", confirm="perhaps"))
key = "A" * 43
carol = Controller(stage.folder / "carol", key)
carol.close()
for wrong in ("", "B" * 43):
    fails("errorNotADatabase", lambda: Controller(stage.folder / "carol", wrong))
Controller(stage.folder / "carol", key).close()
(stage.folder / "old_chat.db").write_bytes(b"SQLite format 3\0")
fails("errorSQL", lambda: Controller(stage.folder / "old"))

# A store is closed and opened again; the program reads it too.
alice.close()
assert "closed" in call("chat_send_cmd", alice.number, "/u")
# What happened before is still told.
while alice.next(0.001):
    pass
whole = stage.tacit(None, "read", "@bob", "--last", "1000", "--json", env={"TACIT_DIR": f"{stage.folder}/alice.tacit"}).objects
assert len(whole) >= threads * each, len(whole)
assert call("chat_reopen_store", alice.number) == ""
assert alice.send("/u")["user"]["localDisplayName"] == "alice"

# Files are encrypted as the official applications do.
content = bytes(range(256)) * 300
written = json.loads(call("chat_write_file", bob.number, str(stage.folder / "file"), content, len(content)))
key, nonce = (written["cryptoArgs"][name] for name in ("fileKey", "fileNonce"))
assert (stage.folder / "file").stat().st_size == len(content) + 16
assert read_file(str(stage.folder / "file"), key, nonce) == content
assert call("chat_decrypt_file", str(stage.folder / "file"), key, nonce, str(stage.folder / "plain")) == ""
assert (stage.folder / "plain").read_bytes() == content
written = json.loads(call("chat_encrypt_file", bob.number, str(stage.folder / "plain"), str(stage.folder / "again")))
assert read_file(str(stage.folder / "again"), written["cryptoArgs"]["fileKey"], written["cryptoArgs"]["fileNonce"]) == content
assert call("chat_decrypt_file", str(stage.folder / "again"), key, nonce, str(stage.folder / "no")) != ""
assert not (stage.folder / "no").exists()
assert json.loads(call("chat_encrypt_file", bob.number, "/nowhere", str(stage.folder / "no")))["type"] == "error"

# A child that was forked gets an error, and not silence.
reading, writing = os.pipe()
child = os.fork()
if child == 0:
    os.write(writing, call("chat_send_cmd", bob.number, "/u").encode())
    os._exit(0)
os.close(writing)
answer = json.loads(os.read(reading, 10000))
assert "fork" in answer["error"]["errorType"]["message"], answer
assert os.waitpid(child, 0)[1] == 0
assert bob.send("/u")["user"]["localDisplayName"] == "bob"

# A thread that waits for events without a limit ends with the store.
waiting = threading.Thread(target=lambda: [None for _ in iter(lambda: "closed" in call("chat_recv_msg", bob.number), True)])
waiting.start()
assert bob.send("/_stop")["type"] == "chatStopped"
bob.close()
waiting.join(TIMEOUT)
assert not waiting.is_alive()
alice.close()
