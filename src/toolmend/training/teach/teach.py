"""`toolmend teach`: from a toolbox and its examples to a preset with its card. Everything is checked and told before
training begins; killed at any moment, the same call goes on. Needs the extra `train` (torch)."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolmend.errors import BadOption, MissingExtra
from toolmend.models import Model, load_model
from toolmend.models.builtin.model import BuiltinModel
from toolmend.models.builtin.preset import Preset
from toolmend.models.builtin.spelling import Spelling
from toolmend.models.builtin.tokens import Tokens
from toolmend.tools import Toolbox
from toolmend.training.corpus import Source
from toolmend.training.teach import plan as plans
from toolmend.training.teach.card import card
from toolmend.training.teach.dialogues import Talks
from toolmend.training.teach.examples import Example, missing, read_examples
from toolmend.training.teach.marks import figures
from toolmend.training.teach.plot import loss_plot
from toolmend.training.teach.requests import Requests
from toolmend.training.teach.source import shorthands, source_of
from toolmend.training.teach.templates import Template

TALKS_FOR_VOCABULARY = 3000
EXAM_DIALOGUES = 400
START = "builtin/small"
_RATES = {True: (0.008, 0.002), False: (0.015, 0.003)}  # Muon and AdamW, of a net that was begun as another, or not
_APART, _SWAP = 0.3, 0.25

Report = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Lesson:
    """What is taught: the toolbox under the name by which it is loaded, the examples, more wordings by a teacher.

    `held` names the examples kept for the exam (`line 12`); None: they are chosen by rule.
    """

    name: str
    box: Toolbox
    examples: tuple[Example, ...]
    extra: tuple[Template, ...] = ()
    teacher: str = ""
    held: frozenset[str] | None = None

    @property
    def requests(self) -> Requests:
        """The source of sentences."""
        return Requests(self.box.specs, self.examples, self.extra, self.held)

    @property
    def hash(self) -> str:
        """Identifies tools, examples and wordings."""
        parts: tuple[object, ...] = (self.box.specs, [(e.said, e.calls, e.reply) for e in self.examples], self.extra)
        parts = (*parts, sorted(self.held)) if self.held is not None else parts
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def lesson(name: str, file: Path | None = None) -> Lesson:
    """The toolbox of a name and its examples, by default those beside it.

    Raises BadOption naming each tool that has too few examples, BadFile for a broken line, UnknownName.
    """
    box = Toolbox.load(name)
    if not box.specs:
        raise BadOption(f"{name} has no tools")
    path = file or _beside(name)
    if path is None:
        told = "; ".join(missing((), box))
        raise BadOption(f"no examples: give --examples FILE (docs/teaching.md); needed: {told}")
    examples = read_examples(path, box)
    if too_few := missing(examples, box):
        raise BadOption(f"{path}: too few examples: {'; '.join(too_few)}")
    return Lesson(name, box, examples)


def _beside(name: str) -> Path | None:
    """`my_tools_examples.txt` (.jsonl, .yaml) beside `my_tools.py`, or here for a toolbox of another kind."""
    path = Path(name)
    folder = path.parent if name.endswith(".py") else Path()
    stem = path.stem if name.endswith(".py") else name.rpartition(":")[2]
    found = (folder / f"{stem}_examples{suffix}" for suffix in (".txt", ".jsonl", ".yaml"))
    return next((each for each in found if each.is_file()), None)


def teach(
    what: Lesson,
    out: Path,
    work: Path,
    *,
    minutes: float = 60.0,
    start: str = START,
    seed: int = 1,
    threads: int = 0,
    command: str = "",
    report: Report = lambda _: None,
    tell: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Train (or go on training) a model for a lesson and write its preset to `out`; the exam's figures.

    `start` names the embedded preset that the model begins as ("" for none). `tell` is told in a line what will happen,
    and how long it takes; `report` gets the rows of progress. Raises MissingExtra without torch, BadOption for a work
    folder of another lesson or too few minutes.
    """
    try:
        from toolmend.training.teach.start import begin_as
        from toolmend.training.trainer import Recipe, train
    except ImportError as error:
        raise MissingExtra("teaching a model", "train") from error
    requests = what.requests
    work.mkdir(parents=True, exist_ok=True)
    plan = plans.kept(work, f"{what.hash} {start}".strip())
    begun = plan is not None
    talks = Talks(requests)
    source, tokens = source_of(talks), vocabulary(talks, work, begun=begun)
    first = embedded(start)
    shape = shape_of(tokens, first)
    if plan is None:
        speed = _speed(shape, tokens, source, threads)
        plan = plans.plan_for(len(what.box.specs), minutes, speed, f"{what.hash} {start}".strip())
        plans.keep(work, plan)
    tell(_outlook(what, requests, plan, shape, begun=begun))
    recipe = Recipe(
        shape,
        plan.positions,
        plans.BATCH,
        *_RATES[first is not None],
        warm_up=30,
        decay=1.0,
        apart=_APART,
        swap=_SWAP,
        seed=seed,
        save_every=100,
        exam_every=max(100, plan.positions // plans.BATCH // 8),
        compile=False,  # six shapes to compile take longer than they save in a training this short
        buckets=plans.BUCKETS,
        threads=threads,
    )
    net = train(recipe, tokens, work, report, source, lambda net: first and begin_as(net, tokens, first))
    return finish(what, net, tokens, source, work, out, plan.positions, command, start)


def vocabulary(talks: Talks, work: Path, *, begun: bool = False) -> Tokens:
    """The vocabulary and spelling of a training, learned from its talks or read back from the work folder."""
    from tokenizers import Tokenizer

    from toolmend.training.vocabulary import train_vocabulary

    path, spelled = work / "tokenizer.json", work / "shorthands.json"
    if begun and path.exists() and spelled.exists():
        return Tokens(Tokenizer.from_file(str(path)), Spelling(json.loads(spelled.read_text(encoding="utf-8"))))
    texts = talks.texts(TALKS_FOR_VOCABULARY)
    short = shorthands(tuple(talks.requests.specs.values()), texts[1::2])
    tokens = train_vocabulary(texts, plans.VOCABULARY, Spelling(short))
    tokens.tokenizer.save(str(path))
    spelled.write_text(json.dumps(short), encoding="utf-8")
    return tokens


def embedded(start: str) -> Preset | None:
    """The preset that a model begins as: `builtin/NAME` or a folder; None for "". Raises UnknownName, BadFile."""
    if not start:
        return None
    model = load_model(start)
    if not isinstance(model, BuiltinModel):
        raise BadOption(f"--start {start}: only an embedded model can be begun with; see `toolmend models`")
    return model.preset


def shape_of(tokens: Tokens, first: Preset | None) -> Any:
    """The sizes of a taught model (net.Shape): those of the preset it begins as, else about a million parameters."""
    from toolmend.training.net import Shape
    from toolmend.training.teach.start import shape_like

    size = tokens.tokenizer.get_vocab_size()
    return shape_like(first, size) if first else Shape(size, width=128, inner=256, layers=5, heads=4)


def finish(
    what: Lesson,
    net: Any,
    tokens: Tokens,
    source: Source,
    work: Path,
    out: Path,
    positions: int,
    command: str,
    start: str = "",
) -> dict[str, Any]:
    """Examine a net and write it as a preset with its card and its curve; the figures."""
    from toolmend.training.exam import exam
    from toolmend.training.export import write_preset

    result = exam(net, tokens, source, EXAM_DIALOGUES)
    found = figures(result.answers, what.box.specs)
    requests = what.requests
    trained = {
        "command": command,
        "examples": len(what.examples),
        "held_out": len(requests.held_out),
        "teacher": f" and by {what.teacher}" if what.teacher else "",
        "positions": positions,
        "start": start,
        "parameters": sum(weight.numel() for weight in net.parameters()),
        "data": what.hash,
    }
    misses = [(each.said, each.due, each.got) for each in result.answers if each.part == "held_out" and not each.exact]
    title = out.name or "preset"
    write_preset(
        out,
        net,
        tokens,
        toolboxes=list(dict.fromkeys((what.name, Path(what.name).name))),
        window=plans.WINDOW,
        about={"name": title, "about": f"taught for {what.name}", "figures": found, "trained": trained},
        card=card(title, what.name, trained, found, misses),
    )
    rows = _rows(work)
    (out / "loss.svg").write_text(loss_plot(rows, f"{title}: loss and held-out exams"), encoding="utf-8")
    return found


def _rows(work: Path) -> list[Mapping[str, Any]]:
    path = work / "log.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines]


def _speed(shape: Any, tokens: Tokens, source: Source, threads: int) -> float:
    """Positions a second on this machine, measured on three batches with a net that is thrown away."""
    import os

    import torch

    from toolmend.training import trainer
    from toolmend.training.corpus import batches
    from toolmend.training.net import Net

    torch.set_num_threads(threads or os.cpu_count() or 1)
    recipe = trainer.Recipe(shape, tokens_per_batch=plans.BATCH)
    net = Net(recipe.shape)
    optimizers = trainer._optimizers(net, recipe)
    stream = batches(tokens, source, seed=0, tokens_per_batch=plans.BATCH, chunk=128, buckets=plans.BUCKETS)
    trainer._step(net, optimizers, next(stream))
    began, seen = time.perf_counter(), 0
    for _ in range(3):
        batch = next(stream)
        trainer._step(net, optimizers, batch)
        seen += batch.ids.size
    return max(1.0, seen / (time.perf_counter() - began))


def _outlook(what: Lesson, requests: Requests, plan: plans.Plan, shape: Any, *, begun: bool) -> str:
    """What is going to happen, in a line."""
    held = len(requests.held_out)
    layer = 4 * shape.width**2 + 3 * shape.width * shape.inner
    size = shape.vocabulary * shape.width + shape.layers * layer
    return (
        f"{'going on with' if begun else 'teaching'} {what.name}: {len(what.box.specs)} tools, "
        f"{len(requests.templates)} wordings, {held} of them held out for the exam; {size / 1e6:.2f} M parameters, "
        f"{plan.positions / 1e6:.1f} M positions, about {plan.seconds / 60:.0f} min at {plan.speed:,.0f} positions/s"
    )


def with_teacher(
    what: Lesson,
    model: Model,
    work: Path,
    *,
    max_tokens: int | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Lesson:
    """The lesson with what a model makes of its sentences; asked again only for what is not in the work folder."""
    from dataclasses import replace

    from toolmend.training.teach.teacher import reworded

    work.mkdir(parents=True, exist_ok=True)
    specs = {spec.full_name: spec for spec in what.box.specs}
    extra = reworded(what.examples, specs, model, work / "teacher.jsonl", max_tokens=max_tokens, report=tell)
    return replace(what, extra=extra, teacher=model.name)
