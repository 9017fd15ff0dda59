"""What a person says about a wrong reply, by topic and level: the sections of complaints.txt. Knows no model."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from toolmend.training import saying
from toolmend.training.meaning import Meant
from toolmend.training.phrases import Phrases


@dataclass(frozen=True)
class Slip:
    """A wrong reply; `topic` names the section of complaints.txt, `argument` what it concerns."""

    reply: str
    topic: str
    argument: str = ""


def complaint(made: Slip, level: int, meant: Meant, random: Random, complaints: Phrases) -> str:
    """What a person says about it at a level from 0 (nothing given away) to 3 (the value in words)."""
    entry = meant.entry
    slots = {
        "argument": made.argument,
        "said_time": saying.clock_in_words(entry.time, random),
        "said_date": saying.day_in_words(entry.date, random, with_year=random.random() < 0.2),
        "said_dur": saying.length_in_words(entry.duration, random),
        "said_title": entry.bare,
        "year": str(entry.date.year),
    }
    if level < 2:
        section = f"any {level}"
    else:
        section = f"{made.topic} 3" if level == 3 and f"{made.topic} 3" in complaints.lines else f"{made.topic} 2"
    return complaints.say(random, section, slots.__getitem__)
