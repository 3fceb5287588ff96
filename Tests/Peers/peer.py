"""The independent agent, peer.py --chat."""

import contextlib
import json
import queue
import subprocess
import threading
import time
from pathlib import Path

from waiting import TIMEOUT, Failure, checked, until


class Peer:
    """The independent agent: commands on its standard input, lines of JSON on its standard output."""

    works_by_itself = True

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
        self.events, self.replies, self.connection, self.sent = [], queue.Queue(), None, []
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
            reply = self.replies.get(timeout=TIMEOUT)
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
        self.sent.append(self.run(f"send {self.connection} {text}")["id"])

    @property
    def is_quiet(self):
        """Whether nothing is under way: no receipt, and no change of the ratchet."""
        confirmed = {event["id"] for event in self.of_connection("RCVD")}
        states = [event["state"] for event in self.of_connection("RSYNC")]
        return confirmed.issuperset(self.sent) and states[-1:] in ([], ["ok"])

    def received(self):
        messages = self.of_connection("MSG")
        damaged = [message["integrity"] for message in messages if message["integrity"] != "ok"]
        if damaged:
            raise Failure(f"the peer got a message with the integrity '{damaged[0]}'")
        return [message["text"] for message in messages]

    def send_with_receipt(self, text, others):
        self.send(text)
        number = self.sent[-1]
        until("receipt", lambda: any(event["id"] == number for event in self.of_connection("RCVD")), *others)

    def switch(self, others):
        count = len(self.switched())
        self.run(f"switch {self.connection}")
        until("end of the rotation", lambda: len(self.switched()) > count, self, *others)

    def switched(self):
        return [event for event in self.of_connection("SWITCH") if event["phase"] == "completed"]

    def resync(self, others):
        count = len(self.synchronized())
        self.run(f"sync {self.connection}")
        until("end of the synchronization", lambda: len(self.synchronized()) > count, self, *others)

    def synchronized(self):
        return [event for event in self.of_connection("RSYNC") if event["state"] == "ok"]

    def crash(self):
        """It has everything in memory, so that it cannot."""

    def stop(self):
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
