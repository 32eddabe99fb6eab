"""An invented city on a coast: a public coast line, and people who live where people live. Nothing of it is real.

coast      a wavy shore with a bay, an island before it, a lake behind it
people     an old town, suburbs along two roads, villages; none in the water
columns    home (latitude, longitude), age, rent, commute; all three depend on where the home is
"""

import numpy as np
import pandas as pd

BOX = {"south": 47.0, "north": 47.4, "west": 8.0, "east": 8.6}
CENTRES = (  # latitude, longitude, spread in degrees, share
    (47.155, 8.27, 0.012, 0.30),
    (47.19, 8.33, 0.025, 0.20),
    (47.15, 8.42, 0.015, 0.08),
    (47.13, 8.15, 0.010, 0.08),
    (47.31, 8.20, 0.012, 0.06),
    (47.34, 8.48, 0.015, 0.05),
    (47.055, 8.22, 0.008, 0.03),
)
ROADS = (((47.155, 8.27), (47.31, 8.20), 0.08), ((47.19, 8.33), (47.34, 8.48), 0.07))
AGES, RENTS = ["0-17", "18-34", "35-64", "65+"], [1, 2, 3, 4, 5]
WAYS = ["on foot", "tram", "train", "car", "none"]


def coast() -> str:
    """The land as WKT: the shore runs west to east, north of it is land."""
    x = np.linspace(BOX["west"] - 0.01, BOX["east"] + 0.01, 90)
    shore = 47.11 + 0.012 * np.sin(21 * x) + 0.006 * np.sin(57 * x + 1) + 0.05 * np.exp(-(((x - 8.36) / 0.03) ** 2))
    land = [*zip(x, shore, strict=True), (8.62, 47.42), (7.98, 47.42), (x[0], shore[0])]
    island, lake = ellipse(8.22, 47.055, 0.035, 0.015), ellipse(8.40, 47.26, 0.03, 0.02)
    return f"MULTIPOLYGON ((({ring(land)}), ({ring(lake)})), (({ring(island)})))"


def ellipse(x: float, y: float, wide: float, tall: float) -> list[tuple[float, float]]:
    """A closed ring around a point."""
    turn = np.linspace(0, 2 * np.pi, 41)
    points = [(x + wide * np.cos(t), y + tall * np.sin(t) * (1 + 0.2 * np.cos(3 * t))) for t in turn[:-1]]
    return [*points, points[0]]


def ring(corners: list[tuple[float, float]]) -> str:
    """Corners in WKT."""
    return ", ".join(f"{x:.4f} {y:.4f}" for x, y in corners)


def schema(depth: int, rows: int, place: bool = True) -> dict:
    """The schema with a place; or with latitude and longitude as two columns that know nothing of each other."""
    home = {"home": {"kind": "place", "latitude": "lat", "longitude": "lon", **BOX, "depth": depth, "outline": coast()}}
    apart = {
        name: {"kind": "real", "decimals": 4, "min": BOX[low], "max": BOX[high], "bins": 2**depth}
        for name, low, high in (("lat", "south", "north"), ("lon", "west", "east"))
    }
    others = {
        "age": {"kind": "ordinal", "values": AGES},
        "rent": {"kind": "ordinal", "values": RENTS},
        "commute": {"kind": "categorical", "values": WAYS},
    }
    columns = (home if place else apart) | others
    return {"table": {"name": "city", "unit": "person", "rows": rows}, "columns": columns}


def people(n: int, seed: int, land) -> pd.DataFrame:
    """n people; ``land`` says which points are ashore."""
    rng = np.random.default_rng(seed)
    lat, lon = np.zeros(0), np.zeros(0)
    while len(lat) < n:
        y, x = homes(2 * n, rng)
        ashore = land(y, x)
        lat, lon = np.append(lat, y[ashore]), np.append(lon, x[ashore])
    lat, lon = lat[:n], lon[:n]
    far = np.hypot(lat - 47.16, (lon - 8.28) * 0.68)  # degrees from the old town
    water = np.exp(-(((lat - 47.13) / 0.02) ** 2))
    old = 1 / (1 + np.exp(6 - 60 * water * far))
    age = np.searchsorted([0.18, 0.42, 0.80], np.clip(rng.random(n) + 0.3 * old - 0.25 * np.exp(-far / 0.03), 0, 0.999))
    rent = np.clip(np.rint(2.2 + 2.5 * water - 6 * far + rng.normal(0, 0.8, n)), 1, 5).astype(int)
    way = np.where(far < 0.02, 0, np.where(far < 0.06, 1, np.where(rng.random(n) < 0.4, 2, 3)))
    way = np.where((age == 3) & (rng.random(n) < 0.7), 4, np.where(rng.random(n) < 0.2, rng.integers(0, 4, n), way))
    words = {"age": np.array(AGES)[age], "rent": rent, "commute": np.array(WAYS)[way]}
    return pd.DataFrame({"lat": lat.round(4), "lon": lon.round(4), **words})


def homes(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Points of the density, be they ashore or not, within the box."""
    shares = [c[3] for c in CENTRES] + [road[2] for road in ROADS]
    kind = rng.choice(len(shares) + 1, size=n, p=[*shares, 1 - sum(shares)])
    y, x = rng.uniform(BOX["south"], BOX["north"], n), rng.uniform(BOX["west"], BOX["east"], n)
    for place, (lat, lon, spread, _) in enumerate(CENTRES):
        chosen = kind == place
        y[chosen] = rng.normal(lat, spread, chosen.sum())
        x[chosen] = rng.normal(lon, spread / 0.68, chosen.sum())
    for place, ((lat, lon), (to_lat, to_lon), _) in enumerate(ROADS, start=len(CENTRES)):
        chosen = kind == place
        along = rng.random(chosen.sum())
        y[chosen] = lat + along * (to_lat - lat) + rng.normal(0, 0.004, chosen.sum())
        x[chosen] = lon + along * (to_lon - lon) + rng.normal(0, 0.006, chosen.sum())
    inside = (y >= BOX["south"]) & (y <= BOX["north"]) & (x >= BOX["west"]) & (x <= BOX["east"])
    return y[inside], x[inside]
