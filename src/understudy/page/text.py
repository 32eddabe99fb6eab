"""Texts that others wrote, made harmless to look at, and made to fit.

Names and categories come from schemas and files. What a terminal would obey, and what would turn a line of text around
(control characters, right-to-left marks, line ends), is shown as an escape.

>>> visible("age\\x1b[2J"), visible("gro\\u00df"), visible("a\\u202eb")
('age\\\\x1b[2J', 'groß', 'a\\\\u202eb')
"""

from unicodedata import east_asian_width

NARROW, BROAD = frozenset("fijlrtI .,:;'|!()[]{}/-"), frozenset("mwMW@%")


def visible(text: str) -> str:
    """A text without anything that a reader's screen would obey."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def breadth(text: str) -> float:
    """How wide a text is in a sans-serif face, in ems, rather more than less.

    >>> breadth("ill") < breadth("age") < breadth("AGE") < breadth("年齢層")
    True
    """
    return sum(advance(c) for c in text)


def advance(character: str) -> float:
    """The width of one character."""
    if east_asian_width(character) in "WF":
        return 1.0
    if character in BROAD:
        return 0.92
    return 0.36 if character in NARROW else 0.72 if character.isupper() else 0.58


def shortened(text: str, ems: float) -> str:
    """A text at most so wide, its middle cut out where it is wider: names often differ at their end.

    >>> shortened("Trinidad and Tobago", 7), shortened("Chad", 7)
    ('Trinidad…ago', 'Chad')
    """
    if breadth(text) <= ems:
        return text
    for left in range(min(len(text) - 1, int(ems / 0.36)), 1, -1):
        end = left // 3
        cut = f"{text[: left - end].rstrip()}…{text[len(text) - end :].lstrip()}"
        if breadth(cut) <= ems:
            return cut
    return "…"
