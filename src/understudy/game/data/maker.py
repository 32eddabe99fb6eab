"""Makers: generator networks, from public noise and a class to the coordinates of rows.

    y ~ the noisy share of each class, where the schema names a label;     z ~ N(0, I)
    dense           h1 = relu(|W1 (z, y)| + b1),   h = relu(|W2 h1| + b2),   raw = W3 (h1, h)
    convolutional   the same to 1/2^s of the picture, then s times twice as high and wide: a product that spreads each place
                    over four, and a convolution over three by three

|h| is h to mean 0 and variance 1 within its row: without it generators of pictures fall to one picture a class. With a prior
(prior.py) raw begins at what the prior draws with the same z, and the network adds to it. Raw numbers become coordinates by the
columns' heads (heads.py). Classes come in their shares, rounded: a comb over the law, moved at random, so that every batch has
its classes. Coordinates stand in the order pictures, other columns, label.
"""

import math
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.game import jax as lazy
from understudy.game.data.heads import Head, head_of, shown
from understudy.game.data.prior import empty, start
from understudy.question.critic import Conv, Critic, Dense, GroupNorm, Layer, Leaky, Picture, apply
from understudy.schema.column import Image
from understudy.schema.schema import Schema

LATENT, SMALLEST = 32, 7  # numbers of z; the side at which a picture is not halved again
STRESS = 6.0  # how much louder a class is than one of many numbers, to a generator
CONV3 = 3
FAINT = 0.05  # how much smaller the last layer is where a prior says what to begin with


@dataclass(frozen=True)
class Maker:
    """A network's shape: the heads of its columns, the label's, and how wide it is; all else follows."""

    heads: tuple[Head, ...]
    label: Head | None
    units: int
    picture: tuple[int, int, int] | None = None  # height, width, channels, where the network convolves
    latent: int = LATENT
    components: int = 0  # of a prior; none where there is none

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns in the order of their coordinates."""
        return tuple(head.name for head in self.heads) + (() if self.label is None else (self.label.name,))

    @property
    def classes(self) -> int:
        """Cells of the label, or none."""
        return 0 if self.label is None else self.label.width

    @property
    def raw(self) -> int:
        """Numbers that the heads take."""
        return sum(head.width for head in self.heads)

    @property
    def coordinates(self) -> int:
        """Numbers that a critic sees."""
        return self.raw + self.classes

    @property
    def halvings(self) -> int:
        """s: how often both sides can be halved, the shorter one while it is long."""
        assert self.picture is not None
        height, width, _ = self.picture
        both, shorter, found = math.gcd(height, width), min(height, width), 0
        while both % 2 == 0 and shorter > SMALLEST:
            both, shorter, found = both // 2, shorter // 2, found + 1
        return found


def maker_of(schema: Schema, units: int, *, by_cells: bool = False, convolving: bool = False) -> Maker:
    """The maker of a schema's rows: pictures first, the label last. A label alone is a column like any other."""
    modelled = schema.modelled
    named = schema.label if len(modelled) > 1 else None
    label = next((head_of(column, True) for column in modelled if column.name == named), None)
    ordered = sorted((c for c in modelled if c.name != named), key=lambda column: not isinstance(column, Image))
    heads = tuple(head_of(column, by_cells) for column in ordered)
    if not convolving:
        return Maker(heads, label, units)
    image = schema.images[0]
    return Maker(heads, label, units, (image.height, image.width, image.channels))


def with_prior(maker: Maker, latent: int, components: int) -> Maker:
    """The maker on a prior of so many components and numbers z."""
    return replace(maker, latent=latent, components=components)


def critic_for(maker: Maker, units: int) -> Critic:
    """The critic that looks at such rows: dense, or DCGAN's with group norm in the place of batch norm."""
    layers: tuple[Layer, ...]
    if maker.picture is None:
        layers = (Dense(units), Leaky(), Dense(units), Leaky(), Dense(1))
    else:
        stages = tuple(
            layer
            for stage in range(maker.halvings)
            for layer in (Conv(units << stage), *((GroupNorm(units // 4),) if stage else ()), Leaky())
        )
        layers = (Picture(*maker.picture), *stages, Dense(1))
    return Critic((maker.coordinates,), layers)


Parameters = dict[str, Any]


def untrained(maker: Maker, rng: np.random.Generator) -> Parameters:
    """Weights of the size that keeps variances."""

    def matrix(fan_in: int, *shape: int) -> NDArray[np.float32]:
        return rng.normal(scale=(2 / fan_in) ** 0.5, size=shape).astype(np.float32)

    def layer(inputs: int, outputs: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return matrix(inputs, inputs, outputs), np.zeros(outputs, dtype=np.float32)

    inputs, units = maker.latent + maker.classes, maker.units
    if maker.picture is None:
        wide, bias = layer(2 * units, maker.raw)
        found = {"dense": [layer(inputs, units), layer(units, units)], "last": (wide, bias)}
        if not maker.components:
            return found
        prior = empty(maker.components, maker.latent, maker.raw, maker.classes)
        return found | {"last": (FAINT * wide, bias), "prior": prior}
    height, width, channels = maker.picture
    s, plain = maker.halvings, maker.raw - height * width * channels
    deep = units << (s - 1)
    places = (height >> s) * (width >> s)
    up = [
        (layer(deep >> i, 4 * (deep >> (i + 1))), layer(CONV3 * CONV3 * (deep >> (i + 1)), deep >> (i + 1)))
        for i in range(s - 1)
    ]
    last = (layer(units, 4 * units // 2), layer(CONV3 * CONV3 * units // 2, channels))
    dense = [layer(inputs, 4 * units), layer(4 * units, places * deep)]
    return {"dense": dense, "up": [*up, last], "last": layer(4 * units, plain)}


def raw_of(jax: Any, maker: Maker, parameters: Parameters, inputs: Any) -> Any:
    """The network: from (z, y) to raw numbers."""
    jnp, relu = jax.numpy, jax.nn.relu
    (w1, b1), (w2, b2) = parameters["dense"]
    wide, bias = parameters["last"]
    if maker.picture is None:
        h1 = relu(level(jax, inputs @ w1) + b1)
        h = relu(level(jax, h1 @ w2) + b2)
        return jnp.concatenate([h1, h], axis=1) @ wide / 2**0.5 + bias
    h1 = relu(inputs @ w1 + b1)
    h = relu(h1 @ w2 + b2)
    height, width, _ = maker.picture
    h = h.reshape(len(h), height >> maker.halvings, width >> maker.halvings, -1)
    for place, ((spread, shift), convolution) in enumerate(parameters["up"]):
        n, rows, columns, _ = h.shape
        h = apply(jax, GroupNorm(4), (), h) if place else h
        h = relu(h @ spread + shift).reshape(n, rows, columns, 2, 2, -1)
        h = h.transpose(0, 1, 3, 2, 4, 5).reshape(n, 2 * rows, 2 * columns, -1)
        h = apply(jax, Conv(convolution[0].shape[1], CONV3, 1), convolution, h)
        h = relu(h) if place + 1 < len(parameters["up"]) else h
    return jnp.concatenate([h.reshape(len(h), -1), h1 @ wide + bias], axis=1)


def level(jax: Any, h: Any) -> Any:
    """|h|."""
    return apply(jax, GroupNorm(1), (), h)


def latent(jax: Any, maker: Maker, n: int, key: Any) -> Any:
    """z for n rows."""
    return jax.random.normal(key, (n, maker.latent), jax.numpy.float32)


def made(jax: Any, maker: Maker, parameters: Parameters, law: Any, z: Any, key: Any) -> Any:
    """The coordinates of the rows of some z, their classes, or the components of the prior, by the law."""
    comb, noise, speck = jax.random.split(key, 3)
    component = classes_of(jax, law, len(z), comb)
    y = component @ parameters["prior"]["classes"] if maker.components else component
    inputs = z if maker.label is None else jax.numpy.concatenate([z, STRESS * y], axis=1)
    raw = raw_of(jax, maker, parameters, inputs)
    if maker.components:
        raw = raw + start(jax, parameters["prior"], component, z, speck)
    coordinates = shown(jax, maker.heads, raw, noise)
    return coordinates if maker.label is None else jax.numpy.concatenate([coordinates, y], axis=1)


def classes_of(jax: Any, law: Any, n: int, key: Any) -> Any:
    """n classes whose counts are n times the law, rounded."""
    jnp = jax.numpy
    # class_i = first class whose cumulative probability exceeds (u + i) / n
    comb = (jax.random.uniform(key, (), jnp.float32) + jnp.arange(n, dtype=jnp.float32)) / n
    return jax.nn.one_hot(jnp.searchsorted(jnp.cumsum(law)[:-1], comb, side="right"), len(law), dtype=jnp.float32)


@cache
def program(maker: Maker, n: int) -> Any:
    """(parameters of some networks, law, words of a key) -> the coordinates of n rows, an equal part by each network."""
    jax = lazy.load()

    def drawn(networks: tuple[Parameters, ...], law: Any, word: Any) -> Any:
        keys = jax.random.split(jax.random.key(word), (len(networks), 2))
        each = -(-n // len(networks))
        parts = [
            made(jax, maker, one, law, latent(jax, maker, each, first), second)
            for one, (first, second) in zip(networks, keys, strict=True)
        ]
        return jax.numpy.concatenate(parts)[:n]

    return jax.jit(drawn)
