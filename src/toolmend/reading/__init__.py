"""Text -> calls and back. Nothing that a model wrote is evaluated, and no text of any kind raises.

`read` finds calls in four notations; `render` writes one as Python, so that it reads back equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toolmend.base.errors import BadOption
from toolmend.base.messages import ToolSpec
from toolmend.reading.bullets import read_bullets
from toolmend.reading.json_calls import read_json
from toolmend.reading.native import read_native
from toolmend.reading.python import read_python
from toolmend.reading.reading import Reading
from toolmend.reading.render import render
from toolmend.reading.tags import read_tags, tagged

__all__ = ["Reading", "read", "read_bullets", "read_json", "read_native", "read_python", "read_tags", "render"]

_READERS: dict[str, Callable[[str, Sequence[ToolSpec]], Reading]] = {
    "python": read_python,
    "json": read_json,
    "bullets": read_bullets,
    "tags": read_tags,
}


def read(text: str, specs: Sequence[ToolSpec], form: str = "auto") -> Reading:
    """The calls in a text. `form` is "python", "json", "bullets", "tags", or "auto": the first that makes sense of it.

    Raises BadOption for an unknown form; never for a text.
    """
    if form != "auto":
        if form not in _READERS:
            raise BadOption(f"unknown form {form!r}; known: auto, {', '.join(sorted(_READERS))}")
        return _READERS[form](text, specs)
    start = text.lstrip().lstrip("`").removeprefix("json").lstrip()
    order = ["json", "python", "bullets"] if start[:1] in ("{", "[") else ["python", "json", "bullets"]
    readings: list[Reading] = []
    for name in (["tags"] if tagged(text) else []) + order:
        reading = _READERS[name](text, specs)
        if reading.calls and reading.problem is None:
            return reading
        readings.append(reading)
    return next((reading for reading in readings if reading.problem == "syntax"), readings[0])
