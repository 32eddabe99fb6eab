"""Texts that others wrote, made harmless to look at.

Names and categories come from schemas and files. What a terminal would obey, and what would turn a line of text around
(control characters, right-to-left marks, line ends), is shown as an escape.

>>> visible("age\\x1b[2J"), visible("gro\\u00df"), visible("a\\u202eb")
('age\\\\x1b[2J', 'groß', 'a\\\\u202eb')
"""


def visible(text: str) -> str:
    """A text without anything that a reader's screen would obey."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def shortened(text: str, most: int) -> str:
    """A text of at most so many characters, its middle cut out where it is longer: names often differ at their end.

    >>> shortened("Trinidad and Tobago", 12)
    'Trinida…bago'
    """
    end = most // 3
    return text if len(text) <= most else text[: most - 1 - end] + "…" + text[-end:]
