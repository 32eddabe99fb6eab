"""JAX, loaded at first use, with 64-bit numbers on and its compilation cache off, as mbi wants it."""

from types import ModuleType

from understudy.refusal import Misuse


def load() -> ModuleType:
    """The jax module, configured; refused in words where it is not installed."""
    try:
        import jax
    except ImportError:
        raise Misuse("this recipe fits with JAX, which is not installed", "pip install 'understudy[all]'") from None
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_enable_compilation_cache", False)
    return jax
