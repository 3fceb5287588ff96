"""The bots in examples/ that stay open: one over WebSocket, one over tacit rpc."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from support.process import wait_until
from support.sockets import Server
from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")
examples = Path(os.environ["TACIT_REPOSITORY"]) / "examples"


def texts(person):
    stage.tacit(person, "fetch")
    items = stage.tacit(person, "read", "--last", "100", "--json").objects
    return [item["text"] for item in items if item["type"] == "message" and item["direction"] == "in"]


try:
    import websockets  # noqa: F401
except ImportError:
    print("skipped: websocket-bot.py, because there is no python3-websockets")
else:
    server = Server(stage, "alice")
    bot = subprocess.Popen([sys.executable, examples / "websocket-bot.py", server.url], stdout=subprocess.PIPE, text=True)
    link = bot.stdout.readline().strip()
    assert link.startswith(("https://", "simplex:")), link
    stage.tacit("bob", "send", "@alice", "12")
    wait_until(lambda: "12 * 12 = 144" in texts("bob"), "an answer")
    stage.tacit("bob", "send", "@alice", "hello")
    wait_until(lambda: texts("bob")[-1].startswith("Send me a number"), "a hint")
    # Somebody new is accepted and greeted.
    relay = stage.tacit("bob", "server", "list", "--json").objects[0]["address"]
    stage.person("carol", relay)
    stage.tacit("carol", "connect", link)
    wait_until(lambda: texts("carol") and texts("carol")[0].startswith("Send me a number"), "a greeting")
    server.running.signal(signal.SIGTERM)
    assert server.running.ended().code == 0
    assert bot.wait(20) == 0

if shutil.which("jq"):
    bot = subprocess.Popen(
        [examples / "rpc-bot.sh"], env=stage._environment("alice", None), cwd=stage.folder, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    wait_until(lambda: stage.shell("alice", "tacit daemon status").code == 0, "the bot")
    seen = len(texts("bob"))
    for text in ("ping", "-x $(id) `id`"):
        stage.tacit("bob", "send", "@alice", "--", text)
    wait_until(lambda: len(texts("bob")) == seen + 2, "two answers")
    assert sorted(texts("bob")[seen:]) == ["I know: ping, time", "pong"], texts("bob")
    os.killpg(bot.pid, signal.SIGTERM)
    bot.wait(20)
else:
    print("skipped: rpc-bot.sh, because there is no jq")
