"""From a base and a course of lessons to a folder that `smol/./FOLDER` talks with, with what it can do in its card.

What was planned is written down at first, so that the same command goes on to the same result. Needs the extra `train`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import torch

from toolmend.base.atomic import written
from toolmend.base.errors import BadFile, BadOption, ModelError
from toolmend.base.plots import curve_plot
from toolmend.models import Model
from toolmend.models.gguf import opened
from toolmend.models.gguf.fetch import SHIPPED
from toolmend.models.gguf.model import GgufSettings
from toolmend.models.gguf.peft import peft_to_gguf
from toolmend.models.gguf.places import locate
from toolmend.models.smol.preset import SmolPreset
from toolmend.training.adapter.base import GgufBase, load_peft, save_peft
from toolmend.training.adapter.courses import Course, WrittenCourse
from toolmend.training.adapter.device import FULL, Device, Passes, found_device
from toolmend.training.adapter.exam import Held, replies_given
from toolmend.training.adapter.loop import RECIPES, Schedule, TrainingState, train
from toolmend.training.adapter.net import AdaptedLlama
from toolmend.training.adapter.own_mistakes import OwnReply, drawn, keep_mistakes, lessons_of, read_mistakes
from toolmend.training.adapter.rows import Row, Tokens, packed
from toolmend.training.people.course import PeopleCourse

SCALE = 2.0
"""What the adapter is multiplied with: alpha over rank."""
_DTYPES = {"bfloat16": torch.bfloat16, "float32": torch.float32}
_PLAYED, _WORTH = 250, 4000  # talks a round at most; tokens that are learned for each
_TRIAL = 0.8  # seconds of steps for each kind of number
_TRIAL_ROWS = 6
_POINTS = 80  # of the curve that is drawn
_WINDOW = 4096

Tell = Callable[[Mapping[str, Any]], None]
Say = Callable[[str], None]
Stop = Callable[[], bool]
Examined = tuple[Mapping[str, Any], Sequence[str]]
"""The figures of an exam, and lines of the card."""
Exam = Callable[[Model, Say, Stop], Examined | None]
"""Asks the model that was taught; None where it was stopped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdapterAsked:
    """What somebody wants: a base as `gguf/` names it, a course, and how long: `tokens`, or as many as fit `minutes`.
    `threads` 0: as torch counts cores. `begin` is a folder with an adapter to go on from. With `watch`, the replies
    kept back are looked at every so many seconds; then all right ends it, and what is stopped is written as it is; in
    the place of `begin` itself only what does not do worse than that. So many `rounds`, spread over the training,
    replies are drawn in `played` written talks (else in as many as take a small part of the time), and the mistakes
    among them become lessons. Without an `exam` of its own it is counted at the end how many replies kept back come
    out word for word. Without a `plan`: the recipe of the device, small steps where it is watched."""

    base: str
    out: Path
    work: Path
    course: Course = field(default_factory=WrittenCourse)
    watch: float = 0.0
    tokens: int | None = None
    minutes: float | None = None
    rank: int = 16
    threads: int = 0
    begin: Path | None = None
    rounds: int = 0
    played: int | None = None
    exam: Exam | None = None
    seed: int = 1
    plan: Schedule | None = None


@dataclass(frozen=True, slots=True)
class _Planned:
    """What is kept of a training from its first minute: another answer to any of it is another training."""

    base: str
    talks: str
    rank: int
    seed: int
    begin: str
    tokens: int
    numbers: str
    recipe: str = "small steps"


def train_adapter(asked: AdapterAsked, tell: Tell, say: Say, stop: Stop) -> dict[str, Any] | None:
    """Teach, write the folder, measure it; the figures. None where `stop` ended it first.

    Raises BadFile, BadOption, ModelError: where a GPU's memory is full, too.
    """
    try:
        return _taught(asked, tell, say, stop)
    except torch.OutOfMemoryError as error:  # beside the steps: where replies are drawn, or an exam is taken
        raise ModelError(f"the GPU's memory is full; {FULL}") from error


def _taught(asked: AdapterAsked, tell: Tell, say: Say, stop: Stop) -> dict[str, Any] | None:
    if asked.threads:
        torch.set_num_threads(asked.threads)
    path = locate(asked.base)
    base = GgufBase(path)
    tokens = Tokens(base.tokenizer())
    device = found_device()
    planned = _planned(asked, base, tokens, device, say)
    torch.manual_seed(planned.seed)
    net = base.net(rank=planned.rank, alpha=SCALE * planned.rank, dtype=_DTYPES[planned.numbers])
    if planned.begin:
        load_peft(net, Path(planned.begin))
    device.settle(net, say)
    plan = replace(asked.plan or RECIPES[planned.recipe], tokens=planned.tokens, seed=planned.seed)
    passes = Passes(net, device.at_once, say)
    held = Held(net, asked.course.kept_back(tokens), tell, asked.watch) if asked.watch else None

    def step(progress: TrainingState) -> None:
        tell(_told(progress, planned.tokens))
        if held and held.due():
            held.look(progress.tokens)

    def ends() -> bool:
        return stop() or (held is not None and (held.enough or time.monotonic() > last))

    last = time.monotonic() + 60 * (asked.minutes or float("inf"))  # it may get slower than the trial was
    course = asked.course
    for part in range(asked.rounds + 1):
        until = planned.tokens * (part + 1) // (asked.rounds + 1)
        progress = train(net, plan, partial(course.row, tokens=tokens), asked.work, step, ends, until, passes)
        if part < asked.rounds and not ends() and isinstance(course, WrittenCourse | PeopleCourse):
            played = min(_PLAYED, planned.tokens // _WORTH) if asked.played is None else asked.played
            course = course.after(_own_mistakes(asked.work, course, played, net, tokens, part + 1, say, stop))
    if progress.tokens < planned.tokens and not held:
        return None
    if held:
        held.look(progress.tokens)
        if asked.begin == asked.out and held.worse:
            return held.figures() | {"kept": False}
    _write(net, asked, base, progress)
    if held and stop():
        figures = held.figures() | {"tokens": progress.tokens}
        _preset(asked, figures).write()
        (asked.out / "README.md").unlink(missing_ok=True)  # an earlier one's figures are not these
        return figures
    examined = asked.exam(_playing(asked, path), say, stop) if asked.exam else _word_for_word(asked, net, tokens)
    return _finished(asked, progress, examined) if examined else None


def _own_mistakes(
    work: Path,
    course: WrittenCourse | PeopleCourse,
    played: int,
    net: AdaptedLlama,
    tokens: Tokens,
    part: int,
    say: Say,
    stop: Stop,
) -> Sequence[OwnReply]:
    """The mistakes of this round, drawn unless they lie there: a file is whole, or drawn anew to the same."""
    file = work / f"mistakes-{part}.jsonl"
    if not file.exists():
        if played == 0:
            return ()
        say(f"drawing replies in {played} {'talk' if played == 1 else 'talks'} ...")
        replies = list(drawn(net, tokens, course.picked(played, part), part, stop))
        if stop():
            return ()
        lessons, wrong = lessons_of(replies, Random(part))
        say(f"{wrong} of {len(replies)} replies were mistakes: lessons now")
        keep_mistakes(file, lessons)
    return read_mistakes(file)


def _planned(asked: AdapterAsked, base: GgufBase, tokens: Tokens, device: Device, say: Say) -> _Planned:
    """The plan that lies in the work folder, else a new one, from a trial of what this machine can do."""
    file = asked.work / "plan.json"
    wanted: dict[str, Any] = {name: getattr(asked, name) for name in ("base", "rank", "seed")}
    wanted |= {"talks": asked.course.name, "begin": str(asked.begin.resolve()) if asked.begin else ""}
    if file.exists():
        try:
            planned = _Planned(**json.loads(file.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError) as error:
            raise BadFile(file, f"is no plan of a training ({error})") from error
        wanted |= {"tokens": asked.tokens} if asked.tokens else {}
        for name, value in wanted.items():
            if (kept := getattr(planned, name)) != value:
                told = f"with {name} {kept!r}, not {value!r}; name another folder"
                raise BadOption(f"{asked.work} holds a training {told}")
        say(f"going on, on {device.about}: {planned.numbers}, {planned.recipe}")
        return planned
    say(f"trying how fast {device.about} {'learn' if device.about.endswith('s') else 'learns'} ...")
    numbers, speed = trial(base, asked.rank, lambda seed: asked.course.row(seed, tokens), device)
    count = asked.tokens or int(60 * (asked.minutes or 0) * speed)
    if count < 1:
        raise BadOption("nothing to train: say --tokens N or --minutes N")
    recipe = "large steps" if device.is_gpu and not asked.watch else "small steps"
    say(f"{device.about}, {numbers}, {recipe}: {speed:,.0f} tokens/s; {count:,} tokens are planned")
    planned = _Planned(**wanted, tokens=count, numbers=numbers, recipe=recipe)
    with written(file) as part:  # killed in the middle of it, the next start would find no plan
        part.write_text(json.dumps(asdict(planned), indent=1) + "\n", encoding="utf-8")
    return planned


def trial(base: GgufBase, rank: int, rows: Callable[[int], Row | None], device: Device) -> tuple[str, float]:
    """The kind of numbers that sees more tokens a second there, and how many, lessons included: two seconds of
    steps."""
    begun = time.perf_counter()
    found: list[Row] = []
    seed = 1_000_000
    while len(found) < _TRIAL_ROWS:
        row = rows(seed)
        found += [row] if row else []
        seed += 1
    lessons = (time.perf_counter() - begun) / sum(len(row.tokens) for row in found)
    tokens, learned = packed(found, 1024)[0]
    times = max(1, device.at_once // tokens.numel()) if device.is_gpu else 1
    tokens, learned = tokens.repeat(times, 1), learned.repeat(times, 1)
    speeds = {}
    for numbers in device.numbers:
        net = base.net(rank=rank, alpha=SCALE * rank, dtype=_DTYPES[numbers])
        device.settle(net, lambda text: None)
        passes = Passes(net, device.at_once, lambda text: None)
        passes.gradients(tokens, learned)
        begun, steps = time.perf_counter(), 0
        while not steps or time.perf_counter() - begun < _TRIAL:
            passes.gradients(tokens, learned)
            steps += 1
        speeds[numbers] = steps * tokens.numel() / (time.perf_counter() - begun)
        del net, passes
    best = max(speeds, key=lambda numbers: speeds[numbers])
    return best, 1 / (1 / speeds[best] + lessons)


def _told(progress: TrainingState, of: int) -> dict[str, Any]:
    """A step as it is told."""
    last, speed = [loss for _, loss in progress.curve[-20:]], round(progress.tokens / max(progress.seconds, 1e-9))
    row = {"tokens": progress.tokens, "of": max(of, progress.tokens), "loss": sum(last) / len(last)}
    return {**row, "step": progress.steps, "tokens_per_second": speed}


def _write(net: AdaptedLlama, asked: AdapterAsked, base: GgufBase, progress: TrainingState) -> None:
    """The folder without its exam: PEFT's files, llama.cpp's, the curve."""
    save_peft(net, asked.out, asked.base)
    peft_to_gguf(asked.out, asked.out / "adapter.gguf", heads=base.shape.heads, kv_heads=base.shape.kv_heads)
    size = max(1, len(progress.curve) // _POINTS)
    blocks = [progress.curve[place : place + size] for place in range(0, len(progress.curve), size)]
    losses = [(block[-1][0], sum(loss for _, loss in block) / len(block)) for block in blocks]
    points = [(tokens, loss, f"{loss:.3f} at {tokens:,}") for tokens, loss in losses]
    picture = curve_plot("Learning", {"loss": points}, "padded tokens", "nats a token")
    (asked.out / "curve.svg").write_text(picture.svg, encoding="utf-8")
    _preset(asked, {}).write()


def _preset(asked: AdapterAsked, figures: Mapping[str, Any]) -> SmolPreset:
    base = asked.base if asked.base in SHIPPED else str(locate(asked.base).resolve())
    return SmolPreset(asked.out, f"{asked.base} {asked.course.title}", asked.course.toolbox, base, figures, "")


def _word_for_word(asked: AdapterAsked, net: AdaptedLlama, tokens: Tokens) -> Examined:
    """How many replies of talks kept back the net would give."""
    rows = asked.course.kept_back(tokens)
    if not rows:
        return {}, ["No exam was taken: measure it on a suite that played no part."]
    given, count = replies_given(net, rows)
    told = f"{given:,} of {count:,} replies of talks kept back come out word for word."
    return {"word_for_word": given, "replies": count}, [told]


def _finished(asked: AdapterAsked, progress: TrainingState, examined: Examined) -> dict[str, Any]:
    """The figures, put into `toolmend.json` and the card."""
    figures = {**examined[0], "tokens": progress.tokens, "steps": progress.steps}
    _preset(asked, figures).write()
    card = [
        f"# An adapter over {asked.base} that says which words mean what", "",
        f"Rank {asked.rank}, {progress.tokens:,} tokens of talks ({asked.course.name}). Its notation is",
        "docs/notation.md's; code computes what the words mean.", "",
        f"    toolmend chat --model smol/./{asked.out.name}", "",
        *examined[1], "",
    ]  # fmt: skip
    (asked.out / "README.md").write_text("\n".join(card), encoding="utf-8")
    return figures


def _playing(asked: AdapterAsked, path: Path) -> Model:
    """The adapter as it was written last, in the engine that will run it."""
    window = min(_WINDOW, GgufBase(path).window)
    settings = GgufSettings(
        adapter=str(asked.out / "adapter.gguf"), num_ctx=window, parallel=1, threads=asked.threads, template="chatml"
    )
    return opened(f"smol/{asked.out}", path, settings)
