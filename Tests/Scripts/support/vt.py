"""A screen as a terminal has it: rows of cells, a cursor, and what has scrolled out at the top.

As much of ECMA-48 and of what xterm adds as the session uses; anything else is an error, because a real terminal would show
it or do something with it.
"""

import base64
import re
import unicodedata

SEQUENCE = re.compile(r"\x1b\[(\??)([0-9;]*)([A-Za-z])")
# The title of the window. Any control character ends or breaks it.
TITLE = re.compile(r"\x1b\]2;([^\x00-\x1f\x7f-\x9f]*)\x1b\\")
# What is copied (xterm, OSC 52), in base64.
CLIPBOARD = re.compile(r"\x1b\]52;c;([A-Za-z0-9+/=]*)\x1b\\")
# A question of the kitty graphics protocol; it shows nothing.
GRAPHICS = re.compile(r"\x1b_G([^\x00-\x1f\x7f-\x9f]*)\x1b\\")
WIDE = "W", "F"


def width(character):
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in WIDE else 1


class Screen:
    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.pages = {False: [[] for _ in range(rows)], True: [[] for _ in range(rows)]}
        self.cursors = {False: (0, 0), True: (0, 0)}
        self.is_other_page = False
        self.row = self.column = 0
        # A row is full, and the next character starts another.
        self.is_full = False
        # What has gone from the first page at its top; the other page has no past.
        self.past = []
        self.marks_pastes = False
        self.rest = ""
        self.title, self.kept_titles, self.bells = "the shell", [], 0
        # Questions to the terminal that have no answer yet.
        self.questions = []

    # What is seen.

    @property
    def page(self):
        return self.pages[self.is_other_page]

    @staticmethod
    def _text(cells):
        return "".join(cell for cell in cells if cell is not None).rstrip()

    @property
    def lines(self):
        """The rows on the screen."""
        return [self._text(row) for row in self.page]

    @property
    def text(self):
        """The rows on the screen down to the last that is not empty."""
        return "\n".join(self.lines).rstrip("\n")

    @property
    def everything(self):
        """The rows that have scrolled out, and those on the screen."""
        return "\n".join(self.past + self.lines).rstrip("\n")

    # What changes it.

    def feed(self, text):
        text = self.rest + text
        self.rest = ""
        place = 0
        while place < len(text):
            character = text[place]
            if character == "\x1b":
                title = TITLE.match(text, place)
                if title:
                    self.title, place = title.group(1), title.end()
                    continue
                copied = CLIPBOARD.match(text, place)
                if copied:
                    self.copied, place = base64.b64decode(copied.group(1)).decode(), copied.end()
                    continue
                graphics = GRAPHICS.match(text, place)
                if graphics:
                    self.questions.append(graphics.group(1))
                    place = graphics.end()
                    continue
                found = SEQUENCE.match(text, place)
                if not found:
                    rest = r"\x1b(_(G[^\x00-\x1f\x7f-\x9f]*\x1b?)?|\[\??[0-9;]*|\](2(;[^\x00-\x1f\x7f-\x9f]*\x1b?)?|5(2(;(c(;[A-Za-z0-9+/=]*\x1b?)?)?)?)?)?)?"
                    assert re.fullmatch(rest, text[place:]), f"not understood: {text[place:place + 20]!r}"
                    self.rest = text[place:]
                    return
                self._obey(found.group(1), found.group(2), found.group(3))
                place = found.end()
                continue
            self._put(character)
            place += 1

    def _put(self, character):
        if character == "\r":
            self.column, self.is_full = 0, False
        elif character == "\n":
            self._go_down()
        elif character == "\b":
            self.column, self.is_full = max(self.column - 1, 0), False
        elif character == "\a":
            self.bells += 1
        else:
            assert character >= " " and character != "\x7f", f"a control character: {character!r}"
            self._show(character)

    def _show(self, character):
        columns = width(character)
        row = self.page[self.row]
        if columns == 0:
            place = self.column if self.is_full else self.column - 1
            while place > 0 and place < len(row) and row[place] is None:
                place -= 1
            if 0 <= place < len(row):
                row[place] = (row[place] or " ") + character
            return
        if self.is_full or self.column + columns > self.columns:
            self.column, self.is_full = 0, False
            self._go_down()
            row = self.page[self.row]
        row.extend(" " * (self.column + columns - len(row)))
        row[self.column] = character
        if columns == 2:
            row[self.column + 1] = None
        self.column += columns
        if self.column >= self.columns:
            self.column, self.is_full = self.columns - 1, True

    def _go_down(self):
        self.is_full = False
        if self.row < self.rows - 1:
            self.row += 1
            return
        gone = self.page.pop(0)
        if not self.is_other_page:
            self.past.append(self._text(gone))
        self.page.append([])

    def _obey(self, private, numbers, letter):
        values = [int(number) if number else 0 for number in numbers.split(";")]
        count = max(values[0], 1)
        if private:
            return self._set(values[0], letter)
        if letter == "c":
            return self.questions.append("attributes")
        if letter != "m":
            self.is_full = False
        if letter == "A":
            self.row = max(self.row - count, 0)
        elif letter == "C":
            self.column = min(self.column + count, self.columns - 1)
        elif letter == "D":
            self.column = max(self.column - count, 0)
        elif letter == "H":
            self.row = min(count, self.rows) - 1
            self.column = min(max(values[1] if len(values) > 1 else 1, 1), self.columns) - 1
        elif letter == "J" and values[0] == 0:
            del self.page[self.row][self.column :]
            for row in range(self.row + 1, self.rows):
                self.page[row] = []
        elif letter == "J" and values[0] == 2:
            self.pages[self.is_other_page] = [[] for _ in range(self.rows)]
        elif letter == "t" and values[0] == 22:
            self.kept_titles.append(self.title)
        elif letter == "t" and values[0] == 23:
            self.title = self.kept_titles.pop()
            self.copied = None
        elif letter == "K" and values[0] == 0:
            del self.page[self.row][self.column :]
        else:
            assert letter == "m", f"not understood: CSI {numbers} {letter}"

    def _set(self, mode, letter):
        assert letter in "hl", f"not understood: CSI ? {mode} {letter}"
        is_on = letter == "h"
        if mode == 2004:
            self.marks_pastes = is_on
        elif mode == 1049:
            if is_on != self.is_other_page:
                self.cursors[self.is_other_page] = (self.row, self.column)
                self.is_other_page = is_on
                self.row, self.column = self.cursors[is_on]
        else:
            assert mode == 25, f"not understood: CSI ? {mode} {letter}"

    def resize(self, columns, rows):
        """As a terminal does that cuts rows off which have become too long, and keeps the row of the cursor."""
        for page in self.pages.values():
            while len(page) > rows:
                if page is self.page and self.row < rows:
                    page.pop()
                    continue
                gone = page.pop(0)
                if page is self.pages[False]:
                    self.past.append(self._text(gone))
                if page is self.page:
                    self.row -= 1
            page.extend([] for _ in range(rows - len(page)))
            for row in page:
                del row[columns:]
        self.columns, self.rows = columns, rows
        self.row, self.column, self.is_full = min(max(self.row, 0), rows - 1), min(self.column, columns - 1), False
