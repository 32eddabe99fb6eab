"""The grammar, exhaustively: every text of up to six characters against one regular expression."""

import re
from itertools import product

import pytest

from understudy.refusal import SourceRefused
from understudy.schema.schema import Csv
from understudy.source.records import blocks, refuse_unsound

FIELD = r'(?:"(?:[^"\0\r]|\r\n|"")*"|[^",\r\n\0]*)'


def sound(text: str, width: int) -> bool:
    try:
        for block in blocks([text], Csv()):
            refuse_unsound(block, width, Csv())
    except SourceRefused:
        return False
    return True


@pytest.mark.parametrize("width", [1, 2, 3])
def test_the_places_of_quotes_and_separators_decide_the_grammar(width: int) -> None:
    record = FIELD + f"(?:,{FIELD})" * (width - 1)
    # a last record without a line end is not the empty line behind the last line end
    grammar = re.compile(rf"(?:{record}\r?\n)*(?:(?!\Z){record})?")
    assert {length: agreement(grammar, width, length) for length in range(7)} == dict.fromkeys(range(7), True)


def agreement(grammar: re.Pattern[str], width: int, length: int) -> bool:
    texts = map("".join, product('a,"\n\r\0' if length < 6 else 'a,"\n', repeat=length))
    return all(sound(text, width) == bool(grammar.fullmatch(text)) for text in texts)
