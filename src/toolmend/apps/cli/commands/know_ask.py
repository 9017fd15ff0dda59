"""`toolmend know ask` and `toolmend know index`: answers out of a library, with their quotes. Finds nothing itself."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from toolmend.apps.cli.kit import options, screen

if TYPE_CHECKING:
    from toolmend.knowledge.search import Answer, Cited

_embedder = click.option(
    "--embedder",
    metavar="NAME",
    envvar="TOOLMEND_EMBEDDER",
    default="hashed",
    show_default=True,
    help="hashed, openai/MODEL, ollama/MODEL or onnx/FOLDER; the one that the vectors are by. [$TOOLMEND_EMBEDDER]",
)


@options.command
@click.argument("question")
@click.option("--model", type=options.MODEL, metavar="NAME", help="Let a model write the answer from the quotes.")
@_embedder
@options.place_option
@options.format_option
def ask(question: str, model: str | None, embedder: str, store: str | None, form: str) -> None:
    """Answer from what is kept: exact quotes with source and trust, or "not in memory".

    What is not indexed yet is indexed first. With --model every sentence must cite a quote. "Not in memory" is
    an answer: the exit code is 0.
    """
    from toolmend.apps.cli.commands.know import opened, tell_empty
    from toolmend.errors import BadOption
    from toolmend.knowledge.search import Search, answer, written

    if not any(sign.isalnum() for sign in question):
        raise BadOption(f"{question!r} asks nothing")
    with opened(store) as library:
        found = answer(Search(library, embedder), question)
        tell_empty(library)
    if model:
        from toolmend.models import load_model
        from toolmend.portal import run_sync

        found = run_sync(written, load_model(model), found)
    if form == "json":
        screen.print_json({"schema": 1, "answer": found.as_dict()})
        return
    for line in _lines(found):
        click.echo(screen.plain(line))


@options.command
@click.option("--again", is_flag=True, help="Drop the index first: another embedder, or another version of it.")
@_embedder
@options.place_option
def index(again: bool, embedder: str, store: str | None) -> None:
    """Index what is not indexed yet. Stopped at any moment, the same command goes on."""
    from toolmend.apps.cli.commands.know import opened
    from toolmend.knowledge.search import Search

    began = time.monotonic()
    with opened(store) as library:
        search = Search(library, embedder)
        if again:
            search.shelf.clear()
        fresh = 0
        for count in search.shelf.update():
            fresh += count
            screen.note(f"{fresh:,} passages, {fresh / max(time.monotonic() - began, 1e-9):,.0f} a second")
        made, (passages, _), way = search.shelf.made_by(), search.shelf.state(), search.way()
    name, width = made or (search.embedder.name, 0)
    click.echo(screen.plain(f"{passages:,} passages, {fresh:,} of them new; vectors by {name}, {width} numbers each"))
    click.echo(f"compared {way}")


def _lines(found: Answer) -> Iterator[str]:
    """An answer as lines."""
    for note in found.notes:
        yield f"note: {note}"
    if not found.found:
        yield "not in memory"
        if found.nearest:
            yield f"the nearest, which is not sure enough ({found.nearest.sure:.2f}):"
            yield from _quoted(found.nearest)
        return
    if found.text:
        yield found.text
    if found.conflict:
        yield "the sources disagree: " + " · ".join(f"[{number}] {says}" for number, says in found.conflict)
    for each in found.quotes:
        yield from _quoted(each)


def _quoted(cited: Cited) -> Iterator[str]:
    """A quote, and below it where it stands."""
    number = f"[{cited.number}] " if cited.number else ""
    yield f"{number}“{' '.join(cited.quote.text.split())}”"
    said = cited.quote
    spoken = f", {int(said.seconds // 60)}:{int(said.seconds % 60):02d}" if said.seconds is not None else ""
    heading = f"  {cited.heading}" if cited.heading else ""
    yield f"    {cited.title or cited.url}  trust {cited.trust:.2f}{heading}"
    yield f"    {said.source}  {said.start}–{said.end}{spoken}  {cited.url}"
