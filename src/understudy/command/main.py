"""The command line: a thin caller of the library, with the same nouns. One file a verb.

Law.  Whatever happens, a message is a constant, or is made of public facts: a refusal's own words, the command's words.
An exception that nobody foresaw shows one constant sentence, for its text and its traceback may hold private values.
Developers see it with UNDERSTUDY_TRACEBACK=1, on data that may be shown.

A refusal is one line on stderr, "refused: RULE; REMEDY", and an exit code; with --json it is also the document on
stdout: {"refused": RULE, "remedy": REMEDY, "code": CODE}.
"""

import logging
import os
import resource
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from understudy.command import audit, codes, demo, ledger, plan, recipes, release, report, sample, schema, verify
from understudy.command.stop import heard, patient
from understudy.command.voice import Voice, let_go, visible, warn
from understudy.refusal import Misuse, Refusal
from understudy.version import __version__

EPILOG = "\n\n".join(
    [
        "stdout is data, stderr is for people. With --json stdout is one JSON document, also for a refusal: "
        '{"refused": ..., "remedy": ..., "code": ...}. NO_COLOR is honoured. A private value is never printed.',
        "\n".join(["Exit codes:", *(f"{code:>3}  {meaning}" for code, meaning in codes.CODES.items())]),
    ]
)
NO_DEFAULT = "no {name} was given, and there is no default: it is a promise that somebody signs for"


class Road(TyperGroup):
    """The verbs in the order in which they are walked."""

    def list_commands(self, ctx: Any) -> list[str]:
        return ["schema", "plan", "release", "sample", "report", "verify", "audit", "ledger", "recipes", "demo"]


app = typer.Typer(
    name="understudy",
    cls=Road,
    help="A trustworthy stand-in for a private table: synthetic rows, an accuracy certificate, a ledger that refuses.",
    epilog=EPILOG,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(schema.app, name="schema")
app.add_typer(ledger.app, name="ledger")
app.command()(plan.plan)
app.command()(release.release)
app.command()(sample.sample)
app.command()(report.report)
app.command()(verify.verify)
app.command()(audit.audit)
app.command()(recipes.recipes)
app.command()(demo.demo)


def show_version(asked: bool) -> None:
    """Print the version and stop."""
    if asked:
        Voice().raw(f"understudy {__version__}\n".encode())
        raise typer.Exit


@app.callback()
def understudy(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Options before any verb."""


def run() -> None:
    """The entry point: what libraries would mutter about values is switched off first, and dumps of the memory with it."""
    warnings.simplefilter("ignore")
    logging.disable()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if "_UNDERSTUDY_COMPLETE" in os.environ:
        command(prog_name="understudy")
    patient()
    sys.exit(answer(sys.argv[1:]))


command = typer.main.get_command(app)


def answer(words: Sequence[str]) -> int:
    """Carry out one command line; its exit code."""
    json = "--json" in words
    try:
        with command.make_context("understudy", list(words) or ["--help"]) as context:
            command.invoke(context)
        sys.stdout.flush()
        return 0
    except typer.Exit as left:
        return left.exit_code
    except SystemExit as left:  # how typer ends --install-completion
        return int(left.code or 0)
    except Refusal as refusal:
        return refused(refusal.rule, refusal.remedy, refusal.code, json)
    except TyperException as wrong:
        return refused(*wrong_words(wrong), Misuse.code, json)
    except BrokenPipeError:
        let_go()
        return codes.PIPE
    except KeyboardInterrupt as stopped:
        heard()
        return refused("stopped", str(stopped) or "nothing was charged", codes.STOPPED, json)
    except BaseException:
        if os.environ.get("UNDERSTUDY_TRACEBACK") == "1":
            traceback.print_exc()
        return refused(
            "understudy itself failed, and says no more, because a traceback may hold private values",
            "what was reserved stays charged; please report the command, without the data",
            codes.FAILED,
            json,
        )


def refused(rule: str, remedy: str, code: int, json: bool) -> int:
    """Say no in words, on stderr, and to machines."""
    said = "" if code in (codes.FAILED, codes.STOPPED) else "refused: "
    warn(f"{said}{visible(rule)}; {visible(remedy)}")
    if json:
        Voice(json=True).give({"refused": rule, "remedy": remedy, "code": code})
    return code


def wrong_words(wrong: TyperException) -> tuple[str, str]:
    """A usage error as a rule and a remedy."""
    context = getattr(wrong, "ctx", None)
    path = context.command_path if context else "understudy"
    name = getattr(getattr(wrong, "param", None), "name", None)
    if name in ("epsilon", "delta"):
        return NO_DEFAULT.format(name=name), f"give --{name}, having seen with `understudy plan` what it buys"
    rule, _, meant = wrong.format_message().removesuffix(".").replace("Value error, ", "").partition(". Did you mean ")
    return rule[:1].lower() + rule[1:], f"{f'did you mean {meant} ' if meant else ''}see `{path} --help`"
