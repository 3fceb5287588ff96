"""The three forms of output, and what their readers may rely on."""

from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")
stage.tacit("alice", "send", "@bob", "tab\there, back\\slash\nand a second line")
stage.tacit("alice", "send", "@bob", "plain")

# One record a line whatever is in it; the fields that are asked for, in that order.
stage.play(r'''
    bob$ tacit fetch --plain
    m1	YYYY-MM-DDThh:mm:ss.sssZ	@alice	in	received	tab\there, back\\slash\nand a second line
    m2	YYYY-MM-DDThh:mm:ss.sssZ	@alice	in	received	plain
    bob$ tacit read --plain
    m1	YYYY-MM-DDThh:mm:ss.sssZ	@alice	in	received	tab\there, back\\slash\nand a second line
    m2	YYYY-MM-DDThh:mm:ss.sssZ	@alice	in	received	plain
    bob$ tacit read --plain --fields text
    tab\there, back\\slash\nand a second line
    plain
    bob$ tacit read --fields direction,state,id,kind,reason --last 1
    in	received	m2	text	
    bob$ tacit read --plain -0 --fields id,text | tr '\0' '$'
    m1	tab\there, back\\slash\nand a second line$m2	plain$
    bob$ tacit read -0 --fields id --last 1 | od -An -c
       m   2  \0
    bob$ tacit list --plain
    c1	alice	2	connected	YYYY-MM-DDThh:mm:ss.sssZ	plain
    bob$ tacit list chats --plain --fields name,unread | awk -F'\t' '$2 > 0'
    alice	2
    bob$ tacit list contacts --plain
    c1	alice	connected	
    bob$ tacit list profiles --plain
    p1	bob	true	2	
    bob$ tacit status --plain
    bob	1	2	0	/stage/bob
    bob$ tacit status --plain --fields servers,problems,outbox
    smp://FINGERPRINT@127.0.0.1:PORT		0
    bob$ tacit version --plain
    0.1.0
    bob$ tacit send @alice hi --plain
    m3	@alice	sent	YYYY-MM-DDThh:mm:ss.sssZ
    bob$ tacit send @alice hi --dry-run
    would be sent to @alice
    bob$ tacit send @alice hi --dry-run --json
    {"v":1,"type":"send","chat":"@alice","chat_id":"c1","state":"dry-run"}
    bob$ tacit send @alice hi --to alice --to id:c1 --plain --fields chat,chat_id
    @alice	c1
''')

# The format may come from the environment, and the command line wins.
stage.play(r'''
    bob$ TACIT_FORMAT=json tacit version
    {"v":1,"type":"version","version":"0.1.0","chat":"1-19","agent":"2-7","smp":"6-20","ratchet":"2-3","api":"7.0.0.6"}
    bob$ TACIT_FORMAT=plain tacit profile list
    p1	bob	true	2	
    bob$ TACIT_FORMAT=json tacit profile list --plain --fields name
    bob
    bob$ TACIT_FORMAT=plain tacit profile show --json
    {"v":1,"type":"profile","id":"p1","name":"bob","active":true,"muted":false,"receipts":true,"unread":2,"created_at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    bob$ TACIT_FORMAT=json tacit send @nobody hi
    ! {"v":1,"type":"error","code":"contact.unknown","exit":67,"message":"cannot send to '@nobody': unknown contact 'nobody'","try":["tacit list contacts"]}
    [67]
    bob$ TACIT_FORMAT_VERSION=2 tacit version
    ! tacit: unsupported format version 2
    !   why: the supported version is 1
    !   try: --format-version 1
    [64]
    bob$ TACIT_SEND_WAIT=queued tacit send @alice 'not yet'
    queued @alice m5
    bob$ TACIT_SEND_WAIT=queued tacit send @alice 'now' --wait sent
    sent @alice m6
    bob$ TACIT_READ_LAST=1 TACIT_READ_FIELDS=text tacit read
    now
    bob$ TACIT_TIMEOUT=never tacit fetch
    ! tacit: the variable TACIT_TIMEOUT cannot be 'never'; expected a duration such as 500ms, 30s or 10m
    [78]
    bob$ tacit read --last 3 --last 1 --output plain --fields text
    now
''')

# Times are local for people and in UTC for programs.
late = {"TZ": "XXX-14"}
text = stage.tacit("bob", "read", "--last", "1", env=late).out
assert text == stage.tacit("bob", "read", "--last", "1", env=late, stdin="").out
utc = stage.tacit("bob", "read", "--last", "1", "--utc", env=late).out
assert utc == stage.tacit("bob", "read", "--last", "1").out and utc != text, (utc, text)
assert len({stage.tacit("bob", "read", "--json", env=env).out for env in (late, None, {"TZ": None})}) == 1
at = stage.tacit("bob", "read", "--json", "--last", "1").objects[0]["at"]
assert utc.startswith(at[:10] + " " + at[11:16]), (utc, at)

# Colour is for terminals, or for those who ask.
for words in (["read"], ["list"], ["status"], ["send", "@nobody", "x"], ["profile", "show"]):
    expect = 67 if words[0] == "send" else 0
    plain = stage.tacit("bob", *words, expect=expect)
    painted = stage.tacit("bob", *words, "--color", "always", expect=expect)
    assert "\x1b" not in plain.out + plain.err and "\x1b[" in painted.out + painted.err, words
    for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        again = stage.tacit("bob", *words, env=env, expect=expect)
        assert (again.out, again.err) == (plain.out, plain.err), (words, env)
    forced = stage.tacit("bob", *words, env={"CLICOLOR_FORCE": "1"}, expect=expect)
    assert (forced.out, forced.err) == (painted.out, painted.err), words
    never = stage.tacit("bob", *words, "--color", "never", env={"CLICOLOR_FORCE": "1"}, expect=expect)
    assert (never.out, never.err) == (plain.out, plain.err), words
    assert "\x1b" not in stage.tacit("bob", *words, "--color", "always", "--json", expect=expect).out

# Every report is an object that begins with v and type; ``objects`` looks at each.
relay = str(stage.folder / "other")
for person, *words in (
    ("carol", "init", "--name", "carol"),
    ("carol", "init", "--if-missing"),
    ("carol", "profile", "create", "work", "--bio", "none"),
    ("carol", "profile", "use", "work"),
    ("carol", "profile", "show"),
    ("carol", "list"),
    ("carol", "status"),
    ("bob", "list", "messages"),
    ("bob", "list", "contacts"),
    ("bob", "list", "profiles"),
    ("bob", "fetch"),
    ("bob", "connect"),
    ("bob", "list"),
    ("bob", "status", "--check"),
    ("bob", "send", "@alice", "x"),
    ("bob", "version"),
    (None, "relay", "init", relay, "--host", "127.0.0.1"),
):
    ended = stage.tacit(person, *words, "--json")
    assert ended.objects or words[0] in ("init", "list"), words
