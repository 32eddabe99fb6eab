"""Figures: colours that every eye tells apart, on a screen and on paper; names that fit; bars that say what they hide."""

import re
from itertools import combinations

import numpy as np
import pytest

from understudy.page.figure import Bar, lying, standing
from understudy.page.heat import heat_map
from understudy.page.sheet import style
from understudy.page.text import breadth, shortened

# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB: what people without one kind of cone see
SIGHT = {
    "full": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    "grey": [[0.2126, 0.7152, 0.0722]] * 3,
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def shades(text: str) -> list[str]:
    return [re.search(rf"\.shade{n}, [^{{]*{{ fill: (#\w+)", text).group(1) for n in range(1, 7)]


def lab(colour: str, sight: object) -> np.ndarray:
    """CIE L*a*b* of a colour as somebody sees it."""
    v = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)
    x = TO_XYZ @ np.clip(np.array(sight) @ linear, 0, 1) / [0.9505, 1, 1.089]
    f = np.where(x > 0.008856, np.cbrt(x), 7.787 * x + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def told_apart(colours: list[str], sight: str) -> bool:
    """Darker is worse, and no two are nearer than an eye needs (less on grey paper, where only lightness is left)."""
    seen = [lab(colour, SIGHT[sight]) for colour in colours]
    darker = all(a[0] > b[0] for a, b in zip(seen, seen[1:], strict=False))
    return darker and min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > (5 if sight == "grey" else 12)


@pytest.mark.parametrize("sight", SIGHT)
def test_every_eye_tells_the_shades_apart(sight):
    assert told_apart(shades(style()), sight)


def test_a_red_and_a_green_would_be_seen_as_alike():
    """Its power: a common scale of traffic lights fails for some eyes."""
    lights = ["#c8e6c9", "#66bb6a", "#fff176", "#fdd835", "#ef5350", "#b71c1c"]
    assert not all(told_apart(lights, sight) for sight in SIGHT)


def test_names_fit_and_keep_both_ends():
    for name in ("a" * 80, "Federal government", "年齢層" * 9, "WWWWWWWWWWWWWWWW"):
        cut = shortened(name, 9)
        assert breadth(cut) <= 9 and cut[0] == name[0] and cut[-1] == name[-1]
    assert shortened("age", 9) == "age"


def test_a_bar_that_is_broken_says_so():
    small = [Bar(f"{i} to {i + 1}", 0.01) for i in range(30)]
    drawn = standing([*small, Bar("missing", 0.7, apart=True)], "Column")
    assert 'class="tear"' in drawn and "missing 70.0 %" in drawn
    assert 'class="tear"' not in standing([*small, Bar("missing", 0.01, apart=True)], "Column")


def test_a_picture_says_in_words_what_it_shows():
    drawn = lying([Bar("f", 0.25), Bar("m", 0.75)], "Shares of sex")
    assert 'aria-label="Shares of sex. f 25 %; m 75 %"' in drawn
    found = {("a", "b"): 0.011, ("a", "c"): None, ("b", "c"): 0.4}
    shown = heat_map(["a", "b", "c"], lambda *pair: found[pair], lambda value: 1, "Bounds")
    assert "2 pairs; the largest is 0.4000, of b and c" in shown and "a × c: no bound" in shown
