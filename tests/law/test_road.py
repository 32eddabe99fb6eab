"""The tree is the road: a folder imports only from folders before it, and rows pass through one door.

The laws are read off the syntax of every file, so that a new file is under them as soon as it is there.
"""

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

import understudy

SOURCE = Path(understudy.__file__).parent
FILES = {str(path.relative_to(SOURCE)): ast.parse(path.read_text()) for path in sorted(SOURCE.rglob("*.py"))}
ROAD = (
    *(
        "page",
        "schema",
        "question",
        "noise",
        "privacy",
        "source",
        "vault",
        "game",
        "recipe",
        "learn",
        "publish",
        "measure",
    ),
    *("attack", "audit", "report", "command", "app"),
)
FREE = {"refusal", "version"}  # for all: what is refused, and which version this is
PUBLIC = "public"  # the public names stand for all of the road up to publish
OWNER = {"command/schema.py", "command/report.py"}  # the owner's own view of a file, never part of a release
FORBIDDEN = {"pickle", "cPickle", "cloudpickle", "dill", "joblib", "marshal", "shelve"}


def offences(law: Callable[[str], object], names: Iterable[str] = FILES) -> dict[str, object]:
    """What each file does against a law; nothing, where it is kept."""
    return {name: found for name in names if (found := law(name))}


def imported(tree: ast.AST) -> Iterator[str]:
    """Every module and every name of a module that a file imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def folder(dotted: str) -> str:
    """The folder of the road that an import leads to."""
    parts = dotted.split(".")
    return parts[1] if len(parts) > 2 else PUBLIC


def ours(tree: ast.AST) -> set[str]:
    """What a file imports of this package."""
    return {name for name in imported(tree) if name.split(".")[0] == "understudy"}


def broken(name: str, tree: ast.AST) -> set[str]:
    """The imports of a file that lead forward."""
    here = name.split("/")[0] if "/" in name else "top"
    if here == "top":
        return set() if name == "__init__.py" else {i for i in ours(tree) if folder(i) not in FREE}
    place = ROAD.index(here)
    before = FREE | set(ROAD[: place + 1]) | ({PUBLIC} if place > ROAD.index("publish") else set())
    return {i for i in ours(tree) if folder(i) not in before}


def calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Every call, by the dotted name that is called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


def risks(tree: ast.AST) -> set[str]:
    """What runs code that a file brought along, or draws what nobody accounts for."""
    found = {name for name in imported(tree) if name.split(".")[0] in FORBIDDEN}
    for name, call in calls(tree):
        if name in ("eval", "exec", "__import__") or name.endswith(("yaml.load", "random.seed")):
            found.add(name)
        found |= {k.arg for k in call.keywords if k.arg == "allow_pickle" and ast.unparse(k.value) != "False"}
    return found


def test_a_folder_imports_only_from_folders_before_it() -> None:
    assert offences(lambda name: broken(name, FILES[name])) == {}


def test_only_the_vault_reads_private_sources() -> None:
    others = [name for name in FILES if name.split("/")[0] not in ("source", "vault") and name not in OWNER]
    assert offences(lambda name: {i for i in ours(FILES[name]) if i.startswith("understudy.source")}, others) == {}


def test_only_the_gate_looks() -> None:
    assert offences(lambda name: looks(FILES[name])) == {"vault/gate.py": ["vault._look"]}


def looks(tree: ast.AST) -> list[str]:
    """Wherever the vault's one way in is used, or named."""
    used = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "_look"]
    named = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and node.value == "_look"]
    return [ast.unparse(node) for node in (*used, *named)]


def test_nothing_is_run_that_a_file_brought_along() -> None:
    assert offences(lambda name: risks(FILES[name])) == {}


def test_a_data_player_knows_no_gate() -> None:
    players = [name for name in FILES if name.startswith("game/data/")]
    doors = ("understudy.vault.gate", "understudy.vault.vault")
    assert len(players) > 5 and offences(lambda n: {i for i in ours(FILES[n]) if i.startswith(doors)}, players) == {}


def test_a_file_tells_one_short_story() -> None:
    texts = {name: (SOURCE / name).read_text() for name in FILES}
    assert {name for name, text in texts.items() if len(text.splitlines()) > 300} == set()
    assert {name for name, text in texts.items() if text.strip() and not ast.get_docstring(FILES[name])} == set()


def parameters(thing: object) -> Iterator[str]:
    """The parameters of a function, or of every public method of a class."""
    named = vars(thing).items() if inspect.isclass(thing) else [("", thing)]
    for name, found in named:
        function = getattr(found, "__func__", found)
        if inspect.isfunction(function) and (name == "__init__" or not name.startswith("_")):
            yield from inspect.signature(function).parameters


@pytest.mark.parametrize("name", [n for n in understudy.__all__ if callable(getattr(understudy, n))])
def test_only_rehearse_takes_a_seed(name: str) -> None:
    seeded = [p for p in parameters(getattr(understudy, name)) if "seed" in p or p in ("rng", "random_state", "key")]
    assert seeded == (["seed"] if name == "rehearse" else [])


def test_no_step_of_the_road_takes_a_seed() -> None:
    steps = [name for name in FILES if name.split("/")[0] in ("vault", "game", "recipe", "command")]

    def seeded(name: str) -> list[str]:
        functions = [node for node in ast.walk(FILES[name]) if isinstance(node, ast.FunctionDef)]
        return [f.name for f in functions for a in [*f.args.args, *f.args.kwonlyargs] if "seed" in a.arg]

    assert offences(seeded, steps) == {}


FORWARD = {
    "from understudy.vault.gate import Gate": "question/x.py",
    "import understudy.recipe.recipe": "game/x.py",
    "from understudy import release": "vault/x.py",
    "def late():\n    from understudy.source.source import read": "noise/x.py",
}
RISKY = (
    *("import pickle", "from joblib import load", "eval('1')", "exec(words)", "import yaml\nyaml.load(words)"),
    *("np.load(path, allow_pickle=True)", "np.load(path, allow_pickle=yes)", "numpy.random.seed(0)"),
)


@pytest.mark.parametrize(("words", "name"), FORWARD.items())
def test_an_import_that_leads_forward_is_seen(words: str, name: str) -> None:
    assert broken(name, ast.parse(words))


@pytest.mark.parametrize("words", RISKY)
def test_a_risk_is_seen(words: str) -> None:
    assert risks(ast.parse(words))
