"""A run's report, or conversations of it, written in any form. Knows the doors of evals and store, and no option."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

from toolmend.apps.cli.kit import screen
from toolmend.apps.cli.kit.conversation_view import print_sample, to_json
from toolmend.apps.cli.kit.form import Form
from toolmend.base.errors import UnknownName
from toolmend.base.mistakes import Kind, Mark
from toolmend.evals.costs.prices import Prices
from toolmend.evals.reports.markdown import to_markdown
from toolmend.evals.reports.money import priced
from toolmend.evals.reports.report import build_report, played_suite
from toolmend.evals.reports.talk import words
from toolmend.evals.reports.text import print_report
from toolmend.evals.store import Run, Sample, Store


@dataclass(frozen=True)
class Wanted:
    """Which samples: each that is given must hold. `model` and `case` may be parts of the name."""

    model: str | None = None
    case: str | None = None
    mark: str | None = None
    mistake: str | None = None
    grep: str | None = None

    def __bool__(self) -> bool:
        """Whether anything is asked for."""
        return any(getattr(self, field.name) for field in fields(self))

    def __str__(self) -> str:
        """`case lunch, mark fixed`."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        return ", ".join(f"{name} {value}" for name, value in given.items() if value)

    def samples(self, store: Store, run: Run) -> Iterator[Sample]:
        """The samples that match, one by one.

        Raises UnknownName for a model, mark or mistake that cannot be.
        """
        models = [contestant.model for contestant in run.config.contestants]
        if self.model and not any(self.model in name for name in models):
            raise UnknownName(f"model in run {run.id}", self.model, models)
        if self.mark is not None and self.mark not in list(Mark):
            raise UnknownName("mark", self.mark, list(Mark))
        if self.mistake is not None and self.mistake.partition("(")[0] not in list(Kind):
            raise UnknownName("mistake", self.mistake, list(Kind))
        return (sample for sample in store.samples(run.id) if self._fits(sample))

    def _fits(self, sample: Sample) -> bool:
        marked = sample.marked if sample.status == "ok" else ()
        mistakes = [mistake for reply in marked for mistake in reply.mistakes]
        return (
            (not self.model or self.model in sample.model)
            and (not self.case or self.case in sample.case)
            and (not self.mark or any(self.mark in reply.marks for reply in marked))
            and (not self.mistake or any(self.mistake in (str(mistake), mistake.kind.value) for mistake in mistakes))
            and (not self.grep or self.grep.casefold() in words(sample).casefold())
        )


def write_report(store: Store, run_id: str, form: Form, prices: Prices | None = None) -> None:
    """The report of a run."""
    if "agents" in store.run(run_id).config.settings:
        from toolmend.extras.agents.agent_output import write_agents

        write_agents(store, run_id, form)
        return
    report = build_report(store, run_id)
    if prices is not None:
        report = priced(report, prices)
    if form.name == "json":
        form.json(report)
    elif form.name == "markdown":
        with form.opened() as stream:
            stream.write(to_markdown(report, form.notation))
    elif form.name == "html":
        from toolmend.evals.reports.html import write_html

        run = store.run(run_id)
        with form.opened() as stream:
            write_html(stream, run, store.samples(run_id), report, suite=played_suite(run, []))
    else:
        with form.console() as console:
            print_report(report, console, form.notation)


def write_conversations(store: Store, run: Run, wanted: Wanted, form: Form) -> None:
    """The conversations of a run that match."""
    if form.name == "html":
        from toolmend.evals.reports.html import write_html

        found = wanted.samples(store, run)
        with form.opened() as stream:
            write_html(stream, run, found, chosen=str(wanted))
    elif form.name == "json":
        form.json({"schema": 1, "run": run.id, "samples": [to_json(sample) for sample in wanted.samples(store, run)]})
    else:
        _print_conversations(store, run, wanted, form)


def _print_conversations(store: Store, run: Run, wanted: Wanted, form: Form) -> None:
    """One after the other, for reading; in Markdown as one block."""
    found, number, fence = wanted.samples(store, run), 0, "```" if form.name == "markdown" else ""
    with form.console() as console:
        if fence:
            console.print(f"{fence}text")
        for number, sample in enumerate(found, 1):  # noqa: B007
            print_sample(sample, console)
        if fence:
            console.print(fence)
    if not number:
        screen.note(f"no conversation of run {run.id} matches")
