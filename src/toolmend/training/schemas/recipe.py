"""How `builtin/schema` is made: its vocabulary, its stage, its exam and its card. Needs the extra `train` (torch)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from toolmend.errors import BadOption
from toolmend.models.builtin import PRESETS
from toolmend.models.builtin.spelling import Spelling
from toolmend.models.builtin.tokens import Tokens
from toolmend.training.builtin import SCHEMA as NAME
from toolmend.training.corpus import Source
from toolmend.training.schemas.given import PERSONAS
from toolmend.training.schemas.prompts import PROMPTS, brief
from toolmend.training.schemas.talks import dialogue
from toolmend.training.teach.requests import Requests
from toolmend.training.teach.source import sentence_texts

WINDOW = 1024
SHORTHANDS = (
    '"YYYY-MM-DD"', '"HH:MM"', "Thought: a tool fits\nAction: ", '\nAction Input: {"',
    "Thought: all is done\nFinal Answer: ", "Thought: no tool helps\nFinal Answer: ", "Observation: ", "Designer: ",
    "\n- ", '", "', '": "', '": ', ', "', '="', '", ', '")', '("', '"}',
)  # fmt: skip
_VOCABULARY_SEED, _VOCABULARY_TALKS = 900_000_000, 5000
_WORDS = (
    "native true false none yyyy mm dd hh designer conversation talk whole number list of or left out name value error"
)


@dataclass(frozen=True)
class Plan:
    """Padded positions, batch size in positions, learning rates, share of them that decays, dialogues whose tokens are
    taken apart or swapped (segments.py), copying drills beside them (drills.py); the preset it begins with."""

    tokens: int = 24_000_000
    batch: int = 4096
    muon: float = 0.008
    adam: float = 0.0012
    decay: float = 0.6
    apart: float = 0.3
    swap: float = 0.25
    drills: float = 0.05
    vocabulary: int = 2048
    begin: str = "small"
    threads: int = 0
    save_every: int = 100
    exam_every: int = 500
    buckets: tuple[int, ...] = (96, 128, 192, 256, 384, 640)


def source() -> Source:
    """Talks over random toolboxes by every strategy."""
    texts = (*sentence_texts(Requests((), ())), *PROMPTS.values(), *PERSONAS, *SHORTHANDS, _WORDS)
    return Source(lambda number, held_out: dialogue(number, held_out), texts)


def vocabulary(size: int, cached: Path) -> Tokens:
    """The pieces, learned from simulated talks or read back."""
    from tokenizers import Tokenizer

    from toolmend.training.vocabulary import train_vocabulary

    spelling = Spelling(SHORTHANDS)
    if cached.exists():
        return Tokens(Tokenizer.from_file(str(cached)), spelling)
    tokens = train_vocabulary(_texts(), size, spelling)
    tokens.tokenizer.save(str(cached))
    return tokens


def _texts() -> Iterator[str]:
    for number in range(_VOCABULARY_TALKS):
        for exchange in dialogue(_VOCABULARY_SEED + number):
            yield exchange.user
            yield exchange.reply


def train_schema(
    work: Path, out: Path, report: Callable[[dict[str, Any]], None], plan: Plan | None = None
) -> dict[str, Any]:
    """Train (or go on training) and write the preset to `out`; the exam's figures.

    Raises BadOption for the work folder of another model.
    """
    from toolmend.models.builtin.preset import Preset
    from toolmend.training.teach.start import begin_as, shape_like
    from toolmend.training.trainer import Recipe, train

    plan = plan or Plan()
    work.mkdir(parents=True, exist_ok=True)
    marker = work / "model.json"
    if marker.exists() and json.loads(marker.read_text()) != {"model": NAME}:
        raise BadOption(f"{work} holds the training of another model; choose another --work folder")
    marker.write_text(json.dumps({"model": NAME}))
    tokens = vocabulary(plan.vocabulary, work / "tokenizer.json")
    start = Preset.read(Path(plan.begin) if "/" in plan.begin else PRESETS / plan.begin)
    recipe = Recipe(
        shape_like(start, plan.vocabulary), plan.tokens, plan.batch, plan.muon, plan.adam,
        decay=plan.decay, apart=plan.apart, swap=plan.swap, drills=plan.drills,
        save_every=plan.save_every, exam_every=plan.exam_every,
        buckets=plan.buckets, threads=plan.threads,
    )  # fmt: skip
    net = train(recipe, tokens, work, report, source(), begin=lambda net: begin_as(net, tokens, start))
    return finish(net, tokens, out, plan)


def finish(net: Any, tokens: Tokens, out: Path, plan: Plan, remark: str = "", dialogues: int = 400) -> dict[str, Any]:
    """Examine a net and write it as the preset; the figures."""
    from toolmend.training.exam import exam
    from toolmend.training.export import write_preset

    figures: dict[str, Any] = exam(net, tokens, source(), dialogues).summary()
    trained = {"command": f"toolmend train builtin {NAME}", "plan": asdict(plan), "data": data_hash(), "remark": remark}
    about = {
        "name": NAME,
        "about": "reads the tools of its prompt, for comparing strategies",
        "license": "Apache-2.0",
        "figures": figures,
        "trained": trained,
        "prompts": {"phrases": dict(brief().phrases), "skipped": list(brief().skipped)},
    }
    write_preset(out, net, tokens, toolboxes=(), window=WINDOW, about=about, card=_card(figures, plan, remark))
    return figures


def data_hash() -> str:
    """Identifies the generator: its data file and a few hundred dialogues."""
    digest = hashlib.sha256(files("toolmend.training.schemas").joinpath("data", "tools.txt").read_bytes())
    for number in range(300):
        digest.update(repr(dialogue(number)).encode())
    return digest.hexdigest()[:16]


def _card(figures: dict[str, Any], plan: Plan, remark: str) -> str:
    rows = "\n".join(f"| {kind} | {share} |" for kind, share in figures["by_op"].items())
    return f"""# builtin/{NAME}: reads the tools of its prompt

A small Llama that was trained for no toolbox: it reads tool names, arguments and choices from what a strategy sends,
and answers as oneline, native, react, freyr and freyr_paper want it. Made to compare ways of calling on a fresh
machine, in a small world: five tools, schemas of at most 600 tokens, a window of {WINDOW} tokens. The state of the
world is not read.

Begun as `{plan.begin}`, trained on simulated talks over random toolboxes (src/toolmend/training/schemas):
`toolmend train builtin {NAME}`. {remark}

| exam: whole reply exact, greedy, history as it should have been | share |
|---|---|
| tools as in training | {100 * figures["same"]:.1f} % |
| **held-out tools and words** (n={figures["n"]}) | **{100 * figures["held_out"]:.1f} %** |

| strategy and reply (held out) | exact |
|---|---|
{rows}

It knows no weekdays, no arithmetic beyond what training showed, and answers in words with a handful of fixed sentences.
"""
