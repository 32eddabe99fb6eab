"""The version of this software, as certificates name it."""

VERSION = "0.1.0"
