"""Notebooks (.ipynb): their Markdown as text, their code as it stands, short text outputs; pictures are left out."""

from __future__ import annotations

from typing import Any

from toolmend.knowledge.collect.item import TEXT_AT_MOST, Item
from toolmend.knowledge.collect.markdown import of_text
from toolmend.knowledge.encoding import cleaned
from toolmend.knowledge.outcome import Outcome
from toolmend.knowledge.source import Source

_OUTPUT_AT_MOST = 2000


def read(data: dict[str, Any], item: Item) -> Source | Outcome:
    """A notebook of format 4, whose JSON is `data`, as one text."""
    cells = data["cells"]
    if not isinstance(cells, list):
        return Outcome("unreadable", item.name, "a notebook has `cells`; one of format 3 must be converted first")
    text = "\n\n".join(piece for cell in cells if isinstance(cell, dict) for piece in _pieces(cell))
    return of_text(cleaned(text)[:TEXT_AT_MOST], item, form="notebook")


def _pieces(cell: dict[str, Any]) -> list[str]:
    source = _joined(cell.get("source"))
    if cell.get("cell_type") == "markdown":
        return [source]
    outputs = cell.get("outputs")
    pieces = [f"```\n{source}\n```"] if source.strip() else []
    for output in outputs if isinstance(outputs, list) else []:
        if isinstance(output, dict):
            data = output.get("data")
            told = _joined(output.get("text") or (data.get("text/plain") if isinstance(data, dict) else ""))
            pieces += [f"```\n{told[:_OUTPUT_AT_MOST]}\n```"] if told.strip() else []
    return pieces


def _joined(value: Any) -> str:
    return "".join(str(each) for each in value) if isinstance(value, list) else value if isinstance(value, str) else ""
