"""What a notebook shows: cards of everything public, without markup from data; a vault has none."""

import pytest
from hostile import EVIL, TAME, release, schema
from tree import tree

import understudy
from understudy.publish.bundle import read_bundle
from understudy.schema.relation import Relation
from understudy.vault.vault import Vault


@pytest.fixture
def ledger(tmp_path):
    terms = {"epsilon": 3, "delta": "1e-5", "relation": Relation.ADD_REMOVE, "unit": EVIL[0], "population": EVIL[1]}
    made = understudy.Ledger.create(tmp_path / "ledger", **terms)
    made.reserve("one", 1, "1e-6", Relation.ADD_REMOVE, "spec")
    return made


def cards(words):
    made, declared = release(words), schema(words)
    plan = understudy.plan(declared, epsilon=1, delta="1e-6", recipe="independent")
    return [thing._repr_html_() for thing in (declared, plan, made.certificate, made)]


def test_data_create_no_element_in_a_card():
    for evil, tame in zip(cards(EVIL), cards(TAME), strict=True):
        assert tree(evil.encode()).elements == tree(tame.encode()).elements


def test_cards_say_what_matters(ledger, tmp_path):
    declared, plan, certificate, made = cards(TAME)
    assert "All that is public" in declared and "certificate" in plan and "NOT PRIVATE" in certificate
    assert "NOT PRIVATE" in made and "<svg" in made
    shown = tree(ledger._repr_html_().encode()).text
    assert EVIL[0] in shown and "left" in shown and "2" in shown
    saved = read_bundle(release(TAME).save(tmp_path / "b"))
    assert saved.certificate._repr_html_().startswith('<div class="understudy">')


def test_a_vault_has_no_card():
    assert not hasattr(Vault, "_repr_html_") and not hasattr(Vault, "_repr_png_")
