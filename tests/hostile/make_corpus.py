"""Makes the hostile files beside this script, and says of each what must become of it.

    python tests/hostile/make_corpus.py

Every file is a table of four columns, read under the schema PEOPLE unless the case names another [csv] section:

    zip      00501 is 0, 10001 is 1, any other 2, missing 3
    country  NA (Namibia) is 0, DE is 1, FR is 2, missing 3
    age      0 to 9 are themselves, beyond them clamped, missing and unreadable 10
    smokes   no is 0, yes is 1, missing and unreadable 2

A case expects either the words of a refusal or the codes of every row; a third way does not exist.
"""

from pathlib import Path
from typing import NamedTuple

CORPUS = Path(__file__).with_name("corpus")

PEOPLE = {
    "table": {"unit": "person"},
    "columns": {
        "zip": {"kind": "categorical", "values": ["00501", "10001"], "other": "elsewhere", "missing": [""]},
        "country": {"kind": "categorical", "values": ["NA", "DE", "FR"], "missing": [""]},
        "age": {"kind": "integer", "min": 0, "max": 9, "missing": [""]},
        "smokes": {"kind": "boolean", "true": ["yes"], "false": ["no"], "missing": [""]},
    },
}

MALFORMED = (
    "the file is not well-formed CSV as the schema declares it; "
    "run `understudy schema check DATA --schema S`, which shows the line to its owner"
)
NO_HEADER = "the file has no header line; write the names of its columns in the first line"
BOM = "the file begins with a byte order mark; declare [csv] encoding = 'utf-8-sig'"


def absent(names: str) -> str:
    return f"the table has no column {names}; correct its header, the schema, or the delimiter"


ALL_ABSENT = absent("'zip', 'country', 'age', 'smokes'")
FINE = (0, 0, 7, 1)  # 00501,NA,7,yes


class Case(NamedTuple):
    data: bytes
    expected: str | list[tuple[int, ...]]
    csv: dict[str, str] = {}


def rows(*lines: bytes, header: bytes = b"zip,country,age,smokes", newline: bytes = b"\n") -> bytes:
    return newline.join([header, *lines, b""])


GOOD = b"00501,NA,7,yes"

CASES = {
    # the header
    "duplicate_header": Case(
        rows(b"00501,NA,7,7,yes", header=b"zip,country,age,age,smokes"),
        "the table has two columns of one name; give each its own; "
        "`understudy schema check` names those of a CSV to its owner",
    ),
    "empty_header_name": Case(
        rows(b"00501,NA,7,yes,", header=b"zip,country,age,smokes,"),
        "a column of the table has no name; give it one in the header",
    ),
    "undeclared_column": Case(
        rows(b"00501,NA,7,yes,x", header=b"zip,country,age,smokes,income"),
        "the table has columns that the schema does not declare; declare them, or list them under ignore in [table]; "
        "`understudy schema check` names those of a CSV to its owner",
    ),
    "missing_column": Case(rows(b"00501,NA,yes", header=b"zip,country,smokes"), absent("'age'")),
    "no_header": Case(rows(GOOD, header=GOOD), ALL_ABSENT),
    "other_case_header": Case(rows(GOOD, header=b"Zip,country,age,smokes"), absent("'zip'")),
    "empty_file": Case(b"", NO_HEADER),
    "only_a_line_end": Case(b"\n", ALL_ABSENT),
    "header_only": Case(rows(), []),
    "header_only_no_line_end": Case(b"zip,country,age,smokes", []),
    "quoted_header_other_order": Case(rows(b"yes,00501,7,NA", header=b'"smokes","zip","age","country"'), [FINE]),
    # the delimiter
    "semicolons": Case(rows(GOOD.replace(b",", b";"), header=b"zip;country;age;smokes"), ALL_ABSENT),
    "semicolons_declared": Case(
        rows(GOOD.replace(b",", b";"), header=b"zip;country;age;smokes"), [FINE], {"delimiter": ";"}
    ),
    "tabs_declared": Case(
        rows(GOOD.replace(b",", b"\t"), header=b"zip\tcountry\tage\tsmokes"), [FINE], {"delimiter": "\t"}
    ),
    "semicolons_below_a_comma_header": Case(rows(GOOD.replace(b",", b";")), MALFORMED),
    # the width of a row
    "row_too_long": Case(rows(GOOD, b"x,00501,NA,7,yes"), MALFORMED),
    "every_row_too_long": Case(rows(b"1,00501,NA,7,yes", b"2,00501,NA,7,yes"), MALFORMED),
    "row_too_short": Case(rows(GOOD, b"00501,NA,7"), MALFORMED),
    "short_and_long_add_up": Case(rows(b"00501,NA,7", b"00501,NA,7,yes,x"), MALFORMED),
    "trailing_delimiter": Case(rows(GOOD + b",", GOOD + b","), MALFORMED),
    "blank_line": Case(rows(GOOD, b"", GOOD), MALFORMED),
    "blank_last_line": Case(rows(GOOD, b""), MALFORMED),
    # bytes and line ends
    "nul": Case(rows(b"00501\0,NA,7,yes"), MALFORMED),
    "nul_quoted": Case(rows(b'"00501\0",NA,7,yes'), MALFORMED),
    "not_utf8": Case(rows(b"00501,N\xe9,7,yes"), MALFORMED),
    "overlong_utf8": Case(rows(b"00501,N\xc0\x80A,7,yes"), MALFORMED),
    "surrogate_utf8": Case(rows(b"00501,N\xed\xa0\x80A,7,yes"), MALFORMED),
    "cp1252_declared": Case(rows(b"\xe9,NA,7,yes"), [(2, 0, 7, 1)], {"encoding": "cp1252"}),
    "utf16": Case(rows(GOOD).decode().encode("utf-16-le"), MALFORMED),
    "utf16_with_bom": Case(b"\xff\xfe" + rows(GOOD).decode().encode("utf-16-le"), MALFORMED),
    "utf16_declared": Case(b"\xff\xfe" + rows(GOOD).decode().encode("utf-16-le"), [FINE], {"encoding": "utf-16"}),
    "bom": Case(b"\xef\xbb\xbf" + rows(GOOD), BOM),
    "bom_declared": Case(b"\xef\xbb\xbf" + rows(GOOD), [FINE], {"encoding": "utf-8-sig"}),
    "bom_twice": Case(b"\xef\xbb\xbf" * 2 + rows(GOOD), BOM, {"encoding": "utf-8-sig"}),
    "bom_in_a_cell": Case(rows(b"\xef\xbb\xbf00501,NA,7,yes"), [(2, 0, 7, 1)]),
    "cr_only": Case(rows(GOOD, newline=b"\r"), MALFORMED),
    "cr_in_a_row": Case(rows(GOOD + b"\r" + GOOD), MALFORMED),
    "crlf": Case(rows(GOOD, GOOD, newline=b"\r\n"), [FINE, FINE]),
    "crlf_and_lf": Case(rows(GOOD + b"\r", GOOD), [FINE, FINE]),
    "no_last_line_end": Case(rows(GOOD)[:-1], [FINE]),
    "control_z_at_the_end": Case(rows(GOOD) + b"\x1a", MALFORMED),
    # quotes
    "unclosed_quote": Case(rows(b'"00501,NA,7,yes', GOOD), MALFORMED),
    "unclosed_quote_at_the_end": Case(rows(GOOD, b'00501,NA,7,"yes'), MALFORMED),
    "quote_in_the_middle": Case(rows(b'005"01,NA,7,yes'), MALFORMED),
    "text_behind_a_quote": Case(rows(b'"005"01,NA,7,yes'), MALFORMED),
    "space_before_a_quote": Case(rows(b'00501, "NA",7,yes'), MALFORMED),
    "backslash_escape": Case(rows(b'"00\\"501",NA,7,yes'), MALFORMED),
    "quoted_delimiter_and_line_end": Case(rows(b'"00501,\n10001",NA,7,yes'), [(2, 0, 7, 1)]),
    "doubled_quote": Case(rows(b'"00""501",NA,"7","yes"'), [(2, 0, 7, 1)]),
    "quoted_empty": Case(rows(b'"","","",""'), [(3, 3, 10, 2)]),
    # cells
    "leading_zeros": Case(rows(b"00501,NA,7,yes", b"501,NA,007,yes"), [FINE, (2, 0, 7, 1)]),
    "namibia": Case(rows(b"00501,NA,7,yes", b"00501,,7,yes"), [FINE, (0, 3, 7, 1)]),
    "null_words": Case(rows(b"NULL,None,nan,n/a"), [(2, 3, 10, 2)]),
    "two_to_the_70": Case(rows(b"00501,NA,1180591620717411303424,yes"), [(0, 0, 9, 1)]),
    "1e400": Case(rows(b"1e400,NA,1e400,yes"), [(2, 0, 10, 1)]),
    "infinity": Case(rows(b"inf,NA,inf,yes", b"inf,NA,-Infinity,yes"), [(2, 0, 10, 1), (2, 0, 10, 1)]),
    "nan": Case(rows(b"00501,NA,NaN,yes"), [(0, 0, 10, 1)]),
    "true_yes_mix": Case(rows(b"00501,NA,7,True", b"00501,NA,7,no", GOOD), [(0, 0, 7, 2), (0, 0, 7, 0), FINE]),
    "out_of_domain": Case(rows(b"99999,XX,-5,maybe", b"00501,NA,10,no"), [(2, 3, 0, 2), (0, 0, 9, 0)]),
    "spaces_belong_to_the_cell": Case(rows(b" 00501,NA , 7,yes "), [(2, 3, 10, 2)]),
    "thousands": Case(rows(b'00501,NA,"1,000",yes'), [(0, 0, 10, 1)]),
    "arabic_digits": Case(rows("00501,NA,٧,yes".encode()), [(0, 0, 10, 1)]),
    "formula": Case(rows(b"=1+1,NA,7,yes"), [(2, 0, 7, 1)]),
    "long_cell": Case(rows(b"x" * 200_000 + b",NA,7,yes"), [(2, 0, 7, 1)]),
    # shapes
    "one_row": Case(rows(GOOD), [FINE]),
    "constant": Case(rows(*[GOOD] * 50), [FINE] * 50),
    "all_missing": Case(rows(*[b",,,"] * 20), [(3, 3, 10, 2)] * 20),
}


def main() -> None:
    CORPUS.mkdir(exist_ok=True)
    for stale in CORPUS.glob("*.csv"):
        stale.unlink()
    for name, case in CASES.items():
        (CORPUS / f"{name}.csv").write_bytes(case.data)


if __name__ == "__main__":
    main()
