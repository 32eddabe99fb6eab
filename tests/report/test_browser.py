"""The pages in a real browser: nothing complains, nothing is asked of a network, nothing is cut off, all of it can be read.

Needs Chromium, which `.ci/run` installs; without it these are skipped. Screenshots go to the folder UNDERSTUDY_SCREENSHOTS
names, to be looked at. The pages of Adult, census and MNIST need the data that `make bench` uses.
"""

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from browser import ACCESS, CHROMIUM, CONTRAST, Browser
from hostile import EVIL, release
from small import rehearsed

import understudy
from understudy.command.plan import document_of
from understudy.report.internal import Internal
from understudy.report.internal_page import internal_page
from understudy.report.plan_page import plan_page
from understudy.report.prospect import prospect
from understudy.schema.read import from_dict

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
DATA = Path(os.environ.get("UNDERSTUDY_DATA", ROOT / "../shared/data"))
SPEND = {"epsilon": 1, "delta": "1e-6", "recipe": "independent"}

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium: `apt-get install chromium`")


@pytest.fixture(scope="module")
def browser():
    with Browser() as opened:
        yield opened


def clinic(folder: Path) -> bytes:
    """The example."""
    make = {"__name__": "__main__", "__file__": str(ROOT / "examples/clinic/make.py")}
    words, sys.argv = sys.argv, ["make.py", str(folder / "clinic.csv")]
    try:
        exec(compile((ROOT / "examples/clinic/make.py").read_text(), "make.py", "exec"), make)
    finally:
        sys.argv = words
    schema = ROOT / "examples/clinic/clinic.toml"
    return understudy.release(folder / "clinic.csv", schema, **SPEND).report.page()


def hostile(folder: Path) -> bytes:
    return release(EVIL).report.page()


def wide(folder: Path) -> bytes:
    """42 columns: under 2 MB."""
    from wide_report import wide as schema_of

    from understudy.report.invented import invented

    schema, table = invented(schema_of(), 500)
    page = understudy.rehearse(table, schema, seed=1, **SPEND).report.page()
    assert len(page) < 2_000_000
    return page


def pictures(folder: Path) -> bytes:
    """A page with pictures that are written into it."""
    schema = from_dict({"table": {"name": "tiny"}, "columns": {"digit": {"kind": "image", "height": 9, "width": 9}}})
    drawn = np.random.default_rng(1).integers(0, 255, (60, 81), dtype=np.uint8)
    table = pa.table({"digit": pa.array([row.tobytes() for row in drawn], type=pa.binary(81))})
    report = replace(rehearsed(), schema=schema, table=table).report
    (gallery,) = report.galleries()
    return (
        rehearsed().report.page().replace(b'<div class="figures">', gallery[1].encode() + b'<div class="figures">', 1)
    )


def internal(folder: Path) -> bytes:
    made = release(EVIL)
    compared = Internal(made.schema, made.certificate, made.codes, made.codes)
    return internal_page(compared, compared.facts())


def plan(folder: Path) -> bytes:
    agreed = understudy.plan(ROOT / "examples/clinic/clinic.toml", **SPEND)
    return plan_page(agreed, document_of(agreed), prospect(agreed, 20_000, trial=False))


def audit(folder: Path) -> bytes:
    from understudy.audit.audit import audit_plan
    from understudy.report.audit_page import audit_page

    schema = from_dict({"table": {"name": "t", "unit": "person"}, "columns": {"a": {"kind": "boolean"}}})
    rows = pa.table({"a": [i % 3 == 0 for i in range(400)]})
    return audit_page(audit_plan(understudy.plan(schema, **SPEND, workload="1way"), rows, runs=100))


def adult(folder: Path) -> bytes:
    schema = understudy.read_schema(ROOT / "benchmarks/adult.toml")
    return understudy.release(DATA / "adult-train.csv", schema, **SPEND).report.page()


def census(folder: Path) -> bytes:
    """All columns of the census extract, each with the domain that its own (public) file has."""
    import pyarrow.parquet as pq

    table = pq.read_table(DATA / "census-kdd-train.parquet")
    columns = {}
    for name in table.column_names:
        found = table[name].drop_null().unique().to_pylist()
        if len(found) > 60 and not isinstance(found[0], str):
            columns[name] = {
                "kind": "integer",
                "min": int(min(found)),
                "max": int(max(found)) + 1,
                "bins": 30,
                "missing": [""],
            }
        else:
            columns[name] = {"kind": "categorical", "values": sorted(map(str, found)), "missing": ["?missing"]}
    schema = from_dict({"table": {"name": "census", "unit": "person"}, "columns": columns})
    page = understudy.rehearse(table, schema, seed=1, rows=20_000, **SPEND).report.page()
    assert len(page) < 2_000_000
    return page


def mnist(folder: Path) -> bytes:
    """The first pictures of MNIST, by a recipe that makes pictures."""
    recipe = next((name for name, known in understudy.recipes().items() if known.pictures), None)
    if recipe is None:
        pytest.skip("no recipe makes pictures yet")
    arrays = np.load(DATA / "mnist.npz")
    names = {array.ndim: name for name, array in arrays.items() if len(array) > 50_000}
    np.savez(folder / "few.npz", digit=arrays[names[3]][:5000], label=arrays[names[1]][:5000])
    words = {
        "table": {"name": "digits", "unit": "picture"},
        "columns": {
            "digit": {"kind": "image", "height": 28, "width": 28},
            "label": {"kind": "categorical", "values": list(range(10))},
        },
    }
    spend = SPEND | {"recipe": recipe, "delta": "1e-5", "epsilon": 10}
    return understudy.release(folder / "few.npz", from_dict(words), **spend).report.page()


QUICK = (clinic, hostile, wide, pictures, internal, plan, audit)
PAGES = [*QUICK, *(pytest.param(page, marks=pytest.mark.full) for page in (adult, census, mnist))]


@pytest.mark.parametrize("make", PAGES, ids=lambda make: make.__name__)
def test_a_page_in_a_browser(make: Callable[[Path], bytes], browser: Browser, tmp_path: Path) -> None:
    if make in (adult, census, mnist) and not DATA.is_dir():
        pytest.skip("the data of the benchmarks are not here")
    page = tmp_path / "page.html"
    page.write_bytes(make(tmp_path))
    shots = Path(os.environ.get("UNDERSTUDY_SCREENSHOTS", tmp_path))
    shots.mkdir(parents=True, exist_ok=True)
    for width, dark in ((1200, False), (390, False), (1200, True)):
        browser.open(page, width, dark)
        assert browser.complaints() == [] and browser.requests() == []
        assert browser.value("document.documentElement.scrollWidth") <= width
        assert (
            browser.value("document.scripts.length + document.querySelectorAll('[style],[onload],[onerror]').length")
            == 0
        )
        assert browser.value(ACCESS) == []
        contrast = browser.value(CONTRAST)
        assert contrast["poor"] == [] and contrast["seen"] > 40
        browser.picture(shots / f"{make.__name__}-{width}-{'dark' if dark else 'light'}.png")


POOR = {
    "a script": (b"<body>", b"<body><script>console.error('x')</script>"),
    "a picture from elsewhere": (b"<body>", b"<body><img src='http://127.0.0.1:9/x.png'>"),
    "a grey on white": (b"<body>", b"<body><font color='#bbbbbb'>pale</font>"),
    "a wide thing": (b"<body>", b"<body><table width='3000'><tr><td>wide</td></tr></table>"),
    "a picture without words": (b"<body>", b"<body><svg width='9' height='9'></svg>"),
    "a heading that is skipped to": (b"<body>", b"<body><h4>deep</h4>"),
}


@pytest.mark.parametrize(("old", "new"), POOR.values(), ids=POOR)
def test_a_page_that_is_spoilt_is_seen(old: bytes, new: bytes, browser: Browser, tmp_path: Path) -> None:
    """Their power: each of these fails one of the checks above. Both policies stop what is not allowed, and say so."""
    page = tmp_path / "page.html"
    page.write_bytes(rehearsed().report.page().replace(old, new, 1))
    browser.open(page, 390)
    wide = browser.value("document.documentElement.scrollWidth") > 390
    seen = browser.complaints() or browser.requests() or wide or browser.value(CONTRAST)["poor"]
    assert seen or browser.value(ACCESS)
