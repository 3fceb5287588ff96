"""file receive of a file that is here copies it to --to, and does not report a deleted file as received."""
# limit: 120

from support.stage import Stage

stage = Stage()
stage.connected("ann", "ben", files=True)
(stage.folder / "plan.txt").write_text("the plan\n")
stage.tacit("ann", "send", "@ben", "plan", "--attach", str(stage.folder / "plan.txt"))
stage.tacit("ben", "fetch")
one, two = stage.folder / "one", stage.folder / "two"
for folder in (one, two):
    folder.mkdir()
stage.tacit("ben", "file", "receive", "f1", "--to", str(one))
stage.tacit("ben", "file", "receive", "f1", "--to", str(one))
assert [path.name for path in one.iterdir()] == ["plan.txt"]
stage.tacit("ben", "file", "receive", "f1", "--to", str(two))
assert (two / "plan.txt").read_text() == "the plan\n"
# Nothing is replaced.
(two / "plan.txt").write_text("another plan")
stage.tacit("ben", "file", "receive", "f1", "--to", str(two), expect=73)
assert (two / "plan.txt").read_text() == "another plan"
(one / "plan.txt").unlink()
for words in ([], ["--to", str(one)]):
    ended = stage.tacit("ben", "file", "receive", "f1", *words, "--json", expect=66)
    assert ended.error["code"] == "file.deleted", ended.err
