"""Where randomness comes from: the operating system, or the seeded twin that no release may use.

Law.  The output of a mechanism has the same distribution under both; only the operating system's cannot be replayed.

    OperatingSystem   private       OpenDP's samplers, and words, of the system's cryptographic generator; takes no seed
    Seeded(seed)      not private   numpy; whoever draws with it stamps NOT PRIVATE on what comes out

Privacy.  The list is closed: a sampler refuses any third kind, so that no weak generator can be slipped in.
"""

import os
from abc import ABC, abstractmethod
from types import ModuleType

import numpy as np
from numpy.typing import NDArray


class Entropy(ABC):
    """A source of randomness. ``private`` says whether a guarantee may be claimed for what was drawn with it."""

    private: bool

    @abstractmethod
    def coin(self) -> str:
        """256 random bits in hexadecimal, for the tape: public, and never reused as noise."""

    @abstractmethod
    def words(self, n: int) -> NDArray[np.uint64]:
        """n independent uniform 64-bit words."""


class OperatingSystem(Entropy):
    """The system's cryptographic generator. It holds no state of ours, so a forked child cannot repeat its parent.

    >>> len(OperatingSystem().coin())
    64
    """

    private = True

    def coin(self) -> str:
        return os.urandom(32).hex()

    def words(self, n: int) -> NDArray[np.uint64]:
        return np.frombuffer(os.urandom(8 * n), dtype=np.uint64)


class Seeded(Entropy):
    """The test twin: same laws, replayable, NOT PRIVATE.

    >>> Seeded(1).coin() == Seeded(1).coin()
    True
    """

    private = False

    def __init__(self, seed: int):
        self.generator = np.random.default_rng(seed)

    def coin(self) -> str:
        return self.generator.bytes(32).hex()

    def words(self, n: int) -> NDArray[np.uint64]:
        return np.frombuffer(self.generator.bytes(8 * n), dtype=np.uint64)


def opendp() -> ModuleType:
    """OpenDP, loaded at first use, with the samplers it has proofs for switched on."""
    import opendp.prelude as prelude

    prelude.enable_features("contrib")
    return prelude


def known(entropy: Entropy) -> Entropy:
    """A source on the list, for samplers that take its words."""
    if not isinstance(entropy, OperatingSystem | Seeded):
        raise unknown(entropy)
    return entropy


def unknown(entropy: object) -> TypeError:
    """What a sampler raises for a source that is not on the list."""
    return TypeError(f"randomness comes from OperatingSystem() or Seeded(seed), not from {type(entropy).__name__}")
