"""HTML from text of other people: escaped once, here. Knows no turns and no Gradio."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from unicodedata import category

# Beyond the usual five: what templates in the browser read (${…}, {{…}}, `…`).
_TEMPLATE_SIGNS = str.maketrans({"$": "&#36;", "{": "&#123;", "}": "&#125;", "`": "&#96;", "\\": "&#92;"})
# Signs that turn the direction of a line around, and would let a reply reach beyond itself.
_TURNING = {*map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}


def safe(text: object) -> str:
    """Text as HTML that shows just that text, in an element or an attribute; control characters become �."""
    return escape("".join(map(_shown, str(text)))).translate(_TEMPLATE_SIGNS)


def tag(name: str, content: str = "", /, **attributes: object) -> str:
    """An element around HTML; `class_` is `class`, `_` is `-`, None and False leave an attribute out, True is bare."""
    return f"<{name}{''.join(_attributes(attributes))}>{content}</{name}>"


def button(label: str, do: str, *, about: str = "", **data: object) -> str:
    """A button that tells the page `do` and its `data`; `about` is what a screen reader says instead of the label."""
    numbers = {f"data_{name}": value for name, value in data.items()}
    return tag("button", safe(label), type="button", data_do=do, aria_label=about or None, **numbers)


def _shown(sign: str) -> str:
    if sign in "\n\t":
        return sign
    return "\N{REPLACEMENT CHARACTER}" if sign in _TURNING or category(sign) in ("Cc", "Cs") else sign


def _attributes(attributes: dict[str, object]) -> Iterable[str]:
    for name, value in attributes.items():
        written = name.strip("_").replace("_", "-")
        if value is True:
            yield f" {written}"
        elif value is not None and value is not False:
            yield f' {written}="{safe(value)}"'
