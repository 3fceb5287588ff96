"""`fetch --jitter` waits once, in the process that was started, and not again in the daemon that carries it out."""

import json
import signal
import subprocess
import time

from support.process import wait_until
from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")
daemon = stage.start("alice", "daemon", "run")
assert daemon.error_line().startswith("accepting commands at "), daemon

# The daemon does not wait for an hour, or a part of one.
rpc = stage.start("alice", "rpc", stdin=subprocess.PIPE)
rpc.process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"fetch","params":{"jitter":"1000h"}}\n')
rpc.process.stdin.flush()
answer = json.loads(rpc.line())
assert answer["id"] == 1 and answer["result"]["exit"] == 0, answer
rpc.process.stdin.close()
rpc.process.stdin = None
assert rpc.ended().code == 0

# The process does.
fetching = stage.start("alice", "fetch", "--jitter", "1000h")
time.sleep(1)
assert fetching.process.poll() is None
fetching.signal(signal.SIGTERM)
fetching.ended()
stage.tacit("bob", "send", "@alice", "hi")
stage.tacit("alice", "fetch", "--jitter", "10ms")
wait_until(lambda: "hi" in stage.tacit("alice", "read").out, "the message")
daemon.signal(signal.SIGTERM)
assert daemon.ended().code == 0
