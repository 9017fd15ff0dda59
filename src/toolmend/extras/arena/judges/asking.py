"""A judge is asked about every match in both orders, several at a time, and each answer is kept as soon as it is there.

What is in the book already is not asked again; what could not be asked is, by the next call. Reads no verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import anyio

from toolmend.base.errors import ModelError
from toolmend.base.messages import Message, Options, Reply, Request, Usage
from toolmend.evals.running.runner import OnProgress, Progress, side_by_side
from toolmend.extras.arena.judges.judgements import ORDERS, Book, Judgement, JudgingTerms, Order
from toolmend.extras.arena.judges.matches import JudgedPair
from toolmend.extras.arena.judges.prompt import Prompt
from toolmend.models import Model
from toolmend.models.budget import Budgeted, Spending


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
    budget: Spending | None = None,
    timeout: float | None = None,
    on_progress: OnProgress | None = None,
) -> Progress:
    """Ask what is not in the book yet. Cancelling it loses only the answers that are under way.

    A question that takes more than `timeout` seconds, or that the model cannot answer, is an error. Raises BudgetSpent
    when the budget is: no question is put any more, the answers under way are kept.
    """
    todo = [(match, order) for match in matches for order in ORDERS if (match.id, order) not in book.found]
    if budget is not None:
        for kept in book.found.values():
            budget.add(Usage(kept.input_tokens, kept.output_tokens), model.name)
        model = Budgeted(model, budget)
    asking = _Asking(model, prompt, book, timeout)
    return await side_by_side(todo, asking.one, concurrency, 2 * len(matches) - len(todo), on_progress)


@dataclass(frozen=True)
class _Asking:
    model: Model
    prompt: Prompt
    book: Book
    timeout: float | None

    async def one(self, question: tuple[JudgedPair, Order]) -> bool:
        """Keep a judgement, or why there is none; whether there is none. Raises BudgetSpent."""
        match, order = question
        request, began = self._request(match, order), perf_counter()
        reply, error = Reply(""), ""
        try:
            with anyio.move_on_after(self.timeout) as limit:
                reply = await self.model.reply(request)
            if limit.cancelled_caught:
                error = f"timed out after {self.timeout:g} s"
        except ModelError as failed:
            error = str(failed) or "the model could not answer"
        self.book.add(
            Judgement(
                match.id,
                order,
                **match.about(),
                text=reply.text,
                input_tokens=reply.usage.input_tokens,
                output_tokens=reply.usage.output_tokens,
                prompt_hash=self.book.terms.prompt_hash,
                seconds=round(perf_counter() - began, 3),
                truncated=reply.truncated,
                error=error,
            )
        )
        return bool(error)

    def _request(self, match: JudgedPair, order: Order) -> Request:
        sides = (match.shown_a, match.shown_b)
        first, second = sides if order == "ab" else sides[::-1]
        text = self.prompt.render(earlier=match.earlier, request=match.request, first=first, second=second)
        terms = self.book.terms
        options = Options(temperature=terms.temperature, seed=1, max_tokens=terms.max_tokens)
        return Request((Message("user", text),), options=options)
