"""Suite `darkroom`: a grid of 7 × 7 in which nothing is seen but where one stands, and a goal somewhere, other in each
task. A model plays twenty episodes in one talk, each move with all moves and rewards so far before it. Scored is what
the last three episodes earned; `rise` says how far it came within the talk.

Two models are for it. `policy/source`: Q-learning from its own rewards. `policy/distilled`: 64 gates (GRU: Cho et al.
2014) that were taught to go on with histories of it (notebooks/darkroom_study.py), and so learn within their own talk
(algorithm distillation: Laskin et al. 2023, arXiv 2210.14215). Many rooms at once, as arrays.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from toolmend.base.errors import BadFile, UnknownName
from toolmend.base.messages import Request
from toolmend.extras.agents.bench import Bench
from toolmend.extras.agents.system import AgentSystem, AgentTask, Scored
from toolmend.models import Model
from toolmend.models.scripted import Scripted

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Array = NDArray[Any]  # of floats
Parts = dict[str, Array]

SIDE, STEPS, ACTIONS = 7, 14, 5
START = SIDE * SIDE // 2
"""The middle, where each episode begins; cells are numbered from the upper left, line by line."""
WORDS = ("stay", "up", "down", "left", "right")
WIDTH = 64
INPUTS = 2 * SIDE + ACTIONS + 2  # row, column, the last action, its reward, whether an episode begins
SHAPES = {
    "w": (INPUTS, 3 * WIDTH),
    "u": (WIDTH, 3 * WIDTH),
    "b": (3 * WIDTH,),
    "v": (WIDTH, ACTIONS),
    "c": (ACTIONS,),
}
_MOVES = np.array([[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]])


def moved_to(cells: Ints, actions: Ints) -> Ints:
    """The cells after a step; a wall stops it."""
    places = np.clip(np.stack(divmod(cells, SIDE), axis=-1) + _MOVES[actions], 0, SIDE - 1)
    reached: Ints = places[..., 0] * SIDE + places[..., 1]
    return reached


def tasks(*, unseen: bool) -> Ints:
    """Goals: the 12 that no history is about, or the other 36."""
    order = np.random.default_rng(7).permutation([cell for cell in range(SIDE * SIDE) if cell != START])
    return np.sort(order[:12] if unseen else order[12:]).astype(np.int64)


def most_steps(goals: Ints) -> Ints:
    """How many steps of an episode can pay: all but those of the straight way to the goal."""
    most: Ints = STEPS + 1 - np.abs(np.stack(divmod(goals, SIDE)) - SIDE // 2).sum(axis=0)
    return most


class Learner:
    """Q-learning in many rooms, from nothing: it tries what it tried least, until something pays."""

    def __init__(self, rooms: int) -> None:
        self._rooms = np.arange(rooms)
        self._value = np.zeros((rooms, SIDE * SIDE, ACTIONS))
        self._tried = np.zeros((rooms, SIDE * SIDE, ACTIONS))

    def choose(self, at: Ints, random: np.random.Generator) -> Ints:
        """What is done at a cell of each room."""
        shaken = random.normal(0, 0.01, (len(at), ACTIONS))
        liking = self._value[self._rooms, at] + 0.3 / np.sqrt(1 + self._tried[self._rooms, at]) + shaken
        chosen: Ints = liking.argmax(axis=1)
        return chosen

    def learn(self, at: Ints, action: Ints, reward: Floats) -> None:
        """Take in what a step paid."""
        place = self._rooms, at, action
        self._tried[place] += 1
        better = reward + 0.8 * self._value[self._rooms, moved_to(at, action)].max(axis=1)
        self._value[place] += 0.3 * (better - self._value[place])


def inputs(cells: Ints, actions: Ints, rewards: Floats, begins: NDArray[np.bool_]) -> Array:
    """What the net is shown at a step: (…, inputs), from the cell, and the action (-1: none) and reward before it."""
    rows, columns = divmod(cells, SIDE)
    known = np.eye(ACTIONS + 1, dtype=np.float32)[actions][..., :ACTIONS]
    side = np.eye(SIDE, dtype=np.float32)
    last = np.stack([rewards, begins], axis=-1).astype(np.float32)
    return np.concatenate([side[rows], side[columns], known, last], axis=-1)


def step(parts: Mapping[str, Array], state: Array, shown: Array) -> tuple[Array, tuple[Array, ...]]:
    """The state after a step (n, 64), and what its gradient needs."""
    given, kept = shown @ parts["w"] + parts["b"], state @ parts["u"]
    gates = 1 / (1 + np.exp(-(given[:, : 2 * WIDTH] + kept[:, : 2 * WIDTH])))
    keep, reset = gates[:, :WIDTH], gates[:, WIDTH:]
    fresh = np.tanh(given[:, 2 * WIDTH :] + reset * kept[:, 2 * WIDTH :])
    return keep * state + (1 - keep) * fresh, (shown, state, keep, reset, fresh, kept[:, 2 * WIDTH :])


def chances(parts: Mapping[str, Array], state: Array) -> Array:
    """How likely each action is: (n, 5)."""
    sums = state @ parts["v"] + parts["c"]
    grown = np.exp(sums - sums.max(axis=1, keepdims=True))
    shares: Array = grown / grown.sum(axis=1, keepdims=True)
    return shares


def distilled(file: Path | None = None) -> Parts:
    """The net that ships, or one from a file. Raises BadFile where it is not of this shape."""
    from safetensors.numpy import load

    place = file or files(__package__).joinpath("darkroom.safetensors")
    try:
        parts = {name: part.astype(np.float32) for name, part in load(place.read_bytes()).items()}
    except Exception as error:
        raise BadFile(place, f"no net ({error}); notebooks/darkroom_study.py makes one") from error
    if {name: part.shape for name, part in parts.items()} != SHAPES:
        raise BadFile(place, "a net of other parts than the distilled one's")
    return parts


EPISODES, LAST = 20, 3
_PROMPT = """A dark room of {side} × {side} cells has a goal that you cannot see: a step there pays 1, any other 0. \
Each episode begins in the middle, has {steps} steps, and the goal is always at the same place. \
What was done so far, as row,column move reward:
{told}
You are at {row},{column}. Say one word: stay, up, down, left or right.
"""
_STEP = re.compile(r"(\d),(\d) (\w+) ([01])")
_WORD = re.compile("|".join(WORDS))


@dataclass(frozen=True)
class Moving:
    """One reply a move."""


class DarkRoom(AgentSystem):
    """The rooms whose goals no history is about."""

    name = "darkroom"
    about = "find an unseen goal by trying, and go there in later episodes of the same talk; score: the last three"
    ways: Mapping[str, Any] = {"moves": Moving}
    steps = EPISODES * STEPS

    def tasks(self) -> Sequence[AgentTask]:
        """Twelve goals."""
        return [
            AgentTask(f"goal-{goal // SIDE + 1}-{goal % SIDE + 1}", "Find the goal.", "unseen goals", int(goal))
            for goal in tasks(unseen=True)
        ]

    def oracle(self, task: AgentTask, way: Any) -> Model:
        """It knows the goal."""

        def answered(request: Request) -> str:
            return _toward(_standing(request.messages[-1].content), task.data)

        return Scripted(answered, "scripted/oracle")

    def reference(self, task: AgentTask) -> list[list[str]]:
        """The straight way, in every episode."""
        at, moves = START, []
        for _ in range(STEPS):
            moves.append(_toward(at, task.data))
            at = _next(at, moves[-1])
        return [moves] * EPISODES

    async def solve(self, bench: Bench, task: AgentTask, way: Any) -> list[list[str]]:
        """Twenty episodes; a reply without a move stays."""
        episodes: list[list[str]] = []
        bench.answer, told = episodes, list[str]()
        for number in range(1, EPISODES + 1):
            at = START
            episodes.append([])
            told.append(f"Episode {number}:")
            for _ in range(STEPS):
                row, column = divmod(at, SIDE)
                about = {"told": "\n".join(told), "row": row + 1, "column": column + 1}
                reply = await bench.ask(_PROMPT.format(side=SIDE, steps=STEPS, **about), max_tokens=8)
                said = _WORD.findall(reply.text.lower())
                bench.heard(bool(said), "no move")
                move = said[0] if said else "stay"
                episodes[-1].append(move)
                at = _next(at, move)
                told[-1] += f" {row + 1},{column + 1} {move} {int(at == task.data)};"
        return episodes

    def score(self, task: AgentTask, answer: Any) -> Scored:
        """The last three episodes as a share of the most there is, the goal reached by moves that were played again."""
        rows = answer if isinstance(answer, list) and len(answer) <= EPISODES else []
        sound = all(isinstance(row, list) and len(row) <= STEPS and all(move in WORDS for move in row) for row in rows)
        if not rows or not sound:
            return Scored(0.0, f"not {EPISODES} episodes of {STEPS} moves")
        shares = [_share(row, task.data) for row in rows] + [0.0] * (EPISODES - len(rows))
        end = sum(shares[-LAST:]) / LAST
        figures = {"first": shares[0], "last": end, "rise": end - shares[0]}
        return Scored(end, "" if end == 1 else f"{end:.0%} of what could be earned in the last {LAST}", figures)


def load(rest: str) -> Scripted:
    """`policy/distilled` or `policy/source`: models that know nothing but how to move in a dark room."""
    policies = {"distilled": _by_net, "source": _by_source}
    if rest not in policies:
        raise UnknownName("policy", rest, policies)

    def answered(request: Request) -> str:
        text = request.messages[-1].content
        history = [line for line in text.split("\n") if line.startswith("Episode ")]
        random = np.random.default_rng([crc32(text.encode()), request.options.seed or 0])
        return WORDS[policies[rest](history, _standing(text), random)]

    return Scripted(answered, f"policy/{rest}")


def _by_net(history: Sequence[str], at: int, random: np.random.Generator) -> int:
    cells, actions, rewards, begins = _read(history)
    begins.append(len(begins) % STEPS == 0)
    done = np.array([-1, *actions]), np.array([0.0, *rewards]), np.array(begins, dtype=bool)
    state = np.zeros((1, WIDTH), np.float32)
    for row in inputs(np.array([*cells, at]), *done):
        state, _ = step(_net(), state, row[None])
    likely = chances(_net(), state)[0].astype(float)
    return int(random.choice(len(WORDS), p=likely / likely.sum()))


def _by_source(history: Sequence[str], at: int, random: np.random.Generator) -> int:
    learner = Learner(1)
    for cell, action, reward, _ in zip(*_read(history), strict=True):
        learner.learn(_one(cell), _one(action), np.array([reward]))
    return int(learner.choose(_one(at), random)[0])


def _read(history: Sequence[str]) -> tuple[list[int], list[int], list[float], list[bool]]:
    """Cells, actions, rewards, and whether an episode begins."""
    rows = [(place == 0, *found) for line in history for place, found in enumerate(_STEP.findall(line))]
    cells = [(int(row) - 1) * SIDE + int(column) - 1 for _, row, column, _, _ in rows]
    actions = [WORDS.index(move) for *_, move, _ in rows]
    return cells, actions, [float(row[-1]) for row in rows], [row[0] for row in rows]


def _standing(text: str) -> int:
    row, column = re.findall(r"You are at (\d),(\d)", text)[-1]
    return (int(row) - 1) * SIDE + int(column) - 1


def _toward(at: int, goal: int) -> str:
    (row, column), (goal_row, goal_column) = divmod(at, SIDE), divmod(goal, SIDE)
    if row != goal_row:
        return "up" if row > goal_row else "down"
    return "stay" if column == goal_column else "left" if column > goal_column else "right"


def _next(at: int, move: str) -> int:
    return int(moved_to(_one(at), _one(WORDS.index(move)))[0])


def _one(number: int) -> Ints:
    return np.array([number])


def _share(moves: Sequence[str], goal: int) -> float:
    """What an episode earned, as a share of the most there is."""
    at, earned = START, 0
    for move in moves:
        at = _next(at, move)
        earned += at == goal
    return earned / int(most_steps(_one(goal))[0])


@cache
def _net() -> dict[str, Any]:
    return distilled()
