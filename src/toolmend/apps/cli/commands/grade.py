"""`toolmend grade`: replies in a JSON Lines file against what was expected. Grading itself is done elsewhere."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping
from typing import Any, BinaryIO

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.errors import BadFile


@options.command
@click.argument("file", metavar="FILE.jsonl")
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
def grade(ctx: click.Context, file: str, rules: str, tools: str | None, form: str) -> None:
    """Grade each line of FILE.jsonl ('-' is standard input); with --format json, a line of JSON for each.

    A line holds the tools (JSON Schema), a reply's text or its calls, and the expected calls with the values that are
    acceptable: see docs/grading.md. A line that is not of this form is told with its number, and makes the exit code 2.
    """
    from toolmend.grading import grade_lines
    from toolmend.tools import Toolbox

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


def _opened(file: str) -> BinaryIO:
    try:
        return sys.stdin.buffer if file == "-" else open(file, "rb")
    except OSError as error:
        raise BadFile(file, f"cannot be read ({error.strerror or error})") from error


def _text(row: Mapping[str, Any]) -> str:
    """`   3  🍄  wrong_value(time): should be '17:00', is '05:00'`."""
    from toolmend.mistakes import Kind, Mark, Mistake, glyphs

    mistakes = [Mistake(**{**each, "kind": Kind(each["kind"])}) for each in row["mistakes"]]
    parts = [f"{row['line']:>4}", glyphs([Mark(mark) for mark in row["marks"]])]
    if mistakes:
        parts.append("; ".join(screen.difference(mistake) for mistake in mistakes))
    if row["leniencies"]:
        parts.append(f"(forgiven: {', '.join(row['leniencies'])})")
    return screen.plain("  ".join(parts))
