"""Names of public classes are unique over the package, but for a list that may only get shorter."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "toolmend"

# Rename what is touched anyway, by words of the field, and strike it out here. Nothing is added.
STILL_SHARED = frozenset(
    """
    Budget Case Contestant Plan Progress Question Said Talk
    """.split()
)


def shared_names() -> set[str]:
    """Names that several files give to a public class of their own."""
    count = Counter(
        node.name
        for path in PACKAGE.rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    return {name for name, files in count.items() if files > 1}


def test_no_further_class_shares_its_name() -> None:
    assert shared_names() - STILL_SHARED == set()


def test_what_is_unique_by_now_is_off_the_list() -> None:
    assert STILL_SHARED - shared_names() == set()
