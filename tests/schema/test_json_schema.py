"""The published JSON Schema accepts what `read.py` accepts, and refuses what it can see is wrong."""

import json
import tomllib
from importlib.resources import files as package_files
from pathlib import Path

import pytest
from any_schema import any_schema
from hypothesis import given
from jsonschema import Draft202012Validator
from schema_files import GOOD, MUTANTS

from understudy.schema.kinds import WORDS
from understudy.schema.read import TABLE_WORDS, read_schema
from understudy.schema.write import to_dict

PUBLISHED = json.loads((package_files("understudy.schema") / "schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(PUBLISHED)
CLINIC = Path(__file__).parents[2] / "examples" / "clinic" / "clinic.toml"


def valid(parsed) -> bool:
    """Whether the JSON Schema accepts a parsed file; dates of TOML are texts in JSON."""
    return bool(VALIDATOR.is_valid(json.loads(json.dumps(parsed, default=str))))


def test_it_is_a_json_schema():
    Draft202012Validator.check_schema(PUBLISHED)


def test_the_clinic_is_valid_and_shows_every_kind_of_a_plain_table():
    assert valid(tomllib.loads(CLINIC.read_text(encoding="utf-8")))
    kinds = {words["kind"] for words in to_dict(read_schema(CLINIC))["columns"].values()}
    assert kinds == set(WORDS) - {"image", "place", "edge"}


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_good_files_are_valid(text):
    assert valid(tomllib.loads(text))


@given(any_schema())
def test_every_written_schema_is_valid(schema):
    assert valid(to_dict(schema))


@pytest.mark.parametrize(("text", "seen"), [(m[0], m[3]) for m in MUTANTS.values()], ids=MUTANTS)
def test_mutants_are_invalid_where_json_schema_can_say_so(text, seen):
    assert valid(tomllib.loads(text)) is not seen


@pytest.mark.parametrize("kind", WORDS)
def test_each_kind_has_the_words_that_are_read(kind):
    assert set(PUBLISHED["$defs"][kind]["properties"]) == WORDS[kind]


def test_the_table_has_the_words_that_are_read():
    assert set(PUBLISHED["properties"]["table"]["properties"]) == TABLE_WORDS
