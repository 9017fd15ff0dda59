"""No system of the seeds is lost: docs/seeds.md has a row for each, whose commands parse and whose tests exist; and
`make seeds`, which plays them, fails where a row fails and ends what it started."""

from __future__ import annotations

import os
import re
import runpy
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from toolmend import registry
from toolmend.apps.cli.door import cli
from toolmend.evals.suites.suite import shipped

load_system = pytest.importorskip("toolmend.extras.agents").load_system
ROOT = Path(__file__).parents[1]
PLAYER = runpy.run_path(str(ROOT / "docs" / "seeds.py"))
ROWS = PLAYER["rows"]((ROOT / "docs" / "seeds.md").read_text(encoding="utf-8"))

# What the seeds describe. A row is never given up: nothing is taken from this list.
SYSTEMS = """
four tables by one command
two chats: left, right, both
one waits while the other is fixed
a mistake copied across
its eight models
templates
many in memory
sharded
fine-tuning left for readers
Freyr's four roles
retries
drop-in
LLMaker's sixteen tools
T1–T5, published and strict
the study: tokens, time and steps
the study: Wilcoxon
the study: roles × models
the study: explanations
the study: creativity table
the study: creativity rating
the source collector
genome answers with spans
memory stream
reflection
chain of thought
self-consistency
tree search
PDDL
ReAct
Reflexion
hindsight
algorithm distillation
MRKL
HuggingGPT
API-Bank's three levels
TALM
Toolformer
generative agents
budgeted loop
clarify-then-build
expert tools with refusals
LSH
ANNOY
HNSW
FAISS
ScaNN
context
long plans
format reliability
Koala's curation
Koala's blind study
human against LLM labels
the digit net
Jupyter
micro-tasks until tests pass
hosted models
many users
many machines
""".strip().splitlines()


def test_every_system_has_its_row() -> None:
    assert [row.system for row in ROWS] == SYSTEMS


@pytest.mark.parametrize("command", sorted({command for row in ROWS for command in (row.command, *row.small)}))
def test_a_command_is_one(command: str) -> None:
    program, *words = shlex.split(command)
    if program == "toolmend":
        parse(words)
    elif program == "make":
        assert re.search(rf"^{words[0]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    elif program == "python":
        assert (ROOT / words[0]).is_file()
    else:
        assert program == "pytest"
        for node in words:
            find(node)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.system)
def test_a_rows_test_is_there(row: Any) -> None:
    find(row.test)


def parse(words: list[str]) -> None:
    """As the command line does; nothing is run. What is to be played must be known under its name."""
    command: click.Command = cli
    context = command.make_context("toolmend", list(words))
    while isinstance(command, click.Group) and (left := [*context._protected_args, *context.args]):
        name, found, rest = command.resolve_command(context, left)
        assert found is not None
        command, context = found, found.make_context(name, rest, parent=context)
    given = context.params
    if context.info_name == "run":
        played, ways = given["suite"], [way.partition("?")[0] for way in given["strategies"]]
        systems = registry.systems.names()
        assert played in {*systems, *shipped(), *registry.suites.names()}
        assert set(ways) <= set(load_system(played).ways if played in systems else registry.strategies.names())


def find(node: str) -> None:
    """A test, or a file of tests."""
    file, _, name = node.partition("::")
    text = (ROOT / file).read_text(encoding="utf-8")
    assert re.search(rf"^(?:async )?def {name}\(" if name else r"^(?:async )?def test_", text, re.MULTILINE), node


# playing -------------------------------------------------------------------------------------------------------------

COLUMNS = "| system | command | in small | test | published | here |\n|---|---|---|---|---|---|\n"


def row(system: str, code: str, shows: str) -> str:
    """A line of a table whose command is a line of Python."""
    return f'| {system} | `toolmend models` | `python -c "{code}"` “{shows}” | `t` | p | h |\n'


def played(tmp_path: Path, *lines: str) -> tuple[int, list[str], str]:
    """Exit code, lines and messages of a player with such a table; seconds are left out."""
    table = tmp_path / "table.md"
    table.write_text(COLUMNS + "".join(lines), encoding="utf-8")
    words = [sys.executable, str(ROOT / "docs" / "seeds.py"), "--table", str(table)]
    done = subprocess.run(words, capture_output=True, text=True, encoding="utf-8", timeout=60)
    return done.returncode, re.sub(r" +[\d.]+ s\b", " S", done.stdout).splitlines(), done.stderr


def test_a_line_for_each_row_with_what_it_printed(tmp_path: Path) -> None:
    code, lines, _ = played(tmp_path, row("tea", "print('black  tea, 3')", "black tea"), row("salt", "print(7)", "7"))
    assert (code, lines) == (0, ["ok S  tea: black tea, 3", "ok S  salt: 7", "2 of 2 rows in 0 min S"])


def test_a_row_that_fails_is_told_and_the_others_are_played(tmp_path: Path) -> None:
    code, lines, told = played(tmp_path, row("tea", "raise SystemExit(3)", "tea"), row("salt", "print(7)", "7"))
    assert (code, told) == (1, "failed: tea\n")
    assert lines[0] == 'FAIL S  tea: `python -c "raise SystemExit(3)"`: exit code 3'
    assert lines[-2:] == ["ok S  salt: 7", "1 of 2 rows in 0 min S"]


def test_a_row_without_its_words_fails(tmp_path: Path) -> None:
    code, lines, _ = played(tmp_path, row("tea", "print('coffee')", "tea"))
    assert (code, lines[0]) == (1, "FAIL S  tea: “tea” is not in what it prints")


def test_ctrl_c_ends_the_command_that_runs(tmp_path: Path) -> None:
    table, pipe = tmp_path / "table.md", tmp_path / "pid"
    os.mkfifo(pipe)
    wait = f"import os, signal; print(os.getpid(), file=open('{pipe}', 'w'), flush=True); signal.pause()"
    table.write_text(COLUMNS + row("salt", "print(7)", "7") + row("tea", wait, "tea"), encoding="utf-8")
    words = [sys.executable, str(ROOT / "docs" / "seeds.py"), "--table", str(table)]
    player = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert player.stdout is not None and "salt: 7" in player.stdout.readline()
    command = int(pipe.read_text())
    player.send_signal(signal.SIGINT)
    assert player.communicate(timeout=30) == ("", "stopped: 1 of 2 rows played\n")
    assert player.returncode == 130
    with pytest.raises(ProcessLookupError):
        os.kill(command, 0)


@pytest.mark.parametrize("line", ["| a | b | c |\n", "| a | b | no command | d | e | f |\n"])
def test_a_row_that_is_none_is_told(line: str) -> None:
    with pytest.raises(ValueError, match=r"not 6 cells|in small are"):
        PLAYER["rows"](COLUMNS + line)
