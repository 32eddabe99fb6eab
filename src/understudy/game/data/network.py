"""Network: the generator of document 000, a residual network from public noise to one distribution a column.

    h_0 = z V,     h_{i+1} = h_i + relu(h_i A_i + a_i) B_i,     p_j(. | z) = softmax(h W_j + b_j)

The latent points z_1..z_K are drawn once from the tape's coin and stay. A generator whose columns are independent given z
is, over a fixed batch of z, a mixture of K products of equal weight: so its guess is a `Mixture`, and it is fitted as any
other (frugal.py), with the network's weights as the parameters. It starts at the product of the columns, blurred.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from understudy.game.data.frugal import Descent
from understudy.game.data.mixture import BLUR, Logits, MixturePlayer
from understudy.game.player import Forecast
from understudy.schema.schema import Schema

POINTS, LATENT, BLOCKS = 256, 64, 1
WIDEST_LAYER = 256
STEPS, RATE = 1000, 0.001


def generate(jax: Any, parameters: Any, latent: Any) -> tuple[Any, Any]:
    """Heights and scores of the components: one a latent point, all of equal weight."""
    h = latent @ parameters["first"]
    for inner, bias, outer in parameters["blocks"]:
        # h <- h + relu(h A + a) B
        h = h + jax.nn.relu(h @ inner + bias) @ outer
    return jax.numpy.zeros(len(latent), dtype=h.dtype), h @ parameters["last"] + parameters["bias"]


@dataclass
class NetworkPlayer(MixturePlayer):
    """Trains the generator on the tape; between measurements the guess stays as it is."""

    components: int = POINTS
    descent: Descent = Descent(generate, STEPS, RATE)

    def forecast(self, schema: Schema) -> Forecast:
        """As a mixture of so many components, and the network's own products."""
        as_mixture, cells = super().forecast(schema), sum(schema.domain.values())
        width = width_for(cells)
        products = self.components * (cells**2 + width * (cells + 2 * BLOCKS * width))
        return Forecast(as_mixture.megabytes + 100, 3 + self.fits * STEPS * 6 * products / 3e10)

    def beginning(self, logits: Logits, rng: np.random.Generator) -> tuple[Any, Any]:
        """An untrained network, and the latent points."""
        latent = rng.normal(size=(self.components, LATENT)).astype(np.float32)
        return untrained(logits, rng), latent


def width_for(cells: int) -> int:
    """Units of a layer: no more than four for each cell of the columns."""
    return min(WIDEST_LAYER, 4 * cells)


def untrained(logits: Logits, rng: np.random.Generator) -> dict[str, Any]:
    """Weights of the size that keeps variances, the last of the size of the blur; the product of the columns as bias."""

    def matrix(fan_in: int, fan_out: int, scale: float) -> Any:
        return rng.normal(scale=scale / fan_in**0.5, size=(fan_in, fan_out)).astype(np.float32)

    width = width_for(len(logits))
    blocks = [
        (matrix(width, width, 2**0.5), np.zeros(width, dtype=np.float32), matrix(width, width, 1.0))
        for _ in range(BLOCKS)
    ]
    last = matrix(width, len(logits), BLUR / (BLOCKS + 1) ** 0.5)
    return {"first": matrix(LATENT, width, 1.0), "blocks": blocks, "last": last, "bias": logits}
