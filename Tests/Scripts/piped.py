"""Commands from a pipe: one a line, and no more of them after one that fails."""

from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")

done = stage.tacit("alice", "repl", stdin="send @bob 'one'\n\n# a remark\n/send @bob \"two words\"\nlist contacts\n")
assert "sent" in done.out and "bob" in done.out and ">" not in done.out, done.out
stage.tacit("bob", "fetch")
texts = [item["text"] for item in stage.tacit("bob", "read", "--json").objects]
assert texts == ["one", "two words"], texts

# The first that fails ends it, with its code; or all are tried.
failed = stage.tacit("alice", "repl", stdin="list contacts\nsend @nobody hi\nsend @bob three\n", expect=67)
assert "nobody" in failed.err, failed.err
all_tried = stage.tacit("alice", "repl", "--keep-going", stdin="send @nobody hi\nsend @bob three\nwrong\n", expect=67)
assert "three" not in all_tried.err and "sent" in all_tried.out, all_tried.out
assert stage.tacit("alice", "repl", stdin="list contacts 'open\n", expect=64).err
assert stage.tacit("alice", "repl", stdin="quit\nsend @nobody hi\n").out == ""
assert stage.tacit("alice", "repl", stdin="").out == ""

# What cannot be asked is not done.
stage.tacit("alice", "repl", stdin="contact delete @bob\n", expect=64)
assert "bob" in stage.tacit("alice", "list", "contacts").out

# Alone and without a terminal it says how it is used.
assert "Usage" in stage.tacit("alice", expect=64).err
