"""Words of a schema file: each helper takes a section and a word, and returns its value or refuses in plain words."""

from typing import Any

from understudy.refusal import SchemaRefused
from understudy.schema.column import Bad

Table = dict[str, Any]


def known(words: Table, allowed: set[str], where: str) -> None:
    """Refuse words that the format does not have."""
    for word in words:
        if word not in allowed:
            raise SchemaRefused(f"{where} has no word '{word}'", f"it knows {', '.join(sorted(allowed))}")


def section(parsed: Table, name: str) -> Table:
    """A section that must be there."""
    found = parsed.get(name)
    if not isinstance(found, dict):
        raise SchemaRefused(f"the schema has no [{name}] section", "add it")
    return found


def text(words: Table, word: str, fallback: str) -> str:
    """A text, or the fallback where the word is absent."""
    value = words.get(word, fallback)
    if not isinstance(value, str):
        raise SchemaRefused(f"{word} is a text", "put it in quotes")
    return value


def optional_text(words: Table, word: str) -> str | None:
    """A text, or None where the word is absent."""
    return text(words, word, "") if word in words else None


def sequence(words: Table, word: str) -> list[Any]:
    """A list."""
    value = words[word]
    if not isinstance(value, list):
        raise SchemaRefused(f"{word} is a list", "put it in brackets")
    return value


def texts(words: Table, word: str) -> tuple[str, ...] | None:
    """A list of texts, or None where the word is absent."""
    if word not in words:
        return None
    found = sequence(words, word)
    if not all(isinstance(item, str) for item in found):
        raise SchemaRefused(f"{word} is a list of texts", "put each in quotes")
    return tuple(found)


def whole(words: Table, word: str, fallback: int) -> int:
    """A whole number that is not negative, or the fallback."""
    value = words.get(word, fallback)
    if type(value) is not int or value < 0:
        raise SchemaRefused(f"{word} is a whole number, not negative", "correct it")
    return value


def flag(words: Table, word: str) -> bool:
    """True or false; false where the word is absent."""
    value = words.get(word, False)
    if not isinstance(value, bool):
        raise SchemaRefused(f"{word} is true or false", "write it without quotes")
    return value


def rule(words: Table, fallback: Bad = Bad.CLAMP) -> Bad:
    """The rule for bad cells."""
    try:
        return Bad(words.get("bad", fallback.value))
    except ValueError:
        raise SchemaRefused("bad is clamp, missing or other", "correct it") from None
