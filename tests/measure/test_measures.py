"""The measures, against those who compute the same thing: scipy, scikit-learn, numpy, and simulation."""

import ast
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import binom, chi2_contingency, iqr, pearsonr
from scipy.stats.contingency import association
from sklearn.cluster import KMeans
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.metrics import r2_score

import understudy
from understudy.measure.association import cramers_v, pearson
from understudy.measure.clustering import assignment, farthest, lloyd, separation
from understudy.measure.divergence import chi_square, jensen_shannon
from understudy.measure.outliers import beyond, unseen
from understudy.measure.transfer import accuracy, fit, predict, r_squared, transfer
from understudy.measure.variation import achievable, total_variation, variations, ways_within
from understudy.schema.read import from_dict

RNG = np.random.default_rng(8)
SCHEMA = from_dict(
    {
        "table": {"name": "t"},
        "columns": {
            "size": {"kind": "integer", "min": 0, "max": 9, "missing": [""]},
            "grade": {"kind": "ordinal", "values": [1, 2, 3]},
            "town": {"kind": "categorical", "values": ["Bern", "Basel", "Genf"]},
        },
    }
)


def rows(n: int, seed: int = 0, lean: float = 0.0) -> dict[str, np.ndarray]:
    """Codes in which size, grade and town go together."""
    rng = np.random.default_rng(seed)
    size = rng.integers(0, 11, n)
    grade = np.clip((size + rng.integers(-2, 3, n) + lean).astype(int) // 4, 0, 2)
    return {"size": size, "grade": grade, "town": np.where(rng.random(n) < 0.7, grade, rng.integers(0, 3, n))}


def tables(cells: int) -> list[np.ndarray]:
    return [RNG.integers(0, 30, cells) * RNG.integers(0, 2, cells) for _ in range(2)]


@pytest.mark.parametrize("cells", [2, 7, 40])
def test_divergences_are_scipys(cells):
    p, q = (table + 1 for table in tables(cells))
    assert jensen_shannon(p, q) == pytest.approx(jensenshannon(p, q, base=2))
    found, theirs = chi_square(p, q), chi2_contingency(np.stack([p, q]), correction=False)
    assert found.statistic == pytest.approx(theirs.statistic) and found.freedom == theirs.dof


def test_divergences_stand_empty_cells():
    p, q = np.array([5, 0, 0, 3]), np.array([0, 4, 0, 2])
    assert jensen_shannon(p, q) == pytest.approx(jensenshannon(p, q, base=2))
    assert chi_square(p, q).statistic == pytest.approx(chi2_contingency([[5, 0, 3], [0, 4, 2]]).statistic)
    assert chi_square(p, np.zeros(4)).freedom == 0
    assert total_variation(np.zeros(2), np.array([1, 1])) == 0


@pytest.mark.parametrize(("m", "p"), [(1, 0.3), (10, 0.3), (37, 0.999), (1000, 0.001), (1000, 0.25)])
def test_the_mean_deviation_of_a_binomial_is_exact(m, p):
    """E|B/m - p|, summed over all values of B: half of it, for two cells, is one of them."""
    values = np.arange(m + 1)
    exact = float((binom.pmf(values, m, p) * abs(values / m - p)).sum())
    assert achievable(np.array([p, 1 - p]), m) == pytest.approx(exact)


def test_what_a_sample_achieves_is_its_mean_variation():
    p, rng = np.array([0.5, 0.3, 0.15, 0.05, 0.0]), np.random.default_rng(1)
    drawn = [total_variation(p, rng.multinomial(80, p)) for _ in range(4000)]
    assert achievable(p, 80) == pytest.approx(np.mean(drawn), rel=0.02)
    assert achievable(p, 80) != pytest.approx(np.mean(drawn) * 1.1, rel=0.02)


def test_variations_are_those_of_the_tables():
    real, other = rows(500), rows(400, 1, 1.0)
    assert all(tv == 0 for _, tv, _ in variations(real, real, SCHEMA, [("size",), ("size", "town")]))
    ((columns, tv, best),) = variations(real, other, SCHEMA, [("grade", "town")])
    p, q = (np.histogram2d(t["grade"], t["town"], bins=[range(4)] * 2)[0] for t in (real, other))
    assert columns == ("grade", "town") and tv == pytest.approx(abs(p / 500 - q / 400).sum() / 2) and 0 < best < tv
    assert ways_within(SCHEMA, 2, 10**6, 2) == (("size", "grade"), ("grade", "town"))
    assert ways_within(SCHEMA, 2, 9, 9) == (("grade", "town"),)


def test_associations_are_scipys():
    found = rows(300)
    table = np.histogram2d(found["grade"], found["town"], bins=[range(4)] * 2)[0].astype(int)
    assert cramers_v(table) == pytest.approx(association(table, method="cramer"))
    there = found["size"] < 10
    theirs = pearsonr(found["size"][there], found["grade"][there]).statistic
    assert pearson(found, SCHEMA, ("size", "grade")) == pytest.approx(theirs)
    assert cramers_v(np.array([[3, 4]])) == 0


def test_clusters_are_those_of_scikit_learn_from_the_same_start():
    x = np.concatenate([RNG.normal(size=(60, 3)) + shift for shift in (0, 4, 9)])
    start = farthest(x, 3)
    theirs = KMeans(3, init=start, n_init=1, algorithm="lloyd", tol=0).fit(x)
    ours = lloyd(x, start)
    assert np.allclose(ours, theirs.cluster_centers_) and (assignment(x, ours) == theirs.labels_).all()


def test_separation_sees_rows_that_lie_elsewhere():
    x, y = RNG.normal(size=(400, 2)), RNG.normal(size=(400, 2))
    assert separation(x, y, 5) < 0.02 < 0.2 < separation(x, y + 50, 5) <= 0.25


def test_ridge_is_that_of_scikit_learn():
    x, y = RNG.normal(size=(80, 4)), RNG.normal(size=(80, 2))
    assert np.allclose(predict(fit(x, y, 1.0), x), Ridge(alpha=1.0).fit(x, y).predict(x))
    classes = (x[:, 0] + 0.3 * RNG.normal(size=80) > 0).astype(int) + 2 * (x[:, 1] > 0.5)
    theirs = RidgeClassifier(alpha=1.0).fit(x[:60], classes[:60]).predict(x[60:])
    assert accuracy(x[:60], classes[:60], x[60:], classes[60:]) == (theirs == classes[60:]).mean()
    target = (10 * x[:, 0] + RNG.normal(size=80)).astype(int)
    told = Ridge(alpha=1.0).fit(x[:60], target[:60]).predict(x[60:])
    assert r_squared(x[:60], target[:60], x[60:], target[60:]) == pytest.approx(r2_score(target[60:], told))


def test_training_on_noise_is_worse_than_on_rows():
    train, test = rows(2000, 1), rows(1000, 2)
    rng = np.random.default_rng(3)
    noise = {name: rng.permutation(column) for name, column in train.items()}
    for target in ("town", "grade"):
        good, bad = (transfer(train, table, test, SCHEMA, target) for table in (rows(2000, 4), noise))
        assert bad.synthetic < good.synthetic <= good.best + 0.05 and good.plain < good.best


def test_fences_are_tukeys():
    x, y = RNG.integers(0, 50, 200), RNG.integers(-80, 120, 300)
    first, third = np.percentile(x, [25, 75])
    reach = 1.5 * iqr(x)
    assert beyond(x, y)[1] == ((y < first - reach) | (y > third + reach)).mean() > 0


def test_rows_in_cells_that_no_real_row_has():
    real = {"grade": np.array([0, 1]), "town": np.array([0, 1]), "size": np.array([0, 0])}
    made = {"grade": np.array([0, 0, 1, 2]), "town": np.array([0, 1, 1, 2]), "size": np.zeros(4, int)}
    assert unseen(real, made, SCHEMA, ("grade", "town")) == 0.5


MEASURES = sorted((Path(understudy.__file__).parent / "measure").glob("[a-z]*.py"))


@pytest.mark.parametrize("path", MEASURES, ids=lambda path: path.stem)
def test_every_measure_says_whether_it_looks_at_private_rows(path):
    """A figure from private rows is itself private, so each function says which it is."""
    functions = [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)]
    silent = [
        f.name
        for f in functions
        if f.name != "shares" and not ("Outside:" in (d := ast.get_docstring(f) or "") or "Inside:" in d)
    ]
    assert silent == []
