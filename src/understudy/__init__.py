"""understudy: a trustworthy stand-in for a private table.

    import understudy

    release = understudy.release("patients.csv", "patients.toml", epsilon=1, delta="1e-6", out="bundle")
    release.table              # synthetic rows, a pyarrow table
    release.certificate        # what is guaranteed, and how accurate the rows are
    understudy.verify("bundle")

The folders of this package are the road that private rows walk: page, schema, question, noise, privacy, source, vault, game,
recipe, publish, command. Each imports only from those before it. Names are loaded when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from understudy.version import __version__

if TYPE_CHECKING:
    from understudy.privacy.ledger import Ledger
    from understudy.publish.bundle import read_bundle
    from understudy.publish.plan import Plan
    from understudy.publish.release import Release
    from understudy.publish.run import plan, rehearse, release
    from understudy.publish.verify import verify
    from understudy.recipe.recipe import recipes
    from understudy.refusal import Refusal
    from understudy.schema.draft import draft
    from understudy.schema.read import read_schema
    from understudy.schema.schema import Schema

HOMES = {
    "Ledger": "privacy.ledger",
    "Plan": "publish.plan",
    "Refusal": "refusal",
    "Release": "publish.release",
    "Schema": "schema.schema",
    "draft": "schema.draft",
    "plan": "publish.run",
    "read_bundle": "publish.bundle",
    "read_schema": "schema.read",
    "recipes": "recipe.recipe",
    "rehearse": "publish.run",
    "release": "publish.run",
    "verify": "publish.verify",
}

__all__ = [
    "Ledger",
    "Plan",
    "Refusal",
    "Release",
    "Schema",
    "__version__",
    "draft",
    "plan",
    "read_bundle",
    "read_schema",
    "recipes",
    "rehearse",
    "release",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its home at first use."""
    if name not in HOMES:
        raise AttributeError(f"understudy has no '{name}'")
    found = getattr(import_module(f"understudy.{HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
