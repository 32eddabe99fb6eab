"""JAX, loaded at first use, with 64-bit numbers on and its compilation cache off, as mbi wants it."""

from types import ModuleType
from typing import Any

from understudy.refusal import Misuse


def load() -> ModuleType:
    """The jax module, configured; refused in words where it is not installed."""
    try:
        import jax
    except ImportError:
        raise Misuse("this recipe fits with JAX, which is not installed", "pip install 'understudy[all]'") from None
    settings: Any = jax.config
    settings.update("jax_enable_x64", True)
    settings.update("jax_enable_compilation_cache", False)
    return jax
