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
import sys
import tempfile
import time
from pathlib import Path

# Nothing is to be left in the repository.
sys.dont_write_bytecode = True

import calls
from peer import Peer
from tacit import Relay, Tacit
from waiting import Failure, until

REPOSITORY = Path(__file__).resolve().parent.parent.parent
KINDS = ("invitation", "address", "short-invitation", "short-address")
# What is done with a connection, in this order.
STEPS = (
    "connect", "messages", "keys", "receipts", "peer-switch", "tacit-switch", "peer-resync", "tacit-resync", "restart",
    "calls",
)  # fmt: skip
# What `make check` asks of two tacits, with --expected: every way to meet, and everything that can be done in one of them.
# Which side does it makes no difference to what the two sides then do, but they began differently.
MEETING = ("connect", "messages", "keys")
EXPECTED = {
    # tacit takes calls, and makes none.
    "self invitation": STEPS[:-1],
    "self address": MEETING + ("receipts", "restart"),
    "self short-invitation": MEETING,
    "self short-address": MEETING + ("peer-switch", "tacit-resync"),
    "self invitation plain": MEETING + ("tacit-resync",),
    "self address plain": MEETING,
    "self invitation proxy": MEETING + ("receipts", "tacit-switch"),
}


class Row:
    """A way to meet."""

    def __init__(self, kind, starter, is_post_quantum=True, versions="6-18", relay="own", is_proxied=False):
        self.kind, self.starter, self.is_post_quantum = kind, starter, is_post_quantum
        self.versions, self.relay, self.is_proxied = versions, relay, is_proxied

    @property
    def name(self):
        if self.starter == "self":
            return " ".join(["self", self.kind] + ["plain"] * (not self.is_post_quantum) + ["proxy"] * self.is_proxied)
        words = [self.starter, self.kind, "pq" if self.is_post_quantum else "plain", self.versions]
        return " ".join(words + ["proxy"] * self.is_proxied + [self.relay] * (self.relay != "own"))


def rows(options):
    if not options.peer:
        met = [Row(kind, "self", pq) for pq in (True, False) for kind in KINDS]
        return [*met, Row("invitation", "self", is_proxied=True)]
    relays = ["own", *options.relay]
    ways = itertools.product(relays, KINDS, ("tacit", "peer"), (False, True), ("6-18", "6-8"))
    found = [
        Row(kind, starter, pq, versions, relay)
        for relay, kind, starter, pq, versions in ways
        # SMP knows short links since version 15.
        if not (kind.startswith("short") and versions == "6-8")
    ]
    return found + [Row("invitation", starter, is_proxied=True) for starter in ("tacit", "peer")]


class Run:
    """What happens in one row."""

    def __init__(self, row, options, folder, relays):
        self.row, self.options, self.relays = row, options, relays
        server = relays[0].address if row.relay == "own" else row.relay
        program = str(options.program)
        self.tacit = Tacit(program, str(folder / "tacit"), "tess", server)
        if row.is_proxied:
            # The other relay is the peer's, and tacit must reach it through its own.
            self.tacit.environment["TACIT_SMP_PROXY"] = "always"
        if options.peer:
            servers = [relays[1].address] if row.is_proxied else [server, server]
            self.other = Peer(options.python, options.peer, "pat", servers, row.is_post_quantum, row.versions)
        else:
            self.other = Tacit(program, str(folder / "other"), "pat", relays[-1].address)
            self.tacit.idle = self.other.idle = "0s"
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
        if not self.options.peer and not self.row.is_post_quantum:
            for side in self.sides:
                side.without_post_quantum_keys()

    def messages(self, count=None, word="message"):
        """Texts in both directions at once, all of which must come, in their order."""
        count = count or self.options.messages
        before = [len(side.received()) for side in self.sides]
        texts = [[f"{word} {number} of {side.name} héllo 👋" for number in range(count)] for side in self.sides]
        # One that fills most of a block.
        if count > 1:
            texts[0][-1] += " x" * 5000
            texts[1][-1] += " y" * 5000
        for pair in zip(*texts):
            for side, text in zip(self.sides, pair):
                side.send(text)
        for side, earlier, expected in zip(self.sides, before, texts[::-1]):
            until("messages", lambda: len(side.received()) >= earlier + count, *self.sides)
            if side.received()[earlier:] != expected:
                raise Failure(f"{side.name} got other messages, or in another order")

    def keys(self):
        """After each side has answered the other, both know whether post-quantum keys protect what they say."""
        for number in range(3):
            self.messages(1, f"turn {number}")
        wanted = self.row.is_post_quantum
        for side in self.sides if not self.options.peer else self.sides[:1]:
            if side.has_post_quantum_keys != wanted:
                raise Failure(f"{side.name} says that post-quantum keys are {'off' if wanted else 'on'}")

    def receipts(self):
        for side in self.sides:
            side.send_with_receipt(f"please confirm, {side.name}", self.sides)

    def after(self, change):
        """Messages go on in both directions after a change that both sides have to work for."""
        self.rest()
        change(self.sides)
        self.rest()
        self.messages(3, change.__qualname__)

    def rest(self):
        """Lets both sides end what is under way: a ratchet does not read what was written with the one before."""
        with contextlib.suppress(Failure):
            until("rest", lambda: all(side.is_quiet for side in self.sides), *self.sides, timeout=5)
        for side in self.sides:
            side.work()

    def restart(self):
        """Everything that can ends in the middle, the relays included, and nothing is lost."""
        for side in self.sides:
            side.send(f"before the end of {side.name}")
            side.crash()
        if self.row.relay == "own":
            for relay in self.relays:
                relay.crash()
        count = [len(side.received()) for side in self.sides]
        for side, other in zip(self.sides, self.sides[::-1]):
            wanted = f"before the end of {other.name}"
            until("message from before the end", lambda: side.received()[-1:] == [wanted], *self.sides)
        if any(len(side.received()) > before + 1 for side, before in zip(self.sides, count)):
            raise Failure("a message came twice")
        self.messages(3, "after the end")

    def peer_switch(self):
        self.after(self.other.switch)

    def tacit_switch(self):
        count = len(self.other.switched()) if self.options.peer else 0
        self.after(self.tacit.switch)
        if self.options.peer:
            until("end of the rotation", lambda: len(self.other.switched()) > count, *self.sides)

    def peer_resync(self):
        self.after(self.other.resync)

    def tacit_resync(self):
        count = len(self.other.synchronized())
        self.after(self.tacit.resync)
        if len(self.other.synchronized()) == count:
            raise Failure("the other side does not know of a synchronization")


    def calls(self):
        calls.play(self.tacit, self.other)


def play(row, options, relays):
    """The result of every step: None for well, or the reason."""
    results = dict.fromkeys(STEPS, "not reached")
    steps = EXPECTED.get(row.name, ()) if options.expected else options.steps.split(",")
    if not options.peer:
        steps = [step for step in steps if step != "calls"]
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
                # The first relay stands between the first side and the relay of the other.
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
        print("  ".join([row.name.ljust(width), *marks]).rstrip())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", metavar="FOLDER", help="where peer.py of the independent agent is")
    parser.add_argument("--python", default=sys.executable, help="what runs it (default: what runs this)")
    parser.add_argument("--relay", action="append", default=[], metavar="smp://...", help="over this relay too")
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/release/tacit")
    parser.add_argument("--messages", type=int, help="each way (default: 20; between two tacits 10)")
    parser.add_argument("--only", metavar="PATTERN", help="only rows with such a name, as 'tacit short-*'")
    parser.add_argument("--steps", default=",".join(STEPS), metavar="A,B", help="only these columns (connect first)")
    parser.add_argument("--expected", action="store_true", help="only what works today")
    options = parser.parse_args()
    options.program = options.program.resolve()
    options.messages = options.messages or (20 if options.peer else 10)
    if unknown := set(options.steps.split(",")) - set(STEPS):
        parser.error(f"there is no step {', '.join(sorted(unknown))}")
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
            # Two relays at one host are no proxies for each other: whoever has the host sees both.
            relays = [
                Relay(program, f"{folder}/relay{number}", f"127.0.0.{number + 1}")
                for number in range(1 + row.is_proxied)
            ]
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
