"""Imports go down only, and heavy libraries come in late. The layers are those of docs/architecture.md."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "toolmend"

# From the bottom up. A room may import rooms that stand in an earlier line, and itself.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("errors",),
    ("atomic",),
    ("budget",),
    ("messages",),
    ("mistakes",),
    ("events",),
    ("schemas",),
    ("resolve",),
    ("http", "registry", "options", "plots", "stats", "db", "tracing", "models", "tools", "reading"),
    ("strategies", "toolboxes", "grading", "corrections", "portal"),
    ("mend",),
    ("session",),
    ("store", "ratings", "knowledge", "memory"),
    ("evals", "arena", "agents"),
    ("training",),
    ("apps",),
)

# Who may import a room of its own layer.
ALLOWED = {
    ("models", "http"),
    ("models", "options"),
    ("tools", "options"),
    ("memory", "knowledge"),
    *((room, "store") for room in ("knowledge", "memory")),  # where their tables stand unless somebody says
    ("arena", "evals"),
    ("agents", "evals"),
    *((room, "registry") for room in ("http", "stats", "db", "models", "tools", "reading")),
}

# Who may not import a room although it is below: ways and worlds know no I/O, the talk knows no storage.
FORBIDDEN = {
    *((room, io) for room in ("strategies", "toolboxes", "grading", "corrections") for io in ("http", "db")),
    *((room, "models") for room in ("strategies", "toolboxes", "grading", "corrections")),
    *(("mend", room) for room in ("models", "http", "db", "toolboxes", "grading")),
    ("session", "db"),
    ("session", "stats"),
}

# The rooms inside two of them, from the bottom up.
INNER: dict[str, tuple[str, ...]] = {
    "evals": (
        *("suites", "metrics", "running", "costs", "benchmarks", "comparing"),
        *("reports", "judges"),
    ),
    "apps.cli": ("kit", "commands"),
}

# Rooms without code: data that others read by path.
DATA = {"suites"}

RANKS = {room: rank for rank, rooms in enumerate(LAYERS) for room in rooms}
FILES = sorted(
    path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.stem not in ("__init__", "__main__")
)


def room_of(path: Path) -> str:
    """The room that a file belongs to."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported_rooms(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and room of every import of the package, wherever it stands in the file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level:
            names = [(node.lineno, "toolmend.<relative import>")]
        elif isinstance(node, ast.ImportFrom) and node.module == "toolmend":
            names = [(node.lineno, f"toolmend.{alias.name}") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [(node.lineno, node.module or "")]
        else:
            continue
        for line, name in names:
            head, _, rest = name.partition(".")
            if head == "toolmend":
                yield line, rest.partition(".")[0] or "<the door>"


def problem(importer: str, imported: str) -> str | None:
    """Why one room may not import the other; None if it may."""
    if imported in (importer, "__version__"):
        return None
    if imported not in RANKS:
        return "no room of the layers (import from the room itself, not through the door)"
    if (importer, imported) in FORBIDDEN:
        return "forbidden although it is below"
    if RANKS[imported] < RANKS[importer] or (importer, imported) in ALLOWED:
        return None
    return "not below it"


def run_python(code: str) -> str:
    """Standard output of a fresh interpreter that runs `code`."""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_room_has_a_layer() -> None:
    rooms = {room_of(path) for path in FILES} - DATA
    assert sorted(rooms - set(RANKS)) == []


def test_imports_go_down_only() -> None:
    wrong = []
    for path in FILES:
        for line, imported in imported_rooms(ast.parse(path.read_text(encoding="utf-8"))):
            if why := problem(room_of(path), imported):
                wrong.append(f"{path.relative_to(PACKAGE)}:{line}: {room_of(path)} imports {imported}: {why}")
    assert wrong == []


@pytest.mark.parametrize("outer", INNER)
def test_imports_inside_a_room_go_down_too(outer: str) -> None:
    package = PACKAGE.joinpath(*outer.split("."))
    assert {path.parent.name for path in package.glob("*/*.py")} == set(INNER[outer])
    ranks = {name: rank for rank, name in enumerate(INNER[outer])}
    upward = [
        f"{path.relative_to(PACKAGE)} imports {imported}"
        for path in sorted(package.glob("*/*.py"))
        for imported in re.findall(rf"toolmend\.{outer}\.(\w+)", path.read_text(encoding="utf-8"))
        if ranks.get(imported, -1) > ranks[path.parent.name]
    ]
    assert upward == []


@pytest.mark.parametrize(
    ("importer", "source", "expected"),
    [
        ("tools", "from toolmend.evals.store import Store", "not below it"),
        ("tools", "def f():\n    import toolmend.reading", "not below it"),
        ("grading", "from toolmend import session", "not below it"),
        ("strategies", "from toolmend.base.db import open_engine", "forbidden although it is below"),
        ("evals", "from toolmend import Session", "no room of the layers"),
        ("evals", "from . import plan", "no room of the layers"),
        ("models", "from toolmend.base.http import Client", None),
        ("reading", "from toolmend.language.resolve import resolve", None),
        ("resolve", "from toolmend.tools import Tool", "not below it"),
        ("store", "from toolmend.base.events import Event", None),
    ],
)
def test_the_rule_sees_what_it_should(importer: str, source: str, expected: str | None) -> None:
    [(_, imported)] = imported_rooms(ast.parse(source))
    why = problem(importer, imported)
    assert why is None if expected is None else why is not None and why.startswith(expected)


def test_importing_the_package_loads_only_values() -> None:
    loaded = run_python("import sys, toolmend; print(*[name for name in sys.modules if name.startswith('toolmend')])")
    values = {"toolmend.base.errors", "toolmend.base.messages", "toolmend.base.mistakes", "toolmend.base.events"}
    assert set(loaded.split()) <= values | {"toolmend"}


def test_importing_the_package_loads_no_library() -> None:
    loaded = run_python("import sys; before = set(sys.modules); import toolmend; print(*(set(sys.modules) - before))")
    foreign = {name.partition(".")[0] for name in loaded.split()} - set(sys.stdlib_module_names) - {"toolmend"}
    assert foreign == set()


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["run", "--help"]], ids=" ".join)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    code = (
        f"import sys; sys.argv = ['toolmend', *{arguments!r}]\n"
        "from toolmend.apps.cli import main\n"
        "try:\n    main()\nexcept SystemExit as done:\n    assert not done.code, done.code\n"
        "heavy = ('numpy', 'scipy', 'sqlalchemy', 'pydantic', 'jsonschema', 'keras', 'jax', 'torch')\n"
        "print('HEAVY', *[name for name in heavy if name in sys.modules])"
    )
    assert run_python(code).splitlines()[-1] == "HEAVY"
