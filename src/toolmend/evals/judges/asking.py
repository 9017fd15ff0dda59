"""A judge is asked about every match in both orders, several at a time, and each answer is kept as soon as it is there.

What is in the book already is not asked again; what could not be asked is, by the next call. Reads no verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

import anyio

from toolmend.errors import BudgetSpent, ModelError
from toolmend.evals.judges.judgements import ORDERS, Book, Judgement, JudgingTerms, Order
from toolmend.evals.judges.matches import JudgedPair
from toolmend.evals.judges.prompt import Prompt
from toolmend.messages import Message, Options, Request, Usage
from toolmend.models import Model
from toolmend.models.budget import Budget, Budgeted


@dataclass(frozen=True, slots=True)
class JudgingProgress:
    """How far it is. `done` counts judgements of an earlier time too, `errors` those that failed this time."""

    done: int
    total: int
    errors: int


OnProgress = Callable[[JudgingProgress], None]


def terms_of(
    model: Model, way: str, prompt: Prompt, *, temperature: float = 0.0, max_tokens: int = 256
) -> JudgingTerms:
    """The terms under which a model judges."""
    return JudgingTerms(model.name, way, prompt.name, prompt.digest, prompt.debias, temperature, max_tokens)


async def ask(
    matches: Sequence[JudgedPair],
    model: Model,
    prompt: Prompt,
    book: Book,
    *,
    concurrency: int = 8,
    budget: Budget | None = None,
    timeout: float | None = None,
    on_progress: OnProgress | None = None,
) -> JudgingProgress:
    """Ask what is not in the book yet. Cancelling it loses only the answers that are under way.

    A question that takes more than `timeout` seconds, or that the model cannot answer, is an error. Raises BudgetSpent
    when the budget is: no question is put any more, the answers under way are kept.
    """
    todo = [(match, order) for match in matches for order in ORDERS if (match.id, order) not in book.found]
    if budget is not None:
        for each in book.found.values():
            budget.add(Usage(each.input_tokens, each.output_tokens), model.name)
        model = Budgeted(model, budget)
    total = 2 * len(matches)
    state = _State(JudgingProgress(total - len(todo), total, 0), on_progress)
    state.tell()
    asking = _Asking(model, prompt, book, timeout)
    waiting = iter(todo)
    async with anyio.create_task_group() as group:
        for _ in range(max(1, concurrency)):
            group.start_soon(asking.all, waiting, state)
    if state.spent is not None:
        raise state.spent
    return state.progress


@dataclass
class _State:
    progress: JudgingProgress
    on_progress: OnProgress | None
    spent: BudgetSpent | None = None

    def add(self, *, error: bool) -> None:
        now = self.progress
        self.progress = JudgingProgress(now.done + (not error), now.total, now.errors + error)
        self.tell()

    def tell(self) -> None:
        if self.on_progress:
            self.on_progress(self.progress)


@dataclass(frozen=True)
class _Asking:
    model: Model
    prompt: Prompt
    book: Book
    timeout: float | None

    async def all(self, waiting: Iterator[tuple[JudgedPair, Order]], state: _State) -> None:
        """One question after the other, until none is waiting or the budget is spent."""
        for match, order in waiting:
            if state.spent is not None:
                return
            try:
                judgement = await self.one(match, order)
            except BudgetSpent as error:
                state.spent = error
                return
            self.book.add(judgement)
            state.add(error=bool(judgement.error))
            await anyio.lowlevel.checkpoint()

    async def one(self, match: JudgedPair, order: Order) -> Judgement:
        """A judgement, or why there is none. Raises BudgetSpent."""
        request, began = self._request(match, order), perf_counter()
        text, usage, cut, error = "", Usage(), False, ""
        try:
            with anyio.move_on_after(self.timeout) as limit:
                reply = await self.model.reply(request)
                text, usage, cut = reply.text, reply.usage, reply.truncated
            if limit.cancelled_caught:
                error = f"timed out after {self.timeout:g} s"
        except ModelError as failed:
            error = str(failed) or "the model could not answer"
        return Judgement(
            match.id,
            order,
            match.a,
            match.b,
            text,
            match.prompt,
            match.turn,
            match.category,
            length_a=len(match.shown_a.split()),
            length_b=len(match.shown_b.split()),
            prompt_hash=self.book.terms.prompt_hash,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            seconds=round(perf_counter() - began, 3),
            truncated=cut,
            error=error,
        )

    def _request(self, match: JudgedPair, order: Order) -> Request:
        sides = (match.shown_a, match.shown_b)
        first, second = sides if order == "ab" else sides[::-1]
        text = self.prompt.render(earlier=match.earlier, request=match.request, first=first, second=second)
        terms = self.book.terms
        options = Options(temperature=terms.temperature, seed=1, max_tokens=terms.max_tokens)
        return Request((Message("user", text),), options=options)
