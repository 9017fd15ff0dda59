"""What a reply left out although it was said: the one day or time of the sentence that no other argument holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from toolmend.messages import ToolSpec
from toolmend.resolve import Resolved, resolve
from toolmend.resolve.arguments import typed

if TYPE_CHECKING:
    from toolmend.resolve.background import Background, Question

_KINDS = ("date", "time")
_NOTHING = ("no day in these words", "no time of day in these words", "it was not said")


def said_all_the_same(spec: ToolSpec, name: str, words: Mapping[str, Any], background: Background) -> str:
    """The words of the sentence for an argument that the reply gives no words for; "" where it says none, or several,
    or where they belong to another argument."""
    kinds = {key: typed(key, schema).get("format") for key, schema in spec.properties.items()}
    kind = kinds.get(name)
    if kind not in _KINDS or list(kinds.values()).count(kind) > 1:
        return ""
    schema, now, text = typed(name, spec.properties[name]), background.now, background.text
    for other in (told for key, told in words.items() if key != name and isinstance(told, str) and len(told) > 2):
        text = re.sub(re.escape(other), lambda held: "~" * len(held[0]), text, flags=re.IGNORECASE)
    read = resolve(text, schema, now=now, hours=background.hours, locale=background.locale)
    return background.text[slice(*read.span)] if isinstance(read, Resolved) else ""


def says_nothing(question: Question) -> bool:
    """Whether the words for an argument hold nothing of its kind, or were not given: something else was copied."""
    return not question.candidates and question.reason in _NOTHING
