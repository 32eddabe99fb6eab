"""Critics: networks that score one row at a time, public in every part. The list of layers is closed.

| layer     | what it does to one row                                                     | parameters              |
|-----------|-----------------------------------------------------------------------------|-------------------------|
| Dense     | a W + b                                                                     | inputs x units + units  |
| Conv      | patches of side ``kernel``, every ``stride``-th, padded alike: patch W + b  | patch x channels + channels |
| Leaky     | max(h, slope h)                                                             | none                    |
| GroupNorm | each group of channels to mean 0 and variance 1, within the row             | none                    |
| Scale     | a factor and a shift for each channel                                       | 2 x channels            |
| Picture   | the first inputs as height x width x channels, each other one as a channel  | none                    |

Law.  A row's score depends on that row and the weights alone. No layer sees two rows: batch normalisation, whose means are
of all of them, cannot be written in this list, and a test holds every listed layer to the law.

    loss of a private row x:    logistic  ln(1 + e^-D(x)),     wasserstein  -D(x),     hinge  max(0, 1 - D(x))

>>> critic = Critic((100,), (Dense(256), Leaky(), Dense(256), Leaky(), Dense(1)))
>>> critic.parameters, critic.shapes[0]
(91905, ((100, 256), (256,)))
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import ceil, prod
from typing import Any

from understudy.refusal import Misuse

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Dense:
    """All inputs to every unit."""

    units: int


@dataclass(frozen=True)
class Conv:
    """A convolution over (height, width, channels)."""

    channels: int
    kernel: int = 5
    stride: int = 2


@dataclass(frozen=True)
class Leaky:
    """The rectifier that lets a fifth of what is negative through."""


@dataclass(frozen=True)
class GroupNorm:
    """Groups of channels brought to mean 0 and variance 1, row by row."""

    groups: int


@dataclass(frozen=True)
class Scale:
    """A factor and a shift for each channel."""


@dataclass(frozen=True)
class Picture:
    """The first coordinates as a picture; each of the others, such as a label's, as a channel that is even all over it."""

    height: int
    width: int
    channels: int


Layer = Dense | Conv | Leaky | GroupNorm | Scale | Picture
LAYERS: tuple[type[Layer], ...] = (Dense, Conv, Leaky, GroupNorm, Scale, Picture)
SLOPE = 0.2
LARGE = 2**20  # numbers in a convolution's matrix
LOSSES = ("logistic", "wasserstein", "hinge")


@dataclass(frozen=True)
class Critic:
    """Inputs of one row: (coordinates,) or (height, width, channels). The last layer has one unit."""

    inputs: Shape
    layers: tuple[Layer, ...]

    def __post_init__(self) -> None:
        if any(type(layer) not in LAYERS for layer in self.layers):
            raise Misuse("a critic has a layer that is not listed", "take one that looks at one row at a time")
        if not self.layers or self.layers[-1] != Dense(1):
            raise Misuse("a critic ends in one score", "let its last layer be Dense(1)")

    @cached_property
    def between(self) -> tuple[Shape, ...]:
        """The shape of a row before each layer, and after the last."""
        shapes = [self.inputs]
        for layer in self.layers:
            shapes.append(after(layer, shapes[-1]))
        return tuple(shapes)

    @cached_property
    def shapes(self) -> tuple[tuple[Shape, ...], ...]:
        """The shapes of every layer's arrays; none where it has no parameters."""
        return tuple(arrays(layer, before) for layer, before in zip(self.layers, self.between, strict=False))

    @cached_property
    def parameters(self) -> int:
        """How many numbers the weights are."""
        return sum(prod(shape) for layer in self.shapes for shape in layer)


def after(layer: Layer, before: Shape) -> Shape:
    """The shape of a row behind a layer."""
    match layer:
        case Dense(units):
            return (units,)
        case Conv(channels, _, stride):
            height, width, _ = before
            return (ceil(height / stride), ceil(width / stride), channels)
        case Picture(height, width, channels):
            return (height, width, channels + prod(before) - height * width * channels)
    return before


def arrays(layer: Layer, before: Shape) -> tuple[Shape, ...]:
    """The shapes of a layer's parameters."""
    match layer:
        case Dense(units):
            return ((prod(before), units), (units,))
        case Conv(channels, kernel):
            return ((kernel * kernel * before[-1], channels), (channels,))
        case Scale():
            return ((before[-1],), (before[-1],))
    return ()


def apply(jax: Any, layer: Layer, weights: Any, h: Any) -> Any:
    """A layer's output for a batch of rows."""
    jnp = jax.numpy
    match layer:
        case Dense():
            return h.reshape(len(h), -1) @ weights[0] + weights[1]
        case Conv():
            return convolve(jax, layer, h, weights[0]) + weights[1]
        case Leaky():
            return jnp.where(h > 0, h, SLOPE * h)
        case GroupNorm(groups):
            grouped = h.reshape(*h.shape[:-1], groups, -1)
            axes = (*range(1, h.ndim - 1), h.ndim)
            centred = grouped - grouped.mean(axes, keepdims=True)
            return (centred / jnp.sqrt((centred**2).mean(axes, keepdims=True) + 1e-5)).reshape(h.shape)
        case Scale():
            return h * weights[0] + weights[1]
        case Picture(height, width, channels):
            pixels = height * width * channels
            picture, others = h[:, :pixels].reshape(-1, height, width, channels), h[:, None, None, pixels:]
            even = jnp.broadcast_to(others, (len(h), height, width, others.shape[-1]))
            return jnp.concatenate([picture, even], axis=-1)


def convolve(jax: Any, layer: Conv, h: Any, matrix: Any) -> Any:
    """The convolution. Where the matrix is large XLA takes seconds to pull a derivative back, and a product does not."""
    if matrix.size > LARGE:
        return patches(jax.numpy, layer, h) @ matrix
    square = matrix.reshape(layer.kernel, layer.kernel, h.shape[-1], layer.channels)
    strides = (layer.stride, layer.stride)
    return jax.lax.conv_general_dilated(h, square, strides, "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def patches(jnp: Any, layer: Conv, h: Any) -> Any:
    """What each output of a convolution sees, side by side: cut by strided slices, which cost a copy and no product."""
    kernel, stride = layer.kernel, layer.stride
    outputs = [ceil(size / stride) for size in h.shape[1:3]]
    # padded so that the outputs are the inputs' size over the stride, rounded up
    lacking = [max((out - 1) * stride + kernel - size, 0) for out, size in zip(outputs, h.shape[1:3], strict=True)]
    h = jnp.pad(h, ((0, 0), *((n // 2, n - n // 2) for n in lacking), (0, 0)))
    ends = [(out - 1) * stride + 1 for out in outputs]
    cut = [h[:, i : i + ends[0] : stride, j : j + ends[1] : stride] for i in range(kernel) for j in range(kernel)]
    return jnp.concatenate(cut, axis=-1)


def scores(jax: Any, critic: Critic, weights: Any, rows: Any) -> Any:
    """D(x) of every row of a batch."""
    h = rows.reshape(-1, *critic.inputs)
    for layer, of_layer in zip(critic.layers, weights, strict=True):
        h = apply(jax, layer, of_layer, h)
    return h[:, 0]


def losses(jax: Any, kind: str, score: Any) -> Any:
    """The loss of private rows by their scores; of made ones by minus theirs."""
    jnp = jax.numpy
    if kind == "logistic":
        return jax.nn.softplus(-score)
    return -score if kind == "wasserstein" else jnp.maximum(0, 1 - score)


def flat(jax: Any, weights: Any) -> Any:
    """All weights as one vector, layer by layer."""
    return jax.numpy.concatenate([array.ravel() for layer in weights for array in layer])


def unflat(critic: Critic, vector: Any) -> Any:
    """The weights of one vector."""
    found, start = [], 0
    for layer in critic.shapes:
        ends = [start, *(start := start + prod(shape) for shape in layer)]
        found.append(tuple(vector[a:b].reshape(shape) for (a, b), shape in zip(pairwise(ends), layer, strict=True)))
    return tuple(found)
