"""Private selection against the exponential mechanism's law, its privacy loss at k = 100, and its mutants."""

import math
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest
from scipy.stats import binomtest

from understudy.noise import gumbel
from understudy.noise.entropy import OperatingSystem, Seeded, opendp
from understudy.noise.exponential import bounds
from understudy.refusal import Misuse

FULL = pytest.mark.full
CASES = [
    pytest.param((kind, scale, draws), id=f"{kind}, scale {scale}, {draws} draws", marks=marks)
    for kind, scale, draws, marks in [
        ("seeded", 0.7, 20_000, ()),
        ("seeded", 5.0, 20_000, ()),
        ("seeded", 40.0, 20_000, ()),
        ("operating system", 5.0, 6_000, ()),
        ("seeded", 5.0, 100_000, FULL),
        ("operating system", 0.7, 100_000, FULL),
        ("operating system", 5.0, 100_000, FULL),
        ("operating system", 40.0, 100_000, FULL),
    ]
]


def law(scores, scale):
    weight = np.exp((scores - scores.max()) / scale)
    return weight / weight.sum()


def candidates(scale, k=20):
    """One candidate as likely as all the others together: the scores on which a wrong scale shows most."""
    scores = np.random.default_rng(5).integers(-int(scale), int(scale) + 1, k)
    scores[k // 3] = round(scale * math.log(2 * k))
    return scores


def count(scores, scale, entropy, draws):
    chosen = [gumbel.select(scores, Fraction(scale), entropy) for _ in range(draws)]
    return np.bincount(chosen, minlength=scores.size)


@pytest.fixture(scope="module", params=CASES)
def selection(request):
    kind, scale, draws = request.param
    entropy = OperatingSystem() if kind == "operating system" else Seeded(13)
    scores = candidates(scale)
    return scores, scale, count(scores, scale, entropy, draws)


def test_choices_follow_the_law(selection, fits):
    scores, scale, chosen = selection
    assert fits(chosen, law(scores, scale))


@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_a_scale_ten_percent_off_is_rejected(selection, factor, fits):
    scores, scale, chosen = selection
    assert not fits(chosen, law(scores, scale / factor))


def test_saboteurs_fail(fits):
    scores = candidates(5.0)
    floats = np.random.default_rng(6)
    half = count(scores, 2.5, Seeded(1), 20_000)
    laplace = np.bincount((scores + floats.laplace(0, 5.0, (20_000, 20))).argmax(axis=1), minlength=20)
    flip = np.bincount((scores + floats.exponential(5.0, (20_000, 20))).argmax(axis=1), minlength=20)
    for chosen in (half, laplace, flip):
        assert not fits(chosen, law(scores, 5.0))


@pytest.mark.parametrize("entropy", [OperatingSystem(), Seeded(14)], ids=["operating system", "seeded"])
class TestBothSources:
    def test_equal_scores_are_chosen_equally_often(self, entropy, fits):
        assert fits(count(np.full(4, 7), 3.0, entropy, 2_000), np.full(4, 0.25))
        chosen = count(np.array([9, 2, 9]), 3.0, entropy, 4_000)
        assert binomtest(int(chosen[0]), int(chosen[0] + chosen[2])).pvalue > 1e-6

    def test_a_hundred_candidates(self, entropy, fits):
        scores = candidates(10.0, 100)
        assert fits(count(scores, 10.0, entropy, 1_500), law(scores, 10.0))

    def test_scores_at_the_ends_of_the_range_are_told_apart(self, entropy):
        top = 2**62
        for scores in ([top - 1, top], [-top, -top + 1], [-top, top], [-(2**63), 2**63 - 1], [-top, 0]):
            for placed in (scores, scores[::-1]):
                assert gumbel.select(np.array(placed), Fraction(1, 1000), entropy) == int(np.argmax(placed))

    def test_one_candidate_is_chosen_and_none_is_refused(self, entropy):
        assert gumbel.select(np.array([-5]), Fraction(1), entropy) == 0
        with pytest.raises(Misuse, match="at least one candidate"):
            gumbel.select(np.array([], dtype=np.int64), Fraction(1), entropy)

    def test_only_int64_scores_are_taken(self, entropy):
        with pytest.raises(TypeError, match="int64"):
            gumbel.select(np.array([0.5, 1.0]), Fraction(1), entropy)


def neighbours_of(gaps, width):
    """Words on both sides of every end of an interval: U = C_i / C_k, rounded down and up to 64 bits."""
    weights = [sum(bounds(Fraction(int(gap)) / Fraction(width))) / 2 for gap in gaps]
    ends = list(accumulate(weights))
    words = [math.floor(2**64 * end / ends[-1]) + side for end in ends[:-1] for side in (-1, 0, 1)]
    return [word for word in words if 0 <= word < 2**64], [float(end / ends[-1]) for end in ends]


@pytest.mark.parametrize("scale", [0.7, 5.0, 1000.0])
def test_floats_never_contradict_whole_numbers_and_abstain_at_the_ends(scale):
    floats = np.random.default_rng(8)
    gaps = (lambda scores: (scores.max() - scores).astype(np.uint64))(candidates(scale, 40))
    at_ends, ends = neighbours_of(gaps, scale)
    anywhere = [int(word) for word in floats.integers(0, 2**64, 300, dtype=np.uint64)]
    assert all(gumbel.nearly(gaps, scale, word) is None for word in at_ends)
    for word in anywhere:
        found = gumbel.nearly(gaps, scale, word)
        assert found == gumbel.exactly(gaps, scale, word, Seeded(1)) == int(np.searchsorted(ends, word / 2**64))
    beside = [gumbel.exactly(gaps, scale, word, Seeded(1)) for word in at_ends]
    assert beside == sorted(beside)
    careless = [int(np.searchsorted(np.float32(ends), np.float32(word / 2**64), side="right")) for word in at_ends]
    assert careless != beside


def test_an_end_that_is_a_binary_fraction_is_split_by_the_last_bit():
    gaps = np.zeros(4, dtype=np.uint64)
    for i in (1, 2, 3):
        assert gumbel.exactly(gaps, 3.0, i * 2**62, Seeded(2)) == i
        assert gumbel.exactly(gaps, 3.0, i * 2**62 - 1, Seeded(2)) == i - 1
    assert gumbel.exactly(gaps, 3.0, 2**64 - 1, Seeded(2)) == 3


def test_whole_numbers_alone_follow_the_law(fits):
    scores, entropy = candidates(5.0), Seeded(15)
    gaps = (scores.max() - scores).astype(np.uint64)
    drawn = [gumbel.exactly(gaps, 5.0, gumbel.more(entropy, 0, 1), entropy) for _ in range(3_000)]
    chosen = np.bincount(drawn, minlength=scores.size)
    assert fits(chosen, law(scores, 5.0))
    assert not fits(chosen, law(scores, 4.0))


def test_the_exponential_of_floats_is_within_the_units_that_the_proof_allows():
    x = np.random.default_rng(9).exponential(20.0, 500)
    for at, found in zip(x, np.exp(-x), strict=True):
        low, high = bounds(Fraction(float(at)))
        assert abs(Fraction(float(found)) - low) <= high / 2**50


def test_opendp_prices_the_selection_as_we_do():
    dp = opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64")
    for scale in (0.7, 5.0, 40.0):
        rho = dp.m.make_noisy_max(*space, output_measure=dp.zero_concentrated_divergence(), scale=scale).map(1)
        assert rho == pytest.approx((2 / scale) ** 2 / 8, rel=1e-12)  # eps = 2 d / scale, rho = eps^2 / 8


def renyi(p, q, alpha):
    return math.log((p**alpha * q ** (1 - alpha)).sum()) / (alpha - 1)


def test_the_loss_at_a_hundred_candidates_is_within_the_price():
    floats = np.random.default_rng(7)
    eps, widest, dearest = 1.0, 0.0, 0.0
    for trial in range(2_000):
        scores = floats.integers(0, 12, 100)
        move = np.where(np.arange(100) % 2, 1, -1) if trial % 2 else floats.integers(-1, 2, 100)
        p, q = law(scores, 2 / eps), law(scores + move, 2 / eps)
        loss = np.log(p / q)
        widest = max(widest, np.ptp(loss), np.abs(loss).max())
        dearest = max(dearest, *(renyi(p, q, alpha) / alpha for alpha in (1.01, 2.0, 8.0, 64.0)))
    assert widest <= eps + 1e-9
    assert 0.11 < dearest <= eps**2 / 8  # tight: half the noise, or a sixteenth as the price, would show


def test_permute_and_flip_costs_more_than_an_eighth():
    def flip(gap, eps=1.0):
        lower = math.exp(-abs(gap) * eps / 2) / 2
        return np.array([1 - lower, lower] if gap > 0 else [lower, 1 - lower])

    p, q = flip(1), flip(-1)  # two candidates, each score moves by one
    assert np.abs(np.log(p / q)).max() <= 1
    assert (p * np.log(p / q)).sum() == pytest.approx(0.327, abs=1e-3)
