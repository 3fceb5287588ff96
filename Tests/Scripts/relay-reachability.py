# limit: 120
"""Commands that receive say when a relay cannot be reached and when it can again, and the status keeps it."""

from support.process import report, wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
place = relay.address.split("@")[1]


def losses(person):
    return [each["relay"] for each in stage.tacit(person, "status", "--json").objects[0].get("unreachable", [])]


def line_with(read, text):
    """The next line that has a text. Each read has a deadline."""
    while text not in (line := read()):
        pass
    return line


# watch: a line on standard error, and an event each.
watch = stage.start("bob", "watch", "--json")
assert "watching" in watch.error_line()
assert losses("bob") == []
relay.stop()
line = line_with(watch.error_line, "unreachable")
assert line == f"relay {place} is unreachable: connection refused", line
event = report(watch.line())
assert event["event"] == "relay.unreachable" and event["relay"] == place and event["address"] == relay.address, event
assert event["reason"] == "the relay is unreachable: connection refused", event

# The status, its check and the doctor name the relay meanwhile.
assert losses("bob") == [place]
assert place in stage.tacit("bob", "status").out and "unreachable" in stage.tacit("bob", "status").out
checked = stage.tacit("bob", "status", "--check", "--json", expect=1).objects[0]
assert checked["problems"] == ["relay.unreachable"], checked
doctor = stage.tacit("bob", "doctor", "--json", expect=1).objects
assert [each["message"] for each in doctor if each["check"] == "relays" and each["state"] == "failure"] == [
    f"{place}: the relay is unreachable: connection refused"
], doctor

# Further attempts that fail say nothing; the first that works does.
relay.start()
line = line_with(watch.error_line, "reachable")
assert line == f"relay {place} is reachable again", line
event = report(watch.line())
assert event["event"] == "relay.reachable" and event["address"] == relay.address and "reason" not in event, event
assert losses("bob") == []
stage.tacit("bob", "status", "--check")
watch.signal(15)
watch.ended()

# The daemon logs both.
daemon = stage.start("bob", "daemon", "run")
line_with(daemon.error_line, "accepting commands")
# It is connected when a message has come. A handshake that is cut has another reason.
stage.tacit("alice", "send", "@bob", "to the daemon")
wait_until(lambda: "to the daemon" in stage.tacit("bob", "read", "@alice", "--last", "1").out, "the message")
relay.stop()
assert f"warning: relay {place} is unreachable: connection refused" in line_with(daemon.error_line, "unreachable")
relay.start()
assert f"info: relay {place} is reachable again" in line_with(daemon.error_line, "reachable")
daemon.signal(15)
daemon.ended()

# fetch fails once and names the relay; the status remembers it until the next one.
relay.stop()
ended = stage.tacit("bob", "fetch", "--json", expect=75)
assert [each["event"] for each in ended.objects if each["type"] == "event"] == ["relay.unreachable"], ended
text = stage.tacit("bob", "fetch", expect=75)
assert text.out == "" and f"cannot fetch from '{place}'" in text.err, text
assert losses("bob") == [place]
assert stage.tacit("bob", "fetch", "-qq", expect=75).err == ""
relay.start()
stage.tacit("bob", "fetch")
assert losses("bob") == []
