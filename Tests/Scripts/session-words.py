"""What people type who know other chat programs: names, topic, whois, me, query, close, unread, url, search, goto; ticks and sheets."""
# limit: 180

import re

from support.seat import control
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.person("carol", relay)
stage.connect("alice", "carol")
stage.tacit("alice", "group", "create", "team")
for name in ("bob", "carol"):
    stage.tacit("alice", "group", "invite", "+team", f"@{name}")
    stage.tacit(name, "fetch")
    stage.tacit(name, "group", "join", "+team")
for _ in range(3):
    for name in ("alice", "bob", "carol"):
        stage.tacit(name, "fetch")

alice = stage.sit("alice", "repl", "--at", "/bob")
alice.until("alice:/bob >")


def number(text, chat="@bob"):
    items = stage.tacit("alice", "read", chat, "--last", "50", "--json").objects
    return next(item["id"][1:] for item in reversed(items) if item["text"] == text)


# A tick for the relay, two for the contact.
alice.enter("first words")
alice.until("│ first words")
stage.tacit("alice", "message", "wait", "m" + number("first words"), "--for", "sent")
alice.enter("/show")
alice.until(lambda: re.search("✓ you │ first words", alice.screen.text), "a tick")
stage.tacit("bob", "fetch")
stage.tacit("alice", "message", "wait", "m" + number("first words"), "--for", "delivered")
alice.enter("/show")
alice.until(lambda: re.search("✓✓ you │ first words", alice.screen.text), "two ticks")

# A sheet lies over the chat: what is typed below it is for the chat.
alice.enter(f"/info {number('first words')}")
alice.until("state  delivered")
assert alice.line.startswith("alice:/bob >"), alice.line
alice.enter("below the sheet")
alice.until("you │ below the sheet")

# An action, and links.
alice.enter("/me waves")
alice.until("│ _waves_")
assert stage.tacit("alice", "read", "@bob", "--last", "1", "--json").objects[0]["text"] == "_waves_"
stage.tacit("bob", "send", "@alice", "see (https://example.org/a?b=c), and $(touch owned) https://example.org/$(touch${IFS}owned)")
alice.until("see (https://example.org/a?b=c)")
link = number("see (https://example.org/a?b=c), and $(touch owned) https://example.org/$(touch${IFS}owned)")
alice.enter(f"/url {link}")
alice.until("1-2:")
alice.enter("1")
alice.until("copied, if the terminal allows it")
assert alice.screen.copied == "https://example.org/a?b=c", alice.screen.copied
browser = stage.folder / "browser"
browser.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$#\" \"$@\" >> {stage.folder}/opened\n")
browser.chmod(0o755)
stage.tacit("alice", "config", "set", "session.browser", str(browser))
opened = stage.folder / "opened"
links = ["https://example.org/a?b=c", "https://example.org/$(touch${IFS}owned)"]
for choice in (1, 2):
    alice.enter("/clear")
    alice.gone("opened")
    alice.enter(f"/url {link}")
    alice.until("1-2:")
    alice.enter(str(choice))
    alice.until("opened")
    assert opened.read_text().splitlines() == [word for one in links[:choice] for word in ("1", one)], opened.read_text()
assert not (stage.folder / "owned").exists()
alice.enter(f"/url {number('first words')}")
alice.until("has no link")
stage.tacit("alice", "config", "unset", "session.browser")

# A day leads to its first message.
alice.enter("/goto today")
alice.until("│ first words")
alice.enter("/goto 2099-01-01")
alice.until("no messages since then")
alice.enter("/goto never")
alice.until("/goto NUMBER, or a date")

# Groups have names and a topic, which other chats have not.
alice.enter("/help")
alice.until("/whois")
assert "/names" not in alice.screen.text and "/decline" not in alice.screen.text
alice.enter("/close")
alice.until("alice:/ >")
alice.enter("query team")
alice.until("alice:/team >")
alice.enter("/help")
alice.until("/moderate")
alice.enter("/clear")
alice.enter("/names")
alice.until(lambda: "bob" in alice.screen.text and "carol" in alice.screen.text and "you: owner" in alice.screen.text, "the members")
alice.enter("/topic")
alice.until("the group has no description")
alice.enter("/topic one book's chapter a month")
alice.until("changed +team")
alice.enter("/topic")
alice.until(lambda: alice.screen.lines[alice.screen.row - 1].strip() == "one book's chapter a month", "the topic")
alice.enter("/whois bob")
alice.until("role")
alice.enter("/whois nobody")
alice.until("unknown contact")
alice.enter("to all")
alice.until("│ to all")
for name in ("bob", "carol"):
    stage.tacit(name, "fetch")
stage.tacit("alice", "fetch")
alice.enter(f"/info {number('to all', '+team')}")
alice.until(lambda: re.search("delivered +bob, carol|delivered +carol, bob", alice.screen.text), "who has the message")

# Outside of a chat, words are found everywhere, and unread chats are listed.
alice.enter("/close")
alice.until("alice:/ >")
stage.tacit("carol", "send", "@alice", "unread words")
alice.until("(1)")
alice.enter("unread")
alice.until(lambda: re.search(r"^1  carol +\(1\)", alice.screen.text, re.MULTILINE), "the unread chat")
alice.enter("search words")
alice.until(lambda: "first words" in alice.screen.text and "unread words" in alice.screen.text, "what was found")
alice.enter("open https://example.org/page")
alice.until("a web page, not a SimpleX link")
alice.enter("contact show 'half")
alice.until("a quote is not closed")
alice.look(0.3)
assert alice.line.rstrip() == "alice:/ (1) >", alice.line
alice.type(control("d"))
assert alice.ended() == 0

# On a narrow screen nothing is cut that has to be typed.
alice = stage.sit("alice", "repl", "--at", "/team", columns=40, rows=200)
alice.until("alice:/team (1) >")
alice.enter("/help")
alice.until("/quit")
text = " ".join(alice.screen.text.split())
for line in ("/open, /cd, /query NAME|PATH|LINK", "/receive NUMBER [PATH]", "/attach PATH [CAPTION]", "/forward NUMBER NAME"):
    assert line in text, (line, alice.screen.text)
assert "…" not in alice.screen.text, alice.screen.text
alice.type(control("d"))
assert alice.ended() == 0
