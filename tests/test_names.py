"""Names of public classes are unique over the package: a name says what a thing is in its field (docs/glossary.md)."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "toolmend"


def test_no_class_shares_its_name() -> None:
    count = Counter(
        node.name
        for path in PACKAGE.rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, files in count.items() if files > 1] == []
