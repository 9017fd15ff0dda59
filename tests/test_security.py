"""docs/security.md names tests, and they exist; and nothing in the package runs text as code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "security.md"
SOURCE = ROOT / "src" / "toolmend"
NAMED = re.compile(r"`(tests/[\w/.]+\.py)::(\w+)`")
CLAIMS = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if "::" in line and line.startswith("| ")]

# Who imports a person's own toolbox file: named on the command line, never by a model. And who starts pip to fetch a
# model: a person's command, and every argument stands in a table of the package.
MAY_RUN = {"tools/files.py", "models/gguf/fetch.py", "agents/coding/sandbox.py"}
RUNS = {"eval", "exec", "compile", "__import__"}
STARTS = {"os.system", "os.popen", "os.execv", "os.spawnv", "builtins.eval", "builtins.exec"}
UNSAFE = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "subprocess", "code", "codeop", "runpy"}


def runs(tree: ast.AST) -> list[str]:
    """What in a file could run text as code, or a program."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called in RUNS | STARTS or called.endswith(".exec_module"):
                found.append(called)
        elif isinstance(node, ast.Import):
            found += [each.name for each in node.names if each.name.partition(".")[0] in UNSAFE]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in UNSAFE:
            found.append(node.module or "")
    return found


def test_there_are_claims() -> None:
    assert len(CLAIMS) >= 40


@pytest.mark.parametrize("line", CLAIMS, ids=lambda line: line[2:40])
def test_each_claim_names_tests_that_exist(line: str) -> None:
    named = NAMED.findall(line)
    assert named
    for path, name in named:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        functions = {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}
        assert name in functions, f"{path}::{name}"


def test_nothing_runs_text_as_code() -> None:
    files = {path.relative_to(SOURCE).as_posix(): path for path in sorted(SOURCE.rglob("*.py"))}
    found = {name: runs(ast.parse(path.read_text(encoding="utf-8"))) for name, path in files.items()}
    assert {name: what for name, what in found.items() if what and name not in MAY_RUN} == {}


@pytest.mark.parametrize(
    "source", ["eval(x)", "exec(x)", "import pickle", "from subprocess import run", "os.system(x)", "l.exec_module(m)"]
)
def test_the_search_sees_what_it_should(source: str) -> None:
    assert runs(ast.parse(source))
