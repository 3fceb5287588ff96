"""A client that behaves is served while others flood its relay, and the relay's memory stays bounded."""

# limit: 7200

import os
import re
import socket
import ssl
import threading
import time

from support.attacker import Attacker
from support.stage import Stage

SECONDS = float(os.environ.get("TACIT_SECONDS", "5"))
ATTACKER = "127.0.0.2"
# How much memory the relay may have beyond what it had before, in MB: 1,000 connections of one address at 43 KB, what may wait for
# the clients that do not read, and the caches.
GROWTH = 300

stage = Stage()
relay = stage.relay("relay")
conf = stage.folder / "relay/relay.conf"
conf.write_text(conf.read_text().replace("proxy_seconds = 10", "proxy_seconds = 3"))
relay.start()
# Another relay, which the client that behaves wants to reach through the first one.
far = stage.relay("far").start()
host, port = re.search(r"@([^:]+):(\d+)", relay.address).groups()

context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE
context.set_alpn_protocols(["smp/1"])


def memory(name):
    with open(f"/proc/{relay.running.process.pid}/status") as status:
        return int(re.search(rf"{name}:\s+(\d+) kB", status.read())[1]) / 1024


def connection():
    return socket.create_connection((host, int(port)), timeout=10, source_address=(ATTACKER, 0))


def hello():
    """The first bytes of a TLS handshake."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    try:
        context.wrap_bio(incoming, outgoing).do_handshake()
    except ssl.SSLWantReadError:
        return outgoing.read()


def keep(sockets, new, most=1500):
    """Adds a connection, and gives up the oldest ones that are too many."""
    sockets.append(new)
    if len(sockets) > most:
        sockets.pop(0).close()


def silent(stop):
    """Connections that say nothing."""
    sockets = []
    while not stop.is_set():
        keep(sockets, connection())
        time.sleep(0.001)


def half(stop):
    """Connections that begin a TLS handshake and do not go on."""
    sockets, first = [], hello()
    while not stop.is_set():
        new = connection()
        new.sendall(first)
        keep(sockets, new)
        time.sleep(0.001)


def slow(stop):
    """TLS connections that send one byte of their hello now and then."""
    sockets = []
    while not stop.is_set():
        if len(sockets) < 200:
            try:
                sockets.append(context.wrap_socket(connection()))
            except OSError:
                pass
        for one in sockets[-20:]:
            try:
                one.send(b"\0")
            except OSError:
                sockets.remove(one)
        time.sleep(0.01)


def in_thread(attack):
    stop = threading.Event()

    def run():
        # A relay that closes a connection is no failure of the attack.
        while not stop.is_set():
            try:
                attack(stop)
            except OSError:
                time.sleep(0.01)

    thread = threading.Thread(target=run)
    thread.start()

    def end():
        stop.set()
        thread.join(30)
        assert not thread.is_alive()

    return end


def in_process(form, clients):
    attacker = Attacker("flood", form, relay.address, str(clients))
    assert attacker.line() == "ready", form

    def end():
        attacker.__exit__(None)
        print(f"  {' '.join(attacker.ended())}")

    return end


FLOODS = {
    "silent sockets": lambda: in_thread(silent),
    "half handshakes": lambda: in_thread(half),
    "slow hellos": lambda: in_thread(slow),
    "commands": lambda: in_process("commands", 20),
    "messages into one queue": lambda: in_process("send", 20),
    "stolen subscriptions": lambda: in_process("steal", 20),
    "garbage": lambda: in_process("garbage", 20),
    "deaf clients": lambda: in_process("deaf", 40),
    "proxy to many relays": lambda: in_process("proxy", 40),
    # The last one: when it is over, the relay takes no more queues from that address for an hour.
    "new queues": lambda: in_process("new", 10),
}

# Names of floods with commas between them; without any, all.
only = os.environ.get("TACIT_FLOODS")
chosen = only.split(",") if only else list(FLOODS)
before = memory("VmRSS")
for name in chosen:
    begin = FLOODS[name]
    with Attacker("honest", relay.address, far.address) as honest:
        assert honest.line() == "ready", name
        end = begin()
        time.sleep(SECONDS)
        resident = memory("VmRSS")
        # A whole round more than before the flood, however slow the machine is. No step may take more than 20 s.
        assert honest.line() == "again", name
        end()
    lines = honest.ended()
    print(f"{name}: {'; '.join(lines)}; relay {resident:.0f} MB, at most {memory('VmHWM'):.0f} MB")
    assert resident - before < GROWTH, (name, before, resident)

# The relay has counted no turn that was lost, and ends as asked.
assert relay.stop().code == 0
statistics = (stage.folder / "relay/relay.stats").read_text()
assert re.search(r"^failed_turns = 0$", statistics, re.M), statistics
