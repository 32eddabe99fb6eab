"""The version of this software, as certificates name it."""

__version__ = "0.1.0"
