"""No seed in the release, no output twice: in one process, in a replayed one, in forked children."""

import inspect
import os
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from understudy.noise import discrete_gaussian, discrete_laplace, gumbel
from understudy.noise.entropy import Entropy, OperatingSystem, Seeded

ONES = np.ones(8, dtype=np.int64)
REPLAY = """
import numpy as np
from fractions import Fraction
from understudy.noise import discrete_gaussian
from understudy.noise.entropy import OperatingSystem
print(discrete_gaussian.add(np.zeros(8, dtype=np.int64), Fraction(10**12), OperatingSystem()).tolist())
"""


def noise(entropy):
    return tuple(discrete_gaussian.add(ONES, Fraction(10**12), entropy).tolist())


def test_the_private_source_takes_no_argument():
    assert list(inspect.signature(OperatingSystem).parameters) == []
    assert vars(OperatingSystem()) == {}
    with pytest.raises(TypeError):
        OperatingSystem(1)


def test_only_the_private_source_is_private():
    assert OperatingSystem().private
    assert not Seeded(0).private


def test_a_thousand_pairs_are_all_different():
    pairs = [(noise(OperatingSystem()), noise(OperatingSystem())) for _ in range(1000)]
    assert len({vector for pair in pairs for vector in pair}) == 2000
    assert len({OperatingSystem().coin() for _ in range(2000)}) == 2000


def test_a_replayed_process_draws_another_vector():
    runs = {subprocess.check_output([sys.executable, "-c", REPLAY]) for _ in range(2)}
    assert len(runs) == 2


def forked(source):
    """What a forked child draws, sent back through a pipe."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, repr((noise(source), source.coin())).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(write)
    with os.fdopen(read) as pipe:
        return pipe.read()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_forked_children_differ_from_each_other_and_from_their_parent():
    source = OperatingSystem()
    noise(source)  # the generator is awake before the first fork
    drawn = [forked(source) for _ in range(20)] + [repr((noise(source), source.coin()))]
    assert len(set(drawn)) == 21


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_the_fork_test_can_fail():
    twin = Seeded(1)
    assert forked(twin) == forked(twin)


def test_the_twin_replays():
    assert noise(Seeded(3)) == noise(Seeded(3)) != noise(Seeded(4))
    assert Seeded(3).coin() == Seeded(3).coin() != Seeded(4).coin()
    assert len(Seeded(3).coin()) == len(OperatingSystem().coin()) == 64


def test_a_third_source_is_refused():
    class Weak(Entropy):
        private = True

        def coin(self):
            return "0" * 64

        def words(self, n):
            return np.zeros(n, dtype=np.uint64)

    for sampler in (discrete_gaussian.add, discrete_laplace.add, gumbel.select):
        with pytest.raises(TypeError, match="OperatingSystem"):
            sampler(ONES, Fraction(1), Weak())


def test_importing_the_samplers_does_not_load_opendp():
    code = "import sys, understudy.noise.draw; print('opendp' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code]).strip() == b"False"
