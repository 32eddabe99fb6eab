"""Verify: recheck a bundle without any private data.

    files      every file has the digest that the certificate lists, and there is no other file
    tape       its chain holds
    prices     each question on the tape costs what was charged, and the sum is within the budget
    claims     the certificate is, to the byte, what the tape implies
    rows       the rows in the bundle are those that the certificate was asked about
    ledger     where one is given: its history holds this release's reservation

What it cannot show: who made the bundle, and that the answers on the tape came from the private table.
"""

import hashlib
import json
from fractions import Fraction
from pathlib import Path

from understudy.privacy.charge import Charge, price
from understudy.privacy.ledger import Ledger
from understudy.privacy.receipt import Receipt
from understudy.publish.bundle import pretty, read_bundle
from understudy.publish.certify import budget_of, certificate_of
from understudy.publish.release import Release
from understudy.question.reference import Reference
from understudy.question.spec import from_spec
from understudy.refusal import Refusal, Tampered
from understudy.schema.encode import codes

REMEDY = "take the bundle from where it was published, or ask its maker"


def verify(path: str | Path, ledger: str | Path | None = None) -> Release:
    """The release, if everything holds; Tampered, naming what does not, otherwise."""
    folder = Path(path)
    listed = listed_digests(folder)
    for name, digest in listed.items():
        if not (folder / name).is_file() or hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest:
            raise Tampered(f"{name} is not the file that the certificate lists", REMEDY)
    if {item.name for item in folder.iterdir()} != {*listed, "certificate.json"}:
        raise Tampered("the bundle has files that the certificate does not list", REMEDY)
    release = read_bundle(folder)
    try:
        refuse_wrong_prices(release)
        refuse_wrong_claims(release, folder, listed)
        refuse_other_rows(release)
        if ledger is not None:
            Ledger.open(ledger).covers(Receipt.from_json(release.tape.header["receipt"]))
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


def refuse_wrong_claims(release: Release, folder: Path, listed: dict[str, str]) -> None:
    """The certificate is what the tape implies."""
    written = (folder / "certificate.json").read_bytes()
    if pretty(certificate_of(release.tape, release.schema) | {"files": listed}) != written:
        raise Tampered("certificate.json says something else than the tape", REMEDY)


def refuse_other_rows(release: Release) -> None:
    """The rows are the ones that were certified: their codes have the digest that the gate was asked about."""
    schema = release.schema
    rows = {column.name: codes(release.table[column.name], column) for column in schema.modelled}
    if Reference.of_rows(rows, schema.domain).digest != release.certificate["digests"]["rows"]:
        raise Tampered("the rows are not the ones that were certified", REMEDY)
