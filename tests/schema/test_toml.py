"""A schema file is read word by word: what is written is read back, and each fault is refused with its remedy."""

import tomllib

import pytest
from any_schema import any_schema
from hypothesis import given
from schema_files import GOOD, MUTANTS, column

from understudy.refusal import SchemaRefused
from understudy.schema.read import from_dict, read_schema
from understudy.schema.write import to_dict, to_toml, write_schema


@given(any_schema())
def test_what_is_written_is_read_back(schema):
    again = from_dict(tomllib.loads(to_toml(schema)))
    assert again == schema and again.digest == schema.digest
    assert from_dict(to_dict(schema)) == schema


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_good_files_are_read_and_written(text, tmp_path):
    path = tmp_path / "s.toml"
    path.write_text(text, encoding="utf-8")
    schema = read_schema(path)
    write_schema(schema, path)
    assert read_schema(path) == schema


@pytest.mark.parametrize(("text", "rule", "remedy", "_"), MUTANTS.values(), ids=MUTANTS)
def test_mutants_are_refused_with_a_remedy(text, rule, remedy, _):
    with pytest.raises(SchemaRefused) as refused:
        from_dict(tomllib.loads(text))
    assert rule in refused.value.rule and remedy in refused.value.remedy
    if "[columns.c]" in text:
        assert refused.value.rule.startswith("column 'c'")


FILES = {
    "no TOML": (b"[table", "is not TOML"),
    "not UTF-8": (b"\xff\xfe", "is not TOML"),
    "an integer of 5,000 digits": (b"x = " + b"1" * 5000, "is not TOML"),
    "a nest of 5,000 brackets": (b"x = " + b"[" * 5000, "is not TOML"),
}


@pytest.mark.parametrize(("content", "rule"), FILES.values(), ids=FILES)
def test_what_is_not_toml_is_refused(content, rule, tmp_path):
    path = tmp_path / "s.toml"
    path.write_bytes(content)
    with pytest.raises(SchemaRefused, match=rule):
        read_schema(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    with pytest.raises(SchemaRefused, match="schema draft"):
        read_schema(tmp_path / "absent.toml")
    with pytest.raises(SchemaRefused, match="cannot be read"):
        read_schema(tmp_path)


def test_a_byte_order_mark_is_no_fault(tmp_path):
    path = tmp_path / "s.toml"
    path.write_text(GOOD["least"], encoding="utf-8-sig")
    assert read_schema(path).domain == {"ok": 2}


def test_the_bound_that_is_finer_than_a_float_is_kept():
    parsed = from_dict(tomllib.loads(column('kind = "real"\ndecimals = 2\nmin = 0.1\nmax = 0.29\nstep = 0.01')))
    assert parsed.domain["c"] == 20
