"""A run, and its replay: the same tape over another table, through the whole road from the source to the bundle.

The working folder of the first run (its tape, its intent, its ledger) is put beside another bundle's name, as if that
run had been interrupted, and the run is taken up over another table. If everything is a function of the tape, the two
bundles are the same to the byte, and so is what was told on the way; nobody looks, and nothing is drawn.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from understudy.noise.entropy import Entropy, Seeded
from understudy.publish.plan import Plan
from understudy.publish.run import conduct
from understudy.question.question import Exact, Question
from understudy.vault.vault import Vault


class Silent(Seeded):
    """The twin's sort of entropy, with nothing left to draw."""

    def __init__(self) -> None:
        pass

    @property
    def generator(self) -> object:
        raise AssertionError("a replay draws noise")

    def coin(self) -> str:
        raise AssertionError("a replay draws a coin")


@dataclass(frozen=True)
class Run:
    """What a first run left: its plan, its working folder, its bundle's bytes, and what it told."""

    plan: Plan
    folder: Path
    files: dict[str, bytes]
    log: tuple[str, ...]


def first_run(plan: Plan, data: object, folder: Path, seed: int = 7) -> Run:
    """Make a release, and keep its working folder as it was when the last word was told."""
    folder.mkdir(parents=True, exist_ok=True)
    working, kept = folder / ".first.run", folder / "kept"
    log: list[str] = []

    def tell(words: str) -> None:
        log.append(words)
        if working.exists():
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(working, kept)

    conduct(data, plan, Seeded(seed), None, folder / "first", "parquet", None, tell)
    return Run(plan, kept, bytes_of(folder / "first"), tuple(log))


def differences(run: Run, data: object, name: str = "replay") -> list[str]:
    """What a replay over other data shows of them: nothing, if the law holds."""
    out = run.folder.with_name(name)
    shutil.copytree(run.folder, run.folder.with_name(f".{name}.run"))
    log: list[str] = []
    with looks() as looked:
        try:
            conduct(data, run.plan, Silent(), None, out, "parquet", None, log.append)
        except Exception as stopped:
            return [f"the replay stopped: {stopped}"]
    files = bytes_of(out)
    found = [file for file in sorted({*files, *run.files}) if files.get(file) != run.files.get(file)]
    return found + ["log"] * (tuple(log) != run.log) + [f"a look: {kind}" for kind in looked]


def bytes_of(bundle: Path) -> dict[str, bytes]:
    """Every file of a bundle."""
    return {path.name: path.read_bytes() for path in sorted(bundle.iterdir())}


@contextmanager
def looks() -> Iterator[list[str]]:
    """The kinds of questions that the vault is asked from here on."""
    looked: list[str] = []
    look = Vault._look

    def noted(self: Vault, question: Question, *entropy: Entropy) -> Exact:
        looked.append(question.kind)
        return look(self, question, *entropy)

    Vault._look = noted  # type: ignore[method-assign]
    try:
        yield looked
    finally:
        Vault._look = look  # type: ignore[method-assign]
