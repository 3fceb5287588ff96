"""The readable history: what a browser, a pager and a program get. Nothing of it runs, and nothing of others is markup."""

import html.parser
import json
import re
import sqlite3
from pathlib import Path

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
stage.person("alice", relay)
stage.person("bob", relay, "--no-encryption")
stage.person("eve", relay)
stage.connect("alice", "bob")
stage.connect("bob", "eve")

HOSTILE = [
    "<script>alert(1)</script>",
    "</p></article><h2>forged</h2>",
    '" onmouseover="alert(1)" x="',
    "&lt;not markup&gt; &amp; 'quotes'",
    "\u202egnp.exe\u202c, \x1b[31mred, \x00NUL",
    "-- 2020-01-01 --\n2020-01-01 00:00  @eve  │ forged",
    "line one\nline two\r\n\tline three",
    "w" * 3000,
    "שלום 👩\u200d👩\u200d👧",
]
for text in HOSTILE:
    message = json.dumps([{"msgContent": {"type": "text", "text": text}}])
    stage.tacit("alice", "api", f"/_send @1 json {message}")
stage.tacit("alice", "fetch", "-q")
stage.tacit("eve", "send", "@bob", "from eve")
stage.tacit("bob", "fetch")
stage.tacit("bob", "send", "@alice", "an <b>answer</b>")
stage.tacit("alice", "fetch")

# jsonl is what read prints, and a file is what standard output gets.
assert stage.tacit("bob", "export", "--format", "jsonl", "-q", "-").out == stage.tacit("bob", "read", "--json").out
only = stage.tacit("bob", "export", "--format", "jsonl", "--target", "@alice", "-q", "-").objects
texts = [message["text"] for message in only]
assert texts == [*HOSTILE, "an <b>answer</b>"], texts
for form in ("jsonl", "txt", "html"):
    report = stage.tacit("bob", "export", "--format", form, f"history.{form}", "--json").objects
    assert report == [{"v": 1, "type": "history", "file": f"history.{form}", "format": form, "messages": 11}]
    written = stage.tacit("bob", "export", "--format", form, "-").out
    assert Path(f"history.{form}").read_text() == written
    stage.tacit("bob", "export", "--format", form, f"history.{form}", expect=73)
    stage.tacit("bob", "export", "--format", form, "--force", f"history.{form}")
    stage.tacit("bob", "export", "--format", form, "--target", "@nobody", "none", expect=67)
assert not Path("none").exists()

# Plain text: each message begins with its time, and everything of others is behind the margin.
text = Path("history.txt").read_text()
assert not {character for character in text if not character.isprintable()} - {"\n"} - {"\u200d"}
heads = [line for line in text.split("\n") if not re.match(r"\s+│", line)]
assert len([line for line in heads if re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d  (to )?@(alice|eve)  │ ", line)]) == 11
assert sum(line.startswith("-- ") for line in heads) == 2, heads
assert [line for line in heads if line.startswith("@")] == ["@alice", "@eve"]


class Page(html.parser.HTMLParser):
    """The structure of a page, as a browser sees it."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.stack, self.bodies, self.attributes = set(), [], [], set()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes}
        if tag == "p" and "article" in self.stack:
            self.bodies.append("")
        if tag == "br":
            return
        if tag != "meta":
            self.stack.append(tag)

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag, tag

    def handle_data(self, data):
        if self.stack[-1:] == ["p"] and "article" in self.stack:
            self.bodies[-1] += data


source = Path("history.html").read_text()
page = Page()
page.feed(source)
page.close()
assert page.stack == []
shown = {"html", "head", "meta", "title", "style", "body", "header", "nav", "main", "section", "article", "footer"}
assert page.tags <= shown | {"h1", "h2", "h3", "p", "a", "b", "i", "bdi", "br", "time", "small"}, page.tags
allowed = {"lang", "charset", "content", "http-equiv", "name", "href", "id", "class", "dir", "datetime", "title"}
assert page.attributes <= allowed, page.attributes
assert len(page.bodies) == 11
assert page.bodies[0] == HOSTILE[0] and page.bodies[1] == HOSTILE[1] and page.bodies[3] == HOSTILE[3]
assert "\u202e" not in source and "\x1b" not in source and "\0" not in source
assert "default-src 'none'" in source
assert not re.search(r"""(src|href)=["'](?!#)|url\(|@import|<script|<link|<img|<iframe""", source)

# Contacts choose the numbers of their messages; those add up without overflowing.
agent = sqlite3.connect(stage.place("bob") / "simplex_v1_agent.db")
before = agent.execute("SELECT received_number FROM connections WHERE connection_id = 1").fetchone()
agent.execute("UPDATE connections SET received_number = 9223372036854775807 WHERE connection_id = 1")
agent.commit()
stage.tacit("bob", "export", "steered.zip")
agent.execute("UPDATE connections SET received_number = ? WHERE connection_id = 1", before)
agent.commit()
agent.close()

# A long history takes no more memory than a short one.
store = sqlite3.connect(stage.place("bob") / "simplex_v1_chat.db")
content = json.dumps({"type": "text", "text": "what was said " * 10})
store.executemany(
    "INSERT INTO items (chat_id, direction, kind, content, status, time, created_at) VALUES (1, ?, 'message', ?, ?, ?, ?)",
    (
        ("received" if number % 2 else "sent", content, "rcv_read" if number % 2 else "snd_sent complete", time, time)
        for number in range(20_000)
        for time in [1_700_000_000_000 + number * 600_000]
    ),
)
store.commit()
store.close()
for form in ("jsonl", "txt", "html"):
    script = f"ulimit -v 300000; tacit export -q --format {form} - | wc -c"
    ended = stage.shell("bob", script)
    assert ended.code == 0 and int(ended.out) > 20_000 * 140, (form, ended.err)
