"""Writes docs/tutorial.ipynb: a notebook from a table to a stand-in, executed.

    python docs/make_tutorial.py

The cells stand here, in order: words, and after them code. A test executes them anew and compares what the notebook has
with what stands here, so that the two cannot drift apart. What the cells print depends on the noise and is another each time.
"""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

PAGE = Path(__file__).with_name("tutorial.ipynb")

CELLS = [
    """\
# A stand-in for a table that you may not show

A library has a table of its readers. Their loans are nobody's business, but the town wants to know which groups read what. This
notebook makes a table that may be handed out: its rows are invented, what they say about the readers is close to the truth, and
*how* close is certified. Everything runs offline, on this machine.""",
    """\
import random

import pandas as pd

dice = random.Random(1)  # only for the invented private table: understudy takes no seed
ages = [dice.choice([9, 24, 41, 70]) + dice.randrange(8) for _ in range(4000)]
private = pd.DataFrame({
    "card": [f"C{number:05d}" for number in range(4000)],
    "age": ages,
    "district": dice.choices(["north", "east", "south"], [5, 3, 2], k=4000),
    "loans": [min(60, int(dice.expovariate(1 / (4 + abs(age - 40) / 4)))) for age in ages],
    "genre": [dice.choice(["picture books", "crime"] if age < 20 else ["crime", "science", "history"]) for age in ages],
})
private.head()""",
    """\
## What is public

The **schema** says all that is public about the table, and nothing else leaves the house. Here every bound and list is known
from the library's forms. Never take them from the table: a largest age that is somebody's is a leak.""",
    '''\
from pathlib import Path

import understudy

Path("readers.toml").write_text("""
[table]
name = "readers"
unit = "reader"          # whom privacy protects
unit_column = "card"

[columns.card]
kind = "identifier"      # never modelled; made anew

[columns.age]
kind = "integer"
min = 6
max = 99
edges = [12, 20, 35, 60]

[columns.district]
kind = "categorical"
values = ["north", "east", "south"]

[columns.loans]
kind = "integer"
min = 0
max = 60
edges = [1, 5, 10, 20]

[columns.genre]
kind = "categorical"
values = ["picture books", "crime", "science", "history"]
""")
schema = understudy.read_schema("readers.toml")
schema''',
    """\
## Plan before you spend

Epsilon bounds what anybody can learn about one reader; delta is the chance that it fails to hold. There is no default, for
somebody has to sign for them. A plan reads no row.""",
    """\
plan = understudy.plan(schema, epsilon=2, delta="1e-7")
plan""",
    """\
A **ledger** holds the budget of these readers, for this release and all that follow. It refuses what would exceed it.""",
    """\
from understudy.schema.relation import Relation

budget = {"epsilon": 2, "delta": "1e-6", "relation": Relation.ADD_REMOVE}
ledger = understudy.Ledger.create("readers.ledger", **budget, unit="reader", population="the library's readers, 2026")
release = understudy.release(private, schema, epsilon=2, delta="1e-7", ledger="readers.ledger", out="stand-in")
release""",
    """\
The map shows, for each pair of columns, by how many percentage points any share can be off at most. It is a bound, not an
estimate, and holds with probability 95 %. The folder `stand-in` has the rows, the certificate, and `report.html` to read.""",
    """\
release.certificate""",
    """\
## What the reader of the stand-in does

They need neither the private table nor our word for it: `verify` recomputes every price and every claim.""",
    """\
received = understudy.verify("stand-in")
report = received.report.facts()
{grade: [c["columns"][0] for c in report["kept"]["columns"] if c["grade"] == grade] for grade in report["kept"]["grades"]}""",
    """\
Then they analyse the rows as any others, and add the bound to what they find. Children who read picture
books, as a share of all rows:""",
    """\
rows = received.table.to_pandas()
share = ((rows.age < 20) & (rows.genre == "picture books")).mean()
(bound,) = [m["bound"] for m in report["kept"]["marginals"] if set(m["columns"]) == {"age", "genre"}]
true = ((private.age < 20) & (private.genre == "picture books")).mean()  # here we can look, for the table is invented
print(f"stand-in {share:.3f}, give or take {bound:.3f}; private table {true:.3f}")""",
    """\
(20 is an end of one of the schema's cells. Within a cell ages are drawn evenly, so a cut in its middle may be off by more.)
More rows cost nothing:""",
    """\
received.sample(3).to_pandas()""",
    """\
## The budget is spent

A second release of the same readers would reveal more than was promised. The ledger says no, before anything is looked at.""",
    """\
try:
    understudy.release(private, schema, epsilon=2, delta="1e-7", ledger="readers.ledger", out="another")
except understudy.Refusal as refusal:
    print(refusal)
understudy.Ledger.open("readers.ledger")""",
]


def notebook() -> nbformat.NotebookNode:
    """The cells, not executed yet."""
    return new_notebook(cells=list(cells()), metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})


def cells() -> Iterator[nbformat.NotebookNode]:
    """Words and code in turn."""
    for number, text in enumerate(CELLS):
        made = new_markdown_cell(text) if number % 2 == 0 else new_code_cell(text)
        made["id"] = f"cell-{number}"
        yield made


def executed(folder: str) -> nbformat.NotebookNode:
    """The notebook with what its cells print, run in a folder of its own."""
    made = notebook()
    NotebookClient(made, timeout=300, resources={"metadata": {"path": folder}}).execute()
    for cell in made.cells:
        cell.metadata.clear()
    return made


if __name__ == "__main__":
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    with tempfile.TemporaryDirectory() as folder:
        PAGE.write_text(nbformat.writes(executed(folder)) + "\n", encoding="utf-8")
