"""Four stores, one of them offline while the group of the others lives on: it catches up with one fetch.

Dave is a member and goes offline. Then Cath joins, whom he cannot meet before he is back: Alice, who introduces them, passes
on what Cath says. What he finds after one fetch is what the others have.
"""
# limit: 180

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
for name in ("alice", "bob", "cath", "dave"):
    stage.person(name, relay)
for name in ("bob", "cath", "dave"):
    stage.connect("alice", name)


def run(person, line, shows=True):
    """Types a line, and shows what is seen. Returns what is on standard output."""
    ended = stage.shell(person, line)
    assert ended.code == 0, (person, line, ended.code, ended.err)
    if shows:
        print(f"{person}$ {line}")
        print(stage.constant(ended.out), end="")
    return ended.out


def settle(condition, what, *names):
    """People fetch until a condition holds."""

    def is_so():
        for name in names:
            stage.tacit(name, "fetch", "-q")
        return condition()

    wait_until(is_so, what)


def objects(person, *words):
    return stage.tacit(person, *words, "--json").objects


def are_connected(*people):
    """True if these people are connected with each other."""
    return all(
        {each["name"] for each in objects(person, "group", "members", "+team") if each["reachable"]} >= set(people)
        for person in people
    )


def message(person, text):
    """The id of a message, by its text."""
    return next(each["id"] for each in objects(person, "read", "--last", "100") if each["text"] == text)


def have(text, *people):
    return lambda: all(any(each["text"] == text for each in objects(person, "read", "--last", "100")) for person in people)


ONLINE = ("alice", "bob", "cath")

print("# Alice makes a group with Bob and Dave.")
run("alice", "tacit group create team")
run("alice", "tacit group invite +team @bob @dave")
for name in ("bob", "dave"):
    stage.tacit(name, "fetch")
    run(name, "tacit group join +team")
settle(lambda: are_connected("alice", "bob", "dave"), "three members", "alice", "bob", "dave")

print("\n# From here on Dave is offline. Cath joins, and the three talk.")
run("alice", "tacit group invite +team @cath")
stage.tacit("cath", "fetch")
run("cath", "tacit group join +team")
settle(lambda: are_connected(*ONLINE), "cath", *ONLINE)

run("alice", "tacit send +team 'standup at ten'")
settle(have("standup at ten", *ONLINE), "a message", *ONLINE)
run("bob", f"tacit send +team '@dave leads today' --reply-to {message('bob', 'standup at ten')}")
settle(have("@dave leads today", *ONLINE), "an answer", *ONLINE)
run("cath", "tacit send +team 'hello, I am new'")
settle(have("hello, I am new", *ONLINE), "a message of cath", *ONLINE)
run("cath", f"tacit message react {message('cath', 'standup at ten')} 👍")
run("bob", f"tacit message edit {message('bob', '@dave leads today')} '@dave leads, Bob writes'")
settle(have("@dave leads, Bob writes", *ONLINE), "an edit", *ONLINE)
run("alice", "tacit send +team 'wrong window'")
settle(have("wrong window", *ONLINE), "a mistake", *ONLINE)
run("alice", f"tacit message delete {message('alice', 'wrong window')} --everywhere")
run("bob", "tacit send +team 'buy cheap watches'")
settle(have("buy cheap watches", *ONLINE), "spam", *ONLINE)
run("alice", f"tacit group moderate {message('alice', 'buy cheap watches')} --yes")
run("alice", "tacit group role +team/@cath moderator")
settle(lambda: objects("cath", "group", "show", "+team")[0]["role"] == "moderator", "a new role", *ONLINE)
run("alice", "tacit group rename +team crew")
settle(lambda: all("crew" in stage.tacit(name, "group", "list").out for name in ONLINE), "a new name", *ONLINE)
run("bob", "tacit send +crew 'bye'")
settle(have("bye", *ONLINE), "the last words", *ONLINE)
run("bob", "tacit group leave +crew --yes")
settle(lambda: "left" in stage.tacit("cath", "group", "members", "+crew", "--all").out, "bob has left", *ONLINE)

print("\n# Dave comes back: one fetch.")
run("dave", "tacit fetch")

print("\n# What Dave has now.")


def talk(person):
    """The messages, each with its author, in an order that does not depend on the clock of the relay."""
    own = f"+crew/@{person}"
    return sorted(
        (
            each.get("member", own), each["text"], each.get("removal", ""), "edited_at" in each, "deleted_at" in each,
            [reaction["reaction"] for reaction in each.get("reactions", [])], each.get("quote", {}).get("text", ""),
        )
        for each in objects(person, "read", "+crew", "--last", "100")
        if each["type"] == "message"
    )


def members(person):
    return sorted((each["display_name"], each["role"], each["state"]) for each in objects(person, "group", "members", "+crew", "--all"))


run("dave", "tacit list chats --plain --fields name,unread,mentions")
run("dave", "tacit read +crew")
run("dave", "tacit group members +crew --all")

# The author, the text, why it is gone, whether it was edited or deleted, reactions, and what it answers.
TALK = [
    ("+crew/@alice", "standup at ten", "", False, False, ["👍"], ""),
    ("+crew/@alice", "wrong window", "", False, True, [], ""),
    ("+crew/@bob", "@dave leads, Bob writes", "", True, False, [], "standup at ten"),
    ("+crew/@bob", "buy cheap watches", "moderated", False, True, [], ""),
    ("+crew/@bob", "bye", "", False, False, [], ""),
    ("+crew/@cath", "hello, I am new", "", False, False, [], ""),
]
for person in ("dave", "cath", "alice"):
    assert talk(person) == TALK, (person, talk(person))
assert members("dave") == [
    ("alice", "owner", "connected"), ("bob", "member", "left"), ("cath", "moderator", "connecting"),
    ("dave", "member", "connected"),
], members("dave")
chat = objects("dave", "group", "show", "+crew")[0]
assert chat["name"] == "crew" and chat["mentions"] == 1, chat
# Each author's messages stand in their order.
order = [each["text"] for each in objects("dave", "read", "+crew", "--last", "100") if each.get("member_name") == "bob" and each["type"] == "message"]
assert order == ["@dave leads, Bob writes", "buy cheap watches", "bye"], order

print("\n# A second fetch brings nothing, and Cath and Dave meet as soon as both are there.")
stage.tacit("dave", "fetch", "-q", "--exit-code", expect=1)
settle(
    lambda: all(
        each["reachable"]
        for person, other in (("dave", "cath"), ("cath", "dave"))
        for each in objects(person, "group", "members", "+crew")
        if each["name"] == other
    ),
    "cath and dave are connected", "alice", "cath", "dave",
)
run("dave", "tacit send +crew 'good morning' --dry-run")
run("dave", "tacit send +crew 'good morning'")
settle(have("good morning", "alice", "cath", "dave"), "the answer", "alice", "cath")
run("dave", f"tacit message show {message('dave', 'good morning')}")
