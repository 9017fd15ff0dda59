"""A model's own reply to a simulated calendar request beside what was due: what is wrong with it, and what mends it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from toolmend.reading.spoken import read_spoken
from toolmend.resolve.background import Background, Computed
from toolmend.resolve.calls import compute
from toolmend.resolve.said import CHANGE, Said
from toolmend.training.adapter.align import words_meaning
from toolmend.training.adapter.calendar_slips import TOPICS, changed_to
from toolmend.training.adapter.calendar_values import ADD, REMOVE, SHOWN, SPECS, same_calls, values_of
from toolmend.training.meaning import Meant


@dataclass(frozen=True, slots=True)
class OwnSlip:
    """`topic` of the complaint ("" where none names it), the right words of the arguments that differ, and what the
    complaint is said against."""

    topic: str
    right: dict[str, str]
    shown: Background


def own_slip(reply: str, lines: Sequence[Said], meant: Meant, background: Background) -> OwnSlip | None:
    """What is wrong with a reply where `lines` were due; None where it comes to the same."""
    said = read_spoken(reply, SHOWN)
    wrong = Computed() if said.broken else compute(said.lines, SPECS, background)
    due = compute(lines, SPECS, background)
    if wrong.undo == due.undo and same_calls(wrong, meant):
        return None
    made = tuple(replace(call, id=f"own{place}", amends=None) for place, call in enumerate(wrong.calls))
    gone = {*wrong.undo, *(call.amends for call in wrong.calls)}
    standing = tuple(call for call in background.calls if call.id not in gone)
    # the calls that were replaced stand again when the wrong ones are taken back, as in a session
    shown = replace(background, calls=standing if made else background.calls, amended=made, open=wrong.open)
    if not made:
        return OwnSlip("syntax" if said.broken else "no call", {}, replace(shown, calls=background.calls))
    if len(made) != 1 or len(due.calls) != 1 or made[0].tool != due.calls[0].tool:
        topic = "extra call" if len(made) > len(due.calls) > 0 else "api" if len(made) == len(due.calls) else ""
        return OwnSlip(topic, {}, replace(shown, calls=background.calls))
    if made[0].tool == REMOVE:
        return OwnSlip("which", {"entry": str(lines[0].words.get("entry", ""))}, shown)
    values, wanted = made[0].arguments, due.calls[0].arguments
    names = [name for name in TOPICS if values.get(name, 30) != wanted.get(name, 30)]
    right = {name: str(lines[0].words.get(name, wanted.get(name, 30))) for name in names}
    return OwnSlip(names[0] if len(names) == 1 else "", right, shown)


def own_mended(text: str, wrong: OwnSlip, lines: Sequence[Said], meant: Meant, shown: Background) -> list[Said]:
    """What mends it: the arguments that differ, in the complaint's words where it says any, else the lines that were
    due; empty where neither comes to what was meant."""
    ways: list[list[Said]] = []
    if wrong.right:
        words = dict(wrong.right)
        name = wrong.topic
        if name in TOPICS and len(lines) == 1 and lines[0].tool in (ADD, CHANGE):
            words[name] = said_in(text, name, values_of(meant.entry)[name], shown) or words[name]
        ways.append([Said(CHANGE, words)])
        ways.append([Said(CHANGE, wrong.right)])
    ways.append(list(lines))
    for way in ways:
        computed = compute(way, SPECS, shown)
        if computed.question is None and same_calls(computed, meant):
            return way
    return []


def said_in(text: str, name: str, due: object, shown: Background) -> str:
    """The words by which a complaint says the value that is due; "" where it says none."""
    if name == "title":
        place = text.lower().find(str(due).lower())
        return text[place : place + len(str(due))] if place >= 0 else ""
    span = words_meaning(text, name, lambda run: changed_to(run, name, shown) == due)
    return text[slice(*span)] if span else ""
