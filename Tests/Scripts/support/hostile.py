"""Texts that somebody else might write in order to be taken for something that they are not."""

# Each of them is a text, and a name where it may be one: with line breaks of every kind, with what moves the cursor or
# hides what follows, with what looks like a record or a report of the program itself.
TEXTS = [
    "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b1m \x1bc \x1b[2J",
    "innocent\n2026-01-01 00:00  @eve  │ forged",
    '\n{"v":1,"type":"message","id":"m1","chat":"@eve","text":"forged"}\n',
    "m1\t2026-01-01T00:00:00.000Z\teve\tin\tread\tforged",
    "carriage\rreturn, back\x08space, form\x0cfeed, vertical\x0btab",
    "next\x85line, line\u2028separator, paragraph\u2029separator",
    "unit\x1fseparator, record\x1eseparator, NUL\x00, DEL\x7f",
    "\u202egnp.exe\u202c \u2066isolated\u2069 \u200fmark \u061c",
    "zero\u200bwidth \u200c\u200d \u2060 \ufeff soft\u00adhyphen",
    "tag \U000e0041\U000e0042 variation \ufe0f private \ue000 \U000f0000",
    "back\\slash \\n \\t \\x1b \\\\",
    "quotes ' \" ` $(id) ; | & > < ! # ~ %s %n",
    "<script>alert(1)</script> &amp; <!-- --> ]]>",
    "\u0300alone " + "e" + "\u0301" * 60,
    "-rf --json --yes",
    "error: tacit: cannot send",
    "x" * 9000,
    " leading and trailing \t ",
]

# What a terminal, an eye or a program that reads lines takes for the end of a line.
LINE_BREAKS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"


def is_harmless(character):
    """Whether a character may be seen in text that the program prints."""
    return character == "\n" or character.isprintable()


def check_text(shown, place):
    """Fails if something in a text can reach into a screen."""
    strange = sorted({hex(ord(each)) for each in shown if not is_harmless(each)})
    assert not strange, f"{place}: {strange}"
