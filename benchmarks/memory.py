"""What memory finds and answers after stories over several talks, beside three other ways.

    python benchmarks/memory.py [dev|test …]      without a name both halves

The room's own way (`memory`), its weights as published (`published`), BM25 over the lines as they were said (`bm25`),
and all lines at once (`all`). The answer is a sentence in its own words, picked by one rule for all; no model is asked.
The baselines take out what was to be forgotten as well, but know neither wishes nor contradictions.
Evidence recall@5 and right answers with 95 % intervals (bootstrap over stories), tokens shown, milliseconds (median).
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from toolmend.base.stats import share_interval
from toolmend.evals.suites.yaml12 import load
from toolmend.extras.knowledge.chunks import tokens_in
from toolmend.extras.memory import PUBLISHED, USUAL, Memory, Preferences, Stream, Weights, Which, recall
from toolmend.extras.memory.context import SENTENCE
from toolmend.extras.memory.memory import line as shown
from toolmend.extras.memory.memory import moment
from toolmend.extras.memory.recall import rank, relevance

HALVES = ("dev", "test")
KINDS = ("update", "forget", "preference", "who", "unanswerable")
PREFERENCE = "preference"
AT = 5
"""How many memories are recalled."""
_AFTERWARDS = "2026-04-01"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a talk: `label` "" for what is said beside; `who` a speaker, or forget, confirm, undo, correct."""

    label: str
    who: str
    words: str


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked at the end. `answer` must stand in the answer ("" for anything, None: it is not in memory), none of
    `wrong` may; `evidence` are labels, or `preference` for a wish that holds."""

    ask: str
    answer: str | None
    wrong: tuple[str, ...]
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """Talks by day, in order, and the questions after the last of them."""

    id: str
    kind: str
    talks: tuple[tuple[str, tuple[Line, ...]], ...]
    questions: tuple[Question, ...]


def stories(half: str) -> list[Story]:
    """The stories of a half; their form stands at the head of memory_stories/dev.yaml."""
    top: Any = load(Path(__file__).parent / "memory_stories" / f"{half}.yaml")
    beside = [(day, tuple(Line("", "user", text) for text in said)) for day, said in top["beside"].items()]
    made = []
    for story in top["stories"]:
        own = [(day, tuple(map(line_of, said))) for day, said in story["talks"].items()]
        talks = tuple(sorted([*beside, *own], key=lambda talk: talk[0]))
        made.append(Story(story["id"], story["kind"], talks, tuple(map(question_of, story["ask"]))))
    return made


def line_of(written: Mapping[str, Any]) -> Line:
    """`LABEL WHO: words`, or an act."""
    [(head, words)] = written.items()
    label, _, who = head.partition(" ")
    return Line(label, who, str(words)) if who else Line("", label, str(words))


def question_of(written: Mapping[str, Any]) -> Question:
    """One question."""
    answer, evidence = written.get("a", ""), written.get("from", [])
    return Question(
        written["q"],
        None if answer == "nothing" else str(answer or ""),
        tuple(map(str, written.get("not", []))),
        tuple([evidence] if isinstance(evidence, str) else evidence),
    )


@dataclass(frozen=True, slots=True)
class Found:
    """What a way found for a question: memories, best first, and those it would answer from."""

    story: str
    kind: str
    question: Question
    memories: tuple[Memory, ...]
    labels: tuple[str, ...]
    said: str
    seconds: float

    @property
    def has_evidence(self) -> bool:
        """Whether every piece of evidence is among what was found."""
        return set(self.question.evidence) <= set(self.labels)

    @property
    def right(self) -> bool:
        """Whether the answer says what it should and nothing that it should not."""
        said, due = self.said.casefold(), self.question.answer
        if any(wrong.casefold() in said for wrong in self.question.wrong):
            return False
        return not self.memories if due is None else due.casefold() in said

    @property
    def tokens(self) -> int:
        """Tokens a model would be shown."""
        return sum(tokens_in(shown(each)) for each in self.memories)


Way = Callable[[Stream, str, str], Sequence[Memory]]


def by_memory(weights: Weights = USUAL, k: int = AT) -> Way:
    """The room's own way."""

    def way(stream: Stream, question: str, now: str) -> Sequence[Memory]:
        return [each.memory for each in recall(stream, question, k, weights=weights, at=now)]

    return way


def by_bm25(least: float = USUAL.least, k: int = AT) -> Way:
    """Words alone, over what was said; the same bar as ours, so that it may say that nothing is there."""

    def way(stream: Stream, question: str, now: str) -> Sequence[Memory]:
        lines = [each for each in stream.memories(at=now) if each.kind in ("observation", "correction")]
        found = rank(lines, question, now, Weights(recency=0, importance=0, least=least))
        return [each.memory for each in sorted(found, key=lambda each: (-each.relevance, each.memory.number))[:k]]

    return way


def by_all(stream: Stream, question: str, now: str) -> Sequence[Memory]:
    """Everything that was said."""
    return [each for each in stream.memories(at=now) if each.kind in ("observation", "correction")]


WAYS: dict[str, Way] = {
    "memory": by_memory(),
    "published": by_memory(PUBLISHED),
    "bm25": by_bm25(),
    "all": by_all,
}


def play(stories: Sequence[Story]) -> dict[str, list[Found]]:
    """Every story lived through once, its questions put to every way."""
    made: dict[str, list[Found]] = {name: [] for name in WAYS}
    with TemporaryDirectory() as folder:
        for number, story in enumerate(stories):
            with Stream(Path(folder) / f"{number}.db", story.id) as stream:
                labels = live(stream, story)
                for name, way in WAYS.items():
                    made[name] += [_ask(stream, story, each, labels, way) for each in story.questions]
    return made


def live(stream: Stream, story: Story) -> dict[int, str]:
    """Go through a story's talks; which memory is which of its labelled lines."""
    labels: dict[int, str] = {}
    preferences = Preferences(stream)
    for day, lines in story.talks:
        for minute, line in enumerate(lines):
            at = moment(f"{day}T12:{minute:02}:00")
            stream.clock = lambda at=at: at  # type: ignore[misc]
            if line.who == "forget":
                stream.forget(Which(containing=line.words))
            elif line.who in ("confirm", "undo"):
                _settle(preferences, line.who)
            else:
                kept = _kept(stream, line, at, day)
                label = PREFERENCE if line.who == "correct" else line.label  # the corrections tell the wish, too
                labels |= {kept.number: label} if label else {}
                if line.who == "correct":
                    labels |= {each.number: PREFERENCE for each in preferences.propose()}
    stream.clock = lambda: moment(_AFTERWARDS)
    return labels


def row(name: str, found: Sequence[Found]) -> str:
    """A way's line: shares with intervals by story, evidence counted where there is some to be found."""
    due = [each for each in found if each.question.evidence]
    told = ""
    for rows, values in ((due, [each.has_evidence for each in due]), (found, [each.right for each in found])):
        low, high = share_interval(values, [each.story for each in rows])
        told += f"{f'{statistics.fmean(values):.2f} ({low:.2f}–{high:.2f})':>22}"
    tokens = statistics.fmean([each.tokens for each in found])
    return f"{name:<12}{told}{tokens:>8.0f}{1000 * statistics.median([each.seconds for each in found]):>7.1f}"


def _kept(stream: Stream, line: Line, at: str, day: str) -> Memory:
    if line.who != "correct":
        return stream.remember(line.words, who=line.who, at=at, talk=day)
    tool, argument, was, now = line.words.split()
    value: str | int = int(now) if now.isdigit() else now
    data = {"tool": tool, "argument": argument, "was": was, "now": value, "call": line.label}
    text = f"corrected {argument} of {tool} from {was} to {now}"
    return stream.remember(text, kind="correction", at=at, talk=day, data=data)


def _settle(preferences: Preferences, act: str) -> None:
    for each in preferences.known(("proposed",) if act == "confirm" else ("confirmed",)):
        (preferences.confirm if act == "confirm" else preferences.undo)(each.number)


def _ask(stream: Stream, story: Story, question: Question, labels: dict[int, str], way: Way) -> Found:
    began = time.perf_counter()
    memories = tuple(way(stream, question.ask, moment(_AFTERWARDS)))
    took = time.perf_counter() - began
    found = tuple(labels[each.number] for each in memories if each.number in labels)
    return Found(story.id, story.kind, question, memories, found, said_of(memories, question.ask), took)


def said_of(memories: Sequence[Memory], question: str) -> str:
    """The answer: the best sentence of the first memory; of everything at once, of the line that fits best."""
    if not memories:
        return ""
    if len(memories) > AT:
        memories = [each.memory for each in rank(memories, question, moment(_AFTERWARDS), Weights(0, 0))] or memories
    best = memories[0]
    return f"{best.who}: {sentence(best.text, question)}"


def sentence(text: str, question: str) -> str:
    """The sentence of a text that has most to do with a question; the first among equals."""
    parts = SENTENCE.split(text)
    scores = relevance(question, parts)
    return parts[scores.index(max(scores))]


def main(halves: list[str]) -> None:
    for half in halves:
        found = play(stories(half))
        asked = next(iter(found.values()))
        print(f"\n{half}: {len({each.story for each in asked})} stories, {len(asked)} questions\n")
        print(f"{'way':<12}{'evidence@5':>22}{'right':>22}{'tokens':>8}{'ms':>7}")
        for name in WAYS:
            print(row(name, found[name]))
        print(f"\n{'right, by kind':<16}" + "".join(f"{name:>12}" for name in WAYS))
        for kind in KINDS:
            shares = [[each.right for each in found[name] if each.kind == kind] for name in WAYS]
            print(f"{kind:<16}" + "".join(f"{sum(each):>9}/{len(each):<2}" for each in shares))
        unanswerable = [[each.right for each in found[name] if each.question.answer is None] for name in WAYS]
        print(f"{'not in memory':<16}" + "".join(f"{sum(each):>9}/{len(each):<2}" for each in unanswerable))


if __name__ == "__main__":
    main(sys.argv[1:] or list(HALVES))
