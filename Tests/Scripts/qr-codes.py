"""A phone reads a link from the screen, and a script gets the link alone."""

import shutil
import subprocess

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
stage.person("alice", relay)
stage.person("bob", relay)


def modules(lines, light):
    """The rows of a picture, true where it is dark, of characters that draw what is light or what is dark."""
    rows = []
    for line in lines:
        rows += [[(each in "█▀") != light for each in line], [(each in "█▄") != light for each in line]]
    return rows


def check(rows, link):
    """Three finders, a light edge, and with a reader at hand what it reads."""
    size = len(rows[0]) - 8
    assert size % 4 == 1 and size >= 21 and len({len(row) for row in rows}) == 1, rows
    assert not any(any(row[:4] + row[-4:]) for row in rows) and not any(any(row) for row in rows[:4] + rows[size + 4:])
    for down, right in ((4, 4), (4, size - 3), (size - 3, 4)):
        assert rows[down][right : right + 7] == [True] * 7 and rows[down + 3][right : right + 7] == [
            True, False, True, True, True, False, True
        ]
    if not shutil.which("zbarimg"):
        return
    scale, picture = 6, stage.folder / "code.pgm"
    pixels = b"".join(b"".join((b"\0" if dark else b"\xff") * scale for dark in row) * scale for row in rows)
    picture.write_bytes(b"P5 %d %d 255\n" % (scale * len(rows[0]), scale * len(rows)) + pixels)
    read = subprocess.run(["zbarimg", "-q", "--raw", picture], capture_output=True, text=True, check=True).stdout
    assert read.strip() == link, (read, link)


if not shutil.which("zbarimg"):
    print("skipped: no zbarimg, so nobody reads the codes")

# In a pipe: the link alone on standard output.
ended = stage.tacit("alice", "connect", "--qr", "--incognito")
link = ended.out.removesuffix("\n")
assert "\n" not in link and "#" in link, ended.out
check(modules([line for line in ended.err.splitlines() if line[0] in "█▀▄ "], light=True), link)
ended = stage.tacit("alice", "invitation", "show", "id:i1", "--qr", "--json")
assert ended.objects[0]["link"] == link
check(modules(ended.err.splitlines(), light=True), link)
stage.tacit("alice", "address", "create")
ended = stage.tacit("alice", "address", "show", "--qr", "--color", "always")
lines = [line.removeprefix("\x1b[38;5;16;48;5;231m").removesuffix("\x1b[0m") for line in ended.err.splitlines()]
check(modules(lines, light=False), ended.out.strip())

# On a terminal: on standard output, above the link.
seat = stage.sit("alice", "address", columns=160, rows=60)
assert seat.ended() == 0
shown = [line for line in seat.screen.everything.splitlines() if line.strip()]
assert shown == [ended.out.strip()], shown
seat = stage.sit("alice", "address", "show", "--qr", columns=160, rows=60)
assert seat.ended() == 0
shown = seat.screen.everything.splitlines()
place = next(number for number, line in enumerate(shown) if "#" in line)
check(modules([line for line in shown[:place]], light=True), ended.out.strip())

# Where it does not fit the link must do.
seat = stage.sit("alice", "address", "show", "--qr", columns=40)
assert seat.ended() == 0
assert "tacit: warning: the QR code needs" in seat.screen.text and "█" not in seat.screen.text, seat.screen.text
assert "█" in stage.tacit("alice", "invitation", "show", "id:i1", "--full", "--qr").err

stage.play(r'''
    bob$ tacit connect "$(tacit connect -q)" --qr
    ! tacit: '--qr' needs a new invitation and cannot be combined with a link
    [64]
''')
