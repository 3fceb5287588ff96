"""Tables are cut to 80 columns where nobody has a terminal, unless they are to be wide; records stay whole."""

from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")
text = "word " * 1600
stage.tacit("bob", "send", "@alice", text, "-q")
stage.tacit("alice", "fetch", "-q")
stage.tacit("alice", "contact", "rename", "@bob", "A name of many words as long as a name may be here")
env = {"COLUMNS": None}
for line in ("list", "list chats", "list contacts", "contact list", "list profiles", "list servers"):
    ended = stage.tacit("alice", *line.split(), env=env)
    assert all(len(row) <= 80 for row in ended.out.splitlines()), (line, max(map(len, ended.out.splitlines())))
assert any(row.endswith("…") for row in stage.tacit("alice", "list", env=env).out.splitlines())
assert text.strip() in stage.tacit("alice", "list", "--wide", env=env).out
assert text.strip() in stage.tacit("alice", "--wide", "list", env=env).out
(chat,) = stage.tacit("alice", "list", "--json").objects
assert text.strip() in str(chat), chat
ended = stage.tacit("alice", "list", "--plain", "--fields", "name", env=env)
assert ended.out.strip() == "A name of many words as long as a name may be here", ended.out
