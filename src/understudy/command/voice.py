"""How a verb speaks: stdout is data, stderr is for people.

    give     what was asked for, on stdout: words and tables, or with --json one JSON document and nothing else
    raw      bytes that are a file's content, on stdout
    say      a remark, on stderr; not with --quiet or --json
    telling  a spinner, the time so far and the stage of the work, on stderr; only where stderr is a terminal

Names come from files that others wrote, so whatever a terminal would obey is shown as an escape.

>>> visible("age\\x1b[2J")
'age\\\\x1b[2J'
"""

import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic
from typing import TYPE_CHECKING, Any

from understudy.refusal import StorageRefused

if TYPE_CHECKING:
    from understudy.publish.release import Release

WIDE = 10_000  # off a terminal a line of a table is never broken


@dataclass(frozen=True)
class Voice:
    """What the flags --json and --quiet make of a verb's words."""

    json: bool = False
    quiet: bool = False

    def give(self, document: Any, *words: str) -> None:
        """What was asked for: the document for machines, or the words for people."""
        said = json.dumps(document, indent=2) if self.json else "\n".join(words)
        self.raw(f"{said}\n".encode())

    def raw(self, content: bytes) -> None:
        """Bytes to stdout, as they are."""
        try:
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise
        except OSError:
            let_go()
            raise StorageRefused("stdout could not be written", "make room where it goes") from None

    def say(self, words: str) -> None:
        """A remark for people."""
        if not (self.json or self.quiet):
            warn(words)

    @contextmanager
    def telling(self) -> Iterator[Callable[[str], None]]:
        """Something to tell the stages of the work to."""
        if self.json or self.quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
            yield lambda stage: None
            return
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        shown = SpinnerColumn("line"), TimeElapsedColumn(), TextColumn("{task.description}", markup=False)
        with Progress(*shown, console=Console(stderr=True), transient=True) as progress:
            task, clock = progress.add_task(""), Clock()
            yield lambda stage: progress.update(task, description=visible(clock.told(stage)), refresh=True)


class Clock:
    """The listener's clock: from when the parts of a long stage are told, the time that is left of it.

    >>> from understudy.game.stage import Stage
    >>> times = iter([0.0, 0.0, 30.0])
    >>> clock = Clock(lambda: next(times))
    >>> clock.told("drawing rows"), clock.told(Stage("step 1 of 90", 0, 90)), clock.told(Stage("step 11 of 90", 10, 90))
    ('drawing rows', 'step 1 of 90', 'step 11 of 90, about 4 min left')
    """

    def __init__(self, now: Callable[[], float] = monotonic):
        self._now = now
        self._first: tuple[float, int] | None = None

    def told(self, stage: str) -> str:
        """The stage, with the time left where it can be told."""
        at, done, due = self._now(), getattr(stage, "done", 0), getattr(stage, "due", 0)
        if not due:
            self._first = None
            return stage
        begun, first = self._first = self._first or (at, done)
        if done <= first or at <= begun:
            return str(stage)
        left = (at - begun) / (done - first) * (due - done)
        return f"{stage}, about " + (f"{left / 60:.0f} min left" if left >= 90 else f"{left:.0f} s left")


def let_go() -> None:
    """Write no more to a stdout that takes nothing, not even what is still buffered when the process ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def warn(words: str) -> None:
    """A line on stderr, whatever the flags. That nobody listens stops no work."""
    try:
        print(words, file=sys.stderr, flush=True)
    except OSError:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  it lives as long as the process


def visible(text: str) -> str:
    """A text without anything that a terminal would obey."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def summary(release: "Release") -> str:
    """A release in one line."""
    from understudy.publish.statement import statement

    stamp = "" if release.private else "NOT PRIVATE, made by a seeded test twin: "
    return stamp + f"{release.table.num_rows:,} synthetic rows, {statement(release.certificate)}"


def number(exactly: str | Fraction) -> str:
    """An exact amount for people.

    >>> number("1/1000000"), number("3/2")
    ('1e-06', '1.5')
    """
    return f"{float(Fraction(exactly)):.6g}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> str:
    """Rows under a head, the columns of numbers flush right; wrapped on a terminal only."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    terminal = sys.stdout.isatty()
    drawing = io.StringIO()
    console = Console(file=drawing, force_terminal=terminal, width=None if terminal else WIDE)
    drawn = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="bold")
    for name in head:
        drawn.add_column(name, justify="right" if name in right else "left")
    for row in rows:
        drawn.add_row(*(Text(visible(cell)) for cell in row))
    console.print(drawn)
    return "\n".join(line.rstrip() for line in drawing.getvalue().rstrip("\n").split("\n"))
