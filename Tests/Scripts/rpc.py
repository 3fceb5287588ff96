"""tacit rpc: whatever standard input is, each request is answered, and no answer is cut off; beside a daemon too."""
# limit: 180

import json
import subprocess
import time

from support.process import TIMEOUT
from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")
stage.tacit("alice", "fetch")


def request(method, id, *params):
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": list(params)}


def rpc(text, **streams):
    """What rpc answers, and its exit code."""
    given = {"input": text.encode()} if text is not None else streams
    ended = subprocess.run(
        [stage.program, "rpc"], env=stage._environment("alice", None), capture_output=True, timeout=TIMEOUT, **given)
    return [json.loads(line) for line in ended.stdout.splitlines()], ended.returncode, ended.stderr.decode()


def check():
    one, two = json.dumps(request("contact.list", 1)), json.dumps(request("status", 2))

    # The last line needs no end; a file is as good as a pipe.
    answers, code, _ = rpc(f"{one}\n\n{two}")
    assert sorted(answer["id"] for answer in answers) == [1, 2] and code == 0, answers
    path = stage.folder / "requests"
    path.write_text(f"{one}\n{two}")
    for name in (path, "/dev/null"):
        with open(name) as file:
            answers, code, _ = rpc(None, stdin=file)
            assert len(answers) == (2 if name == path else 0) and code == 0, answers

    # A line that is too long is refused, and those behind it are answered.
    answers, code, _ = rpc(json.dumps(request("version", 3, "x" * 5_000_000)) + "\n" + two)
    assert answers[0]["error"]["code"] == -32600 and "4194304" in answers[0]["error"]["data"]["message"], answers
    assert answers[1]["id"] == 2 and "result" in answers[1] and code == 0, answers

    # Text stands beside the reports, as it was printed.
    answers, _, _ = rpc(json.dumps(request("help", 4, "exit-codes")))
    text = stage.tacit("alice", "help", "exit-codes").out
    assert answers[0]["result"] == {"exit": 0, "reports": [], "text": text}, answers
    answers, _, _ = rpc(json.dumps(request("export", 5, "-")))
    assert answers[0]["error"]["code"] == 64, answers

    # Nobody is to believe that all was read.
    for streams in ("< /tmp", "<&-"):
        ended = stage.shell("alice", f"tacit rpc {streams}")
        assert ended.code == 66 and "cannot read standard input" in ended.err, ended

    # Answers that nobody reads yet are not lost when nothing more is asked.
    asked = "".join(json.dumps(request("help", number)) + "\n" for number in range(500))
    answers, code, _ = rpc(asked)
    assert len(answers) == 500 and code == 0, len(answers)

    # What is asked for in an order is said in that order.
    asked = [request("send", number, "@bob", f"{number}", "--wait", "sent") for number in range(30)]
    answers, code, _ = rpc("".join(json.dumps(each) + "\n" for each in asked))
    assert len(answers) == 30 and code == 0, answers
    said = [item["text"] for item in stage.tacit("alice", "read", "@bob", "--last", "30", "--json").objects]
    assert said == [str(number) for number in range(30)], said
    # Who waits holds up nobody.
    asked = [request("watch", 1, "--timeout", "20s"), request("send", 2, "@bob", "x", "--wait", "delivered", "--timeout", "20s")]
    process = subprocess.Popen(
        [stage.program, "rpc"], env=stage._environment("alice", None), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(("".join(json.dumps(each) + "\n" for each in asked) + json.dumps(request("contact.list", 3)) + "\n").encode())
    process.stdin.flush()
    start = time.monotonic()
    while "result" not in json.loads(process.stdout.readline()):
        pass
    assert time.monotonic() - start < 15, "held up"
    # With the last request its client has gone, whatever still runs.
    process.stdin.close()
    last = [json.loads(line) for line in process.stdout.read().splitlines()]
    assert {each.get("id") for each in last} >= {1} and process.wait(TIMEOUT) == 0, last
    # The same if only its reader has gone.
    process = subprocess.Popen(
        [stage.program, "rpc"], env=stage._environment("alice", None), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write((json.dumps(request("watch", 1)) + "\n" + json.dumps(request("contact.list", 3)) + "\n").encode())
    process.stdin.flush()
    while "result" not in json.loads(process.stdout.readline()):
        pass
    process.stdout.close()
    assert process.wait(TIMEOUT) == 0


check()
daemon = stage.start("alice", "daemon", "run")
assert daemon.error_line().startswith("accepting commands at ")
check()
stage.tacit("alice", "daemon", "stop")

# Nothing is printed into a file that took the place of a stream that was not there.
before = stage.tacit("alice", "read", "@bob", "--last", "1000").out
for streams in (">&-", "2>&-", "<&-", "<&- >&- 2>&-"):
    stage.shell("alice", f"tacit list --json {streams}")
    stage.shell("alice", f"tacit send @bob 'hi' {streams}")
assert stage.tacit("alice", "db", "check").code == 0
assert stage.tacit("alice", "read", "@bob", "--last", "1000").out.startswith(before)
assert stage.shell("alice", "tacit list >&-").code != 0
