"""Stories over several talks, as data: who said what on which day, what was forgotten, what is asked afterwards.

suites/memory/dev.yaml and test.yaml; the form stands at the head of dev.yaml. Knows no memory: how a story is lived
through and asked is memory_recall.py's.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from toolmend.errors import BadFile, UnknownName
from toolmend.evals.suites.yaml12 import Located, load

HALVES = ("dev", "test")
KINDS = ("update", "forget", "preference", "who", "unanswerable")
NOTHING = "nothing"
PREFERENCE = "preference"
_ACTS = ("forget", "confirm", "undo")


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
    wrong: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Story:
    """Talks by day, in order, and the questions after the last of them."""

    id: str
    kind: str
    talks: tuple[tuple[str, tuple[Line, ...]], ...]
    questions: tuple[Question, ...]


def stories(half: str) -> tuple[Story, ...]:
    """The stories of a half of the suite, or of a file. Raises UnknownName, or BadFile with the line."""
    if half in HALVES:
        return read(Path(str(files("toolmend.suites").joinpath("memory", f"{half}.yaml"))))
    if half.endswith((".yaml", ".yml")):
        return read(Path(half))
    raise UnknownName("half of the suite memory", half, HALVES, "a file is given as PATH.yaml")


def read(path: Path) -> tuple[Story, ...]:
    """The stories of a file."""
    top = load(path)
    if not isinstance(top, Located) or not isinstance(top.get("stories"), list):
        raise BadFile(path, "no list of `stories` in it", 1)
    reader = _Reader(path)
    beside = tuple((day, tuple(Line("", "user", text) for text in said)) for day, said in top.get("beside", {}).items())
    made = tuple(reader.story(each, beside) for each in top["stories"])
    if len({story.id for story in made}) != len(made):
        raise BadFile(path, "two stories have the same id")
    return made


class _Reader:
    def __init__(self, path: Path) -> None:
        self.path = path

    def story(self, where: Located, beside: tuple[tuple[str, tuple[Line, ...]], ...]) -> Story:
        """One story, with what is said beside on its days."""
        self.only(where, ("id", "kind", "talks", "ask"))
        if where["kind"] not in KINDS:
            raise self.bad(f"kind {where['kind']!r}; known: {', '.join(KINDS)}", where, "kind")
        own = [(day, tuple(self.line(each, where) for each in said)) for day, said in where["talks"].items()]
        labels = [line.label for _, said in own for line in said if line.label]
        if len(set(labels)) != len(labels):
            raise self.bad("two lines have the same label", where, "talks")
        talks = tuple(sorted([*beside, *own], key=lambda talk: talk[0]))
        asked = tuple(self.question(each, {*labels, PREFERENCE}) for each in where["ask"])
        return Story(where["id"], where["kind"], talks, asked)

    def line(self, where: Located, story: Located) -> Line:
        """`LABEL WHO: words`, or an act."""
        if len(where) != 1:
            raise self.bad("a line is `LABEL WHO: words`", story, "talks")
        [(head, words)] = where.items()
        if head in _ACTS:
            return Line("", head, str(words))
        label, _, who = head.partition(" ")
        if not who:
            raise self.bad(f"{head!r}: a line begins with its label and who says it", story, "talks")
        return Line(label, who, str(words))

    def question(self, where: Located, labels: set[str]) -> Question:
        """One question."""
        self.only(where, ("q", "a", "not", "from"))
        written = where.get("a")
        answer = "" if written is None else None if written == NOTHING else str(written)
        given = where.get("from", [])
        evidence = tuple([given] if isinstance(given, str) else given)
        if unknown := set(evidence) - labels:
            raise self.bad(f"no line is labelled {', '.join(sorted(unknown))}", where, "from")
        return Question(where["q"], answer, tuple(map(str, where.get("not", []))), evidence)

    def only(self, where: Any, keys: tuple[str, ...]) -> None:
        """Refuse keys that nobody knows."""
        if not isinstance(where, Located):
            raise BadFile(self.path, f"a mapping of {', '.join(keys)} is due, not {where!r:.40}")
        if unknown := set(where) - set(keys):
            key = sorted(unknown)[0]
            raise self.bad(f"key {key!r} is not known here; known: {', '.join(keys)}", where, key)

    def bad(self, what: str, where: Located, key: str) -> BadFile:
        """An error with its line."""
        return BadFile(self.path, what, where.lines.get(key, where.line))
