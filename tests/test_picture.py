"""The picture in docs/architecture.md is that of the imports; `python docs/picture.py --write` draws it anew."""

from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def test_the_picture_is_that_of_the_imports() -> None:
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    assert runpy.run_path(str(DOCS / "picture.py"))["put"](page) == page
