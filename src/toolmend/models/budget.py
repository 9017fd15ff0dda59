"""A limit of tokens or money for several models together, looked at before each request.

Requests that are under way when the limit is reached are let finish, so that a little more may be spent. Tokens are
counted as the servers gave them: where a server gives none no limit can be kept, and the next request is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from toolmend.base.errors import BudgetSpent
from toolmend.base.messages import Reply, Request, Usage
from toolmend.models.model import Model, OnDelta
from toolmend.models.wrapped import Wrapped

Price = Callable[[Usage, str], float]


@dataclass
class Spending:
    """What may be spent, None for no limit, and what has been. `price` is the cost of some usage of a model by name.

    `uncounted` is the model whose server does not count tokens, if there is one.
    """

    max_tokens: int | None = None
    max_cost: float | None = None
    price: Price | None = None
    currency: str = ""
    tokens: int = field(default=0, init=False)
    cost: float = field(default=0.0, init=False)
    uncounted: str = field(default="", init=False)

    def add(self, usage: Usage, model: str) -> None:
        """Count what one reply, or many, of a model used."""
        self.tokens += usage.input_tokens + usage.output_tokens
        self.cost += self.price(usage, model) if self.price else 0.0

    def add_earlier(self, usage: Usage, model: str) -> None:
        """Count what the samples in the store used, when a run goes on."""
        self.add(usage, model)

    def add_reply(self, reply: Reply, model: str) -> None:
        """Count one reply, and take note if its server counts no tokens."""
        self.add(reply.usage, model)
        if (reply.text or reply.calls) and not reply.usage.input_tokens + reply.usage.output_tokens:
            self.uncounted = model

    def check(self) -> None:
        """Raise BudgetSpent when there is nothing left."""
        if self.uncounted:
            raise BudgetSpent(f"{self.uncounted} does not say how many tokens it used, so no limit can be kept")
        if self.max_tokens is not None and self.tokens >= self.max_tokens:
            raise BudgetSpent(f"{self.tokens:,} of {self.max_tokens:,} tokens are spent")
        if self.max_cost is not None and self.cost >= self.max_cost:
            raise BudgetSpent(f"{self.cost:,.4g} of {self.max_cost:,.4g} {self.currency} are spent")


class Budgeted(Wrapped):
    """Another model, asked only while the budget lasts."""

    def __init__(self, model: Model, budget: Spending) -> None:
        super().__init__(model)
        self._budget = budget

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """The other model's reply. Raises BudgetSpent, without asking, when nothing is left."""
        self._budget.check()
        reply = await self.model.reply(request, on_delta=on_delta)
        self._budget.add_reply(reply, self.name)
        return reply
