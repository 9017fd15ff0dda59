"""Simulated calendar talks for tests: what is asked and complained about, without the replies that adapters learn."""

from __future__ import annotations

from functools import cache
from random import Random

from toolmend.training.dialogues import Talk
from toolmend.training.meaning import Meant
from toolmend.training.phrases import Phrases
from toolmend.training.published import published
from toolmend.training.slips import Slip, complaint
from toolmend.training.words import Words

Exchanges = list[tuple[str, str, Meant]]
"""The kind of request, what is said, and what is due."""


@cache
def _phrases(files: str, share: float) -> Phrases:
    return Phrases(files, share)


def topics() -> list[str]:
    """What can be wrong with a reply."""
    return sorted(name.removesuffix(" 2") for name in _phrases("complaints.txt", 0.0).lines if name.endswith(" 2"))


def simulated(seed: int, *, held_out: bool = False, turns: int = 5) -> Exchanges:
    """A talk by its seed: requests, and after some of them a complaint ("complaint TOPIC")."""
    random, share = Random(seed * 2 + held_out), 1.0 if held_out else 0.0
    phrases, complaints = _phrases("phrases.txt moves.txt", share), _phrases("complaints.txt", share)
    talk = Talk(random, Words(held_out, made_up_share=0.5), phrases, speech=seed % 8 == 0)
    exchanges: Exchanges = []
    for _ in range(turns):
        kind, said, meant = talk.step()
        if published(said):
            break
        exchanges.append((kind, said, meant))
        if not meant.words and random.random() < 0.4:
            topic = random.choice(topics())
            wrong = complaint(Slip("", topic, "title"), random.randint(0, 3), meant, random, complaints)
            exchanges.append((f"complaint {topic}", wrong, meant))
    return exchanges
