"""How well memory answers after stories over several talks: evidence found, answers right, tokens shown, time taken.

Four ways are measured side by side: the room's own (`memory`), its weights as published (`published`), BM25 over the
lines as they were said (`bm25`), and all lines at once (`all`). The answer is a sentence in its own words, picked by
one rule for all of them; no model is asked, so what is measured is what was found. The baselines take out what was to
be forgotten as well, but know neither wishes nor contradictions.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from toolmend.evals.studies.memory_stories import PREFERENCE, Line, Question, Story
from toolmend.knowledge.chunks import tokens_in
from toolmend.memory import PUBLISHED, USUAL, Memory, Preferences, Stream, Weights, Which, recall
from toolmend.memory.answers import sentence
from toolmend.memory.marks import line as shown
from toolmend.memory.memory import moment
from toolmend.memory.recall import rank
from toolmend.memory.relevance import Relevance
from toolmend.stats import share_interval

AT = 5
"""How many memories are recalled."""
_AFTERWARDS = "2026-04-01"


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


def by_memory(weights: Weights = USUAL, relevance: Relevance | None = None, k: int = AT) -> Way:
    """The room's own way."""

    def way(stream: Stream, question: str, now: str) -> Sequence[Memory]:
        return [each.memory for each in recall(stream, question, k, weights=weights, relevance=relevance, at=now)]

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


def play(stories: Sequence[Story], ways: dict[str, Way] | None = None) -> dict[str, list[Found]]:
    """Every story lived through once, its questions put to every way."""
    chosen = ways or WAYS
    made: dict[str, list[Found]] = {name: [] for name in chosen}
    with TemporaryDirectory() as folder:
        for number, story in enumerate(stories):
            with Stream(Path(folder) / f"{number}.db", story.id) as stream:
                labels = live(stream, story)
                for name, way in chosen.items():
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


@dataclass(frozen=True, slots=True)
class Figures:
    """What a way came to over some questions: shares with intervals (95 %, by story), tokens and milliseconds."""

    questions: int
    evidence: float
    evidence_interval: tuple[float, float]
    right: float
    right_interval: tuple[float, float]
    tokens: float
    milliseconds: float


def figures(found: Sequence[Found]) -> Figures:
    """The figures of some questions; evidence is counted where there is some to be found."""
    due = [each for each in found if each.question.evidence]
    median = statistics.median([each.seconds for each in found]) * 1000 if found else 0.0
    return Figures(
        len(found),
        _share([each.has_evidence for each in due]),
        share_interval([each.has_evidence for each in due], [each.story for each in due]),
        _share([each.right for each in found]),
        share_interval([each.right for each in found], [each.story for each in found]),
        statistics.fmean([each.tokens for each in found]) if found else 0.0,
        median,
    )


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


def _share(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0
