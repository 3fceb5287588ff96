"""tacit and its relay, through the command line."""

import contextlib
import json
import os
import subprocess

from waiting import TIMEOUT, Failure, checked, until


class Relay:
    """A relay of tacit on loopback."""

    def __init__(self, program, folder, host="127.0.0.1", files=False):
        self.program, self.folder, self.process, self.files = program, folder, None, files
        words = ["relay", "init", folder, "--host", host, "--listen", host, "--port", "0", "--proxy-private"]
        words += ["--xftp-port", "0"] if files else []
        subprocess.run([program, *words], check=True, stdout=subprocess.DEVNULL)
        self.start()

    def start(self):
        words = [self.program, "relay", "start", self.folder]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        if not self.address.startswith("smp://"):
            raise Failure("the relay did not start")
        if self.files:
            self.file_address = self.process.stdout.readline().strip()

    def crash(self):
        """Ends without warning, and comes back with what it has on disk."""
        self.process.kill()
        self.process.wait(TIMEOUT)
        self.process.stdout.close()
        self.start()

    def stop(self):
        self.process.terminate()
        self.process.wait(TIMEOUT)
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
        # How long to wait for answers of the other side, if it works by itself.
        self.idle = "300ms"
        self.run("init", "--name", name, "--server", server)

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
            output, errors = process.communicate(timeout=3 * TIMEOUT)
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
        self.run("fetch", "-q", "--idle", self.idle, expected=(0, 75))

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

    is_quiet = True
    works_by_itself = False

    @property
    def is_connected(self):
        contacts = self.objects("list", "contacts")
        return any(contact["name"] == self.contact and contact["state"] == "connected" for contact in contacts)

    def send(self, text, *options):
        self.run("send", f"@{self.contact}", text, "--timeout", f"{TIMEOUT}s", *options)

    def received(self):
        """The texts from the contact, in their order."""
        messages = self.objects("read", f"@{self.contact}", "--last", "1000")
        return [message["text"] for message in messages if message["direction"] == "in" and "text" in message]

    def send_with_receipt(self, text, others):
        if all(side is self or side.works_by_itself for side in others):
            return self.send(text, "--wait", "delivered")
        # The other side is no process of its own: it works only when this one does not.
        self.send(text)
        until("receipt", lambda: self._is_delivered(text), self, *others)

    def _is_delivered(self, text):
        messages = self.objects("read", f"@{self.contact}", "--last", "1000")
        return any(message.get("text") == text and message["state"] == "delivered" for message in messages)

    def _of_contact(self, field):
        contacts = self.objects("list", "contacts")
        return next(contact.get(field) for contact in contacts if contact["name"] == self.contact)

    def without_post_quantum_keys(self):
        self.run("api", f"/_pq @{self._of_contact('id').lstrip('c')} off")

    @property
    def has_post_quantum_keys(self):
        return self._of_contact("post_quantum")

    def crash(self):
        """Is killed while it receives."""
        process = subprocess.Popen([self.program, "fetch", "-q"], env=self.environment, stdin=subprocess.DEVNULL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
        process.kill()
        process.wait()

    def switch(self, others):
        self.run("contact", "rotate", f"@{self.contact}")
        until("end of the rotation", lambda: not self._of_contact("moves"), *others)

    def resync(self, others):
        count = len(self.synchronized())
        self.run("contact", "resync", "--force", f"@{self.contact}")
        until("end of the synchronization", lambda: len(self.synchronized()) > count, *others)

    def synchronized(self):
        """The notices that messages can be read again."""
        messages = self.objects("read", f"@{self.contact}", "--last", "1000")
        return [message for message in messages if message["kind"] == "encryption-ok"]

    def stop(self):
        pass
