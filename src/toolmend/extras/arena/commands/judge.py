"""`toolmend judge`: a model judges pairs of answers, and is held against people. Knows evals.judges only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import anyio
import click

from toolmend import registry
from toolmend.apps.cli.kit import limits, options, screen
from toolmend.apps.cli.kit.form import Form
from toolmend.apps.cli.kit.progress import Meter
from toolmend.base.errors import BadOption, BudgetSpent
from toolmend.evals.comparing.baseline import find_stored
from toolmend.evals.reports.tables import Table
from toolmend.evals.reports.text import print_tables
from toolmend.evals.running.runner import Progress
from toolmend.evals.store import Store
from toolmend.extras.arena.judges.asking import ask, terms_of
from toolmend.extras.arena.judges.ballots import Ballot, judged, of_votes, write_ballots
from toolmend.extras.arena.judges.calibration import calibrate as held
from toolmend.extras.arena.judges.habits import habits
from toolmend.extras.arena.judges.judgements import Book, Judgement, JudgingTerms, open_book
from toolmend.extras.arena.judges.matches import JudgedPair, couples_of, read_matches, run_matches
from toolmend.extras.arena.judges.merging import merge
from toolmend.extras.arena.judges.prompt import Prompt
from toolmend.extras.arena.judges.report import (
    calibration_as_dict,
    calibration_notes,
    calibration_tables,
    habit_notes,
    habit_tables,
    habits_as_dict,
)
from toolmend.extras.arena.ratings import read_votes
from toolmend.models import Model, load_model
from toolmend.models.budget import Spending


@click.group("judge", cls=options.Group)
def judge() -> None:
    """Let a model judge pairs of answers, in both orders, and hold it against people. See docs/judges.md."""


# judging -------------------------------------------------------------------------------------------------------------


@options.command
@click.option("--model", type=options.MODEL, required=True, metavar="NAME", help="The judge. See `toolmend models`.")
@click.option("--pairs", metavar="FILE.jsonl", help="Pairs of answers, as `toolmend pairs` writes them.")
@click.option("--key", metavar="KEY.jsonl", help="Whose they are.")
@click.option("--run", metavar="RUN", help="Pairs of a stored run instead: its id, or `last`.")
@click.option("--a", "first", metavar="CONTESTANT", help="Of the run only this one against others, or against --b.")
@click.option("--b", "second", metavar="CONTESTANT", help="A part of its name will do.")
@click.option("--n", "count", type=click.IntRange(min=1), default=50, show_default=True, help="Pairs of each two.")
@click.option("--by", "way", default="likert", show_default=True, metavar="WAY", help="likert or ranking.")
@click.option("--prompt", metavar="FILE.md", help="Another prompt than the way's own.")
@click.option("--debias", is_flag=True, help="Ask the judge to correct for a favourite position.")
@click.option("--max-tokens", type=click.IntRange(min=1), default=256, show_default=True, help="Of one answer.")
@click.option("--out", required=True, metavar="FILE.jsonl", help="The judgements; the same command goes on with them.")
@click.option("--band", is_flag=True, help="Better by very little is a tie: Likert 4 and 5.")
@click.option("--votes", metavar="FILE.csv", help="Write the votes there, for `toolmend rank`.")
@click.option("--concurrency", type=click.IntRange(1, 1000), default=8, show_default=True, help="Questions at a time.")
@options.spending_options
@options.store_option
@options.format_option
@click.pass_context
def run_(ctx: click.Context, /, form: str, **asked: Any) -> None:
    """Let a model judge every pair twice, once in each order, and print its habits.

    Each judgement is on the disk before the next is asked for. Stopped or killed, the same command goes on. Questions
    that could not be put make the exit code 1; the same command puts them again. A limit that is reached makes it 3.
    """
    registry.judges.get(asked["way"])  # an unknown way is told before anything is asked
    model, prompt = load_model(asked["model"]), Prompt(asked["prompt"] or asked["way"], debias=asked["debias"])
    prices = limits.read_prices(asked, [model.name])
    budget = limits.make_budget(asked, prices)
    matches = _matches(asked)
    told = {"temperature": 0.0, "max_tokens": asked["max_tokens"]}
    with open_book(asked["out"], terms_of(model, asked["way"], prompt, **told)) as book:
        if there := sum((match.id, order) in book.found for match in matches for order in ("ab", "ba")):
            screen.note(f"going on: {there:,} of {screen.counted(2 * len(matches), 'judgement')} are in {asked['out']}")
        ended, errors = _ask(matches, model, prompt, book, budget, asked["concurrency"])
        wanted = {match.id for match in matches}
        found = [judgement for judgement in book.found.values() if judgement.pair in wanted]
    _report(book.terms, found, errors, asked, Form(form))
    if isinstance(ended, KeyboardInterrupt):
        screen.note(f"stopped: what was judged is in {asked['out']}; the same command goes on")
        ctx.exit(130)
    if ended is not None:
        screen.note(f"stopped: {ended}; {len(found):,} of {2 * len(matches):,} judgements are in {asked['out']}")
        ctx.exit(3)
    screen.note(f"{screen.counted(len(found), 'judgement')}{limits.told(budget)}")
    ctx.exit(1 if errors else 0)


def _matches(asked: Mapping[str, Any]) -> Sequence[JudgedPair]:
    if (asked["pairs"] is None) == (asked["run"] is None):
        raise BadOption("give --pairs FILE.jsonl, or --run RUN: what is to be judged")
    if asked["pairs"] is not None:
        if asked["first"] or asked["second"]:
            raise BadOption("--a and --b choose from a run; a file of pairs is judged whole")
        return read_matches(asked["pairs"], asked["key"])
    with Store(asked["store"], create=False) as kept:
        found = find_stored(kept, None if asked["run"] == "last" else asked["run"])
        samples = list(kept.samples(found.id))
    couples = couples_of(found, asked["first"], asked["second"])
    return run_matches(found, samples, couples, asked["count"], 1)


def _ask(
    matches: Sequence[JudgedPair], model: Model, prompt: Prompt, book: Book, budget: Spending | None, most: int
) -> tuple[KeyboardInterrupt | BudgetSpent | None, int]:
    """Put the questions; what ended it before its time, and how many could not be put."""
    errors = 0

    def told(now: Progress) -> None:
        nonlocal errors
        errors = now.errors
        meter.update(now.done, now.total, now.errors)

    with Meter() as meter:
        work = partial(ask, matches, model, prompt, book, concurrency=most, budget=budget, on_progress=told)
        ended = limits.ended_early(lambda: anyio.run(work))
    return ended, errors


def _report(terms: JudgingTerms, found: Iterable[Judgement], errors: int, asked: Mapping[str, Any], form: Form) -> None:
    merged = merge(found, registry.judges.get(terms.way)(), band=asked["band"])
    known = habits(merged)
    if asked["votes"]:
        _write_votes(asked["votes"], judged(merged, terms.model))
    data = habits_as_dict(terms, known, band=asked["band"], errors=errors)
    _print(data, habit_tables(terms, known), habit_notes(known, errors), form)


# people --------------------------------------------------------------------------------------------------------------


@options.command
@click.option("--human", required=True, metavar="FILE.csv", help="People's votes.")
@click.option("--judge", "judges", required=True, metavar="FILE.csv", help="The judge's.")
@click.option(
    "--mixed", metavar="FILE.csv", help="Write both together there, the judge's with the weight that follows."
)
@options.format_option
def calibrate(human: str, judges: str, mixed: str | None, form: str) -> None:
    """Hold a judge's votes against people's on the same prompts: agreement, coefficients, ratings, by category.

    Both files are as `toolmend rank` reads them, with a column prompt; where known turn and category.
    """
    people, machine = read_votes(human), read_votes(judges)
    found = held(people, machine)
    if mixed:
        _write_votes(mixed, [*of_votes(people), *of_votes(machine, found.weight, "judge")])
    _print(calibration_as_dict(found), calibration_tables(found), calibration_notes(found), Form(form))


for _each in (run_, calibrate):
    judge.add_command(_each)


# writing -------------------------------------------------------------------------------------------------------------


def _write_votes(path: str, ballots: Sequence[Ballot]) -> None:
    with Form("csv", path).opened() as stream:
        write_ballots(ballots, stream)
    screen.note(screen.counted(len(ballots), "vote"))


def _print(data: Mapping[str, Any], tables: Sequence[Table], notes: Iterable[str], form: Form) -> None:
    if form.name == "json":
        form.json(data)
        return
    with form.console() as console:
        print_tables(tables, console)
    for note in notes:
        screen.note(note)
