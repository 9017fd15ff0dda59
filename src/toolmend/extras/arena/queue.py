"""The queue for raters: prepared prompts, answered when a rater comes, and exported pairs, answered before.

Koala's protocol (Geng et al. 2023): held-out prompts, several raters for each, blind. What is too like a sentence that
a model learned from is sorted out before it is put in (`toolmend arena --seen`). Knows rows; shows nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from toolmend.base.errors import BadFile
from toolmend.base.events import Asked, Replied
from toolmend.evals.suites.suite import load_suite, shipped
from toolmend.extras.arena.judges.matches import JudgedPair, read_matches
from toolmend.extras.arena.turns import KeptTurn
from toolmend.extras.arena.views import WorldView

PROMPT, PAIR = "prompt", "pair"
_LONGEST = 8_000


@dataclass(frozen=True, slots=True)
class QueuePrompt:
    """A prepared prompt: what is said, in which world, under which heading; `id` is the same for the same words."""

    text: str
    toolbox: str = "calendar"
    category: str = ""

    @property
    def id(self) -> str:
        """The name of the prompt in votes."""
        return prompt_id(self.text, self.toolbox)


@dataclass(frozen=True, slots=True)
class QueueProgress:
    """How far a queue is: things in it, ratings wanted and given, and those of one rater."""

    queue: str
    kind: str
    items: int
    wanted: int
    given: int
    mine: int

    @property
    def done(self) -> bool:
        """Whether every thing has its ratings."""
        return self.given >= self.wanted


def prompt_id(text: str, toolbox: str) -> str:
    """An id for a prompt: votes on the same words in the same world belong together."""
    return hashlib.sha256(f"{toolbox}\n{' '.join(text.split())}".encode("utf-8", "surrogatepass")).hexdigest()[:12]


def prompts_of(source: str) -> list[QueuePrompt]:
    """First requests of a suite's dialogues, or the lines of a file: text, or JSON with prompt, toolbox, category.

    Raises BadFile with the line.
    """
    if source in shipped() or source.endswith((".yaml", ".yml")):
        suite = load_suite(source)
        found = [
            QueuePrompt(case.steps[0].say, suite.tools, case.group) for case in suite.cases().values() if case.steps
        ]
    else:
        found = list(_lines(Path(source).expanduser()))
    return list({prompt.id: prompt for prompt in found}.values())


def items_of_prompts(prompts: Iterable[QueuePrompt]) -> list[tuple[str, dict[str, Any]]]:
    """Prompts as the queue keeps them."""
    return [(prompt.id, asdict(prompt)) for prompt in prompts]


def items_of_pairs(pairs: str, key: str | None) -> list[tuple[str, dict[str, Any]]]:
    """Pairs of `toolmend pairs`, with their key, as the queue keeps them. Raises BadFile with the line."""
    return [(match.id, asdict(match)) for match in read_matches(pairs, key)]


def match_of(body: Mapping[str, Any]) -> JudgedPair:
    """A pair as it was kept."""
    return JudgedPair(**{**body, "earlier": tuple(body["earlier"])})


def next_item(items: Sequence[Any], rated: Sequence[Any], person: str) -> Any | None:
    """What a rater should see next: what they have not rated and fewest others have; None when nothing is left.

    What somebody else has open counts, so that two raters who come at once get different things.
    """
    mine = {(row.queue, row.item) for row in rated if row.person == person and row.status == "voted"}
    others = Counter((row.queue, row.item) for row in rated if row.status != "abandoned" and row.person != person)
    waiting = [row for row in items if (row.queue, row.item) not in mine and others[row.queue, row.item] < row.raters]
    return min(waiting, key=lambda row: (others[row.queue, row.item], row.position), default=None)


def progress_of(items: Sequence[Any], rated: Sequence[Any], person: str = "") -> list[QueueProgress]:
    """How far every queue is."""
    made = []
    for queue in dict.fromkeys(row.queue for row in items):
        here = [row for row in items if row.queue == queue]
        voted = [row for row in rated if row.queue == queue and row.status == "voted"]
        by_item = Counter(row.item for row in voted)
        wanted, given = sum(row.raters for row in here), sum(min(by_item[row.item], row.raters) for row in here)
        mine = sum(row.person == person for row in voted)
        made.append(QueueProgress(queue, here[0].kind, len(here), wanted, given, mine))
    return made


def _lines(path: Path) -> Iterable[QueuePrompt]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(path, f"cannot be read as text ({error})") from error
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield _prompt(path, number, line.strip())


def _prompt(path: Path, number: int, line: str) -> QueuePrompt:
    if not line.startswith("{"):
        return QueuePrompt(line[:_LONGEST])
    try:
        data = json.loads(line)
        said = data["prompt"]
        if not isinstance(said, str) or not said.strip():
            raise ValueError("prompt is no text")
        return QueuePrompt(said.strip()[:_LONGEST], str(data.get("toolbox", "calendar")), str(data.get("category", "")))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadFile(path, f"no prompt ({error!r}); a line is text, or JSON with `prompt`", number) from error


def pair_talk(match: JudgedPair, shown: str) -> list[KeptTurn]:
    """One side of a pair as turns: what was asked before has no reply here."""
    said = [(text, "") for text in match.earlier] + [(match.request, shown)]
    return [
        KeptTurn((Asked(number, text), Replied(number, reply, model="given")), WorldView(""))
        for number, (text, reply) in enumerate(said)
    ]
