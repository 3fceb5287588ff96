"""A chat relay and a message relay are served from one folder by one process: an owner makes a channel there, two subscribers read
it, a restart loses nothing, and the operator says which channels are served."""

# limit: 180

import json
import signal

from support.process import wait_until
from support.stage import Stage

stage = Stage()
stage.play(r'''
    ops$ tacit channel-relay init carrier --name carrier
    ! tacit: cannot create a chat relay in 'carrier': a message relay is required
    !   why: a chat relay has its queues there, and the folder contains none
    !   try: tacit channel-relay init carrier --server ADDRESS    use a message relay
    !   try: tacit relay init carrier --host HOST                 create one in the folder first
    [64]
    ops$ tacit channel-relay start carrier
    ! tacit: cannot start the chat relay in 'carrier': the folder contains no chat relay
    !   why: it has no channel-relay.conf
    !   try: tacit channel-relay init carrier    create a chat relay
    [66]
''')
folder = stage.folder / "carrier"
words = ["--host", "127.0.0.1", "--listen", "127.0.0.1", "--port", "0", "--proxy-private"]
messages = stage.tacit(None, "relay", "init", str(folder), *words).out.strip()
# The message relay is served for as long as the address is made.
address = stage.tacit(None, "channel-relay", "init", str(folder), "--name", "carrier").out.strip()
assert "/r#" in address, address
assert (folder / "key").stat().st_mode & 0o777 == 0o600
again = stage.tacit(None, "channel-relay", "init", str(folder), expect=73)
assert "already contains a chat relay" in again.err, again.err


def status(expect=0, *options):
    (found,) = stage.tacit(None, "channel-relay", "status", str(folder), "--json", *options, expect=expect).objects
    return found


found = status(1, "--check")
assert (found["state"], found["address"], found["problems"]) == ("stopped", address, ["stopped"]), found
metrics = stage.folder / "channels.prom"


def start():
    running = stage.start(None, "channel-relay", "start", str(folder), "--metrics", str(metrics))
    assert running.line() == address
    return running


running = start()
assert status(0, "--check")["state"] == "running"
held = stage.tacit(None, "channel-relay", "start", str(folder), "--lock-timeout", "0s", expect=75)
for name in ("alice", "bob", "carol"):
    stage.tacit(name, "init", "--name", name, "--server", messages, "--no-encryption")
assert stage.tacit("alice", "channel", "test", address).out == "passed carrier\n"
stage.tacit("alice", "channel", "create", "news", "--relay", address, "--history")
link = stage.tacit("alice", "group", "link", "+news").out.strip()
for name in ("bob", "carol"):
    stage.tacit(name, "connect", link, "--wait", "connected")
stage.tacit("alice", "send", "+news", "first")
for name in ("bob", "carol"):
    stage.until_fetched(name, "first")
found = status()
assert (found["channels"], found["subscribers"], found["requests"]) == (1, 2, 0), found
assert [(each["name"], each["subscribers"]) for each in found["served"]] == [("news", 2)], found
assert "news" in stage.tacit(None, "channel-relay", "status", str(folder)).out
text = metrics.read_text()
assert 'tacit_channel_relay_info{version="' in text and "tacit_channel_relay_channels " in text, text


def texts(person):
    return [each["text"] for each in stage.tacit(person, "read", "+news", "--json").objects if each["type"] == "message"]


# Whatever ends it, nothing is lost and nothing comes twice.
for number, end in enumerate((signal.SIGTERM, signal.SIGKILL)):
    running.signal(end)
    running.ended()
    assert status(1, "--check")["problems"] == ["stopped"]
    assert metrics.exists() == (end == signal.SIGKILL)
    stage.tacit("alice", "send", "+news", f"while it was away {number}", expect=75)
    running = start()
    stage.tacit("alice", "fetch", "-q")
    for name in ("bob", "carol"):
        stage.until_fetched(name, f"while it was away {number}")
for name in ("bob", "carol"):
    stage.tacit(name, "fetch", "-q")
    assert texts(name) == ["first", "while it was away 0", "while it was away 1"], texts(name)
wait_until(lambda: status()["deliveries"] == 0, "no message that waits")

# The operator says which channels are served. A mistake in the settings changes nothing.
settings = folder / "channel-relay.conf"
written = settings.read_text()


def said(*texts):
    """The next line of the log with one of some texts."""
    while True:
        line = running.error_line()
        if any(text in line for text in texts):
            return line


def reload(text):
    settings.write_text(text)
    running.signal(signal.SIGHUP)
    return said("channel-relay.conf read again", "the settings are unchanged")


reload(written.replace("new_channels = all", "new_channels = none"))
assert "chat relay does not serve" in stage.tacit("alice", "channel", "create", "other", expect=69).err
assert "'new_channels' takes all, listed or none" in reload(written.replace("= all", "= some"))
# The owner names the channel to the operator, who lists it.
listed = stage.tacit("alice", "group", "link", "+other").out.strip()
reload(
    written.replace("new_channels = all", "new_channels = listed").replace(
        "# listed_channels =", f"listed_channels = {listed}"
    )
)
stage.tacit("alice", "channel", "relays", "+other", "--add", address)
states = [each["state"] for each in stage.tacit("alice", "channel", "relays", "+other", "--json").objects]
assert "active" in states, states
assert status()["channels"] == 2

# Pages about the channels are written into a folder that the operator names, and removed when they are served no longer.
pages = stage.folder / "pages"
pages.mkdir()
(pages / "index.html").write_text("stays")
reload(
    written.replace("# web_folder =", f"web_folder = {pages}")
    .replace("# web_domain =", "web_domain = channels.example.org")
    .replace("web_seconds = 300", "web_seconds = 1")
)
wait_until(lambda: len(list(pages.glob("*.html"))) == 3, "pages of two channels")
previews = {json.loads(path.read_text())["channel"]["displayName"]: path for path in pages.glob("*.json")}
assert set(previews) == {"news", "other"}, previews
preview = json.loads(previews["news"].read_text())
assert preview["subscribers"] == 3 and [each["displayName"] for each in preview["members"]] == ["alice"], preview
assert preview["messages"][0]["content"]["text"] == "first" and "sender" not in preview["messages"][0], preview
page = previews["news"].with_suffix(".html").read_text()
assert "<h1>news</h1>" in page and "first" in page and "<script" not in page, page
assert previews["news"].stat().st_mode & 0o777 == 0o644
# Without the preference for history only the profile is shown.
assert json.loads(previews["other"].read_text())["messages"] == []
stage.tacit("alice", "send", "+news", "<b>later</b>")
wait_until(lambda: "&lt;b&gt;later&lt;/b&gt;" in previews["news"].with_suffix(".html").read_text(), "the new post")
stage.tacit("alice", "group", "delete", "+other", "--yes")
wait_until(lambda: not previews["other"].exists(), "the end of a page")
assert (pages / "index.html").read_text() == "stays"
running.signal(signal.SIGUSR1)
assert "channels_accepted=1 channels_refused=1 " in said("counters: channels")
running.signal(signal.SIGTERM)
assert running.ended().code == 0
