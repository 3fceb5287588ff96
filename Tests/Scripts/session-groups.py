"""Groups in a session: created in a sheet, talked in, moderated; their screens, and that each is there again in the next session."""
# limit: 180

import json

from support.process import wait_until
from support.seat import control
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.person("cath", relay)


def objects(person, *words):
    return stage.tacit(person, *words, "--json").objects


def settle(condition, what, *names):
    """People without a session fetch until a condition holds."""

    def is_so():
        for name in names:
            stage.tacit(name, "fetch", "-q")
        alice.look()
        return condition()

    wait_until(is_so, what)


def state(person, member):
    return {each["name"]: each["state"] for each in objects(person, "group", "members", "+team", "--all")}.get(member)


def number(text):
    """The number of a message in alice's store, which her session has open."""
    return next(each["id"][1:] for each in objects("alice", "read", "+team", "--last", "100") if each["text"] == text)


def again(prompt):
    """The session ends, and the next one is where it was."""
    global alice
    alice.enter("/quit")
    assert alice.ended() == 0
    alice = stage.sit("alice", "repl", columns=100, rows=40)
    alice.until(f"{prompt} >")


alice = stage.sit("alice", "repl", "--fresh", columns=100, rows=40)
alice.until("alice:/ >")

# The sheet for a new group leads to its chat.
alice.enter("new")
alice.until("Enter to go back:")
alice.enter("group")
alice.until("Name of the group:")
alice.enter("team")
alice.until("alice:/team >")
alice.until("/invite @NAME adds a contact")
alice.enter("/invite @bob")
alice.until("invited +team/@bob")
settle(lambda: "team" in stage.tacit("bob", "group", "list").out, "bob is invited", "bob")
stage.tacit("bob", "group", "join", "+team")
settle(lambda: state("alice", "bob") == state("bob", "alice") == "connected", "bob is a member", "bob")

# Messages, a mention, and moderation.
alice.enter("hello @bob")
alice.until("│ hello @bob")
settle(lambda: "hello @bob" in stage.tacit("bob", "read", "+team").out, "alice's message", "bob")
assert objects("bob", "group", "show", "+team")[0]["mentions"] == 1

# A line that begins with a name is for the group, unless it may be for a contact.
def choose(line, answer):
    alice.enter(line)
    alice.until(lambda: alice.line.startswith("1-2, or Enter to send nothing:"), "a question")
    alice.enter(answer)


choose("@bob is our new member", "1")
alice.until("The line can be for:")
alice.until("1  '+team': @bob is our new member")
alice.until("2  '@bob': is our new member")
alice.until("│ @bob is our new member")
choose("@bob only for you", "2")
alice.until("sent to '@bob'")
choose("@bob for neither", "")
alice.until("nothing was sent")
alice.until(lambda: alice.line.endswith("> @bob for neither"), "the line is back")
alice.type(control("u"))
alice.enter(f"/delete {number('@bob is our new member')}")
alice.until("for all members? [y/N]")
alice.enter("n")
alice.until("nothing was deleted")
settle(lambda: "only for you" in stage.tacit("bob", "read", "@alice").out, "a message to bob alone", "bob")
assert [each["text"] for each in objects("bob", "read", "+team") if "new member" in each["text"]] == ["@bob is our new member"]
assert not any("for neither" in each["text"] for each in objects("bob", "read"))
stage.tacit("bob", "send", "+team", "buy cheap watches")
alice.until("│ buy cheap watches")
alice.enter(f"/moderate {number('buy cheap watches')}")
alice.until("for all members? [y/N]")
alice.enter("n")
alice.until("nothing was deleted")
alice.enter(f"/moderate {number('buy cheap watches')}")
alice.until("for all members? [y/N]")
alice.enter("y")
alice.until("for all members\n")
settle(lambda: "buy cheap watches" not in stage.tacit("bob", "read", "+team").out, "bob's message is gone", "bob")
again("alice:/team")

# The counter: messages elsewhere, and those that mention.
alice.enter("/home")
alice.until("alice:/ >")
stage.tacit("bob", "send", "+team", "one")
stage.tacit("bob", "send", "+team", "and @alice two")
alice.until("alice:/ (2, 1 @) >")
alice.enter("team")
alice.until("alice:/team >")
alice.until("@you")

# The screens.
alice.enter("/info")
alice.until("alice:/team/info >")
alice.until("1 chat, 2 members")
again("alice:/team/info")
alice.enter("members")
alice.until("alice:/team/members >")
again("alice:/team/members")
alice.enter("bob")
alice.until("alice:/team/members/bob >")
alice.enter("role moderator")
alice.until("changed +team/@bob")
again("alice:/team/members/bob")
alice.enter("block")
alice.until("blocked +team/@bob")
alice.enter("unblock")
alice.until("unblocked +team/@bob")
alice.enter("open /groups/team/link")
alice.until("alice:/team/link >")
alice.enter("link --create")
alice.until("http")
again("alice:/team/link")
link = stage.tacit("alice", "group", "link", "+team").out.strip()
alice.enter("open /groups/team/preferences")
alice.until("alice:/team/preferences >")
alice.enter("set --feature files=off --review on")
alice.until("changed +team")
again("alice:/team/preferences")
alice.until("review")

# Somebody waits for a moderator, and writes to the moderators.
stage.tacit("cath", "connect", link)
settle(lambda: "team" in stage.tacit("cath", "group", "list").out and state("alice", "cath") == "pending", "cath waits", "cath")
alice.enter("open /groups/team/support")
alice.until("alice:/team/support >")
alice.until("waits for a moderator")
again("alice:/team/support")
alice.enter("cath")
alice.until("alice:/team/support/cath >")
stage.tacit("cath", "send", "+team", "please let me in")
alice.until("│ please let me in")
alice.enter("say who are you?")
alice.until("│ who are you?")
again("alice:/team/support/cath")
alice.until("│ who are you?")
settle(lambda: "who are you?" in stage.tacit("cath", "read", "+team").out, "an answer", "cath")
alice.enter("accept")
alice.until("accepted +team/@cath")
settle(lambda: state("alice", "cath") == "connected", "cath is a member", "cath")

# A group that is gone leads back to the list.
alice.enter("open /groups/team/members")
alice.until("alice:/team/members >")
alice.enter("quit")
assert alice.ended() == 0
stage.tacit("alice", "group", "delete", "+team", "--yes")
alice = stage.sit("alice", "repl", columns=100, rows=40)
alice.until("the group of the last session no longer exists")
alice.until("alice:/ >")
alice.enter("quit")
assert alice.ended() == 0
