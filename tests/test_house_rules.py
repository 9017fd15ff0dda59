"""The house rules a program can check: sizes, docstrings, no path or host of somebody's machine, lists that agree."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
LONGEST_FILE = 400
LONGEST_FUNCTION = 60

SOURCE = sorted((ROOT / "src" / "toolmend").rglob("*.py"))
CODE = [*SOURCE, *sorted((ROOT / "tests").rglob("*.py")), *sorted((ROOT / "benchmarks").rglob("*.py"))]
LISTS = sorted((ROOT / "requirements").glob("*.txt"))
WRITTEN = [
    path
    for folder in ("src", "tests", "benchmarks", "docs", "requirements", ".ci", "notebooks")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in {".py", ".md", ".txt", ".yaml", ".json", ".jsonl", ".ipynb", ".toml", ""} and path.is_file()
] + [path for path in sorted(ROOT.glob("*")) if path.is_file() and path.name != ".coverage"]

# Folders of a machine, and index hosts. Written in two halves, so that this file does not find itself.
MACHINE = re.compile(r"(?<![\w.])/(?:work|root|opt|home|Users)" + r"/(?!\W)")
HOST = re.compile("https?:" + "//|" + r"pypi\.org|pythonhosted", re.IGNORECASE)

Function = ast.FunctionDef | ast.AsyncFunctionDef


def shown(path: Path) -> str:
    """A path as seen from the repository."""
    return path.relative_to(ROOT).as_posix()


def functions(path: Path) -> Iterator[tuple[str, Function, bool]]:
    """Name, node and publicness of every function of a file: public means no underscore, and not inside a function."""

    def walk(node: ast.AST, prefix: str, public: bool) -> Iterator[tuple[str, Function, bool]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                name, seen = f"{prefix}{child.name}", public and not child.name.startswith("_")
                if not isinstance(child, ast.ClassDef):
                    yield name, child, seen
                    seen = False
                yield from walk(child, f"{name}.", seen)
            else:
                yield from walk(child, prefix, public)

    yield from walk(ast.parse(path.read_text(encoding="utf-8")), "", True)


def only_declares(node: Function) -> bool:
    """Whether its body is `...`: an overload, an attribute of a protocol."""
    return len(node.body) == 1 and ast.unparse(node.body[0]) == "..."


def is_setter(node: Function) -> bool:
    """Whether the property it belongs to has the docstring."""
    return any(ast.unparse(decorator).endswith(".setter") for decorator in node.decorator_list)


def versions(path: Path) -> dict[str, set[str]]:
    """Lines of a list of versions by package."""
    lines: dict[str, set[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            lines.setdefault(line.partition("==")[0], set()).add(line)
    return lines


def test_files_are_short() -> None:
    lengths = {shown(path): len(path.read_text(encoding="utf-8").splitlines()) for path in CODE}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}


def test_functions_are_short() -> None:
    long = [
        f"{shown(path)}: {name}"
        for path in CODE
        for name, node, _ in functions(path)
        if (node.end_lineno or node.lineno) - node.lineno + 1 > LONGEST_FUNCTION
    ]
    assert long == []


def test_files_say_what_they_are() -> None:
    assert [shown(path) for path in SOURCE if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))] == []


def test_public_functions_are_documented() -> None:
    bare = [
        f"{shown(path)}: {name}"
        for path in SOURCE
        for name, node, public in functions(path)
        if public and not ast.get_docstring(node) and not only_declares(node) and not is_setter(node)
    ]
    assert bare == []


def test_public_functions_are_typed() -> None:
    untyped = [
        f"{shown(path)}: {name}"
        for path in SOURCE
        for name, node, public in functions(path)
        if public and node.returns is None
    ]
    assert untyped == []


def test_no_path_of_a_machine() -> None:
    found = [shown(path) for path in WRITTEN if MACHINE.search(path.read_text(encoding="utf-8"))]
    assert found == []


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.name)
def test_lists_of_versions_name_no_host_and_no_hash(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not HOST.search(text)
    assert "--" not in "\n".join(line for line in text.splitlines() if not line.startswith("#"))


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.name)
def test_lists_pin_every_version(path: Path) -> None:
    line = re.compile(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+( ; .+)?")
    text = path.read_text(encoding="utf-8")
    assert [each for each in text.splitlines() if not each.startswith("#") and not line.fullmatch(each)] == []


def test_no_list_has_tensorflow_or_torch() -> None:
    names = {name for path in LISTS for name in versions(path)}
    assert {name for name in names if name.startswith(("tensorflow", "torch", "nvidia"))} == set()


def test_lists_agree() -> None:
    everything = versions(ROOT / "requirements" / "dev.txt")
    for path in LISTS:
        for name, lines in versions(path).items():
            assert name in everything, f"{path.name} has {name}, dev.txt has not"
            assert {pin.partition(" ;")[0] for pin in lines} == {pin.partition(" ;")[0] for pin in everything[name]}


def test_lists_have_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = {"core": project["dependencies"], "local": extras["local"], "dev": extras["dev"]}
    for name, requirements in wanted.items():
        listed = versions(ROOT / "requirements" / f"{name}.txt")
        asked = {re.split(r"[<>=~!\[ ;]", each)[0].lower() for each in requirements}
        assert sorted(asked - set(listed)) == []


def test_hooks_before_a_commit_are_parts_of_what_ci_runs() -> None:
    [local] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    [parts] = re.findall(r"^test: (.+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert local["repo"] == "local"
    assert [hook["entry"] for hook in local["hooks"]] == ["make lint", "make types"]
    assert {"lint", "types"} <= set(parts.split())
    assert {(hook["language"], hook["pass_filenames"]) for hook in local["hooks"]} == {("system", False)}
