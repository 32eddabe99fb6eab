"""The example table: 20,000 invented patients of an invented clinic, one visit each.

    python examples/clinic/make.py [FILE]        (default: clinic.csv beside this script)

Nobody in it exists, so the seed is fixed and public: every machine writes the same table. `README.md` lists the columns
and the dependencies that are built in; `clinic.toml` is the schema.
"""

import csv
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROWS = 20_000
TODAY = np.datetime64("2025-12-31")
POSTCODES = ["01001", "01004", "01011", "01023", "02050", "02066", "03108", "04400", "05512", "07301", "08020", "09999"]
DIAGNOSES = ["I10", "E11", "J45", "M54", "F32", "S52", "O80", "C50", "A41", "H25", "K35", "N20"]
RARE = ["Q90", "B20", "G35", "D66", "L40"]
SEVERITIES = ["mild", "moderate", "severe", "critical"]
INSURANCES = ["basic", "semi-private", "private", "accident", "none"]

Column = NDArray[Any]
rng = np.random.default_rng(2025)


def pick(values: list[str], weights: NDArray[np.float64]) -> NDArray[np.str_]:
    """One value a row, by that row's weights."""
    cut = np.cumsum(weights, axis=1)
    place = (cut < rng.random((len(weights), 1)) * cut[:, -1:]).sum(axis=1)
    chosen: NDArray[np.str_] = np.array(values)[place]
    return chosen


def chance(p: NDArray[np.float64] | float) -> NDArray[np.bool_]:
    """A coin for every row."""
    return rng.random(ROWS) < p


def logistic(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chance whose log-odds are x."""
    return 1 / (1 + np.exp(-x))


def text(values: Column, blank: NDArray[np.bool_] | float = 0.0, code: str = "") -> NDArray[np.str_]:
    """A column as text, with a missing code where ``blank`` says so."""
    empty = chance(blank) if isinstance(blank, float) else blank
    return np.where(empty, code, values.astype(np.str_))


def yes_no(truth: NDArray[np.bool_]) -> NDArray[np.str_]:
    """Booleans as the clinic writes them."""
    return np.where(truth, "yes", "no")


def people() -> dict[str, Column]:
    """Who comes: sex, age, home, weight, smoking, pregnancy."""
    female = chance(0.53)
    age = np.clip(np.where(chance(0.3), rng.normal(33, 9, ROWS), rng.normal(61, 16, ROWS)), 16, 99).astype(int)
    born = TODAY - (age * 365.25).astype(int) - rng.integers(0, 365, ROWS)
    rural = rng.beta(2, 5, ROWS)
    home = pick(POSTCODES, np.exp(-np.arange(12) / 4)[None, :] + rural[:, None] * np.arange(12) / 12)
    weight = np.clip(rng.normal(83 - 14 * female + 0.12 * np.minimum(age, 60), 13, ROWS), 38, 190).round(1)
    smokes = chance(logistic(-1.2 + 0.5 * ~female - 0.02 * (age - 45)))
    per_day = np.clip(rng.poisson(6 + 0.15 * age), 1, 60)
    asked = female & (age < 55)
    pregnant = asked & chance(logistic(0.5 - ((age - 30) / 6.0) ** 2))
    return locals()


def visits(who: dict[str, Column]) -> dict[str, Column]:
    """What happens: arrival, diagnosis, pressure, severity, stay, cost, return."""
    age, weight, smokes, pregnant = (who[name] for name in ("age", "weight", "smokes", "pregnant"))
    arrival = np.datetime64("2024-01-01T00:00", "m") + rng.integers(0, 731, ROWS) * 1440
    arrival = arrival + (60 * np.clip(rng.normal(12.5, 3.5, ROWS), 6, 22.9)).astype(int)
    old, heavy = np.clip((age - 50) / 20, -2, 2), np.clip((weight - 80) / 15, -2, 2)
    zero = np.zeros(ROWS)
    odds = [1 + 0.8 * old + 0.4 * heavy, 0.3 + 0.7 * old + 0.7 * heavy, -0.2 - 0.3 * old + 0.6 * smokes, zero + 0.6,
            0.1 - 0.4 * old, -0.1 - 0.2 * old, np.where(pregnant, 4.5, -99.0), -1.2 + 0.5 * old + who["female"] * 1.0,
            -1.0 + 0.6 * old, -2.0 + 1.8 * old, -0.6 - 0.6 * old, zero - 0.6]  # fmt: skip
    diagnosis = pick(DIAGNOSES, np.exp(np.stack(odds, axis=1)))
    diagnosis = np.where(chance(0.01), rng.choice(RARE, ROWS), diagnosis)
    pressure = np.clip(rng.normal(118 + 0.25 * age + 4 * heavy + 14 * (diagnosis == "I10"), 13, ROWS), 70, 240).astype(
        int
    )
    grave = np.isin(diagnosis, ["A41", "C50"]) * 1.8 + np.isin(diagnosis, ["K35", "S52"]) * 0.8 + 0.4 * old
    grade = np.digitize(grave + rng.logistic(0, 0.7, ROWS), [0.5, 1.8, 3.2])
    accident = (diagnosis == "S52") & chance(0.85)
    wealth = rng.normal(0, 1, ROWS) + 0.3 * np.isin(who["home"], POSTCODES[:4])
    insurance = np.array(INSURANCES)[np.where(accident, 3, np.digitize(wealth, [1.0, 1.9]))]
    insurance = np.where(chance(0.01), "none", insurance)
    stays = chance(logistic(-1.6 + 1.3 * grade + 2 * (diagnosis == "O80")))
    nights = rng.poisson(1 + 2.2 * grade) * stays
    private = np.isin(insurance, ["semi-private", "private"])
    cost = np.exp(rng.normal(5.1 + 0.5 * grade + 0.3 * private, 0.6, ROWS)) + nights * (900 + 500 * private)
    returns = stays & chance(logistic(-2.8 + 0.5 * grade + 0.4 * old + 0.5 * smokes - 0.04 * nights))
    discharge = arrival.astype("datetime64[D]") + nights
    return {name: value for name, value in locals().items() if name != "who"}


def table() -> dict[str, NDArray[np.str_]]:
    """The sixteen columns, as the texts of the CSV."""
    who = people()
    what = visits(who)
    return {
        "patient_id": np.char.add("P", np.char.zfill((rng.permutation(ROWS) + 100_000).astype(np.str_), 7)),
        "sex": text(np.where(who["female"], "f", "m"), 0.004),
        "birth_date": text(who["born"]),
        "postcode": text(who["home"], 0.01, "NA"),
        "visit": text(what["arrival"]),
        "weight_kg": text(who["weight"], 0.06, "-9"),
        "systolic": text(what["pressure"], 0.08, "-9"),
        "smoker": text(yes_no(who["smokes"]), (unasked := chance(0.05))),
        "cigarettes_per_day": text(who["per_day"], unasked | ~who["smokes"]),
        "pregnant": text(yes_no(who["pregnant"]), ~who["asked"]),
        "diagnosis": text(what["diagnosis"], 0.008, "NA"),
        "severity": text(np.array(SEVERITIES)[what["grade"]], 0.02),
        "insurance": text(what["insurance"], 0.015, "NA"),
        "cost": text(np.char.mod("%.2f", what["cost"])),
        "readmitted": text(yes_no(what["returns"]), ~what["stays"]),
        "discharge": text(what["discharge"], ~what["stays"]),
    }


def write(path: Path) -> None:
    """Write the table as a CSV."""
    columns = table()
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*(column.tolist() for column in columns.values()), strict=True))


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("clinic.csv"))
