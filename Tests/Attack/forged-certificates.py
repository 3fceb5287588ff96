"""A relay that cannot prove that it is the one in the address gets no command: 79 from every command that connects, and
through a proxy; chains of two, three and four certificates that are right are accepted."""

from support.attacker import Attacker
from support.stage import Stage

stage = Stage()
own = stage.connected("alice", "bob")
forms = Attacker.words("relay", "--list")
assert len(forms) >= 10, forms

for form in forms:
    with Attacker("relay", "--present", form) as relay:
        address = relay.line()
        stage.tacit("alice", "server", "test", address, expect=79)
        stage.person(f"user-{form}", address)
        for words in (["connect"], ["address", "create"], ["server", "test"]):
            ended = stage.tacit(f"user-{form}", *words, "--json", expect=79)
            assert ended.error["code"] == "relay.identity", ended.err
    counts = relay.ended()
    assert not any(line.split()[0] in ("NEW", "SEND", "SUB", "PING") for line in counts), (form, counts)

# The queue of a contact is at a relay that is taken over by somebody else: nothing is sent, nothing is subscribed.
port = own.address.rsplit(":", 1)[1]
own.kill()
with Attacker("relay", "--port", port, "--present", "off-path-3") as relay:
    relay.line()
    ended = stage.tacit("alice", "send", "@bob", "for bob only", "--json", "--timeout", "10s", expect=79)
    assert ended.objects[0]["state"] == "queued", ended.out
    stage.tacit("bob", "fetch", "--timeout", "10s", expect=79)
own.start()
stage.tacit("alice", "fetch")
stage.until_fetched("bob", "for bob only")

# A proxy that shows a forged chain of the relay behind it. The links below have their queue there.
for form in forms:
    with Attacker("relay", "--proxied", form) as relay:
        proxy, behind = relay.line(), relay.line()
        name = f"proxied-{form}"
        stage.person(name, proxy)
        fingerprint = behind.split("//")[1].split("@")[0]
        queue = f"smp%3A%2F%2F{fingerprint.rstrip('=')}%3D%40far.example%3A5223%2FAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        key = "MCowBQYDK2VuAyEAAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE%3D"
        link = f"simplex:/contact#/?v=2-7&smp={queue}%23%2F%3Fv%3D1-4%26dh%3D{key}"
        ended = stage.tacit(name, "connect", link, "--json", "--timeout", "20s", expect=79)
        assert ended.error["code"] == "relay.identity", ended.err
    counts = dict(line.split() for line in relay.ended())
    assert "PRXY" in counts and "PFWD" not in counts, (form, counts)

for form in ("2", "3", "4"):
    with Attacker("relay", "--present", form) as relay:
        address = relay.line()
        stage.tacit("alice", "server", "test", address)
        stage.person(f"user-{form}", address)
        stage.tacit(f"user-{form}", "connect")

# Whoever has the right certificates and another time is not another relay.
for form in ("expired", "early"):
    with Attacker("relay", "--present", form) as relay:
        ended = stage.tacit("alice", "server", "test", relay.line(), "--json", expect=76)
        assert ended.error["code"] == "relay.certificate", ended.err
        assert "tacit doctor" in ended.error["try"], ended.err
