"""People meet without being there at the same time, in whatever order they fetch, and with a relay that is killed."""

import itertools

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()


def states(pair):
    """How far both are: of a contact if there is one, else of the connection."""
    return tuple(stage.tacit(person, "list", "--json").objects[0]["state"] for person in pair)


def talk(sender, receiver, text):
    target = stage.tacit(sender, "list", "contacts", "--json").objects[0]["name"]
    sent = stage.tacit(sender, "send", f"@{target}", text, "--json").objects[0]
    assert sent["state"] == "sent"
    message, whole = stage.tacit(receiver, "fetch", "--json").objects
    assert (message["text"], message["direction"], message["state"]) == (text, "in", "received")
    assert whole["received"] == 1 and whole["complete"]


# Every order in which two people may begin to fetch. They are connected as soon as the one who invites has fetched and then
# the one who joins, whatever else was fetched, and a relay that is killed at every step forgets nothing.
for number, order in enumerate(itertools.product("ab", repeat=3)):
    pair = stage.person(f"a{number}", relay), stage.person(f"b{number}", relay)
    person = dict(zip("ab", pair))
    relay.crash()
    link = stage.tacit(person["a"], "connect").out.strip()
    assert states(pair[:1]) == ("waiting",)
    relay.crash()
    stage.tacit(person["b"], "connect", link, "--wait", "sent")
    assert states(pair) == ("waiting", "sent")
    for who in order + ("a", "b"):
        relay.crash()
        before = states(pair)
        fetched = stage.tacit(person[who], "fetch", "--json").objects
        assert fetched[-1]["type"] == "fetch" and fetched[-1]["complete"], fetched
        events = [event["event"] for event in fetched[:-1]]
        joined = states(pair)
        if who == "a" and before[0] == "waiting":
            assert joined[0] != "waiting" and "contact.connecting" in events, (order, events, joined)
    assert states(pair) == ("connected", "connected"), (order, states(pair))
    relay.crash()
    talk(*pair, f"from the one who invited, {number}")
    talk(*reversed(pair), f"and back, {number}")

# The relay is away while people act: what they wish is kept, and done when it is back.
first, second = stage.person("first", relay), stage.person("second", relay)
link = stage.tacit(first, "connect").out.strip()
relay.kill()
stage.tacit(second, "connect", link, "--wait", "queued")
assert states((second,)) == ("queued",)
assert stage.tacit(second, "connect", link, expect=75).out.startswith("the request is stored")
assert states((first, second)) == ("waiting", "queued")
relay.start()
for person in (second, first, second):
    stage.tacit(person, "fetch")
assert states((first, second)) == ("connected", "connected")
talk(first, second, "after the pause")

# Both wait for the other one at the same time.
third, fourth = stage.person("third", relay), stage.person("fourth", relay)
inviting = stage.start(third, "connect", "--wait", "connected", "--timeout", "15s")
link = inviting.line()
joined = stage.tacit(fourth, "connect", link, "--wait", "connected", "--timeout", "15s", "--as", "Third")
invited = inviting.ended()
assert invited.code == 0, invited.err
assert invited.out == "@fourth is connecting\n@fourth is connected\nconnected @fourth (i1)\n", invited.out
assert joined.out == "@Third is connecting\n@Third is connected\nconnected @Third (i1)\n", joined.out
assert states((third, fourth)) == ("connected", "connected")
talk(third, fourth, "at once")
