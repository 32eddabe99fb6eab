"""Outlines: a public region of the map (a coast, a border) as exact sets of ticks.

    polygons   rings of (latitude, longitude) in ticks, the first of each around it, the others around its holes
    inside     the even-odd rule, edges included, in whole numbers
    runs       of one latitude: the longitudes a .. b that are inside, both ends included

Law.  A tick that a run holds lies in the closed region, to the last bit: where an edge of slope dx / dy crosses latitude y,

    x = x1 + (y - y1) dx / dy,     and a run goes from ceil(x) at one crossing to floor(x) at the next.

The corners themselves are rounded to ticks when an outline is read: that is the public region from then on.

>>> island = outline_from("POLYGON ((0 0, 4 0, 2 2, 0 0))", decimals=0)
>>> runs = island.runs(-5, 5)
>>> list(zip(runs.latitude.tolist(), runs.west.tolist(), runs.east.tolist()))
[(0, 0, 4), (1, 1, 3)]
>>> runs.hold(np.array([0, 1, 1, 3]), np.array([0, 1, 0, 2])).tolist()
[True, True, False, False]
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.refusal import SchemaRefused

Ticks = NDArray[np.int64]
Ring = tuple[tuple[int, int], ...]
MOST_RUNS = 2**22
FULL = {"lat": 90, "lon": 180}
SHAPE = re.compile(r"\s*(MULTI)?POLYGON\s*(\(.*\))\s*", re.ASCII | re.DOTALL | re.IGNORECASE)
CORNER = re.compile(r"([-+.0-9eE]+) +([-+.0-9eE]+)", re.ASCII)
BRACKETS = str.maketrans("()", "[]")
HOW = "write POLYGON ((8.1 47.2, 8.4 47.2, 8.3 47.5, 8.1 47.2)), longitude first, or a GeoJSON of it"


@dataclass(frozen=True, eq=False)
class Runs:
    """Longitudes inside a region, run by run, sorted by latitude, then from west to east."""

    latitude: Ticks
    west: Ticks
    east: Ticks

    def within(self, west: int, east: int) -> "Runs":
        """The runs cut to a strip; those that do not reach it are dropped."""
        left, right = np.maximum(self.west, west), np.minimum(self.east, east)
        kept = left <= right
        return Runs(self.latitude[kept], left[kept], right[kept])

    def between(self, south: int, north: int) -> "Runs":
        """The runs of some latitudes, both included."""
        first, last = np.searchsorted(self.latitude, [south, north + 1])
        return Runs(self.latitude[first:last], self.west[first:last], self.east[first:last])

    def hold(self, latitude: Ticks, longitude: Ticks) -> NDArray[np.bool_]:
        """Which points are in a run: the last run that begins no later, of the same latitude, must reach them."""
        if not len(self.west):
            return np.zeros(len(latitude), dtype=bool)
        low, high = int(self.west.min()), int(self.east.max())
        inside: NDArray[np.bool_] = (longitude >= low) & (longitude <= high)
        width = high - low + 1  # one number for both: runs are sorted by it
        ticks = latitude * width + np.clip(longitude, low, high)
        run = np.maximum(np.searchsorted(self.latitude * width + self.west, ticks, side="right") - 1, 0)
        inside &= (self.latitude[run] == latitude) & (self.west[run] <= longitude) & (longitude <= self.east[run])
        return inside

    def draw(self, count: int, rng: np.random.Generator) -> tuple[Ticks, Ticks]:
        """Points, each tick of the runs as likely as any other."""
        upto = np.cumsum(self.east - self.west + 1)
        ticket: Ticks = rng.integers(int(upto[-1]), size=count, dtype=np.int64)
        run = np.searchsorted(upto, ticket, side="right")
        return self.latitude[run], np.asarray(self.east[run] - (upto[run] - 1 - ticket), dtype=np.int64)


@dataclass(frozen=True)
class Outline:
    """A region: polygons of rings of ticks."""

    polygons: tuple[tuple[Ring, ...], ...]

    def runs(self, south: int, north: int) -> Runs:
        """The runs of every latitude from south to north."""
        rings = [np.array(ring, dtype=np.int64) for polygon in self.polygons for ring in polygon]
        edges = np.concatenate([np.concatenate([ring[:-1], ring[1:]], axis=1) for ring in rings])
        upward = edges[:, 0] <= edges[:, 2]
        y1, x1, y2, x2 = np.where(upward[:, None], edges, edges[:, [2, 3, 0, 1]]).T
        # an edge owns the latitudes y1 <= y < y2, so that a corner between two edges is crossed once
        first, last = np.maximum(y1, south), np.minimum(y2 - 1, north)
        spans = np.maximum(last - first + 1, 0)
        if spans.sum() > 2 * MOST_RUNS:
            raise SchemaRefused("its outline crosses too many latitudes", "use fewer decimals, or a smaller box")
        edge = np.repeat(np.arange(len(spans)), spans)
        y = first[edge] + np.arange(len(edge)) - np.repeat(np.cumsum(spans) - spans, spans)
        over = (y - y1[edge]) * (x2 - x1)[edge]
        rise = (y2 - y1)[edge]
        down, up = x1[edge] + over // rise, x1[edge] - (-over // rise)
        order = np.lexsort((up, down, y))
        runs = Runs(y[order][::2], up[order][::2], down[order][1::2])
        return runs.within(*(int(end) for end in (edges[:, 1::2].min(), edges[:, 1::2].max())))


def outline_from(text: str, decimals: int) -> Outline:
    """The outline that a text describes, in WKT or GeoJSON, with its corners rounded to ticks."""
    polygons = list(from_geojson(text) if text.lstrip().startswith("{") else from_wkt(text))
    if not polygons:
        raise SchemaRefused("its outline has no polygon", HOW)
    if not all(isinstance(polygon, list) and polygon for polygon in polygons):
        raise SchemaRefused("a polygon of its outline is no list of rings", HOW)
    return Outline(tuple(tuple(ring_of(ring, decimals) for ring in polygon) for polygon in polygons))


def from_wkt(text: str) -> Iterator[Any]:
    """The polygons of a POLYGON or MULTIPOLYGON: its brackets and corners are those of GeoJSON, written otherwise."""
    match = SHAPE.fullmatch(text)
    if match is None:
        raise SchemaRefused("its outline is no POLYGON or MULTIPOLYGON", HOW)
    try:
        nested = json.loads(CORNER.sub(r'["\1", "\2"]', match[2]).translate(BRACKETS))
    except (ValueError, RecursionError):
        raise SchemaRefused("its outline is no list of corners in brackets that match", HOW) from None
    yield from nested if match[1] else [nested]


def from_geojson(text: str) -> Iterator[Any]:
    """The polygons of a GeoJSON: a geometry, a feature, or a collection of features."""
    try:
        yield from geometry(json.loads(text, parse_float=str, parse_int=str))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise SchemaRefused("its outline is no GeoJSON of polygons", HOW) from None


def geometry(words: Any) -> Iterator[Any]:
    """The polygons in an object of a GeoJSON."""
    match words["type"]:
        case "FeatureCollection":
            for feature in words["features"]:
                yield from geometry(feature)
        case "Feature":
            yield from geometry(words["geometry"])
        case "Polygon":
            yield words["coordinates"]
        case "MultiPolygon":
            yield from words["coordinates"]
        case _:
            raise ValueError


def ring_of(corners: Any, decimals: int) -> Ring:
    """A ring in ticks; it must close, and have three corners that differ."""
    if not isinstance(corners, list) or not all(isinstance(c, list | tuple) and len(c) >= 2 for c in corners):
        raise SchemaRefused("a ring of its outline is no list of corners", HOW)
    ring = tuple((tick(lat, "lat", decimals), tick(lon, "lon", decimals)) for lon, lat, *_ in corners)
    if len(ring) < 4 or ring[0] != ring[-1] or len(set(ring)) < 3:
        raise SchemaRefused("a ring of its outline does not close, or has fewer than three corners", HOW)
    return ring


def tick(value: Any, axis: str, decimals: int) -> int:
    """A coordinate in ticks of 10^-decimals."""
    try:
        amount = Decimal(str(value))
        if not abs(amount) <= FULL[axis]:
            raise ValueError
    except (InvalidOperation, ValueError):
        raise SchemaRefused("a corner of its outline is not on the globe", HOW) from None
    return round(amount.scaleb(decimals))


def wkt(outline: Outline, decimals: int) -> str:
    """The text that `outline_from` reads to an equal outline."""

    def show(value: int) -> str:
        return f"{Decimal(value).scaleb(-decimals):f}"

    shown = [
        "(" + ", ".join("(" + ", ".join(f"{show(x)} {show(y)}" for y, x in ring) + ")" for ring in polygon) + ")"
        for polygon in outline.polygons
    ]
    return f"POLYGON {shown[0]}" if len(shown) == 1 else f"MULTIPOLYGON ({', '.join(shown)})"
