"""A newcomer receives the files of the history of a group: those of the host, and those that others had sent and received."""
# limit: 180

from support.process import wait_until
from support.stage import FileRelay, Stage

stage = Stage()
relay = FileRelay(stage).start()
people = ["ann", "ben", "cat", "dan"]
for name in people:
    stage.person(name, relay.address)
    stage.tacit(name, "server", "add", relay.files)
for name in people[1:]:
    stage.connect("ann", name)
stage.tacit("ann", "group", "create", "team")


def fetch(*names):
    for name in names:
        stage.tacit(name, "fetch")


def admit(name):
    stage.tacit("ann", "group", "invite", "+team", f"@{name}")
    fetch(name)
    stage.tacit(name, "group", "join", "+team")

    def is_in():
        fetch("ann", *people)
        return any(m["name"] == name and m["state"] in ("connected", "complete")
                   for m in stage.tacit("ann", "group", "members", "+team", "--json").objects)  # fmt: skip

    wait_until(is_in, f"{name} is in the group")
    fetch(*people)


def receive(name):
    """Receives all files of the group, and returns their contents."""
    folder = stage.folder / f"{name}-files"
    folder.mkdir(exist_ok=True)
    ids = {m["file"]["id"] for m in stage.tacit(name, "read", "+team", "--json", "--last", "50").objects
           if m.get("file") and m["direction"] == "in"}  # fmt: skip
    for id in sorted(ids):
        stage.tacit(name, "file", "receive", id, "--to", str(folder))
    return sorted(path.read_text() for path in folder.iterdir())


admit("ben")
for name in ("ann", "ben"):
    (stage.folder / f"{name}.txt").write_text(f"the file of {name}")
    stage.tacit(name, "send", "+team", "look", "--attach", str(stage.folder / f"{name}.txt"))
    fetch("ann", "ben")
(stage.folder / "later.txt").write_text("the later file of ben")
stage.tacit("ben", "send", "+team", "look", "--attach", str(stage.folder / "later.txt"))
# The host has received the files of the other, and had the time to tell the relay of the first one.
daemon = stage.start("ann", "daemon", "run")
assert daemon.error_line().startswith("accepting commands at ")
fetch("ann")
assert receive("ann") == ["the file of ben", "the later file of ben"]
stage.tacit("ann", "daemon", "stop")
daemon.ended()
assert receive("ben") == ["the file of ann"]
fetch("ann", "ben")
for newcomer in ("cat", "dan"):
    admit(newcomer)
    assert receive(newcomer) == ["the file of ann", "the file of ben", "the later file of ben"], newcomer
