"""docs/security.md names tests, and they exist; and nothing in the package runs text as code."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "security.md"
SOURCE = ROOT / "src" / "toolmend"
NAMED = re.compile(r"`(tests/[\w/.]+\.py)::(\w+)`")
CLAIMS = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if "::" in line and line.startswith("| ")]

# Who imports a person's own toolbox file: named on the command line, never by a model. Who starts pip to fetch a model:
# a person's command, and every argument stands in a table of the package. Who starts this Python for the collectors.
# Who starts the command of an MCP server, which a person named. And who starts bubblewrap around code of a model.
MAY_RUN = {"tools/making.py", "models/gguf/fetch.py", "extras/knowledge/collect/apart.py", "tools/mcp_wire.py",
           "extras/agents/coding/sandbox.py"}  # fmt: skip
CALLED = {"eval", "exec", "compile", "__import__", "exec_module", "open_process", "run_process"}
CALLED_OF = {"eval", "exec", "compile"}  # of anything but builtins they are methods: re.compile, model.eval
BEGIN = ("system", "popen", "exec", "spawn", "posix_spawn", "create_subprocess")
UNSAFE = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "subprocess", "code", "codeop", "runpy"}
LOADERS = {"UnsafeLoader", "FullLoader", "Loader", "unsafe_load", "full_load", "unsafe_load_all", "full_load_all"}


def calls(node: ast.Call) -> bool:
    """Whether a call runs text, a program, or somebody's pickle."""
    owner, _, name = ast.unparse(node.func).rpartition(".")
    loads = any(word.arg == "weights_only" and ast.unparse(word.value) != "True" for word in node.keywords)
    shell = any(word.arg == "shell" for word in node.keywords)
    begins = owner in ("os", "asyncio", "anyio") and name.startswith(BEGIN)
    trusting = owner == "torch" and name == "load" and not any(word.arg == "weights_only" for word in node.keywords)
    known = name in CALLED - CALLED_OF or (name in CALLED_OF and owner in ("", "builtins"))
    return loads or shell or begins or trusting or known


def runs(tree: ast.AST) -> list[str]:
    """What in a file could run text as code, or a program."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and calls(node):
            found.append(ast.unparse(node.func))
        elif isinstance(node, ast.Attribute) and node.attr in LOADERS and ast.unparse(node.value) == "yaml":
            found.append(node.attr)
        elif isinstance(node, ast.Import):
            found += [name.name for name in node.names if name.name.partition(".")[0] in UNSAFE]
        elif isinstance(node, ast.ImportFrom):
            module, names = (node.module or "").partition(".")[0], {name.name for name in node.names}
            found += [module] if module in UNSAFE else sorted(names & LOADERS if module == "yaml" else ())
            found += sorted(name for name in names if module == "os" and (name in CALLED or name.startswith(BEGIN)))
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
    "source",
    [
        *("eval(x)", "exec(x)", "builtins.eval(x)", "import pickle", "from subprocess import run", "os.system(x)"),
        *("l.exec_module(m)", "from os import system", "from os import execv as go", "os.spawnlp(0, x)"),
        *("yaml.load(x, Loader=yaml.UnsafeLoader)", "yaml.load(x, yaml.Loader)", "from yaml import full_load"),
        *("torch.load(x)", "torch.load(x, weights_only=False)", "asyncio.create_subprocess_shell(x)"),
        *("anyio.open_process('rm -rf x')", "run(x, shell=True)", "os.popen(x)"),
    ],
)
def test_the_search_sees_what_it_should(source: str) -> None:
    assert runs(ast.parse(source))


@pytest.mark.parametrize(
    "source",
    ["re.compile(x)", "model.eval()", "yaml.safe_load(x)", "torch.load(x, weights_only=True)", "db.execute(x)"],
)
def test_the_search_sees_nothing_in_what_is_harmless(source: str) -> None:
    assert runs(ast.parse(source)) == []


MUTANTS = runpy.run_path(str(ROOT / "tests" / "attacks" / "mutants.py"))["read"]()


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.test.rpartition("::")[2])
def test_each_mutant_is_of_a_claim_and_of_lines_that_are_there(mutant: Any) -> None:
    assert any(f"`{mutant.test}`" in line for line in CLAIMS)
    assert (SOURCE / mutant.file).read_text(encoding="utf-8").count(mutant.old) == 1
    assert mutant.old != mutant.new


def test_each_claim_has_a_mutant() -> None:
    mutated = {mutant.test for mutant in MUTANTS}
    bare = [line for line in CLAIMS if not mutated & {f"{path}::{name}" for path, name in NAMED.findall(line)}]
    assert bare == []
