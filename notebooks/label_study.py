"""The study of "Can foundation models label data like humans?" (Hugging Face blog, 2023-06-12), made up again.

Its votes are not public; its ratings, its one count of ties and its correlations are. People and a judge are drawn so
that their votes follow the published ratings: logit P(a wins) = distance in points · ln 10 / 400, exactly. What they
share is a Gaussian copula on each comparison. Position and length are habits that the caller gives the judge.
Everything but the published numbers is invented; a real judge is asked by asking.py.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist

import numpy as np

from toolmend.base.messages import Request
from toolmend.extras.arena.judges.matches import JudgedPair
from toolmend.extras.arena.ratings import Votes, published_tables
from toolmend.models.scripted import Scripted

# Prompts of each category with the published correlation of GPT-4's and people's labels. 327 prompts, 25 of code, are
# published; how the others are spread is not, and is made even here.
CATEGORIES: Mapping[str, tuple[int, float]] = {
    "brainstorm": (61, 0.60),
    "creative generation": (61, 0.55),
    "commonsense reasoning": (60, 0.46),
    "question answering": (60, 0.44),
    "summarization": (60, 0.40),
    "code": (25, 0.33),
}
TIED = 96 / 327  # of the votes on Koala-13B and Vicuna-13B: the only count of ties that is published

_POINTS = math.log(10) / 400  # logits for a point
_ANSWER = re.compile(r"^answer (\d+) of (\d+)\b", re.MULTILINE)
_LENGTH = (3.8, 0.95)  # of the logarithm of words; the published mean, 69, and spread, 79, of completions


@dataclass(frozen=True)
class Study:
    """The comparisons, people's votes on them, and a model that answers a Likert prompt as the judge would."""

    matches: tuple[JudgedPair, ...]
    people: Votes
    judge: Scripted


def published_study(*, prompts: int | None = None, position: float = 0.0, length: float = 0.0, seed: int = 0) -> Study:
    """Every two of the four models on each prompt (at most `prompts` of 327): people's votes, and a judge.

    `position` is what standing first is worth to the judge, `length` an answer twice as long, both in logits.
    """
    random = np.random.default_rng(seed)
    tables = {table.id: {row.contestant.lower(): row.rating for row in table.rows} for table in published_tables()}
    people, judge = tables["human_no_ties"], tables["gpt4_no_ties"]
    names = {row.contestant.lower(): row.contestant for row in published_tables()[0].rows}
    band = _band(people["vicuna-13b"] - people["koala-13b"])
    matches, votes, leanings = [], [], {}
    for prompt, (category, shared) in enumerate(_prompts(prompts, random)):
        words = np.clip(random.lognormal(*_LENGTH, len(names)), 1, 546).astype(int)
        named = f"prompt {prompt:03}"
        for couple in combinations(range(len(names)), 2):
            one, other = couple if random.random() < 0.5 else couple[::-1]  # sides by a coin
            a, b = list(names)[one], list(names)[other]
            common, own, theirs = random.standard_normal(3)
            liked = _leaning(people[a] - people[b], shared, common, own)
            leaning = _leaning(judge[a] - judge[b], shared, common, theirs) + length * math.log2(
                words[one] / words[other]
            )
            leanings[prompt, one, other], leanings[prompt, other, one] = leaning, -leaning
            shown = tuple(f"answer {which} of {prompt}{' word' * words[which]}" for which in (one, other))
            id_ = f"{prompt}-{one}-{other}"
            matches.append(JudgedPair(id_, names[a], names[b], named, shown[0], shown[1], (), named, "", category))
            winner = "tie" if abs(liked) < band else "a" if liked > 0 else "b"
            votes.append((names[a], names[b], winner, named, category))
    sides_a, sides_b, winners, asked, kinds = zip(*votes, strict=True)
    model = Scripted(lambda request: _answer(request, leanings, position, band), "scripted/published-gpt4")
    return Study(tuple(matches), Votes.of(sides_a, sides_b, winners, prompt=asked, category=kinds), model)


def likert(leaning: float, band: float) -> int:
    """A leaning towards the first answer, in logits, on the scale: 4 and 5 within the band, 1 and 8 far beyond it."""
    strength = min(3, int(abs(leaning) / band)) if band else 3
    return 4 - strength if leaning > 0 else 5 + strength


def _answer(request: Request, leanings: Mapping[tuple[int, int, int], float], position: float, band: float) -> str:
    (first, prompt), (second, _) = (tuple(map(int, each)) for each in _ANSWER.findall(request.messages[-1].content))
    return f"{likert(leanings[prompt, first, second] + position, band)}\nMade up from the published tables."


def _leaning(points: float, shared: float, common: float, own: float) -> float:
    """A distance and logistic noise, of which a share (the correlation of its normal scores) is common to all raters.

    Two raters that each hold √shared of the common one correlate by `shared`.
    """
    z = math.sqrt(shared) * common + math.sqrt(1 - shared) * own
    p = min(max(NormalDist().cdf(z), 1e-12), 1 - 1e-12)
    return points * _POINTS + math.log(p / (1 - p))


def _band(points: float) -> float:
    """Half the width, in logits, of what counts as a tie, so that TIED of the votes at that distance do."""
    d, low, high = points * _POINTS, 0.0, 10.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        tied = 1 / (1 + math.exp(d - middle)) - 1 / (1 + math.exp(d + middle))
        low, high = (middle, high) if tied < TIED else (low, middle)
    return low


def _prompts(wanted: int | None, random: np.random.Generator) -> list[tuple[str, float]]:
    every = [(name, shared) for name, (count, shared) in CATEGORIES.items() for _ in range(count)]
    return [every[at] for at in random.permutation(len(every))[:wanted]]
