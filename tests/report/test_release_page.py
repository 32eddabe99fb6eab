"""The releasable page: no data becomes markup, every figure is in its twin, nothing is asked of a network."""

import base64
import hashlib
import json
import re
import zlib
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hostile import EVIL, TAME, release
from small import rehearsed
from tree import tree

from understudy.game.data.mixture import Mixture
from understudy.page.png import gallery, png
from understudy.page.sheet import style
from understudy.publish.report.kept import Bounds
from understudy.publish.report.report import pairs_by_grade
from understudy.publish.report.training import training_curve
from understudy.schema.read import from_dict


@pytest.fixture(scope="module")
def made():
    return rehearsed()


def test_names_and_values_create_no_element_and_no_attribute():
    """The same table with tame words gives the same elements, in the same order, with the same attributes."""
    evil, tame = (tree(release(words).report.page()) for words in (EVIL, TAME))
    assert evil.elements == tame.elements
    assert {tag for tag, _ in evil.elements} & {"script", "img", "iframe", "object", "link", "form"} == set()
    assert not [name for name, _ in evil.values if name.startswith("on") or name in ("src", "style")]
    leads = [value for name, value in evil.values if name == "href"]
    assert leads == [value for name, value in tame.values if name == "href"] and all(to.startswith("#") for to in leads)
    assert {to[1:] for to in leads} <= {value for name, value in evil.values if name == "id"}


def test_hostile_words_are_shown_as_what_they_are():
    text = tree(release(EVIL).report.page()).text
    for word in (EVIL[0], EVIL[1], EVIL[2], EVIL[6], EVIL[7], EVIL[8]):
        assert word in text
    assert "\u202e" not in text and "\\u202egnp.elbbuod" in text


def test_the_comparison_sees_an_escape_that_was_forgotten():
    """Its power: with the words put in raw, the elements differ."""
    page = release(EVIL).report.page().decode()
    raw = page.replace("&lt;script&gt;", "<script>", 1).encode()
    assert tree(raw).elements != tree(page.encode()).elements


def test_the_policy_allows_nothing_but_the_style_that_stands_there(made):
    page = made.report.page().decode()
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    policy = policy.replace("&#39;", "'")
    (found,) = re.findall(r"<style>(.*?)</style>", page, flags=re.S)
    digest = base64.b64encode(hashlib.sha256(found.encode()).digest()).decode()
    assert found == style()
    assert policy.split("; ")[0] == "default-src 'none'" and f"'sha256-{digest}'" in policy
    assert "unsafe" not in policy and "http" not in policy
    assert not re.findall(r"https?://|url\(|@import| style=", page)


def test_the_twin_has_every_bound_and_every_bar(made, tmp_path):
    folder = made.save(tmp_path / "b")
    twin = json.loads((folder / "report.json").read_text())
    page = tree((folder / "report.html").read_bytes()).text
    claims = made.certificate["claims"]
    assert [m["bound"] for m in twin["kept"]["marginals"]] == [c["bound"] for c in claims["total_variation"]]
    assert twin["guarantee"]["epsilon"] == "3/2" and twin["guarantee"]["ledger"] == made.certificate["ledger"]
    for column in twin["columns"]:
        assert sum(bar["share"] for bar in column["bars"]) == pytest.approx(1, abs=1e-4)
        assert all("measured" in bar for bar in column["bars"])
    assert twin["cite"] in page
    assert made.certificate["digests"]["rows"] in page


def test_a_twin_is_stamped_on_its_page(made):
    assert "NOT PRIVATE" in made.report.page().decode()
    real = replace(made, certificate=made.certificate | {"mode": "release"})
    assert "NOT PRIVATE" not in real.report.page().decode()


def test_a_certificate_of_other_claims_has_a_page_too(made):
    """Recipes to come certify other things: the page shows what it knows, and lists the rest."""
    other = {"confidence": 0.95, "covariance_error": 0.125, "about": "<b>moments</b>"}
    page = tree(replace(made, certificate=made.certificate | {"claims": other}).report.page())
    assert "covariance error" in page.text and "0.125" in page.text and "<b>moments</b>" in page.text
    assert "no bounds on marginals" in page.text


def test_a_bound_is_implied_for_fewer_columns_and_never_for_more():
    bounds = Bounds({("b", "a", "c"): 0.2, ("c", "d"): 0.1})
    assert bounds.of(("a", "b")) == 0.2 and bounds.of(("c",)) == 0.1 and bounds.of(("a", "d")) is None


def test_a_trained_model_shows_its_curve_and_another_does_not(made):
    """The losses are in the model file, so a bundle that is read back has the same curve."""
    losses = np.geomspace(1, 0.01, 300)
    model = Mixture(np.ones(1), {name: np.full((1, n), 1 / n) for name, n in made.schema.domain.items()}, losses)
    words, arrays = model.model()
    again = Mixture.rebuild(words, arrays, made.schema)
    shown = replace(made, guess=again).report
    points = shown.facts()["training"]
    assert points[0] == [1, 1.0] and points[-1] == [300, 0.01] and len(points) <= 60
    assert "How the model was trained" in shown.page().decode()
    assert made.report.facts()["training"] == [] and "How the model was trained" not in made.report.page().decode()


def test_a_loss_below_zero_is_drawn_on_plain_axes():
    rising = training_curve([[1, -0.5], [2, 0.25], [3, 0.5]])
    assert rising is not None and rising.count("<circle") == 3 and ">-0.5<" in rising
    assert training_curve([]) is None


def test_pairs_are_listed_by_grade_where_the_workload_has_other_marginals(made):
    name, other, third = list(made.schema.domain)[:3]
    claim = {"columns": [name, other, third], "bound": 0.04}
    claims = made.certificate["claims"] | {"total_variation": [claim]}
    graded = pairs_by_grade(replace(made, certificate=made.certificate | {"claims": claims}).report.facts()["kept"])
    found = {grade: [pair["columns"] for pair in pairs] for grade, pairs in graded}
    assert sorted(found["rely on"]) == sorted([[name, other], [name, third], [other, third]])
    assert not found["do not use"]


def test_pictures_are_written_into_the_page(made):
    """As a PNG that any reader decodes to the same levels, beside the claims about them."""
    levels = np.arange(3 * 4 * 5, dtype=np.uint8).reshape(3, 4, 5)
    side_by_side = gallery(levels, 2)
    assert (side_by_side[1:5, 1:6] == levels[0]).all() and (side_by_side[6:10, 1:6] == levels[2]).all()
    content = png(side_by_side)
    raw = zlib.decompress(content[content.index(b"IDAT") + 4 : content.index(b"IEND") - 8])
    lines = np.frombuffer(raw, dtype=np.uint8).reshape(side_by_side.shape[0], -1)
    assert (lines[:, 1:] == side_by_side).all() and not lines[:, 0].any()


def test_a_release_of_pictures_shows_them():
    """A schema with pictures: the page has the grid, and allows images that are written into it only."""
    words = {"table": {"name": "tiny"}, "columns": {"digit": {"kind": "image", "height": 3, "width": 4}}}
    schema = from_dict(words)
    table = pa.table({"digit": pa.array([bytes(range(12))] * 5, type=pa.binary(12))})
    report = replace(rehearsed(), schema=schema, table=table).report
    (gallery,) = report.galleries()
    assert gallery[1].startswith('<img src="data:image/png;base64,')
