"""What a request costs as tools become many: input tokens per strategy with 5, 20, 80 and 320 tools, and short lists.

    python benchmarks/growth.py

The same twenty requests (suites/growth.yaml) at each size, answered rightly by the oracle, each in a talk of its own;
where the tool is not among those shown, it answers in words. Tokens are counted by one plain rule, the same for all:
up to eight letters in a run (with the blank before them) are one, so are up to three digits, and up to two signs.
Counted is everything sent in a turn: messages, calls, results, and tools as JSON in the words of OpenAI's API.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from statistics import median

from toolmend.base.messages import Message, Reply, Request
from toolmend.evals.suites.oracle import Oracle
from toolmend.evals.suites.suite import Case, load_suite
from toolmend.extras.worlds.growth import SIZES, Growth
from toolmend.grading import grade
from toolmend.models.model import Abilities, OnDelta
from toolmend.models.openai_messages import as_is, messages_of, names_of, tools_of
from toolmend.session import Session
from toolmend.strategies import load_strategy, roles_of
from toolmend.strategies.shortlist import ranking

STRATEGIES = ("native", "freyr", "oneline", "react", "native?tools=20", "freyr?tools=20")
SHORT = (5, 10, 20, 40)
TOKEN = re.compile(r" ?[^\W\d_]{1,8}|\d{1,3}|[^\w\s]{1,2}|_|\n+| +")
SUITE = load_suite("growth")
CASES = list(SUITE.cases().values())


@dataclass
class Counting:
    """The oracle, and the tokens of every request it got."""

    oracle: Oracle
    counted: list[int] = field(default_factory=list)

    name = "scripted/oracle"
    abilities = Abilities(native_tools=True)

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """The oracle's reply."""
        self.counted.append(tokens_of(request))
        due = self.oracle.case.steps[0].expected.calls[0].tool
        if request.tools and due not in [tool.full_name for tool in request.tools]:
            return Reply("None of the tools fits.")
        return await self.oracle.reply(request, on_delta=on_delta)


def tokens_of(request: Request) -> int:
    """Everything of a request that a model reads."""
    names = names_of(request.messages, request.tools)
    sent = messages_of(request.messages, names)
    texts = [str(each["content"] or "") for each in sent]
    texts += [json.dumps(each["tool_calls"]) for each in sent if "tool_calls" in each]
    texts += [json.dumps(each) for each in tools_of(request.tools, names, as_is)]
    return sum(len(TOKEN.findall(text)) for text in texts)


def cost(case: Case, strategy: str, world: Growth) -> tuple[int, bool]:
    """Input tokens of the one request of a case, and whether it came out right."""
    oracle, counted = Oracle(case, world.specs), list[int]()
    asked = [role for role in roles_of(load_strategy(strategy)) if role != "main"]
    roles = {role: Counting(each, counted) for role, each in oracle.roles(asked).items()}
    session = Session(Counting(oracle, counted), world, strategy, roles=roles)
    calls = session.request(case.steps[0].say).reading.calls
    return sum(counted), not grade(calls, case.steps[0].expected, world.specs).mistakes


def exponent(costs: dict[int, float], sizes: tuple[int, ...]) -> float:
    """The slope of the logarithm of the tokens over that of the tools, by least squares: 1 is linear."""
    xs, ys = [math.log(size) for size in sizes], [math.log(costs[size]) for size in sizes]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)


def recall(size: int, most: int) -> float:
    """The share of requests whose tool is among the best so many."""
    world = Growth(size)
    found = [
        case.steps[0].expected.calls[0].tool in ranking(world.specs, [Message("user", case.steps[0].say)])[:most]
        for case in CASES
    ]
    return sum(found) / len(found)


def main() -> None:
    """Print the tables."""
    played = {
        strategy: {size: [cost(case, strategy, Growth(size)) for case in CASES] for size in SIZES}
        for strategy in STRATEGIES
    }
    table = {
        strategy: {size: float(median(tokens for tokens, _ in costs)) for size, costs in sizes.items()}
        for strategy, sizes in played.items()
    }
    print(f"input tokens per request, median of {len(CASES)}; exponents over all sizes and over the last step")
    heads = "".join(f"{size:>9,}" for size in SIZES)
    print(f"{'tools':16}{heads}{'exponent':>10}{'last':>6}{'per tool':>10}{'/native':>9}{f'right at {SIZES[-1]}':>14}")
    for strategy, costs in table.items():
        slope = (costs[SIZES[-1]] - costs[SIZES[-2]]) / (SIZES[-1] - SIZES[-2])
        numbers = "".join(f"{costs[size]:>9,.0f}" for size in SIZES)
        share = costs[SIZES[-1]] / table["native"][SIZES[-1]]
        right = sum(fine for _, fine in played[strategy][SIZES[-1]]) / len(CASES)
        print(
            f"{strategy:16}{numbers}{exponent(costs, SIZES):>10.2f}{exponent(costs, SIZES[-2:]):>6.2f}"
            f"{slope:>10.1f}{share:>9.1%}{right:>14.0%}"
        )
    whole, last = exponent(table["freyr"], SIZES), exponent(table["freyr"], SIZES[-2:])
    verdict = "grows sub-linearly" if max(whole, last) < 1 else "does not grow sub-linearly"
    print(f"freyr {verdict} to {SIZES[-1]} tools (exponents {whole:.2f} and {last:.2f})")
    print(f"\nshort lists: share of the {len(CASES)} requests whose tool is among the best k")
    print(f"{'tools':>7}" + "".join(f"{f'k={most}':>8}" for most in SHORT))
    for size in SIZES[1:]:
        print(f"{size:>7}" + "".join(f"{recall(size, most):>8.0%}" for most in SHORT))


if __name__ == "__main__":
    main()
