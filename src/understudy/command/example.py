"""The demo's table: 5,000 invented guests of an invented library. Nobody in it exists, so the seed is fixed and public.

>>> text = guests()
>>> len(text.splitlines()), text.splitlines()[0]
(5001, 'card,age,district,member_since,loans,genre,newsletter')
"""

import random
from datetime import date, timedelta

SCHEMA = """\
# All that is public about the table, written by hand: bounds from what is possible, lists from the library's forms.

[table]
name = "library"
unit = "guest"              # whom privacy protects
unit_column = "card"        # who each row belongs to
rows_per_unit = 1

[columns.card]              # a key: never modelled, made anew
kind = "identifier"
prefix = "C"
width = 6

[columns.age]
kind = "integer"
min = 6
max = 99
step = 6

[columns.district]
kind = "categorical"
values = ["north", "east", "south", "west"]
other = "elsewhere"

[columns.member_since]
kind = "date"
min = "2000-01-01"
max = "2025-12-31"
bins = 26

[columns.loans]
kind = "integer"
min = 0
max = 200
edges = [1, 5, 10, 20, 50, 100]

[columns.genre]             # asked only of those who borrow
kind = "categorical"
values = ["picture books", "crime", "science", "novels", "history"]
missing = [""]

[columns.newsletter]
kind = "boolean"
true = ["yes"]
false = ["no"]
"""


def guests(rows: int = 5000) -> str:
    """The table as CSV: age moves loans, loans move the newsletter, age moves the genre."""
    dice = random.Random(2025)
    lines = ["card,age,district,member_since,loans,genre,newsletter"]
    for card in dice.sample(range(10**6), rows):
        age = min(99, max(6, round(dice.choice([dice.gauss(12, 4), dice.gauss(38, 12), dice.gauss(68, 9)]))))
        district = dice.choices(["north", "east", "south", "west", "harbour"], [30, 25, 25, 15, 5])[0]
        since = date(2025, 12, 31) - timedelta(days=int(dice.random() ** 2 * min(age - 5, 26) * 365))
        loans = 0 if dice.random() < 0.15 else min(200, int(dice.expovariate(1 / (6 + abs(age - 40) / 2))))
        taste = [8, 1, 2, 1, 1] if age < 15 else [1, 5, 4, 6, 2] if age < 60 else [0, 5, 1, 5, 6]
        genre = dice.choices(["picture books", "crime", "science", "novels", "history"], taste)[0] if loans else ""
        newsletter = "yes" if dice.random() < 0.15 + 0.6 * (loans > 10) else "no"
        lines.append(f"C{card:06d},{age},{district},{since.isoformat()},{loans},{genre},{newsletter}")
    return "\n".join(lines) + "\n"
