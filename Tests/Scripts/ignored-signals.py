"""A signal that was ignored when the program began stays ignored: nohup and the trap of a shell mean it."""

import signal
import time

from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")


def ignoring(numbers, *words):
    def prepare():
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)

    return stage.start("bob", *words, preexec_fn=prepare)


for number in (signal.SIGHUP, signal.SIGINT):
    watching = ignoring([number], "watch", "--json")
    assert "watching" in watching.error_line()
    watching.signal(number)
    # It goes on, and does what it did.
    stage.tacit("alice", "send", "@bob", f"after {number.name}")
    while f"after {number.name}" not in watching.line():
        pass
    watching.signal(signal.SIGTERM)
    assert watching.ended().code == 143

relay = stage.relay("other").start()
relay.kill()
words = ["relay", "start", str(relay.folder)]
running = stage.start(None, *words, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
running.line()
running.signal(signal.SIGHUP)
time.sleep(0.2)
assert running.process.poll() is None
running.signal(signal.SIGTERM)
running.ended()

# By default they end it, as ever.
for number in (signal.SIGHUP, signal.SIGINT):
    watching = stage.start("bob", "watch")
    assert "watching" in watching.error_line()
    watching.signal(number)
    assert watching.ended().code == 128 + number
