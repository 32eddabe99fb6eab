"""Prior: Gaussians of the tape's moments, as what a generator starts from (RON-DP-GAN).

    g ~ weights,   z, e ~ N(0, I),   u = offset_g + (z S_g) F + speck_g e       a row of component g, as the moments have it
    raw = ln(u / (1 - u)) + network(z, class of g)               u cut to 1/510 .. 1 - 1/510

A network whose last layer is small makes the Gaussians' own rows; what it learns is how the private rows differ from them.
F are the directions that the components' roots have in common: root_g = S_g F, so that a batch needs one wide product.

The prior is part of the generator. It stands in its weights, where no step moves it, and in its model file: what is drawn
afterwards is drawn from what was trained. (Document 004 trained on N(mu, Sigma) and drew from N(0, 1).)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.normals import Normals
from understudy.game.player import DataPlayer, QueryPlayer

DIRECTIONS = 100
LEAST = 1 / 510  # half a level

Small = NDArray[np.float32]


@dataclass(frozen=True)
class Opening:
    """Who asks before the critic does, and who makes a guess of the answers: Gaussians are a prior, any other is a school."""

    query: QueryPlayer
    data: DataPlayer


def prior_of(normals: Normals, names: tuple[str, ...], classes: int) -> dict[str, Small]:
    """The arrays of a prior, the coordinates in the order of these columns."""
    space = normals.space
    ends = dict(zip(space.names, np.cumsum(space.widths), strict=True))
    order = np.concatenate([np.arange(ends[name] - space.width_of(name), ends[name]) for name in names])
    roots, offsets = normals.roots[:, :, order].astype(np.float64), normals.offsets[:, order]
    if roots.shape[1] == 0:  # nothing stood out of the noise: a point a component
        roots = np.zeros((len(roots), 1, len(order)))
    # the leading directions of all roots together
    gram = np.einsum("gkp,gkq->pq", roots, roots, optimize=True)
    frame = np.linalg.eigh(gram)[1][:, ::-1][:, :DIRECTIONS]
    of_class = np.eye(max(classes, 1))[normals.cells] if classes else np.ones((len(offsets), 1))
    specks = normals.specks[:, order]
    parts = {"offset": offsets, "speck": specks, "spread": roots @ frame, "frame": frame.T, "classes": of_class}
    return {name: np.asarray(part, dtype=np.float32) for name, part in parts.items()}


def empty(components: int, latent: int, width: int, classes: int) -> dict[str, Small]:
    """Arrays of that shape."""
    rank = min(DIRECTIONS, width)
    shapes = {
        "offset": (components, width),
        "speck": (components, width),
        "spread": (components, latent, rank),
        "frame": (rank, width),
        "classes": (components, max(classes, 1)),
    }
    return {name: np.zeros(shape, dtype=np.float32) for name, shape in shapes.items()}


def start(jax: Any, prior: dict[str, Any], component: Any, z: Any, key: Any) -> Any:
    """ln(u / (1 - u)) for a batch, its components as rows of 0 and 1."""
    jnp, held = jax.numpy, jax.lax.stop_gradient(prior)
    along = jnp.einsum("ng,nk,gkr->nr", component, z, held["spread"])
    e = jax.random.normal(key, (len(z), held["speck"].shape[1]), jnp.float32)
    # u = offset_g + (z S_g) F + speck_g e
    u = jnp.clip(component @ held["offset"] + along @ held["frame"] + component @ held["speck"] * e, LEAST, 1 - LEAST)
    return jnp.log(u / (1 - u))
