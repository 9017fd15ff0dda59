"""From stored samples to rates: who fixes what when told, how much of it is more than asking again. docs/measures.md.

A **trial** is one sentence after one wrong reply: a branch, or the first correction of the conversation itself. All
intervals are 95 %, clustered by case. Knows stored samples; draws and prints nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb

from toolmend.base.events import Corrected, Finished, Guarded, Looked, Marked, Replied, Tried
from toolmend.base.mistakes import Mistake
from toolmend.base.stats import diff_interval, share_interval_of
from toolmend.evals.metrics.explained import explained
from toolmend.evals.metrics.repairs import Repair
from toolmend.evals.metrics.roles import Spent
from toolmend.evals.store import Sample
from toolmend.grading import Grade
from toolmend.grading.history import is_gone
from toolmend.language.corrections import name_first

OUTCOMES = ("empty", "truncated", "cached")


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its interval, from trials in so many cases; `value` is None where there was no trial."""

    hits: int
    trials: int
    low: float
    high: float
    cases: int

    @property
    def value(self) -> float | None:
        """hits / trials."""
        return self.hits / self.trials if self.trials else None


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference of two shares on the same turns, with its interval."""

    value: float | None
    low: float
    high: float
    pairs: int
    cases: int


@dataclass(frozen=True, slots=True)
class Trial:
    """One sentence after one wrong reply, and what the ladder did with it."""

    case: str
    place: tuple[str, int, int]
    level: int
    kind: str
    headline: bool
    clean: bool
    named: bool
    repair: Repair = field(default_factory=Repair)


@dataclass
class Tally:
    """Everything countable of one contestant.

    `unmet` counts replies by what was asked for and not honoured ("max_tokens"), without its figures.
    `to_right` are, for steps that were wrong at first and right in the end, how often the person spoke until then, and
    how often in words of their own, not by the number of an answer. `doubts` are groundless complaints with what the
    ladder did and whether the right answer was given up. `sentences` are those of explained.py by case.
    `turns` holds the turn of each entry of `first`, `groundless`
    and, as `within 1` …, `within`: where to look it up.
    """

    trials: list[Trial] = field(default_factory=list)
    groundless: list[tuple[str, bool]] = field(default_factory=list)
    first: list[tuple[str, bool]] = field(default_factory=list)
    worlds: list[tuple[str, bool]] = field(default_factory=list)
    within: dict[int, list[tuple[str, bool]]] = field(default_factory=lambda: defaultdict(list))
    dialogues: list[tuple[str, bool, int]] = field(default_factory=list)
    to_right: list[tuple[str, int, int]] = field(default_factory=list)
    doubts: list[tuple[str, Repair, bool]] = field(default_factory=list)
    sentences: list[tuple[str, str, bool | None]] = field(default_factory=list)
    kinds: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    replies: list[tuple[int, int, float]] = field(default_factory=list)
    spent: Spent = field(default_factory=Spent)
    turns: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    outcomes: dict[str, int] = field(default_factory=lambda: dict.fromkeys(OUTCOMES, 0))
    unmet: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    errors: int = 0
    samples: int = 0


def tally(samples: Iterable[Sample], limits: Mapping[str, int] | None = None) -> dict[tuple[str, str], Tally]:
    """Per contestant (model, strategy), in the order met. Samples with an error are counted apart and nowhere else.

    `limits` gives the most corrections a step may have, by experiment (3 where it says nothing): fix@k counts only
    where k were possible.
    """
    made: dict[tuple[str, str], Tally] = {}
    for sample in samples:
        into = made.setdefault(sample.contestant, Tally())
        into.samples += 1
        if sample.status == "error":
            into.errors += 1
        else:
            into.spent.add(sample.events)
            into.sentences += [(sample.case, *sentence) for sentence in explained(sample.events)]
            _Count(sample, into, (limits or {}).get(sample.case.split("/")[0], 3)).all()
    return made


class _Count:
    """Reads one sample's events into a tally."""

    def __init__(self, sample: Sample, into: Tally, limit: int) -> None:
        self.into, self.case, self.limit = into, sample.case, limit
        self.place = (sample.case, sample.attempt)
        self.marked = {e.turn: e for e in sample.events if isinstance(e, Marked)}
        self.corrected = {e.turn: e for e in sample.events if isinstance(e, Corrected)}
        self.replies = [e for e in sample.events if isinstance(e, Replied)]
        self.given = {e.turn for e in self.replies if e.model == "given"}
        self.tried = [e for e in sample.events if isinstance(e, Tried)]
        self.looked = {e.turn: e.right for e in sample.events if isinstance(e, Looked)}
        told = [e for e in sample.events if isinstance(e, Guarded)]
        self.mended = {e.turn: e.detail for e in told if e.guard == "mended"}
        self.offered = {e.turn: int(e.detail) for e in told if e.guard == "offered"}
        self.finished = next((e for e in sample.events if isinstance(e, Finished)), Finished())

    def all(self) -> None:
        """Count everything there is to count."""
        steps: dict[int, list[int]] = defaultdict(list)
        for turn, marked in sorted(self.marked.items()):
            steps[marked.step or 0].append(turn)
        for turns in steps.values():
            self._step(turns)
        for tried in self.tried:
            self._branch(tried)
        if self.limit and not self.given:
            ends = [turns[-1] for turns in steps.values()]
            done = self.finished.reason == "done" and all(not self.marked[turn].mistakes for turn in ends)
            self.into.dialogues.append((self.case, done, len(self.marked)))
        for reply in self.replies:
            if reply.model != "given":
                self.into.replies.append((reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.seconds))
                self._outcome(reply)

    def _outcome(self, reply: Replied) -> None:
        """How it came, whatever it says."""
        self.into.outcomes["empty"] += reply.finish == "empty"
        self.into.outcomes["truncated"] += reply.truncated
        self.into.outcomes["cached"] += reply.cached
        for unmet in dict.fromkeys(text.partition(":")[0] for text in reply.unmet):
            self.into.unmet[unmet] += 1

    def _step(self, turns: list[int]) -> None:
        first = self.marked[turns[0]]
        if turns[0] not in self.given:
            self.into.first.append((self.case, not first.mistakes))
            self.into.turns["first"].append(turns[0])
            if turns[0] in self.looked:
                self.into.worlds.append((self.case, self.looked[turns[0]]))
            for mistake in first.mistakes:
                self.into.kinds[str(mistake)] += 1
        if not first.mistakes or len(turns) < 2:
            return
        if turns[1] in self.corrected:
            now, level = self.marked[turns[1]], self.corrected[turns[1]].correction.level or 0
            if self.corrected[turns[1]].correction.level is not None:  # else an answer was chosen
                repair = self._repair(turns[1], turns[0])
                self._trial(first.mistakes, now.mistakes, now.valid_call, level, turns[0], repair, headline=True)
        clean_at = next((r for r, turn in enumerate(turns[1:], 1) if not self.marked[turn].mistakes), None)
        if clean_at is not None:
            chosen = sum(self._is_choice(turn) for turn in turns[1 : clean_at + 1])
            self.into.to_right.append((self.case, clean_at, clean_at - chosen))
        for k in range(1, self.limit + 1):
            if len(turns) - 1 >= k or clean_at is not None:
                self.into.within[k].append((self.case, clean_at is not None and clean_at <= k))
                self.into.turns[f"within {k}"].append(turns[0])

    def _is_choice(self, turn: int) -> bool:
        """Whether the person only gave the number of an answer that was offered."""
        return turn in self.corrected and self.corrected[turn].correction.level is None

    def _repair(self, turn: int, first: int) -> Repair:
        asked = any(reply.turn == turn and reply.model != "given" for reply in self.replies)
        how, choice = self.mended.get(turn, ""), self.offered.get(turn, 0)
        return Repair(how, asked, choice, self._tokens(turn), self._tokens(first))

    def _tokens(self, turn: int) -> int:
        return sum(reply.usage.input_tokens for reply in self.replies if reply.turn == turn and reply.model != "given")

    def _branch(self, tried: Tried) -> None:
        tokens, again = tried.usage.input_tokens, self._tokens(tried.turn)
        repair = Repair(tried.mended, tried.replies > 0, tried.choice, tokens, again)
        if tried.arm == "false":
            given_up = bool(tried.mistakes) and not (tried.mended and tried.stands)
            self.into.groundless.append((self.case, given_up))
            self.into.doubts.append((self.case, repair, given_up))
            self.into.turns["groundless"].append(tried.turn)
            return
        level = tried.correction.level or 0
        self._trial(tried.after, tried.mistakes, tried.valid_call, level, tried.turn, repair)

    def _trial(
        self,
        before: Sequence[Mistake],
        after: Sequence[Mistake],
        valid: bool,
        level: int,
        turn: int,
        repair: Repair,
        headline: bool = False,
    ) -> None:
        named = name_first(before)
        gone = named is not None and is_gone(named, Grade(tuple(after), valid))
        kind = str(named.kind) if named else ""
        self.into.trials.append(Trial(self.case, (*self.place, turn), level, kind, headline, not after, gone, repair))


# rates of a tally ----------------------------------------------------------------------------------------------------


def rate(pairs: Sequence[tuple[str, bool]]) -> Rate:
    """Share of hits among (case, hit) pairs."""
    counts = Counter(pairs)
    low, high = share_interval_of(counts)
    hits = sum(number for (_, hit), number in counts.items() if hit)
    return Rate(hits, len(pairs), low, high, len({case for case, _ in counts}))


def fixed_at_level(trials: Sequence[Trial], level: int, *, named: bool = False) -> Rate:
    """fix@1 at one level: no mistake left (or, with `named`, the named one gone) after one sentence of that level."""
    return rate([(t.case, t.named if named else t.clean) for t in trials if t.level == level])


def headline(trials: Sequence[Trial], *, named: bool = False) -> Rate:
    """fix@1 at the headline level."""
    return rate([(t.case, t.named if named else t.clean) for t in trials if t.headline])


def net_fix(trials: Sequence[Trial]) -> Difference:
    """fix@1 at the headline level minus the control (level 0), on the replies that have both."""
    control = {t.place: t.clean for t in trials if t.level == 0}
    pairs = [(t.case, t.clean, control[t.place]) for t in trials if t.headline and t.place in control]
    if not pairs:
        return Difference(None, -1.0, 1.0, 0, 0)
    fixed, again, cases = [p[1] for p in pairs], [p[2] for p in pairs], [p[0] for p in pairs]
    low, high = diff_interval(fixed, again, cases)
    return Difference((sum(fixed) - sum(again)) / len(pairs), low, high, len(pairs), len(set(cases)))


def to_right(steps: Sequence[tuple[str, int, int]]) -> tuple[float | None, float | None]:
    """How often the person spoke until a wrong step was right, on average, and how often in words of their own."""
    if not steps:
        return None, None
    return sum(turns for _, turns, _ in steps) / len(steps), sum(said for _, _, said in steps) / len(steps)


def pass_all(dialogues: Sequence[tuple[str, bool, int]], k: int) -> float | None:
    """pass^k: the chance that k attempts at a case are all done, averaged over cases with at least k attempts.

    Yao et al. 2024 (tau-bench), section 4: mean of C(c, k) / C(n, k) with c of n attempts done.
    """
    by_case: dict[str, list[bool]] = defaultdict(list)
    for case, done, _ in dialogues:
        by_case[case].append(done)
    shares = [comb(sum(hits), k) / comb(len(hits), k) for hits in by_case.values() if len(hits) >= k]
    return sum(shares) / len(shares) if shares else None


def turns_to_done(dialogues: Sequence[tuple[str, bool, int]]) -> float | None:
    """Mean number of user messages of the dialogues that were done; None if none was."""
    turns = [turns for _, done, turns in dialogues if done]
    return sum(turns) / len(turns) if turns else None
