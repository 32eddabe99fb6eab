"""understudy demo: the main job on an invented table, each step shown as the command that does it."""

from pathlib import Path
from shlex import join
from typing import Annotated

import typer

from understudy.command import example
from understudy.command.options import Json, Quiet
from understudy.command.plan import document_of, lines
from understudy.command.voice import Voice, summary, visible

Out = Annotated[Path, typer.Option(metavar="DIR", help="The folder to make.")]
EPSILON, DELTA, MORE = "1", "1e-6", 1000


def demo(out: Out = Path("understudy-demo"), json: Json = False, quiet: Quiet = False) -> None:
    """Make a stand-in for a small invented table: plan, release, verify, sample. Takes a few seconds."""
    import understudy
    from understudy.publish.csv import write_csv
    from understudy.publish.storage import write_new

    voice = Voice(json, quiet)
    table, schema, bundle, more = (out / name for name in ("library.csv", "library.toml", "stand-in", "more.csv"))
    write_example(out, table.name, schema.name)
    voice.say(visible(f"{table} is an invented private table; {schema} says what is public about it."))
    terms = ["--schema", str(schema), "--epsilon", EPSILON, "--delta", DELTA]

    show(voice, "What would it cost?", "plan", *terms)
    tell_all(voice, lines(document_of(understudy.plan(schema, epsilon=EPSILON, delta=DELTA))))

    show(voice, "Make the stand-in.", "release", str(table), *terms, "--out", str(bundle))
    with voice.telling() as tell:
        made = understudy.release(table, schema, epsilon=EPSILON, delta=DELTA, out=bundle, tell=tell)
    tell_all(voice, [summary(made)])

    show(voice, "Whoever receives it can recheck it.", "verify", str(bundle))
    understudy.verify(bundle, tell=lambda line: voice.say(visible(f"ok  {line}")))

    show(voice, "More rows cost nothing.", "sample", str(bundle), "--rows", str(MORE), "--out", str(more))
    write_new(more, write_csv(made.sample(MORE), made.schema, exact=False))
    voice.say("\nFor a table of your own begin with `understudy schema draft DATA`. The stand-in lies here:")
    voice.give({"table": str(table), "schema": str(schema), "bundle": str(bundle), "more": str(more)}, str(bundle))


def write_example(out: Path, table: str, schema: str) -> None:
    """The folder with the invented table and its schema."""
    from understudy.publish.storage import appearing, write_durably

    with appearing(out) as folder:
        write_durably(folder / table, example.guests().encode())
        write_durably(folder / schema, example.SCHEMA.encode())


def show(voice: Voice, why: str, *words: str) -> None:
    """A step: why, and the command that does it."""
    voice.say(f"\n{why}\n$ {visible(join(['understudy', *words]))}")


def tell_all(voice: Voice, words: list[str]) -> None:
    """Several lines."""
    for line in words:
        voice.say(line)
