"""The strict reader against Python's csv module, its own second opinion, and the grammar case by case."""

import csv as python_csv
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.refusal import Refusal, SchemaRefused, SourceRefused
from understudy.schema.column import Identifier, Listed
from understudy.schema.schema import Csv, Schema, Unit
from understudy.source import text as text_module
from understudy.source.complaint import complaints
from understudy.source.csv import table
from understudy.source.text import MALFORMED, REMEDY

CONSTANT = f"{MALFORMED}; {REMEDY}"


def schema_of(*names: str, csv: Csv = Csv()) -> Schema:  # noqa: B008  frozen
    return Schema("t", Unit("row"), tuple(Listed(name, values=("x",)) for name in names), csv=csv)


def read(data: bytes, schema: Schema, folder: Path) -> dict[str, list[str]]:
    path = folder / "rows.csv"
    path.write_bytes(data)
    cells: dict[str, list[str]] = table(path, schema).to_pydict()
    return cells


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a,b\n1,2\n", [("1", "2")]),
        (b"a,b\r\n1,2\r\n", [("1", "2")]),
        (b"a,b\n1,2", [("1", "2")]),
        (b"a,b\n1,\n", [("1", "")]),
        (b"a,b\n1,", [("1", "")]),
        (b"a,b\n,\n", [("", "")]),
        (b'a,b\n"",""\n', [("", "")]),
        (b'"a","b"\n"1,5","x\n\r\ny"\r\n', [("1,5", "x\n\r\ny")]),
        (b'a,b\n"""","a""b"', [('"', 'a"b')]),
        (b"a,b\n NA ,00501\n", [(" NA ", "00501")]),
        (b"a,b\nNULL,nan\n1e400,1180591620717411303424\n", [("NULL", "nan"), ("1e400", "1180591620717411303424")]),
        ("a,b\n\ufeffx,ß\n".encode(), [("\ufeffx", "ß")]),
        (b"a,b\n", []),
        (b"a,b", []),
    ],
)
def test_cells_are_exactly_what_is_written(data: bytes, expected: list[tuple[str, str]], tmp_path: Path) -> None:
    cells = read(data, schema_of("a", "b"), tmp_path)
    assert list(zip(cells["a"], cells["b"], strict=True)) == expected
    assert complaints(tmp_path / "rows.csv", schema_of("a", "b")) == []


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        (b"1\n", "line 2: 1 fields where the header has 2"),
        (b"1,2\n1,2,3\n", "line 3: 3 fields where the header has 2"),
        (b"1,2\n\n1,2\n", "line 3: 1 fields where the header has 2"),
        (b'"1\n1",2\n1,"2', "line 4: a quote is opened and never closed"),
        (b'1,a"b\n', "line 2: a quote inside an unquoted field"),
        (b'1,"a"b\n', "line 2: text behind a closing quote"),
        (b'1,"a" \n', "line 2: text behind a closing quote"),
        (b'1, "a"\n', "line 2: a quote inside an unquoted field"),
        (b"1,2\r1,2\r", "line 2: a carriage return without a line feed"),
        (b'1,"a\rb"\n', "line 2: a carriage return without a line feed"),
        (b"1,2\r", "line 2: a carriage return without a line feed"),
        (b"1,\0\n", "line 2: a NUL character"),
        (b'1,"\0"\n', "line 2: a NUL character"),
        (b"1,2\n1,\xff\n", "line 3: it is not utf-8"),
    ],
)
def test_a_broken_row_is_refused_in_one_sentence(rows: bytes, complaint: str, tmp_path: Path) -> None:
    schema = schema_of("a", "b")
    with pytest.raises(SourceRefused) as refusal:
        read(b"a,b\n" + rows, schema, tmp_path)
    assert str(refusal.value) == CONSTANT
    assert complaints(tmp_path / "rows.csv", schema)[0] == complaint


@pytest.mark.parametrize(
    ("data", "kind", "sentence"),
    [
        (b"", SourceRefused, "the file has no header line"),
        (b"a\n1\n", SchemaRefused, "the table has no column 'b'"),
        (b"a;b\n1;2\n", SchemaRefused, "the table has no column 'a', 'b'"),
        (b"jones,42\nsmith,43\n", SchemaRefused, "the table has no column 'a', 'b'"),
        (b"a,b,a\n1,2,3\n", SchemaRefused, "the table has two columns of one name"),
        (b"a,b,\n1,2,3\n", SchemaRefused, "a column of the table has no name"),
        (b"a,b,c\n1,2,3\n", SchemaRefused, "the table has columns that the schema does not declare"),
        (b"\xef\xbb\xbfa,b\n1,2\n", SourceRefused, "the file begins with a byte order mark"),
        (b"a,b\r1,2\r", SourceRefused, MALFORMED),
        (b'a,"b\n1,2\n",3\n', SourceRefused, MALFORMED),
    ],
)
@pytest.mark.parametrize("rows", [b"", b"1\n", b"\xff\n", b'"\n'])
def test_a_bad_header_is_named_whatever_the_rows_are(
    data: bytes, kind: type[Refusal], sentence: str, rows: bytes, tmp_path: Path
) -> None:
    if not data and rows:
        return
    with pytest.raises(kind) as refusal:
        read(data + rows, schema_of("a", "b"), tmp_path)
    assert refusal.value.rule == sentence


def test_a_blank_line_of_a_single_column_is_an_empty_cell(tmp_path: Path) -> None:
    assert read(b"a\n\nx\r\n\r\n", schema_of("a"), tmp_path) == {"a": ["", "x", ""]}


def test_ignored_columns_and_identifiers_are_dropped_and_the_order_is_the_schemas(tmp_path: Path) -> None:
    columns = (Identifier("key"), Listed("b", values=("x",)), Listed("a", values=("x",)), Identifier("id"))
    schema = Schema("t", Unit("person", "id"), columns, ignored=("note", "never there"))
    found = read(b"a,id,note,key,b\n1,2,3,4,5\n", schema, tmp_path)
    assert list(found.items()) == [("b", ["5"]), ("a", ["1"]), ("id", ["2"])]


@pytest.mark.parametrize(
    ("encoding", "data"),
    [
        ("utf-8-sig", "a,b\né,x\n".encode("utf-8-sig")),
        ("utf-8-sig", "a,b\né,x\n".encode()),
        ("cp1252", "a,b\né,x\n".encode("cp1252")),
        ("utf-16", "a,b\r\né,x\r\n".encode("utf-16")),
        ("utf-16-le", "a,b\né,x".encode("utf-16-le")),
        ("utf-32", "a,b\né,x\n".encode("utf-32")),
    ],
)
def test_the_declared_encoding_is_read(encoding: str, data: bytes, tmp_path: Path) -> None:
    schema = schema_of("a", "b", csv=Csv(encoding=encoding))
    assert read(data, schema, tmp_path) == {"a": ["é"], "b": ["x"]}
    assert complaints(tmp_path / "rows.csv", schema) == []


@pytest.mark.parametrize("csv", [Csv(delimiter="§"), Csv(delimiter="\0"), Csv(quote="\n"), Csv(quote="\r")])
def test_marks_that_are_no_ascii_character_are_refused(csv: Csv, tmp_path: Path) -> None:
    with pytest.raises(SchemaRefused, match="delimiter and quote are ASCII characters"):
        read(b"a\n1\n", schema_of("a", csv=csv), tmp_path)


def test_a_header_without_an_end_is_not_read_to_the_end(tmp_path: Path) -> None:
    with pytest.raises(SourceRefused) as refusal:
        read(b"a," * (1 << 20), schema_of("a"), tmp_path)
    assert str(refusal.value) == CONSTANT


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceRefused, match="there is no file"):
        table(tmp_path / "none.csv", schema_of("a"))
    with pytest.raises(SourceRefused, match="cannot be read"):
        table(tmp_path, schema_of("a"))


cells = st.text(st.sampled_from('ab,;"\n\t ßNA0'), max_size=6).map(lambda cell: cell.replace("\n", "\r\n"))
dialects = st.builds(Csv, delimiter=st.sampled_from(",;\t| ^a"), quote=st.sampled_from("\"'$"))


@given(st.lists(st.tuples(cells, cells, cells), max_size=8), dialects, st.booleans(), st.sampled_from(["\n", "\r\n"]))
def test_what_python_writes_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, ...]], csv: Csv, always: bool, newline: str
) -> None:
    sheet = io.StringIO(newline="")
    quoting = python_csv.QUOTE_ALL if always else python_csv.QUOTE_MINIMAL
    writer = python_csv.writer(
        sheet, delimiter=csv.delimiter, quotechar=csv.quote, lineterminator=newline, quoting=quoting
    )
    writer.writerows([("p", "q", "r"), *rows])
    found = read(sheet.getvalue().encode(), schema_of("p", "q", "r", csv=csv), tmp_path_factory.getbasetemp())
    assert list(zip(*found.values(), strict=True)) == rows


@settings(max_examples=400)
@given(st.text(st.sampled_from('a,"\n\r\0ß'), max_size=14), st.sampled_from(["p", "p,q"]))
def test_the_reader_the_scanner_and_python_agree(
    tmp_path_factory: pytest.TempPathFactory, body: str, header: str
) -> None:
    names = header.split(",")
    data = f"{header}\n{body}".encode()
    folder = tmp_path_factory.getbasetemp()
    try:
        found = read(data, schema_of(*names), folder)
    except SourceRefused as refusal:
        assert str(refusal) == CONSTANT
        assert complaints(folder / "rows.csv", schema_of(*names)) != []
        return
    assert complaints(folder / "rows.csv", schema_of(*names)) == []
    rows = list(python_csv.reader(io.StringIO(body, newline=""), strict=True))
    assert list(zip(*found.values(), strict=True)) == [tuple(row) if row else ("",) for row in rows]


@given(st.lists(st.tuples(cells, cells), max_size=8), st.integers(1, 9))
def test_where_the_blocks_are_cut_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]], size: int
) -> None:
    sheet = io.StringIO(newline="")
    python_csv.writer(sheet).writerows([("p", "q"), *rows])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_module, "BLOCK", size)
        found = read(sheet.getvalue().encode(), schema_of("p", "q"), tmp_path_factory.getbasetemp())
    assert list(zip(found["p"], found["q"], strict=True)) == rows


def test_at_most_twenty_complaints_are_shown_and_no_value(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes(b"a,b\n" + b"secret\n" * 50)
    shown = complaints(path, schema_of("a", "b"))
    assert len(shown) == 20
    assert not any("secret" in line for line in shown)
    assert shown[-1].startswith("line 21: ")
