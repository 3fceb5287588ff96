#!/usr/bin/env python3
"""tacit and an independent agent meet in every way, and talk.

    Tests/Peers/matrix.py --peer FOLDER     FOLDER/peer.py --chat is the other side
    Tests/Peers/matrix.py                   the other side is tacit again

A row of the table is a way to meet: by an invitation or an address, as a full or a short link, made by one side or the
other, with post-quantum keys or without, over a relay and versions of its protocol. A column is something that the two
do once they are connected. What a row and a column need of tacit is written down with them; all is tried, and what tacit
does not know yet has failed like everything else that does not work. The exit status is 1 if anything failed.
"""

import argparse
import contextlib
import fnmatch
import itertools
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent
# How long anything may take, in seconds.
PATIENCE = 30

KINDS = ("invitation", "address", "short-invitation", "short-address")
# What is done with a connection, in this order.
STEPS = ("connect", "messages", "receipts", "peer-switch", "tacit-switch", "peer-resync", "tacit-resync")
# What works today between two tacits: `make check` asks for that much, with --expected.
EXPECTED = {
    "self invitation": ("connect", "messages"),
}


class Failure(Exception):
    """Something did not happen. The sentence says what."""


def until(what, condition, *sides, patience=PATIENCE):
    """Lets the sides work until something is so."""
    deadline = time.monotonic() + patience
    while not condition():
        if time.monotonic() > deadline:
            raise Failure(f"no {what} within {patience} s")
        for side in sides:
            side.work()


class Relay:
    """A relay of tacit on loopback."""

    def __init__(self, program, folder, password=None):
        self.program, self.folder = program, folder
        words = ["relay", "init", folder, "--host", "127.0.0.1", "--listen", "127.0.0.1", "--port", "0"]
        subprocess.run([program, *words], check=True, stdout=subprocess.DEVNULL)
        self.process = subprocess.Popen([program, "relay", "start", folder], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        if not self.address.startswith("smp://"):
            raise Failure("the relay did not start")

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE)
        self.process.stdout.close()

    def counted(self, name):
        """A number of its statistics, which it writes down when it ends."""
        output = subprocess.run(
            [self.program, "relay", "status", self.folder, "--json"], check=True, capture_output=True, text=True
        ).stdout
        return json.loads(output)["in_all"].get(name, 0)


class Tacit:
    """A store, and the commands that use it."""

    def __init__(self, program, folder, name, server):
        self.program, self.folder, self.name = program, folder, name
        self.environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": folder, "TACIT_DIR": folder}
        self.contact = None
        self.run("init", "--name", name, "--server", server, "--no-encryption")

    def run(self, *words, expected=(0,)):
        process = subprocess.Popen(
            [self.program, "--no-input", *words],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            output, errors = process.communicate(timeout=3 * PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Failure(f"'tacit {' '.join(words[:2])}' did not end") from None
        if process.returncode not in expected:
            line = (errors.strip().splitlines() or [""])[0]
            raise Failure(f"'tacit {' '.join(words[:2])[:40]}' ended with {process.returncode}: {line}")
        return output

    def objects(self, *words):
        return [json.loads(line) for line in self.run(*words, "--json").splitlines()]

    def work(self):
        """Receives what has come, and sends what waits."""
        self.run("fetch", "-q", "--idle", "300ms", expected=(0, 75))

    def make(self, kind):
        if kind.endswith("invitation"):
            link = self.run("connect") if kind == "short-invitation" else self._full_invitation()
        else:
            link = self.run("address", "create", *([] if kind == "short-address" else ["--full"]))
        return checked(link.strip(), kind)

    def _full_invitation(self):
        # Without --full the link is a full one as long as there are no others.
        try:
            return self.run("connect", "--full")
        except Failure as failure:
            if " 64: " not in str(failure):
                raise
            return self.run("connect")

    def join(self, link):
        self.run("connect", link)

    def accept(self, others):
        until("request", lambda: self.objects("list", "requests"), self, *others)
        self.run("accept", "--all")

    def meets(self, name):
        self.contact = name

    @property
    def is_connected(self):
        contacts = self.objects("list", "contacts")
        return any(contact["name"] == self.contact and contact["state"] == "connected" for contact in contacts)

    def send(self, text, *options):
        self.run("send", f"@{self.contact}", text, "--timeout", f"{PATIENCE}s", *options)

    def received(self):
        """The texts from the contact, in their order."""
        messages = self.objects("read", f"@{self.contact}", "--last", "1000")
        return [message["text"] for message in messages if message["direction"] == "in" and "text" in message]

    def send_with_receipt(self, text, others):
        if all(side is self or isinstance(side, Peer) for side in others):
            return self.send(text, "--wait", "delivered")
        # The other side is no process of its own: it works only when this one does not.
        self.send(text)
        until("receipt", lambda: self._is_delivered(text), self, *others)

    def _is_delivered(self, text):
        messages = self.objects("read", f"@{self.contact}", "--last", "1000")
        return any(message.get("text") == text and message["state"] == "delivered" for message in messages)

    def switch(self, others):
        contacts = self.objects("list", "contacts")
        number = next(contact["id"] for contact in contacts if contact["name"] == self.contact).lstrip("c")
        self.run("api", f"/_switch @{number}")

    def resync(self, others):
        self.run("contact", "resync", f"@{self.contact}")

    def stop(self):
        pass


class Peer:
    """The independent agent: commands on its standard input, lines of JSON on its standard output."""

    def __init__(self, python, folder, name, servers, is_post_quantum, versions):
        self.name = name
        servers = [word for server in servers for word in ("--server", server)]
        self.process = subprocess.Popen(
            [python, Path(folder) / "peer.py", *servers, "--chat", "--receipts", "--name", name]
            + ["--pq", "on" if is_post_quantum else "off", "--smp-versions", versions],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.is_post_quantum = is_post_quantum
        self.events, self.replies, self.connection, self.address = [], queue.Queue(), None, None
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.process.stdout:
            value = json.loads(line)
            if "reply" in value:
                self.replies.put(value)
            else:
                self.events.append(value)
        self.replies.put(None)

    def run(self, command):
        try:
            self.process.stdin.write(command + "\n")
            reply = self.replies.get(timeout=PATIENCE)
        except (queue.Empty, OSError):
            raise Failure(f"the peer does not answer to '{command[:30]}'") from None
        if not reply or not reply["ok"]:
            reason = reply["error"] if reply else self.process.stderr.read()[-300:]
            raise Failure(f"the peer refused '{command[:30]}': {reason}")
        return reply

    def of_connection(self, name):
        return [event for event in list(self.events) if event["event"] == name and event.get("conn") == self.connection]

    def work(self):
        time.sleep(0.05)

    def make(self, kind):
        commands = {
            "invitation": "create kem" if self.is_post_quantum else "create",
            "address": "create-contact",
            "short-invitation": "create-short",
            "short-address": "create-short contact",
        }
        reply = self.run(commands[kind])
        if kind.endswith("invitation"):
            self.connection = reply["conn"]
        return checked(reply["link"], kind)

    def join(self, link):
        self.connection = self.run(f"join {link}")["conn"]

    def accept(self, others):
        requests = lambda: [event for event in list(self.events) if event["event"] == "REQ"]
        until("request", requests, self, *others)
        self.connection = self.run(f"accept {requests()[0]['req']}")["conn"]

    def meets(self, name):
        pass

    @property
    def is_connected(self):
        connected = self.of_connection("CON")
        if connected and connected[0]["pq"] != self.is_post_quantum:
            raise Failure("post-quantum keys are " + ("on" if connected[0]["pq"] else "off"))
        return bool(connected)

    def send(self, text):
        self.run(f"send {self.connection} {text}")

    def received(self):
        messages = self.of_connection("MSG")
        damaged = [message["integrity"] for message in messages if message["integrity"] != "ok"]
        if damaged:
            raise Failure(f"the peer got a message with the integrity '{damaged[0]}'")
        return [message["text"] for message in messages]

    def send_with_receipt(self, text, others):
        count = len(self.of_connection("RCVD"))
        number = self.run(f"send {self.connection} {text}")["id"]
        until("receipt", lambda: any(event["id"] == number for event in self.of_connection("RCVD")[count:]), *others)

    def switch(self, others):
        count = len(self._switched())
        self.run(f"switch {self.connection}")
        until("end of the rotation", lambda: len(self._switched()) > count, self, *others)

    def _switched(self):
        return [event for event in self.of_connection("SWITCH") if event["phase"] == "completed"]

    def resync(self, others):
        count = len(self._synchronized())
        self.run(f"sync {self.connection}")
        until("end of the synchronization", lambda: len(self._synchronized()) > count, self, *others)

    def _synchronized(self):
        return [event for event in self.of_connection("RSYNC") if event["state"] == "ok"]

    def stop(self):
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def checked(link, kind):
    """The link, if it is of the kind that was asked for."""
    is_full = "/invitation#" in link or "/contact#" in link
    if is_full == kind.startswith("short"):
        raise Failure("the link is a full one" if is_full else "the link is a short one")
    return link


class Row:
    """A way to meet."""

    def __init__(self, kind, starter, is_post_quantum=True, versions="6-18", relay="own", is_proxied=False):
        self.kind, self.starter, self.is_post_quantum = kind, starter, is_post_quantum
        self.versions, self.relay, self.is_proxied = versions, relay, is_proxied

    @property
    def name(self):
        if self.starter == "self":
            return f"self {self.kind}"
        words = [self.starter, self.kind, "pq" if self.is_post_quantum else "plain", self.versions]
        return " ".join(words + ["proxy"] * self.is_proxied + [self.relay] * (self.relay != "own"))


def rows(options):
    if not options.peer:
        return [Row(kind, "self") for kind in KINDS]
    relays = ["own", *options.relay]
    ways = itertools.product(relays, KINDS, ("tacit", "peer"), (False, True), ("6-18", "6-8"))
    found = [Row(kind, starter, pq, versions, relay) for relay, kind, starter, pq, versions in ways]
    return found + [Row("invitation", starter, is_proxied=True) for starter in ("tacit", "peer")]


class Run:
    """What happens in one row."""

    def __init__(self, row, options, folder, relays):
        self.row, self.options = row, options
        server = relays[0].address if row.relay == "own" else row.relay
        program = str(options.program)
        self.tacit = Tacit(program, str(folder / "tacit"), "tess", server)
        if row.is_proxied:
            # The other relay is the peer's, and tacit must reach it through its own.
            self.tacit.run("config", "set", "net.private_routing", "always")
        if options.peer:
            servers = [relays[1].address] if row.is_proxied else [server, server]
            self.other = Peer(
                options.python, options.peer, "pat", servers, row.is_post_quantum, row.versions
            )
        else:
            self.other = Tacit(program, str(folder / "other"), "pat", server)
        self.sides = (self.tacit, self.other)
        self.tacit.meets("pat")
        self.other.meets("tess")

    def connect(self):
        first, second = self.sides if self.row.starter != "peer" else self.sides[::-1]
        second.join(first.make(self.row.kind))
        if self.row.kind.endswith("address"):
            first.accept([second])
        for side in self.sides:
            until("connection", lambda: side.is_connected, *self.sides)

    def messages(self, count=None, word="message"):
        """Texts in both directions at once, all of which must come, in their order."""
        count = count or self.options.messages
        before = [len(side.received()) for side in self.sides]
        texts = [[f"{word} {number} of {side.name} héllo 👋" for number in range(count)] for side in self.sides]
        # One that fills most of a block.
        texts[0][-1] += " x" * 5000
        texts[1][-1] += " y" * 5000
        for pair in zip(*texts):
            for side, text in zip(self.sides, pair):
                side.send(text)
        for side, earlier, expected in zip(self.sides, before, texts[::-1]):
            until("messages", lambda: len(side.received()) >= earlier + count, *self.sides)
            if side.received()[earlier:] != expected:
                raise Failure(f"{side.name} got other messages, or in another order")

    def receipts(self):
        for side in self.sides:
            side.send_with_receipt(f"please confirm, {side.name}", self.sides)

    def after(self, change):
        """Messages go on in both directions after a change that both sides have to work for."""
        change(self.sides)
        for round in range(6):
            for side in self.sides:
                side.work()
        self.messages(3, change.__qualname__)

    def peer_switch(self):
        self.after(self.other.switch)

    def tacit_switch(self):
        count = len(self.other._switched()) if self.options.peer else 0
        self.after(self.tacit.switch)
        if self.options.peer:
            until("end of the rotation", lambda: len(self.other._switched()) > count, *self.sides)

    def peer_resync(self):
        self.after(self.other.resync)

    def tacit_resync(self):
        self.after(self.tacit.resync)


def play(row, options, relays):
    """The result of every step: None for well, or the reason."""
    results = dict.fromkeys(STEPS, "not reached")
    steps = EXPECTED.get(row.name, ()) if options.expected else STEPS
    with tempfile.TemporaryDirectory(prefix="tacit-matrix-", ignore_cleanup_errors=True) as folder:
        run = None
        try:
            run = Run(row, options, Path(folder), relays)
            for step in steps:
                try:
                    getattr(run, step.replace("-", "_"))()
                    results[step] = None
                except Failure as failure:
                    results[step] = str(failure)
                    # Without a connection nothing else can be tried.
                    if step == "connect":
                        break
            if row.is_proxied:
                relays[0].stop()
                if not relays[0].counted("proxied_commands"):
                    results["connect"] = "the relay forwarded nothing"
        except Failure as failure:
            results["connect"] = str(failure)
        finally:
            if run:
                run.other.stop()
    return {step: results[step] for step in steps}


def table(finished):
    width = max(len(row.name) for row, _ in finished)
    print(" " * width, *STEPS, sep="  ")
    for row, results in finished:
        marks = []
        for step in STEPS:
            mark = "-" if step not in results else "ok" if results[step] is None else "FAILED"
            marks.append(mark.ljust(len(step)))
        print(row.name.ljust(width), *marks, sep="  ")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", metavar="FOLDER", help="where peer.py of the independent agent is")
    parser.add_argument("--python", default=sys.executable, help="what runs it (default: what runs this)")
    parser.add_argument("--relay", action="append", default=[], metavar="smp://...", help="over this relay too")
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/release/tacit")
    parser.add_argument("--messages", type=int, help="each way (default: 20; between two tacits 10)")
    parser.add_argument("--only", metavar="PATTERN", help="only rows with such a name, as 'tacit short-*'")
    parser.add_argument("--expected", action="store_true", help="only what works today")
    options = parser.parse_args()
    options.program = options.program.resolve()
    options.messages = options.messages or (20 if options.peer else 10)
    chosen = [row for row in rows(options) if not options.only or fnmatch.fnmatch(row.name, options.only)]
    if options.expected:
        chosen = [row for row in chosen if row.name in EXPECTED]
    if not chosen:
        parser.error("there is no such row")
    finished = []
    for row in chosen:
        start = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="tacit-relays-", ignore_cleanup_errors=True) as folder:
            program = str(options.program)
            relays = [Relay(program, f"{folder}/relay{number}") for number in range(1 + row.is_proxied)]
            try:
                results = play(row, options, relays)
            finally:
                for relay in relays:
                    if relay.process.poll() is None:
                        relay.stop()
        finished.append((row, results))
        print(f"{row.name}: {time.monotonic() - start:.1f} s", flush=True)
        for step, reason in results.items():
            if reason and reason != "not reached":
                print(f"    {step}: {reason}", flush=True)
    print()
    table(finished)
    failed = sum(reason is not None for _, results in finished for reason in results.values())
    count = sum(len(results) for _, results in finished)
    print(f"{count - failed} of {count} worked")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
