"""A link that is none, or not all of one, is refused by open as connect refuses it, before a store is looked for."""

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
BAD = [
    "https://smp.example.com/i#abc",
    "https://simplex.chat/contact",
    "https://simplex.chat/contact#/?v=2",
    "https://",
    "http://example.com/",
    "simplex:/contact#/?v=2",
    "simplex:x",
    "SIMPLEX:/invitation",
    "<https://smp.example.com/i#abc>",
    "https://smp.example.com/i#abc and more",
    relay.address,
    "xftp://example.com",
]
# An address of a web page is told from a link that is broken.
PAGES = {"http://example.com/"}
for link in BAD:
    code = "link.page" if link in PAGES else "link.invalid"
    by_connect = stage.tacit("alice", "connect", link, "--json", expect=65).error
    by_open = stage.tacit("alice", "open", link, "--json", expect=65).error
    assert by_open["code"] == by_connect["code"] == code, (link, by_open, by_connect)
    assert by_open.get("why") == by_connect.get("why") and by_open["try"] == by_connect["try"], (by_open, by_connect)
    assert stage.tacit("nobody", "open", link, "--json", expect=65).error["code"] == code
stage.play(r'''
    alice$ tacit open https://simplex.chat/contact
    ! tacit: cannot open 'https://simplex.chat/contact': invalid or incomplete link
    !   why: a link begins with simplex:/ or https:// and must be quoted for the shell
    !   try: tacit connect 'LINK'
    [65]
    alice$ tacit open nobody
    ! tacit: cannot open 'nobody': unknown contact 'nobody'
    !   try: tacit list contacts    show the list
    [67]
''')

# One that is whole is followed, also with brackets around it, or with its other form before it.
link = stage.tacit("bob", "connect", "--json").objects[0]
for text in (link["link"], f"<{link['link']}>", f"{link['full_link']} {link['short_link']}", link["full_link"]):
    assert stage.tacit("alice", "open", text, "--dry-run", "--json").objects[0]["type"] == "link", text
