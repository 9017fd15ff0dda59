"""An extra can be taken away with its tests: the core imports, its names are gone, the tests of the core are found."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "toolmend"
EXTRAS = sorted(path.name for path in (PACKAGE / "extras").iterdir() if (path / "__init__.py").is_file())
SLICE = ("tests/apps/cli/test_door.py", "tests/test_registry.py", "tests/session/test_saying.py")
# Every module that is left, but what needs torch.
IMPORT = """\
import importlib, pkgutil, sys, toolmend
for found in pkgutil.walk_packages(toolmend.__path__, "toolmend."):
    if not found.name.endswith("__main__"):
        try:
            importlib.import_module(found.name)
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("toolmend") and not found.name.startswith("toolmend.extras."):
                raise
print(*(name for name in sys.modules if name.startswith("toolmend.extras.")))
"""
HELP = "import sys; sys.argv = ['toolmend', '--help']; from toolmend.apps.cli import main; main()"


def without(folder: Path, *extras: str) -> Path:
    """A copy of the project that lacks some extras and their tests."""
    left_out = shutil.ignore_patterns("__pycache__", "build", "dist", ".[!c]*")
    shutil.copytree(ROOT, folder, dirs_exist_ok=True, ignore=left_out, copy_function=shutil.copyfile)
    for extra in extras:
        shutil.rmtree(folder / "src" / "toolmend" / "extras" / extra)
        shutil.rmtree(folder / "tests" / "extras" / extra, ignore_errors=True)
    return folder


def python(folder: Path, *words: str) -> str:
    """Standard output of Python in a copy; fails with all that was said unless it ends well."""
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def names(extra: str) -> Iterator[tuple[str, str]]:
    """Group and name of everything that an extra says it brings."""
    group = ""
    for line in (PACKAGE / "extras" / extra / "entry_points.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            group = line.strip("[]")
        elif "=" in line:
            yield group, line.partition("=")[0].strip()


@pytest.fixture(params=EXTRAS)
def extra(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_core_stands_without_it(extra: str, tmp_path: Path) -> None:
    copy = without(tmp_path, extra)
    assert f"toolmend.extras.{extra}" not in python(copy, "-c", IMPORT).split()
    shown = re.findall(r"^  (\w+) ", python(copy, "-c", HELP), re.M)
    assert "run" in shown
    assert not {name for group, name in names(extra) if group == "toolmend.commands"} & set(shown)


@pytest.mark.slow
def test_a_slice_of_the_core_passes_without_any(tmp_path: Path) -> None:
    assert " passed" in python(without(tmp_path, *EXTRAS), "-m", "pytest", "-q", "-p", "no:cacheprovider", *SLICE)


@pytest.mark.slow
def test_the_tests_of_the_core_are_found_without_any(tmp_path: Path) -> None:
    copy = without(tmp_path, *EXTRAS)
    assert " tests collected" in python(copy, "-m", "pytest", "-q", "--co", "-p", "no:cacheprovider", "tests")


def test_everything_that_it_says_it_brings_is_there(extra: str) -> None:
    code = (
        "import sys; from toolmend import registry\n"
        "tables = {each.group: each for each in vars(registry).values() if isinstance(each, registry.Registry)}\n"
        "for pair in sys.argv[1:]:\n"
        "    group, name = pair.split('=')\n"
        "    if tables[group].target(name).endswith('.yaml'):\n"
        "        from toolmend.evals.suites.suite import load_suite\n"
        "        assert load_suite(name).name == name\n"
        "    elif group != 'toolmend.rooms':\n"
        "        assert tables[group].get(name)\n"
    )
    python(ROOT, "-c", code, *(f"{group}={name}" for group, name in names(extra)))


def test_it_has_a_page_and_a_name_to_install(extra: str) -> None:
    page = (PACKAGE / "extras" / extra / "README.md").read_text(encoding="utf-8")
    known = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert 15 <= len(page.splitlines()) <= 60
    assert f"toolmend[{extra}]" in page and extra in known
