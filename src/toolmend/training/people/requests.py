"""Requests of people that were labelled with an intent and the words of its slots, each as a talk of one turn: SNIPS
(Coucke et al. 2018), HWU64 (Liu et al. 2019), SLURP (Bastianelli et al. 2020). An intent is a tool, its slots are
arguments that need not be given. How such talks become longer ones is told in retelling.py.
"""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolmend.base.errors import BadFile
from toolmend.evals.benchmarks.sgd_services import HALF
from toolmend.language.resolve.said import Said
from toolmend.reading.spoken import write_spoken
from toolmend.training.adapter.turn import Turn
from toolmend.training.people.talk_lines import PeopleTalk
from toolmend.training.people.tool_line import ToolLine
from toolmend.training.teach.tool_names import words_of

SNIPS = {"set": "snips", "licence": "CC0", "cite": "SNIPS (Coucke et al. 2018)"}
HWU64 = {"set": "hwu64", "licence": "CC BY 4.0", "cite": "HWU64 (Liu et al. 2019), xliuhw/NLU-Evaluation-Data"}
SLURP = {"set": "slurp", "licence": "CC BY 4.0 (text)", "cite": "SLURP (Bastianelli et al. 2020)"}
_ANNOTATED = re.compile(r"\[\s*(?P<slot>\w+)\s*:\s*(?P<words>[^\]]*?)\s*\]")
_NUMBER = re.compile(r"\d+|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve", re.IGNORECASE)
_KINDS = {"date": "date", "time": "time"}
_NO_TOOL = ("general",)
"""Scenarios of small talk, which are no tool's."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """What was said, the intent, the words of each slot."""

    said: str
    intent: str
    words: Mapping[str, str]
    about: str = ""


def snips_talks(folder: Path) -> list[PeopleTalk]:
    """Of a copy of sonos/nlu-benchmark, the training files. Raises BadFile."""
    root = next((path for path in (folder / "2017-06-custom-intent-engines", folder) if path.is_dir()), folder)
    found: list[Labelled] = []
    for intent in sorted(path for path in root.iterdir() if path.is_dir()) if root.is_dir() else ():
        files = [intent / f"train_{intent.name}{end}.json" for end in ("_full", "")]
        path = next((file for file in files if file.is_file()), None)
        found += _snips(path, intent.name) if path else ()
    if not found:
        raise BadFile(root, "has no INTENT/train_INTENT_full.json: wanted is a copy of sonos/nlu-benchmark")
    return labelled_talks(found, "snips")


def _snips(path: Path, intent: str) -> Iterator[Labelled]:
    try:
        rows = json.loads(path.read_bytes().decode("utf-8", "replace"))[intent]
        for row in rows:
            given = [(part["entity"], part["text"].strip()) for part in row["data"] if part.get("entity")]
            if len({slot for slot, _ in given}) == len(given):
                said = " ".join("".join(part["text"] for part in row["data"]).split())
                yield Labelled(said, intent, {slot: " ".join(words.split()) for slot, words in given})
    except ValueError as error:
        raise BadFile(path, f"is no JSON, or cut off: {HALF}") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise BadFile(path, f"has no requests as SNIPS has them ({error!r})") from error


def hwu64_talks(folder: Path) -> list[PeopleTalk]:
    """Of a copy of xliuhw/NLU-Evaluation-Data. Raises BadFile."""
    path = next((file for file in sorted(folder.rglob("*Annotated-All*.csv"))), folder / "AnnotatedData")
    columns = ("scenario", "intent", "answer_annotation")
    found: list[Labelled] = []
    try:
        with path.open(encoding="utf-8", errors="replace", newline="") as lines:
            reader = csv.DictReader(lines, delimiter=";", restval=None)
            if not set(columns) <= set(reader.fieldnames or ()):
                raise BadFile(
                    path, f"has no columns {', '.join(columns)}: wanted is NLU-Data-Home-Domain-Annotated-All.csv"
                )
            for row in reader:
                scenario, intent, text = (row[name] for name in columns)
                if row[(reader.fieldnames or columns)[-1]] is None:
                    raise BadFile(path, f"ends in the middle of a line: {HALF}", reader.line_num)
                found += _annotated(text, intent, scenario)
    except OSError as error:
        raise BadFile(folder, "has no *Annotated-All.csv: wanted is a copy of xliuhw/NLU-Evaluation-Data") from error
    return labelled_talks(found, "hwu64")


def slurp_talks(folder: Path) -> list[PeopleTalk]:
    """Of a copy of pswietojanski/slurp, the training file. Raises BadFile."""
    path = next(
        (file for file in (folder / "dataset" / "slurp" / "train.jsonl", folder / "train.jsonl") if file.is_file()),
        None,
    )
    if path is None:
        raise BadFile(folder, "has no dataset/slurp/train.jsonl: wanted is a copy of pswietojanski/slurp")
    found: list[Labelled] = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            row = json.loads(line)
            found += _annotated(row["sentence_annotation"], row["action"], row["scenario"])
        except ValueError as error:
            raise BadFile(path, f"is no JSON, or cut off: {HALF}", number) from error
        except (KeyError, TypeError, AttributeError) as error:
            raise BadFile(path, f"is no request as SLURP has them ({error!r})", number) from error
    return labelled_talks(found, "slurp")


def _annotated(text: Any, action: str, scenario: str) -> Iterator[Labelled]:
    """`wake me at [time : nine]`: nothing where a slot is given twice, or there is no tool for it."""
    given = [(match["slot"], match["words"]) for match in _ANNOTATED.finditer(text)]
    said = " ".join(_ANNOTATED.sub(lambda match: match["words"], text).split())
    if said and action and scenario and scenario not in _NO_TOOL and len({slot for slot, _ in given}) == len(given):
        yield Labelled(said, f"{action}_{scenario}", dict(given), f"{action} {scenario}")


def labelled_talks(found: Sequence[Labelled], name: str) -> list[PeopleTalk]:
    """A talk a request, each with its intent as a tool; what is said twice is taken once."""
    slots: dict[str, dict[str, None]] = defaultdict(dict)
    numbers: dict[tuple[str, str], bool] = {}
    for one in found:
        slots[one.intent] |= dict.fromkeys(one.words)
        for slot, words in one.words.items():
            numbers[one.intent, slot] = numbers.get((one.intent, slot), True) and bool(_NUMBER.fullmatch(words))
    tools = {intent: _tool(intent, names, numbers) for intent, names in slots.items()}
    talks: dict[str, PeopleTalk] = {}
    for one in found:
        about = (one.about or " ".join(words_of(one.intent))).capitalize()
        signature = tools[one.intent]
        line = ToolLine(signature.name, signature.arguments, about).line()
        reply = write_spoken([Said(signature.name, one.words)], ())
        talks.setdefault(
            one.said, PeopleTalk((line,), (Turn(one.said, reply, True, "people"),), source=f"{name} {one.intent}")
        )
    return list(talks.values())


def _tool(intent: str, names: Iterable[str], numbers: Mapping[tuple[str, str], bool]) -> ToolLine:
    kinds = {slot: _KINDS.get(slot) or ("int" if numbers[intent, slot] else "") for slot in names}
    arguments = tuple((slot, "?" + (f": {kind}" if kind else "")) for slot, kind in kinds.items())
    return ToolLine("_".join(words_of(intent)), arguments)
