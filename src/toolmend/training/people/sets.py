"""The public sets that talks are made of, by name: what each is, and who reads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from toolmend.base.errors import BadFile, BadOption
from toolmend.training.people import requests, sgd
from toolmend.training.people.talk_lines import PeopleTalk, write_talks


@dataclass(frozen=True, slots=True)
class PublicSet:
    """What is told of a set in the head of its talks, and its reader."""

    about: Mapping[str, str]
    talks: Callable[[Path], list[PeopleTalk]]


SETS = {
    "sgd": PublicSet(sgd.ABOUT, sgd.sgd_talks),
    "snips": PublicSet(requests.SNIPS, requests.snips_talks),
    "hwu64": PublicSet(requests.HWU64, requests.hwu64_talks),
    "slurp": PublicSet(requests.SLURP, requests.slurp_talks),
}


def import_set(name: str, folder: Path, out: Path) -> tuple[int, int, str]:
    """Write the talks of a copy of a set: how many, of how many turns, and the licence. Raises BadFile, BadOption; then
    `out` is as it was."""
    if not folder.is_dir():
        raise BadFile(folder, f"is no folder: name that of your copy of the set {name}")
    if out.suffix == ".jsonl" or out.suffixes[-2:] == [".jsonl", ".xz"]:
        talks = SETS[name].talks(folder)
        if not talks:
            raise BadFile(folder, f"has no request of a tool: is it a copy of the set {name}?")
        write_talks(out, SETS[name].about, talks)
        return len(talks), sum(len(talk.turns) for talk in talks), SETS[name].about["licence"]
    raise BadOption(f"{out}: talks are written as .jsonl or .jsonl.xz")
