"""Every command of the tutorials runs, in its page's order, and prints what the page shows; … stands for anything.

A command that serves, trains or installs until somebody stops it is only held against what it accepts.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import yaml

from toolmend.apps.cli.door import cli
from toolmend.models.gguf.fetch import SHIPPED, place

ROOT = Path(__file__).parents[1]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
PAGES = [*TUTORIALS, ROOT / "docs" / "llm.md"]
BLOCK = re.compile(r"^```(?P<kind>\w+)(?: title=\"(?P<file>[\w.]+)\")?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
BASE = place(SHIPPED["smollm2"]).is_file()
NEEDS_BASE = {"your-tools.md", "which-model.md", "teach.md", "llm.md"}


def blocks(page: Path) -> Iterator[tuple[str, str, str]]:
    """Kind, file and text of each block."""
    for match in BLOCK.finditer(page.read_text(encoding="utf-8")):
        yield match["kind"], match["file"] or "", match["text"]


def commands(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a block, each with what it prints."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command.partition("  # ")[0].strip(), output


def ends_by_itself(command: str) -> bool:
    """Whether it can be run here."""
    words = shlex.split(command)
    served = words[:2] in (["toolmend", "arena"], ["toolmend", "serve"]) and not {"queue", "votes"} & set(words)
    return not (served or (words[:2] == ["toolmend", "teach"] and "--check" not in words))


def accept(command: str) -> None:
    """Hold a command against the options there are."""
    name, *words = shlex.split(command)[1:]
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    found.make_context(name, words, parent=click.Context(cli, info_name="toolmend"))


def squeezed(text: str) -> str:
    """Without the spaces and rules of tables, which are as wide as the screen."""
    return " ".join(text.replace("─", " ").split())


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    shim = tmp_path / "bin" / "toolmend"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec {sys.executable} -m toolmend.apps.cli "$@"\n')
    shim.chmod(0o755)
    paths = os.pathsep.join(path for path in sys.path if path)
    path = os.pathsep.join((str(shim.parent), str(Path(sys.executable).parent), os.environ["PATH"]))
    own = {"PATH": path, "PYTHONPATH": paths, "COLUMNS": "100", "LLM_USER_PATH": str(tmp_path / "llm")}
    return {**os.environ, **own, "TOOLMEND_STORE": str(tmp_path / "kept" / "runs.db")}


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_of_a_tutorial(page: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    if page.name in NEEDS_BASE and not BASE:
        pytest.skip("needs `toolmend models get smollm2`")
    if page.name == "llm.md":
        pytest.importorskip("llm", reason="needs the extra llm")
    for kind, file, text in blocks(page):
        if file:
            (tmp_path / file).write_text(text, encoding="utf-8")
        for command, output in commands(text) if kind == "console" else ():
            if not ends_by_itself(command):
                accept(command)
                continue
            done = subprocess.run(
                ["bash", "-c", f"{command} 2>&1"], cwd=tmp_path, env=environment, capture_output=True, text=True
            )
            shown = ".*".join(re.escape(squeezed(piece)) for piece in output.split("…"))
            assert re.fullmatch(shown, squeezed(done.stdout)), f"{command}\n{done.stdout}"
            assert done.returncode == 0, done.stdout


def test_no_tutorial_is_long() -> None:
    lengths = {page.name: len(page.read_text().splitlines()) for page in TUTORIALS}
    assert {name: lines for name, lines in lengths.items() if lines > 80} == {}


def test_every_page_is_in_the_navigation_once() -> None:
    found = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    named = re.findall(r"[\w/-]+\.md", str(found))
    there = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    assert sorted(named) == sorted(there)


def test_the_site_is_built(tmp_path: Path) -> None:
    pytest.importorskip("zensical", reason="needs the extra docs")
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    (tmp_path / "mkdocs.yml").write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    command = [sys.executable, "-m", "zensical", "build", "-f", str(tmp_path / "mkdocs.yml")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Your tools" in (tmp_path / "build" / "site" / "tutorials" / "your-tools.html").read_text(encoding="utf-8")
