"""A release from beginning to end: the road, in the order in which it is walked.

    plan        refuse what cannot be, from public facts
    vault       read the private source, sealed
    ledger      reserve the whole (epsilon, delta), durably
    gate        discovery -> number of rows -> the recipe's game -> freeze the rows -> certificate
    bundle      write everything under a temporary name, rename

While it runs, the tape lives in a folder beside the bundle. Running the same command again after a crash takes that tape
up: what was answered is not asked again, what was charged is not charged again.
"""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from understudy.game.measurement import size
from understudy.game.play import play
from understudy.noise.entropy import Entropy, OperatingSystem, Seeded
from understudy.privacy.accountant import Budget, Number, exact
from understudy.privacy.ledger import Ledger
from understudy.publish.bundle import refuse_form
from understudy.publish.certify import certificate_of
from understudy.publish.plan import Plan, make_plan
from understudy.publish.release import Release, rows_of
from understudy.publish.statement import Certificate
from understudy.publish.storage import locked, refuse_existing, write_new
from understudy.recipe.default import DEFAULT
from understudy.refusal import BudgetRefused, Misuse, StorageRefused, Tampered
from understudy.schema.read import read_schema
from understudy.schema.schema import Schema
from understudy.schema.write import to_dict
from understudy.vault.gate import Gate
from understudy.vault.tape import Tape
from understudy.vault.vault import Vault
from understudy.version import __version__

Tell = Callable[[str], None]


def plan(
    schema: Schema | str | Path,
    *,
    epsilon: Number,
    delta: Number,
    recipe: str = DEFAULT,
    workload: str = "2way",
    rows: int | None = None,
) -> Plan:
    """What a release will ask, cost, take and promise. Touches no data; refuses what cannot be carried out."""
    declared = schema if isinstance(schema, Schema) else read_schema(schema)
    return make_plan(declared, Budget(exact(epsilon), exact(delta), declared.relation), recipe, workload, rows)


def release(
    data: object,
    schema: Schema | str | Path,
    *,
    epsilon: Number,
    delta: Number,
    recipe: str = DEFAULT,
    workload: str = "2way",
    rows: int | None = None,
    ledger: str | Path | None = None,
    out: str | Path | None = None,
    form: str = "parquet",
    id: str | None = None,
    tell: Tell = lambda words: None,
) -> Release:
    """Make a private stand-in for a table: its rows, its certificate, and, with ``out``, its bundle.

    ``epsilon`` and ``delta`` are the total for everything that is read from ``data``, discovery and certificate included.
    Randomness comes from the operating system; there is no seed. Without a ``ledger`` the release has one of its own.
    """
    agreed = plan(schema, epsilon=epsilon, delta=delta, recipe=recipe, workload=workload, rows=rows)
    return conduct(data, agreed, OperatingSystem(), ledger, out, form, id, tell)


def rehearse(
    data: object,
    schema: Schema | str | Path,
    *,
    seed: int,
    epsilon: Number,
    delta: Number,
    recipe: str = DEFAULT,
    workload: str = "2way",
    rows: int | None = None,
    out: str | Path | None = None,
    form: str = "parquet",
) -> Release:
    """The same road with a seeded twin of the noise, for tests and experiments. The result is stamped NOT PRIVATE."""
    agreed = plan(schema, epsilon=epsilon, delta=delta, recipe=recipe, workload=workload, rows=rows)
    return conduct(data, agreed, Seeded(seed), None, out, form, None, lambda words: None)


def conduct(
    data: object,
    plan: Plan,
    entropy: Entropy,
    ledger: str | Path | None,
    out: str | Path | None,
    form: str,
    id: str | None,
    tell: Tell,
) -> Release:
    """Walk the road once, or take it up where it was left."""
    if id == "":
        raise Misuse("a release has a name, and '' is none", "give --id a name, or leave it out")
    target = None if out is None else Path(out)
    if target is not None:
        refuse_existing(target)
        refuse_form(plan.schema, form)
    tell("reading the private table")
    vault = Vault.over(data, plan.schema)
    with working_folder(target) as folder:
        if target is not None:
            refuse_existing(target)  # another run may have ended while this one read its rows
        tell("reserving the budget")
        book, tape = begin(plan, entropy, ledger, folder, id)
        made = walk(plan, Gate(vault, book, tape, plan.budget, entropy), tell)
        if target is not None:
            tell("writing the bundle")
            made.save(target, form)
            shutil.rmtree(folder, ignore_errors=True)
    return made


def walk(plan: Plan, gate: Gate, tell: Tell) -> Release:
    """Discovery, number of rows, game, rows, certificate: everything that asks, in order."""
    schema = plan.discovery.run(gate, tell) if plan.schema.pending else plan.schema
    if plan.counts_rows:
        tell("counting rows")
        gate.ask(plan.count)
    n = size(gate.tape, schema)
    pairing = plan.pairing(schema)
    guess = play(gate, schema, pairing.query, pairing.data, tell)
    tell("drawing rows")
    codes, table = rows_of(guess, schema, gate.tape, plan.rows or min(max(n, 1), plan.most_rows), 0)
    tell("certifying the rows")
    plan.certifier(schema).ask(gate, codes, n)
    return Release(table, schema, guess, gate.tape, Certificate(certificate_of(gate.tape, schema, codes)))


def begin(plan: Plan, entropy: Entropy, ledger: str | Path | None, folder: Path, id: str | None) -> tuple[Ledger, Tape]:
    """The ledger with the release reserved in it, and its tape: new, or as an interrupted run left it."""
    book = own_ledger(plan, folder) if ledger is None else Ledger.open(ledger)
    if book.unit != plan.schema.unit.noun:
        raise BudgetRefused(
            f"the ledger is about every {book.unit}, and the schema about every {plan.schema.unit.noun}",
            "name the same unit in both; budgets of different units do not add up",
        )
    fresh = not (folder / "intent.json").exists()
    intent = intended(folder, entropy, id)
    budget = plan.budget
    try:
        receipt = book.reserve(
            intent["release"],
            budget.epsilon,
            budget.delta,
            budget.relation,
            plan.spec,
            plan.reserved_delta,
            budget.order,
        )
    except BudgetRefused:
        if fresh:  # nothing was reserved under this intent, so it must not stand in a later run's way
            (folder / "intent.json").unlink()
        raise
    header = intent | {
        "version": __version__,
        "mode": "release" if entropy.private else "NOT PRIVATE: seeded test twin",
        "schema": to_dict(plan.schema),
        "recipe": plan.recipe.name,
        "workload": plan.workload.name,
        "epsilon": str(budget.epsilon),
        "delta": str(budget.delta),
        "reserved_delta": str(plan.reserved_delta),
        "relation": budget.relation.value,
        **({} if budget.order is None else {"order": budget.order}),
        "receipt": receipt.to_json(),
    }
    tape = Tape.open(folder / "tape.jsonl", header)
    if tape.header != header:
        raise BudgetRefused(
            "an interrupted run of other terms is in the way",
            f"repeat its command, or remove '{folder}' and give up what it was charged",
        )
    return book, tape


def intended(folder: Path, entropy: Entropy, id: str | None) -> dict[str, Any]:
    """The id and the coin of the run, on disk before anything is reserved, so that a rerun finds them."""
    path = folder / "intent.json"
    if path.exists():
        found = read_intent(path)
        if id is not None and id != found["release"]:
            raise BudgetRefused(
                f"an interrupted run of release {found['release']} is in the way",
                "repeat its command, or choose another --out",
            )
        return found
    coin = entropy.coin()
    intent = {"release": id or entropy.coin()[:16], "coin": coin}
    write_new(path, json.dumps(intent).encode())
    return intent


def read_intent(path: Path) -> dict[str, Any]:
    """The id and the coin of an interrupted run."""
    try:
        found = json.loads(path.read_bytes())
        return {"release": str(found["release"]), "coin": str(found["coin"])}
    except (ValueError, TypeError, KeyError):
        raise Tampered(
            f"'{path}' is not what an interrupted run wrote", "put it back, or choose another --out and another id"
        ) from None


def own_ledger(plan: Plan, folder: Path) -> Ledger:
    """A ledger for this release alone."""
    path = folder / "ledger.sqlite"
    if path.exists():
        return Ledger.open(path)
    return Ledger.create(
        path,
        epsilon=plan.budget.epsilon,
        delta=plan.budget.delta,
        relation=plan.budget.relation,
        unit=plan.schema.unit.noun,
        population=plan.schema.name,
    )


@contextmanager
def working_folder(target: Path | None) -> Iterator[Path]:
    """Where the tape lives while a release runs: beside the bundle, or nowhere that lasts."""
    if target is None:
        with tempfile.TemporaryDirectory(prefix="understudy-") as temporary:
            yield Path(temporary)
        return
    folder = target.with_name(f".{target.name}.run")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise StorageRefused(f"'{folder}' cannot be made: {wrong.strerror}", "choose another place for --out") from None
    with locked(folder):
        try:
            yield folder
        finally:
            with suppress(OSError):  # what holds anything stays
                folder.rmdir()
