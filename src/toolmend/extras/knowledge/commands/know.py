"""`toolmend know`: a library of sources in the store's database. Reading and judging them is done elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.base.errors import BadOption
from toolmend.extras.knowledge import Library, Source, tags_of
from toolmend.extras.knowledge.commands.know_add import add, opened
from toolmend.extras.knowledge.fetch import Cache
from toolmend.extras.knowledge.search import Cited, CitedAnswer, Search, answer
from toolmend.extras.knowledge.trust import Others, judge, seed_score


@click.group(cls=options.Group)
def know() -> None:
    """Keep sources, and say how far each may be trusted, and why."""


@options.command
@options.place_option
@options.format_option
def list_(store: str | None, form: str) -> None:
    """List what is kept."""
    with opened(store) as library:
        rows = [_brief(source) for source in library.sources()]
        tell_empty(library)
    if form == "json":
        screen.print_json({"schema": 1, "sources": rows})
        return
    for row in rows:
        day = row["published"] or "no date"
        click.echo(screen.plain(f"{row['id']}  {row['kind']:<12}  {day:<10}  {row['title'] or row['url']}"))


@options.command
@click.argument("source_id", metavar="ID")
@click.option("--text", is_flag=True, help="Print the text alone.")
@options.place_option
@options.format_option
def show(source_id: str, text: bool, store: str | None, form: str) -> None:
    """Show all that is known of a source, and where it was found."""
    with opened(store) as library:
        found = library.source(library.find(source_id))
        chunks, states = library.chunks(found.id), library.revisions(found.id)
    if text:
        click.echo(screen.plain(found.text))
        return
    tags = [{"topic": tag.topic, "spans": [list(span) for span in tag.spans]} for tag in tags_of(found)]
    record = {**found.record(), "content_hash": found.content_hash, "tags": tags, "chunks": len(chunks)}
    record["states"] = [{"state": number, "added": at, "content_hash": sha} for number, at, sha in states]
    if form == "json":
        screen.print_json({"schema": 1, "source": record})
        return
    console = screen.console()
    for label, line in _lines(found, record):
        screen.hang(console, label, line, indent=11)


@options.command
@click.argument("source_id", required=False, metavar="[ID]")
@click.option("--explain", is_flag=True, help="Every check with what it saw and where.")
@click.option(
    "--rules",
    type=click.Choice(["toolmend", "seed"]),
    default="toolmend",
    show_default=True,
    help="seed: the published collector's, to compare with.",
)
@options.place_option
@options.format_option
def trust(source_id: str | None, explain: bool, rules: str, store: str | None, form: str) -> None:
    """Say how far a source, or each, may be trusted today; nothing is fetched or stored."""
    with opened(store) as library:
        wanted = [library.source(library.find(source_id))] if source_id else library.sources()
        rows = list(_by_seed_rules(wanted, explain) if rules == "seed" else _judged(library, wanted, explain))
        tell_empty(library)
    if form == "json":
        screen.print_json({"schema": 1, "sources": rows})
        return
    for row in rows:
        span = f"  {row['low']:.2f}–{row['high']:.2f}  known {row['coverage']:.0%}" if "low" in row else ""
        if "seed_id" in row:
            told, other = row["published_score"], row["seed_id"] != row["id"]
            span = ("" if told is None else f"  published {told:.2f}") + (f" as {row['seed_id']}" if other else "")
        caps = f"  [{', '.join(row['caps'])}]" if row.get("caps") else ""
        click.echo(screen.plain(f"{row['id']}  {row['trust_score']:.2f}{span}  {row['title'] or row['url']}{caps}"))
        for line in _explained(row):
            click.echo(screen.plain(line))


@options.command
@click.argument("ids", nargs=-1, required=True, metavar="ID…")
@options.place_option
def forget(ids: tuple[str, ...], store: str | None) -> None:
    """Forget sources with all their states. What remains of each is a line that says so; the cache of fetched pages is
    emptied."""
    with opened(store) as library:
        wanted = [library.find(source_id) for source_id in ids]
        Cache().clear()  # first: killed in between, no text is left that nobody would look for
        for source in wanted:
            click.echo(f"forgotten  {library.forget(source)}")


@options.command
@click.argument("question")
@options.place_option
@options.format_option
def ask(question: str, store: str | None, form: str) -> None:
    """Answer from what is kept: exact quotes with source and trust, or "not in memory".

    What is not indexed yet is indexed first. "Not in memory" is an answer: the exit code is 0.
    """
    if not any(sign.isalnum() for sign in question):
        raise BadOption(f"{question!r} asks nothing")
    with opened(store) as library:
        found = answer(Search(library), question)
        tell_empty(library)
    if form == "json":
        screen.print_json({"schema": 1, "answer": found.as_dict()})
        return
    for line in _answer_lines(found):
        click.echo(screen.plain(line))


for _command in (list_, show, trust, forget, add, ask):
    know.add_command(_command)


def tell_empty(library: Library) -> None:
    """Say on standard error that nothing is kept, where nothing is."""
    if library.empty:
        screen.note(f"{library.place}: no source is kept here yet; `toolmend know add FILE` keeps one")


def _brief(source: Source) -> dict[str, Any]:
    row = {name: getattr(source, name) for name in ("id", "kind", "form", "url", "title", "language")}
    row["authors"] = list(dict.fromkeys(found.value for found in source.authors))
    row["published"] = next((found.value for found in source.published), "")
    return {**row, "characters": len(source.text), "notes": list(source.notes)}


def _lines(source: Source, record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What `show` prints: a label and a line each."""
    yield "id", source.id
    yield "address", source.url
    yield "kind", f"{source.kind} ({source.kind_from}), read as {source.form}"
    for label in ("title", "site", "language", "seen"):
        if value := getattr(source, label):
            yield label, value
    for label in ("authors", "published", "modified"):
        for found in getattr(source, label):
            yield label.removesuffix("s"), f"{found.value}  ({found.where})"
    yield "text", f"{len(source.text):,} characters, {record['chunks']} chunks, {len(source.references)} references"
    yield "links", str(len(source.links))
    yield "tags", ", ".join(tag["topic"] for tag in record["tags"]) or "none"
    yield "notes", ", ".join(source.notes) or "none"
    for state in record["states"]:
        yield "state", f"{state['state']}  {state['added']}  {state['content_hash'][:12]}"


def _judged(library: Library, wanted: Iterable[Source], explain: bool) -> Iterator[dict[str, Any]]:
    """What our rules say of sources today."""
    others, day = Others.of(library.sources(), library.outside()), datetime.now(UTC).date()
    for source in wanted:
        yield {**judge(source, day, others).as_dict(explain=explain), "url": source.url, "title": source.title}


def _by_seed_rules(wanted: Iterable[Source], explain: bool) -> Iterator[dict[str, Any]]:
    """What the published collector would say of them: ages count to the moment at which each was seen."""
    for source in wanted:
        said = seed_score(source).as_dict(explain=explain)
        yield {"id": source.id, **said, "url": source.url, "title": source.title}


def _explained(row: dict[str, Any]) -> Iterator[str]:
    """The checks of a row as lines, and below each what it saw."""
    for check in row.get("checks", ()):
        value = "  ? " if check["value"] is None else f"{check['value']:.2f}"
        yield f"  {check['half']:<8}  {check['weight']:.3f}  {check['check']:<11}  {value}  {check['says']}"
        for seen in check["evidence"]:
            place = f" {seen['start']}–{seen['end']}" if seen["start"] is not None else ""
            dated = f", {seen['date']}" if seen["date"] else ""
            yield f"{'':40}“{seen['quote'][:100]}”  ({seen['where']}{place}{dated})"
    for name, value in row.get("components", {}).items():
        yield f"  {name:<18}  {value:.2f}"
    if "risk_flags" in row:
        yield f"  {'flags':<18}  {', '.join(row['risk_flags']) or 'none'}"
        yield f"  {'id, chunks there':<18}  {row['seed_id']}, {row['chunks']}"
        yield f"  {'tags there':<18}  {row['topic_tags'] or 'none'}"
        yield f"  {row['scoring_reason']}"


def _answer_lines(found: CitedAnswer) -> Iterator[str]:
    """An answer as lines."""
    for note in found.notes:
        yield f"note: {note}"
    if not found.found:
        yield "not in memory"
        if found.nearest:
            yield f"the nearest, which is not sure enough ({found.nearest.sure:.2f}):"
            yield from _quoted(found.nearest)
        return
    if found.conflict:
        yield "the sources disagree: " + " · ".join(f"[{number}] {says}" for number, says in found.conflict)
    for quote in found.quotes:
        yield from _quoted(quote)


def _quoted(cited: Cited) -> Iterator[str]:
    """A quote, and below it where it stands."""
    number = f"[{cited.number}] " if cited.number else ""
    yield f"{number}“{' '.join(cited.quote.text.split())}”"
    said = cited.quote
    spoken = f", {int(said.seconds // 60)}:{int(said.seconds % 60):02d}" if said.seconds is not None else ""
    heading = f"  {cited.heading}" if cited.heading else ""
    yield f"    {cited.title or cited.url}  trust {cited.trust:.2f}{heading}"
    yield f"    {said.source}  {said.start}–{said.end}{spoken}  {cited.url}"
