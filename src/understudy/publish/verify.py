"""Verify: recheck a bundle without any private data.

    files      every file has the digest that the certificate lists, and there is no other file
    tape       its chain holds
    prices     each question on the tape costs what was charged, and the sum is within the budget
    claims     the certificate is, to the byte, what the tape implies
    report     the page and its twin are, to the byte, what this version makes of tape, schema and rows
    rows       the rows in the bundle are those that the certificate was asked about
    rules      each of them obeys the constraints of the schema
    ledger     where one is given: its history holds this release's reservation, every look on the tape, and no other

What it cannot show: who made the bundle, and that the answers on the tape came from the private table.
"""

import hashlib
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from understudy.game.player import Codes
from understudy.privacy.charge import Charge, price
from understudy.privacy.ledger import Ledger
from understudy.privacy.receipt import Receipt, Step
from understudy.publish.bundle import pretty, read_bundle
from understudy.publish.certify import budget_of, certificate_of
from understudy.publish.release import Release
from understudy.question.bound import WorstQuery
from understudy.question.reference import Reference
from understudy.question.spec import from_spec
from understudy.refusal import Refusal, StorageRefused, Tampered
from understudy.schema.encode import coded, distinct_values
from understudy.schema.order import ticks_of_values
from understudy.vault.tape import chain, plain
from understudy.version import __version__

REMEDY = "take the bundle from where it was published, or ask its maker"


def verify(
    path: str | Path, ledger: str | Path | None = None, tell: Callable[[str], None] = lambda words: None
) -> Release:
    """The release, if everything holds; Tampered, naming what does not, otherwise. What held is told on the way."""
    folder = Path(path)
    if not folder.is_dir():
        raise StorageRefused(f"there is no bundle at '{folder}'", "give the folder that a release wrote")
    listed = listed_digests(folder)
    for name, digest in listed.items():
        if not (folder / name).is_file() or hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest:
            raise Tampered(f"{name} is not the file that the certificate lists", REMEDY)
    if {item.name for item in folder.iterdir()} != {*listed, "certificate.json"}:
        raise Tampered("the bundle has files that the certificate does not list", REMEDY)
    tell(f"files: {len(listed)} files have the digests that the certificate lists, and there is no other")
    release = read_bundle(folder)
    tell(f"tape: its chain of {len(release.tape):,} answers holds")
    try:
        refuse_other_terms(release)
        refuse_wrong_prices(release)
        tell("prices: every question was charged its price, and all of them are within the budget")
        refuse_wrong_claims(release, folder, listed)
        tell("claims: the certificate is, to the byte, what the tape implies")
        refuse_other_rows(release)
        tell(f"rows: the {release.table.num_rows:,} rows are those that the certificate was asked about")
        if release.certificate["version"] == __version__:
            refuse_other_report(release, folder)
            tell("report: the page and its twin say what tape, schema and rows say")
        else:
            tell("report: made by another version of understudy, so only its digest was checked")
        refuse_broken_rules(release)
        tell(f"rules: every row obeys the constraints of the schema ({len(release.schema.constraints):,})")
        if ledger is not None:
            refuse_other_history(release, Ledger.open(ledger))
            tell("ledger: it holds this release's reservation and every look on the tape, and no other")
    except Refusal:
        raise
    except (ValueError, KeyError, TypeError, AssertionError):
        raise Tampered("the tape does not make sense", REMEDY) from None
    return release


def listed_digests(folder: Path) -> dict[str, str]:
    """The files that the certificate lists."""
    certificate = folder / "certificate.json"
    if not certificate.is_file():
        raise Tampered(f"'{folder}' is no bundle: it has no certificate.json", "give the folder that a release wrote")
    try:
        listed = json.loads(certificate.read_text(encoding="utf-8"))["files"]
        return {
            str(name): str(digest) for name, digest in listed.items() if "/" not in name and not name.startswith(".")
        }
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Tampered("certificate.json is not a certificate", REMEDY) from None


def refuse_other_terms(release: Release) -> None:
    """The header promises what was reserved: the receipt is of this release, for this epsilon and delta."""
    header = release.tape.header
    receipt = Receipt.from_json(header["receipt"])
    promised = header["release"], Fraction(header["epsilon"]), Fraction(header["delta"])
    if (receipt.release_id, receipt.epsilon, receipt.delta) != promised:
        raise Tampered("the tape promises something else than was reserved", REMEDY)


def refuse_wrong_prices(release: Release) -> None:
    """Every question costs what was charged, and all of them together are within the budget."""
    header, schema = release.tape.header, release.schema
    budget = budget_of(header)
    total = Charge.zero(budget.relation, budget.measure)
    for entry in release.tape:
        question = from_spec(entry.question)
        sensitivity = question.sensitivity(schema.unit.rows, schema.relation)
        due = price(question.mechanism, sensitivity, schema.relation, budget.measure)
        if due.to_json() != entry.charge:
            raise Tampered(f"step {entry.step} of the tape was not charged its price", REMEDY)
        total = total + due
    if not total.within(budget.total(Fraction(header["reserved_delta"]))):
        raise Tampered("the tape spends more than its budget", REMEDY)


def refuse_other_history(release: Release, ledger: Ledger) -> None:
    """The ledger granted this release, and what it was charged and answered is what the tape holds."""
    ledger.covers(Receipt.from_json(release.tape.header["receipt"]))
    looks = tuple(
        Step(from_spec(entry.question).digest, Charge.from_json(entry.charge), chain("", plain(entry.answer)))
        for entry in release.tape
    )
    if looks != ledger.progress(release.tape.header["release"]):
        raise Tampered("the ledger was charged for other looks than those on the tape", REMEDY)


def refuse_wrong_claims(release: Release, folder: Path, listed: dict[str, str]) -> None:
    """The certificate is what the tape implies."""
    written = (folder / "certificate.json").read_bytes()
    if pretty(certificate_of(release.tape, release.schema, rows_in(release)) | {"files": listed}) != written:
        raise Tampered("certificate.json says something else than the tape", REMEDY)


def refuse_other_report(release: Release, folder: Path) -> None:
    """What a person reads is what the tape implies."""
    report = release.report
    for name, content in {"report.html": report.page(), "report.json": pretty(report.facts())}.items():
        if (folder / name).read_bytes() != content:
            raise Tampered(f"{name} says something else than the tape", REMEDY)


def refuse_other_rows(release: Release) -> None:
    """The rows are the ones that were certified: their codes have the digest that the gate was asked about."""
    rows = rows_in(release)
    if Reference.of_rows(rows, release.schema.domain).digest != release.certificate["digests"]["rows"]:
        raise Tampered("the rows are not the ones that were certified", REMEDY)
    for entry in release.tape.of(WorstQuery.kind):
        asked = from_spec(entry.question)
        assert isinstance(asked, WorstQuery)
        if asked.expected != tuple(int(query.matches(rows).sum()) for query in asked.queries):
            raise Tampered("the listed queries were certified for other rows", REMEDY)


def rows_in(release: Release) -> Codes:
    """The released rows as codes."""
    return release.codes


def refuse_broken_rules(release: Release) -> None:
    """Every row obeys the constraints, by its cells, and the orders by its values too."""
    schema, table = release.schema, release.table
    ordering = schema.rules.ordering
    rows = coded(table, schema)
    read = {name: ticks_of_values(*distinct_values(table[name]), schema.column(name)) for name in ordering.spans}
    ticks, present = {name: t for name, (t, _) in read.items()}, {name: p for name, (_, p) in read.items()}
    if schema.rules.broken(rows).any() or ordering.disordered(ticks, present, table.num_rows).any():
        raise Tampered("a row breaks a constraint of the schema", REMEDY)
