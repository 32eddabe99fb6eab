"""Every refusal has its code and its words, and no private value is in them."""

import json
import os
import signal
import subprocess
import sys
import time
import types

import pytest

from understudy.command import main
from understudy.command.codes import CODES
from understudy.command.stop import heard, patient
from understudy.refusal import AuditFailed, Refusal

MARK = "zq7private"
TERMS = "--schema s.toml --epsilon 1 --delta 1e-6 --recipe independent"
REFUSED = {
    "plan --schema s.toml --delta 1e-6": (2, "no epsilon was given"),
    "plan --schema s.toml --epsilon 1": (2, "no delta was given"),
    "ledger init M --unit person --population survey --epsilon 1": (2, "no delta was given"),
    "plan --schema s.toml --epsilon lots --delta 0": (2, "'lots' is not a number"),
    "plan --schema s.toml --epsilon 1 --delta 0 --recipe gan": (2, "no recipe is called 'gan'"),
    "plan --schema s.toml --epsilon 1e400 --delta 1e-6": (3, "promises nothing to anybody"),
    "schema draft s.toml": (2, "no kind of file that a draft is made from"),
    "relaese": (2, "did you mean 'release'?"),
    f"release t.csv {TERMS}": (2, "give --out"),
    f"release t.csv {TERMS} --out B --format xlsx": (2, "'csv-exact'"),
    "sample B --rows 5 --out more.xlsx": (2, "Parquet or CSV"),
    f"release t.csv {TERMS} --ledger L --out C": (3, "epsilon 0 and delta 0 left"),
    "plan --schema t.csv --epsilon 1 --delta 0": (4, "not TOML"),
    "plan --schema absent.toml --epsilon 1 --delta 0": (4, "understudy schema draft"),
    f"release t.csv {TERMS} --out B": (5, "is there already"),
    f"release t.csv {TERMS} --out C --ledger absent": (5, "understudy ledger init"),
    "verify absent": (5, "no bundle"),
    f"release absent.csv {TERMS} --out C": (7, "no file"),
    "schema draft absent.csv": (7, "check the path"),
}


@pytest.mark.parametrize("words", REFUSED)
def test_a_refusal_is_a_code_a_rule_and_a_remedy(say, bundle, words, folder):
    code, part = REFUSED[words]
    said = say(words)
    assert (said.code, said.out) == (code, "") and said.err.count("\n") == 1
    assert said.err.startswith("refused: ") and "; " in said.err and part in said.err
    machine = say(f"{words} --json")
    assert machine.code == code == machine.document["code"]
    assert said.err == f"refused: {machine.document['refused']}; {machine.document['remedy']}\n" == machine.err
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_a_broken_bundle_is_tampered(say, bundle, folder):
    (folder / "B" / "README.md").write_text("better than it is")
    assert say("verify B").code == 8


def test_a_refused_reservation_does_not_stand_in_the_way(say, bundle):
    say("ledger init M --epsilon 1 --delta 1e-6 --unit person --population survey")
    assert say(f"release t.csv {TERMS} --ledger L --out C").code == 3
    assert say(f"release t.csv {TERMS} --ledger M --id other --out C").code == 0


@pytest.mark.parametrize(
    ("columns", "words", "parts"),
    [
        ({"a": 10**4, "b": 10**4, "c": 10**4}, "--workload 3way", ("a x b x c", "1,000,000,000,000 cells")),
        ({"code": 10**6, "sex": 2}, "", ("column 'code'", "1,000,000 cells")),
        ({f"c{i}": 10 for i in range(200)}, "--workload 5way", ("2,535,650,040 marginals",)),
    ],
)
def test_the_infeasible_is_named_at_once(say, folder, columns, words, parts):
    sections = (f'[columns.{c}]\nkind = "integer"\nmin = 1\nmax = {n}\nstep = 1\n' for c, n in columns.items())
    (folder / "wide.toml").write_text('[table]\nname = "wide"\n' + "".join(sections))
    began = time.process_time()
    said = say(f"plan --schema wide.toml --epsilon 1 --delta 1e-6 {words}")
    assert said.code == 6 and all(part in said.err for part in parts)
    assert time.process_time() - began < 5  # the bar is a second: see benchmarks


BROKEN = [
    f"id,age,smokes\np1,3,y\n{MARK},4\n",
    f'id,age,smokes\np1,3,y\np2,"{MARK},4,n\n',
    f"id,age,smokes\np1,{MARK}\0,y\n",
]


@pytest.mark.parametrize("flags", ["", " --json", " --quiet"])
def test_tables_that_fail_differently_fail_alike(say, folder, flags):
    outcomes = set()
    for broken in BROKEN:
        (folder / "t.csv").write_text(broken)
        outcomes.add(said := say(f"release t.csv {TERMS} --out C{flags}"))
        assert said.code == 7 and MARK not in said.out + said.err
    assert len(outcomes) == 1
    assert not (folder / "C").exists() and not (folder / ".C.run").exists()


def test_what_nobody_foresaw_is_one_constant_sentence(say, monkeypatch):
    def fail(*args, **terms):
        raise ValueError(MARK)

    monkeypatch.setattr("understudy.release", fail, raising=False)
    said = say(f"release t.csv {TERMS} --out C --json")
    assert said.code == 1 and MARK not in said.out + said.err and said.document["code"] == 1
    monkeypatch.setenv("UNDERSTUDY_TRACEBACK", "1")
    assert MARK in say(f"release t.csv {TERMS} --out C").err


def test_a_stop_says_what_stays_charged(say, monkeypatch):
    def stop_after(*stages):
        def stopped(*args, tell, **terms):
            for stage in stages:
                tell(stage)
            raise KeyboardInterrupt

        monkeypatch.setattr("understudy.release", stopped, raising=False)
        return say(f"release t.csv {TERMS} --out C")

    early, late = stop_after("reading"), stop_after("reading", "reserving")
    assert early.code == late.code == 130
    assert early.err == "stopped; this run charged nothing\n"
    assert "epsilon 1 and delta 1e-6 are reserved and stay charged; the same command takes the run up again" in late.err


def test_every_code_is_documented(say):
    told = say("--help").out
    kinds = [kind for kind in vars(sys.modules["understudy.refusal"]).values() if isinstance(kind, type)]
    assert {kind.code for kind in kinds if issubclass(kind, Refusal)} <= set(CODES) and AuditFailed.code in CODES
    assert all(f"{code:>3}  {meaning[:30]}" in told for code, meaning in CODES.items())


def test_names_cannot_command_the_terminal(say, folder):
    name = '"a\\u001b[2J[red]"'
    (folder / "s.toml").write_text(f'[table]\nname = {name}\n[columns.{name}]\nkind = "boolean"\n')
    pure = "plan --schema s.toml --epsilon 1 --delta 0"
    for words in ("schema show --schema s.toml", pure, f"{pure} --workload x\x1by"):
        said = say(words)
        assert "\x1b" not in said.out + said.err
    assert "a\\x1b[2J[red]" in say("schema show --schema s.toml").out


def understudy(words, **more):
    return subprocess.run(
        [sys.executable, "-c", "from understudy.command.main import run; run()", *words.split()], **more
    )


def test_a_closed_pipe_is_quiet(folder):
    reader, writer = os.pipe()
    os.close(reader)
    done = understudy("recipes", stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_behind_stdout_is_refused(folder):
    with open("/dev/full", "wb") as full:
        done = understudy("recipes", stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 5 and done.stderr.startswith(b"refused: stdout could not be written")


def test_answers_are_documents_even_to_usage_errors(say):
    assert json.loads(say("ledger --json").out)["code"] == 2
    assert main.answer(["--version"]) == 0


def at_work_in(module: str, done: list[str]) -> None:
    """A library's function that is stopped in its work, and what its caller does then."""
    library = types.ModuleType(module)
    work = "def work(stop, done):\n    stop()\n    time.sleep(0.2)\n    done.append('its work')\n"
    exec(f"import time\n{work}", library.__dict__)
    library.work(lambda: signal.raise_signal(signal.SIGINT), done)
    time.sleep(5)
    done.append("all the rest")


@pytest.mark.parametrize(("module", "due"), [("jaxlib.mlir", ["its work"]), ("jax", ["its work"]), ("scipy", [])])
def test_a_stop_waits_until_the_compiler_is_left(module, due):
    """Stopped in the middle, it takes the process down or goes on as if nothing had been said."""
    before = [(number, signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGALRM)]
    done: list[str] = []
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # which the shell of this test may have switched off
        patient()
        with pytest.raises(KeyboardInterrupt):
            at_work_in(module, done)
    finally:
        heard()
        for number, handler in before:
            signal.signal(number, handler)
    assert done == due


def test_a_stop_that_a_destructor_swallows_comes_again():
    program = (
        "import signal, time; from understudy.command.stop import patient\n"
        "class Deaf:\n"
        "    def __del__(self): signal.raise_signal(signal.SIGINT); time.sleep(0.1)\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "patient()\n"
        "try:\n"
        "    Deaf(); print('deaf'); time.sleep(5)\n"
        "except KeyboardInterrupt: print('stopped')"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (said.stdout, said.stderr) == ("deaf\nstopped\n", "")


def test_what_ignores_stops_goes_on_ignoring_them():
    program = (
        "import signal; from understudy.command.stop import patient\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN); patient(); signal.raise_signal(signal.SIGINT)"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


def test_a_crash_leaves_no_memory_on_the_disk_and_a_library_mutters_nothing():
    """A core dump holds the rows, and an error that a destructor swallows may quote one."""
    program = (
        "import resource, sys; from understudy.command import main\n"
        "class Mutter:\n"
        "    def __del__(self): raise ValueError('private')\n"
        "def answer(words):\n"
        "    Mutter()\n"
        "    return resource.getrlimit(resource.RLIMIT_CORE)[1]\n"
        "main.answer = answer; main.run()"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True)
    assert (said.returncode, said.stderr) == (0, b"")
