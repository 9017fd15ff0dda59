"""`toolmend teach` and `toolmend improve`: somebody's own tools and sentences, an adapter that can call tools, and some
minutes → an adapter for these tools. Sentences are proposed where there are none. Needs torch only to train.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from toolmend.base.errors import BadFile, BadOption, UnknownName, needs
from toolmend.base.messages import Call, ToolSpec
from toolmend.models import smol
from toolmend.models.gguf.peft import CONFIG
from toolmend.models.smol.preset import SmolPreset
from toolmend.reading.render import render
from toolmend.tools import Toolbox
from toolmend.training.teach.exam import take_exam
from toolmend.training.teach.examples import read_examples
from toolmend.training.teach.kit import Kit, kit_of
from toolmend.training.teach.signature import parameters_of, wordings_of
from toolmend.training.teach.tool_requests import Asking, Offered, ToolAsk
from toolmend.training.teach.toolkits import MadeTool

if TYPE_CHECKING:
    from toolmend.training.adapter.teaching import Stop, Tell

TRAINING = ("teaching", "train", "torch")  # what is done, the extra, its module
NOTHING = "none"
_PROPOSED = 10  # sentences for a tool
_NOW = dt.datetime(2025, 6, 2, 9)
_WATCH = 45.0  # seconds between two looks at the held-out sentences
_EXAM = 25  # talks


def prepared(tools: str, path: Path) -> Kit:
    """What is learned of the tools from the examples in a file. Raises BadFile with the line, BadOption."""
    box = Toolbox.load(tools)
    return kit_of(box, read_examples(path, box), path)


def proposed(tools: str) -> str:
    """Sentences for every tool with their calls, made of its signature and description: text for a file of examples."""
    lines = [
        "# Proposed from the signatures: strike out what nobody would say, and reword the rest (docs/teaching.md)."
    ]
    for spec in Toolbox.load(tools).specs:
        about = spec.description.strip().partition("\n")[0]
        lines += ["", f"# {spec.full_name}: {about}" if about else f"# {spec.full_name}", *_proposed(spec)]
    return "\n".join(lines) + "\n"


def _proposed(spec: ToolSpec) -> list[str]:
    parameters = parameters_of(spec, {})
    tool = MadeTool("", spec.name, spec.description, parameters, tuple(wordings_of(spec, parameters)))
    offered = Offered(tool, spec, {slot: slot for slot in parameters})
    asking = Asking(Random(spec.full_name), _NOW)
    lines: dict[str, str] = {}
    for attempt in range(_PROPOSED * 8):
        ask = asking.ask_by(offered, tool.wordings[attempt % len(tool.wordings)])
        if len(lines) < _PROPOSED and "=>" not in ask.sentence and all(_known(ask, slot) for slot in ask.told):
            lines.setdefault(ask.sentence, render(Call(spec.full_name, ask.values()), spec))
    return [f"{said} => {call}" for said, call in lines.items()]


def _known(ask: ToolAsk, slot: str) -> bool:
    """Whether a text is an example of its parameter, and no made-up word, which people would wonder about."""
    kind, value = ask.offered.parameter(slot).kind, ask.told[slot].value
    texts = kind.item or kind
    return texts.name != "text" or all(text in texts.members for text in (value if kind.item else [value]))


def begin_of(start: str) -> tuple[Path | None, str, int]:
    """The folder of an adapter to begin with (None: none), its base and its rank. Raises UnknownName, BadFile."""
    if start == NOTHING:
        return None, "smollm2", 16
    name = start.removeprefix("smol/")
    is_path = name.startswith((".", "/", "~"))
    if not is_path and name not in smol.names():
        raise UnknownName("adapter", start, [f"smol/{name}" for name in smol.names()], "a folder is given as ./folder")
    folder = Path(name).expanduser() if is_path else smol.SHELF / name
    preset = SmolPreset.read(folder)
    try:
        return folder, preset.base, int(json.loads((folder / CONFIG).read_text(encoding="utf-8"))["r"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadFile(folder / CONFIG, f"says no rank ({error})") from error


def teach(
    kit: Kit,
    tools: str,
    out: Path,
    work: Path,
    *,
    start: str,
    minutes: float,
    threads: int,
    tell: Tell,
    say: Callable[[str], None],
    stop: Stop,
) -> Mapping[str, Any]:
    """Train on from the adapter named `start` and write `out`, an exam taken; its figures. Stopped, what there is is
    written; where `start` is `out` itself, only what does not do worse. Raises BadFile, BadOption, ModelError."""
    begin, base, rank = begin_of(start)
    if out.exists() and not (out / "toolmend.json").is_file() and any(out.iterdir() if out.is_dir() else [out]):
        raise BadOption(f"{out} is there and is no adapter; name another folder")
    needs(*TRAINING)
    from toolmend.training.adapter.teaching import AdapterAsked, train_adapter
    from toolmend.training.teach.course import Taught

    say(
        f"training takes {minutes:g} min at most (--minutes), less where every held-out sentence comes out right; "
        f"before it this machine is tried, after it there is an exam of {_EXAM} talks: some minutes more"
    )
    course = Taught(kit, f"taught the tools of {tools}")
    asked = AdapterAsked(
        base=base,
        out=out,
        work=work / course.name.split()[-1],
        course=course,
        minutes=minutes,
        rank=rank,
        threads=threads,
        begin=begin,
        exam=partial(take_exam, kit, _EXAM),
        watch=_WATCH,
    )
    return train_adapter(asked, tell, say, stop) or {}
