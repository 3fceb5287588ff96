"""A command that another process carries out is read with the variables and files of whoever typed it."""

import re
import subprocess

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
files = {
    "mine": "[alias]\nhi = send @alice hi\n[send]\nwait = queued\n[global]\ncolor = never\n",
    "theirs": "[send]\nwait = delivered\ntimeout = 1s\n[alias]\nhi = send @nobody hi\n",
    "broken": "[send]\nwait = never\n",
}
for name, text in files.items():
    (stage.folder / name).write_text(text)
mine = {"TACIT_CONFIG": str(stage.folder / "mine")}
daemon = stage.start(
    "bob", "daemon", "run",
    env={"TACIT_CONFIG": str(stage.folder / "theirs"), "TZ": "UTC0", "COLUMNS": "20", "NO_COLOR": "1", "TACIT_FORMAT": "json"},
)
assert daemon.error_line().startswith(("accepting commands at ", '{"v":1')), daemon

# Aliases and defaults of options come from one's own file, and nothing from that of the daemon.
sent = stage.tacit("bob", "hi", "--json", env=mine).objects[0]
assert (sent["chat"], sent["state"]) == ("@alice", "queued"), sent
sent = stage.tacit("bob", "send", "@alice", "hi", "--json").objects[0]
assert sent["state"] == "sent", sent
assert stage.tacit("bob", "send", "@alice", "hi").out.startswith("sent @alice")
assert stage.tacit("bob", "send", "@alice", "hi", env={**mine, "TACIT_SEND_WAIT": "sent"}).out.startswith("sent @alice")
ended = stage.tacit("bob", "send", "@alice", "hi", env={"TACIT_CONFIG": str(stage.folder / "broken")}, expect=78)
assert f"{stage.folder}/broken:2" in ended.err, ended.err

# So do the clock on the wall, the width and the colours.
watching = stage.start("bob", "watch", "@alice", env={"TZ": "ZONE-13:30", "CLICOLOR_FORCE": "1"})
seen = []


def is_seen():
    stage.tacit("alice", "send", "@bob", "what time is it, when this line is longer than twenty columns?", "-q")
    seen.append(watching.line())
    return "what time" in seen[-1]


wait_until(is_seen, "a message", watching.process)
watching.signal(15)
watching.ended()
line = seen[-1]
assert "\x1b[" in line and "columns?" in line, line
read = stage.tacit("bob", "read", "--last", "1", env={"TZ": "ZONE-13:30"}).out
moment = re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d", re.sub(r"\x1b\[[0-9;]*m", "", line))[0]
assert read[:13] == moment[:13], (read, moment)
other = stage.tacit("bob", "read", "--last", "1", env={"TZ": "UTC0"}).out
assert other[:13] != moment[:13], (other, moment)

# How the daemon is connected is its own business: who wishes otherwise is told.
stage.play(r'''
    bob$ TACIT_PROXY=socks5h://127.0.0.1:9 tacit send @alice hi
    ! tacit: cannot send to '@alice': the process that has the store open uses other network settings
    !   why: TACIT_PROXY cannot change them
    !   try: tacit daemon stop    then repeat the command
    [75]
    bob$ TACIT_PROXY= TACIT_ONION=prefer TACIT_REQUIRE_PROXY=no tacit send @alice hi -q
''')
daemon.signal(15)
daemon.ended()
