"""JAX for the players: the same module, configured alike, as the questions load."""

from understudy.question.jax import load

__all__ = ["load"]
