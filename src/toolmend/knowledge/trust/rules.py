"""The rules of trust, read from rules.toml: weights by kind, caps, lists of places, whole phrases as patterns.

Judges nothing. The version in the file is part of every score.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from toolmend.knowledge.source import Kind
from toolmend.knowledge.terms import Terms

_DATA = Path(__file__).parent / "rules.toml"


@dataclass(frozen=True)
class KindRules:
    """How a kind is judged: the share of each check (all sum to 1), and what an unknown one is taken for."""

    expected: float
    vertical: Mapping[str, float]
    lateral: Mapping[str, float]


@dataclass(frozen=True)
class Rules:
    """A version of the rules."""

    version: str
    half_life: float
    references_wanted: int
    primary_wanted: float
    caps: Mapping[str, float]
    kinds: Mapping[Kind, KindRules]
    standing_endings: tuple[str, ...]
    standing_hosts: tuple[str, ...]
    primary_hosts: tuple[str, ...]
    phrases: Mapping[str, Terms]


@cache
def rules() -> Rules:
    """The rules that ship."""
    data = tomllib.loads(_DATA.read_text(encoding="utf-8"))
    share = float(data["lateral_share"])
    return Rules(
        version=data["version"],
        half_life=float(data["half_life"]),
        references_wanted=data["references_wanted"],
        primary_wanted=data["primary_wanted"],
        caps=data["caps"],
        kinds={
            kind: KindRules(each["expected"], _shares(each["vertical"], 1 - share), _shares(each["lateral"], share))
            for kind, each in data["kinds"].items()
        },
        standing_endings=tuple(data["standing"]["endings"]),
        standing_hosts=tuple(data["standing"]["hosts"]),
        primary_hosts=tuple(data["primary"]["hosts"]),
        phrases={name: Terms(phrases) for name, phrases in data["phrases"].items()},
    )


def _shares(weights: Mapping[str, float], whole: float) -> dict[str, float]:
    total = sum(weights.values())
    return {name: whole * weight / total for name, weight in weights.items()}
