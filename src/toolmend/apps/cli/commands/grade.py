"""`toolmend grade`: replies in a JSON Lines file against what was expected. Grading itself is done elsewhere."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.base.errors import BadFile
from toolmend.base.events import Asked, Corrected
from toolmend.base.mistakes import Kind, Mark, Mistake, glyphs
from toolmend.base.portal import run_sync
from toolmend.evals.benchmarks.calendar_blog import tables
from toolmend.evals.running.transcript import published_talk, read_talk, replay
from toolmend.evals.suites.suite import load_suite
from toolmend.grading import grade_lines
from toolmend.tools import Toolbox


@options.command
@click.argument("file", metavar="[FILE.jsonl|TALK.txt]", required=False)
@click.option("--suite", metavar="NAME", help="Play a talk that was written down with this suite's requests.")
@click.option(
    "--rules",
    type=click.Choice(["toolmend", "bfcl"]),
    default="toolmend",
    show_default=True,
    help="bfcl judges as BFCL's own checker does.",
)
@click.option("--tools", metavar="NAME|MODULE:NAME", help="The toolbox of the lines that name no tools.")
@options.format_option
@click.pass_context
def grade(ctx: click.Context, file: str | None, suite: str | None, rules: str, tools: str | None, form: str) -> None:
    """Grade each line of FILE.jsonl ('-' is standard input); with --format json, a line of JSON for each.

    A line holds the tools (JSON Schema), a reply's text or its calls, and the expected calls with the values that are
    acceptable: see docs/grading.md. A line that is not of this form is told with its number, and makes the exit code 2.

    With --suite, TALK.txt is a talk: lines that begin with '> ' were said, those below are the reply. Without TALK.txt
    it is the one that was published with the suite.
    """
    if suite:
        _talk(suite, file, form)
        return
    if file is None:
        raise click.UsageError("Missing argument 'FILE.jsonl': replies, one a line; or name a --suite and a talk.")
    specs = Toolbox.load(tools).specs if tools else None
    marks: Counter[str] = Counter()
    bad, warned = 0, set[str]()
    name = "<stdin>" if file == "-" else file
    with _opened(file) as lines:
        for row in grade_lines(lines, tools=specs, rules=rules):
            if "error" in row:
                bad += 1
                screen.note(screen.plain(f"{name}:{row['line']}: {row['error']}"))
            else:
                marks[row["mark"]] += 1
            for told in set(row.get("warnings", ())) - warned:
                warned.add(told)
                screen.note(screen.plain(f"{name}:{row['line']}: {told}"))
            if form == "json":
                click.echo(json.dumps(row))
            elif "error" not in row:
                click.echo(_text(row))
    if form == "text":
        counts = "".join(f", {count:,} {mark}" for mark, count in marks.most_common())
        click.echo(f"{screen.counted(marks.total(), 'reply', 'replies')}{counts}")
    if bad:
        screen.note(f"{screen.counted(bad, 'line')} of {name} could not be graded")
        ctx.exit(2)


def _talk(suite: str, file: str | None, form: str) -> None:
    """Play a talk from its file, and tell the marks of its replies and what it leaves."""
    played = load_suite(suite)
    talk = read_talk(Path(file) if file else published_talk(played.name))
    sample, world = run_sync(replay, talk, played)
    asked = [event for event in sample.events if isinstance(event, Asked)]
    corrected = {event.turn for event in sample.events if isinstance(event, Corrected)}
    as_published = [
        (line.correction, line.marks) for line in (tables(played, [sample]).complete if played.notation else ())
    ]
    marked = as_published or [(event.turn in corrected, event.marks) for event in sample.marked]
    for said, (correction, marks), event in zip(asked, marked, sample.marked, strict=True):
        wrong = "; ".join(map(screen.difference, event.mistakes))
        if form == "json":
            click.echo(json.dumps({"said": said.text, "correction": correction, "marks": marks, "mistakes": wrong}))
        else:
            told = f"{'↳ ' * correction}{said.text}{wrong and f'  ({wrong})'}"
            click.echo(screen.plain(f"{said.turn + 1:>4}  {glyphs(marks):<6} {told}"))
    if form == "text":
        rules = "by the rules of the post" if as_published else "by toolmend's own rules (docs/measures.md)"
        click.echo(screen.plain(f"{screen.counted(len(marked), 'reply', 'replies')} of {sample.model}, {rules}; left:"))
        click.echo(screen.plain(str(world)))
        about = ", ".join(talk.about[key] for key in ("source", "date") if key in talk.about)
        screen.note(screen.plain(about))


def _opened(file: str) -> BinaryIO:
    try:
        return sys.stdin.buffer if file == "-" else open(file, "rb")
    except OSError as error:
        raise BadFile(file, f"cannot be read ({error.strerror or error})") from error


def _text(row: Mapping[str, Any]) -> str:
    """`   3  🍄  wrong_value(time): should be '17:00', is '05:00'`."""
    mistakes = [Mistake(**{**mistake, "kind": Kind(mistake["kind"])}) for mistake in row["mistakes"]]
    parts = [f"{row['line']:>4}", glyphs([Mark(mark) for mark in row["marks"]])]
    if mistakes:
        parts.append("; ".join(screen.difference(mistake) for mistake in mistakes))
    if row["leniencies"]:
        parts.append(f"(forgiven: {', '.join(row['leniencies'])})")
    return screen.plain("  ".join(parts))
