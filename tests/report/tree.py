"""What a page is made of: its elements, their attributes and its texts, as any reader of HTML takes them."""

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Tree(HTMLParser):
    """The elements and texts of a page, flat."""

    elements: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    values: list[tuple[str, str]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, tuple(name for name, _ in attrs)))
        self.values += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        """All texts together."""
        return "".join(self.texts)


def tree(page: bytes) -> Tree:
    """A page, parsed."""
    parsed = Tree()
    parsed.feed(page.decode())
    parsed.close()
    return parsed
