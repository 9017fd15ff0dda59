"""Wrong replies as models give them, and what a person says about each. Every slip knows its topic in complaints.txt.

The kinds follow the published transcripts: wrong values, wrong notation, chatter, functions that do not exist, missing
or extra arguments, several calls, broken syntax, no call at all, junk. Knows nothing of models.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from random import Random

from toolmend.training import saying
from toolmend.training.meaning import Entry, Meant
from toolmend.training.phrases import Phrases
from toolmend.training.words import Words, sections, titled


@dataclass(frozen=True)
class Slip:
    """A wrong reply; `topic` names the section of complaints.txt, `argument` what it concerns."""

    reply: str
    topic: str
    argument: str = ""


_REPLIES = sections("replies.txt")
_EXTRA = (
    ("location", '"Office"'),
    ("attendees", '["me"]'),
    ("reminder", "10"),
    ("description", '"meeting"'),
    ("repeat", '"weekly"'),
    ("end", '"18:00"'),
)


def slip(meant: Meant, others: list[Entry], random: Random, words: Words) -> Slip:
    """A wrong reply where `meant` was due; `others` are the calendar's entries, to be confused with it."""
    kinds, weights = zip(*_KINDS, strict=True)
    while True:
        made: Slip | None = random.choices(kinds, weights)[0](meant, others, random, words)
        if made and made.reply.strip() != str(meant):
            return made


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


def _wrong_time(meant: Meant, others: list[Entry], r: Random, _: Words) -> Slip | None:
    e = meant.entry
    hour = r.choice(((e.time.hour + 12) % 24, (e.time.hour + 12) % 24, (e.time.hour + r.choice((-1, 1, 2))) % 24))
    wrong = e.time.replace(hour=hour) if r.random() < 0.7 else e.time.replace(minute=r.choice((0, 15, 30, 45)))
    if others and r.random() < 0.3:
        wrong = r.choice(others).time
    return Slip(str(replace(meant, entry=replace(e, time=wrong))), "time", "time") if wrong != e.time else None


def _wrong_date(meant: Meant, others: list[Entry], r: Random, _: Words) -> Slip | None:
    e = meant.entry
    wrong = e.date + timedelta(days=r.choice((-1, 1, 1, -7, 7, 2, 30, -30, 10)))
    if others and r.random() < 0.4:
        wrong = r.choice(others).date
    return Slip(str(replace(meant, entry=replace(e, date=wrong))), "date", "date") if wrong != e.date else None


def _wrong_year(meant: Meant, _o: list[Entry], r: Random, _w: Words) -> Slip | None:
    e = meant.entry
    if e.date.month == 2 and e.date.day == 29:
        return None
    wrong = e.date.replace(
        year=r.choice([y for y in (2022, 2023, 2023, 2024, 2025, e.date.year - 1) if y != e.date.year])
    )
    return Slip(str(replace(meant, entry=replace(e, date=wrong))), "year", "date")


def _wrong_duration(meant: Meant, _o: list[Entry], r: Random, _w: Words) -> Slip | None:
    wrong = r.choice([m for m in (30, 30, 60, 60, 15, 45, 90, 120, 3, 1, 180) if m != meant.entry.duration])
    return (
        None
        if meant.remove
        else Slip(str(replace(meant, entry=replace(meant.entry, duration=wrong))), "duration", "duration")
    )


def _wrong_title(meant: Meant, others: list[Entry], r: Random, words: Words) -> Slip | None:
    e = meant.entry
    title, word = e.title, r.choice(e.title.split())
    cut = r.randint(1, max(1, len(word) - 1))
    shapes = [
        title.replace(word, word[:cut]),
        title.replace(word, word + word[-cut:]),
        titled(words.title(r)),
        title.split(" with ")[0],
    ]
    if " with " in e.bare:
        shapes += [title.replace(e.bare.split(" with ")[1], words.person(r))] * 2
    if others:
        shapes.append(r.choice(others).title)
    wrong = r.choice(shapes).strip()
    return Slip(str(meant).replace(f'"{title}"', f'"{wrong}"'), "title", "title") if wrong and wrong != title else None


def _format_time(meant: Meant, _o: list[Entry], r: Random, _w: Words) -> Slip:
    t = meant.entry.time
    half = "AM" if t.hour < 12 else "PM"
    said = r.choice(
        (
            f"{t.hour % 12 or 12}{half}",
            f"{t.hour % 12 or 12}:{t:%M} {half}",
            f"{t:%H:%M}:00",
            f"{t.hour % 12 or 12}:{t:%M}{half.lower()}",
            f"{t:%H%M}",
        )
    )
    return Slip(str(meant).replace(f'"{t:%H:%M}"', f'"{said}"'), "time format", "time")


def _format_date(meant: Meant, _o: list[Entry], r: Random, _w: Words) -> Slip:
    d = meant.entry.date
    said = r.choice(
        (
            f"{d:%m/%d/%Y}",
            f"{d:%d/%m/%Y}",
            f"{saying.MONTHS[d.month - 1][:3]} {d.day}, {d.year}",
            f"{d.isoformat()[:2]} {d.isoformat()[2:]}",
            f"{d:%m-%d-%Y}",
            f"{d:%d-%m-%Y}",
            f"{d:%Y/%m/%d}",
            f"{d:%m-%d}",
        )
    )
    return Slip(str(meant).replace(f'"{d}"', f'"{said}"'), "date format", "date")


def _format_duration(meant: Meant, _o: list[Entry], r: Random, _w: Words) -> Slip | None:
    said = saying.length(meant.entry.duration, r)
    return (
        None
        if meant.remove
        else Slip(
            str(meant).replace(f"duration={meant.entry.duration}", f'duration="{said}"'), "duration format", "duration"
        )
    )


def _missing(meant: Meant, _o: list[Entry], r: Random, _w: Words) -> Slip:
    e = meant.entry
    if meant.remove:
        return r.choice(
            (
                Slip(f'action.remove_calendar_entry("{e.title}")', "missing", "date"),
                Slip(f'action.remove_calendar_entry("{e.title}", "{e.date}")', "missing", "time"),
                Slip(f'action.remove_calendar_entry("{e.title}", date="{e.date}")', "missing", "time"),
            )
        )
    name, text = r.choice(
        (
            ("duration", f", duration={e.duration}"),
            ("duration", f", duration={e.duration}"),
            ("date", f', date="{e.date}"'),
            ("time", f', time="{e.time:%H:%M}"'),
        )
    )
    return Slip(
        str(meant).replace(text, ""), "duration" if name == "duration" and r.random() < 0.5 else "missing", name
    )


def _extra_argument(meant: Meant, _o: list[Entry], r: Random, _w: Words) -> Slip:
    name, value = r.choice(_EXTRA)
    return Slip(f"{str(meant)[:-1]}, {name}={value})", "extra argument", name)


def _no_such_tool(meant: Meant, _o: list[Entry], r: Random, _w: Words) -> Slip:
    rest = str(meant).partition("(")[2]
    if r.random() < 0.25 and not meant.remove:
        rest = f'"{meant.entry.title}", {meant.entry.duration})'
    return Slip(f"{r.choice(_REPLIES['no such removal' if meant.remove else 'no such tool'])}({rest}", "api")


def _other_tool(meant: Meant, _o: list[Entry], r: Random, _w: Words) -> Slip:
    return Slip(str(replace(meant, remove=not meant.remove)), "api")


def _chatter(meant: Meant, _o: list[Entry], r: Random, _w: Words) -> Slip:
    call, before, after = str(meant), r.choice(_REPLIES["before"]), r.choice(_REPLIES["after"])
    fenced = f"```python\n{call}\n```"
    shape = r.choice(
        (
            f"{before}\n{call}",
            f"{before} {call}",
            f"{call}\n{after}",
            f"{before}\n{call}\n{after}",
            f"{before}\n{fenced}",
            f"{fenced}\n{after}",
            f"`{call}` {after}",
        )
    )
    return Slip(shape, "chatter")


def _no_call(meant: Meant, _o: list[Entry], r: Random, _w: Words) -> Slip:
    return Slip(r.choice(_REPLIES["nothing"]), "no call")


def _extra_call(meant: Meant, others: list[Entry], r: Random, _w: Words) -> Slip:
    call = str(meant)
    other = str(Meant(r.choice(others), remove=r.random() < 0.5)) if others else call
    shape = r.choice(
        (f"{other}\n{call}", f"{call}\n{other}", f"{call}\n{call}", f"{call}\n{call}\n{call}", f"{call}; {call}")
    )
    return Slip(shape, "extra call")


def _syntax(meant: Meant, _o: list[Entry], r: Random, _w: Words) -> Slip:
    call = str(meant)
    shape = r.choice(
        (
            call + ")",
            call[:-1],
            call.replace('",', ",", 1),
            call.replace(', "', ' "', 1).replace(", time", " time"),
            call.replace('("', "(", 1),
            call.replace("(", "((", 1),
        )
    )
    return Slip(shape, "syntax")


def _wrong_entry(meant: Meant, others: list[Entry], r: Random, _w: Words) -> Slip | None:
    return Slip(str(replace(meant, entry=r.choice(others))), "which") if others else None


Maker = Callable[[Meant, list[Entry], Random, Words], "Slip | None"]
_KINDS: tuple[tuple[Maker, int], ...] = (
    (_wrong_time, 12),
    (_wrong_date, 12),
    (_wrong_year, 6),
    (_wrong_duration, 9),
    (_wrong_title, 13),
    (_format_time, 6),
    (_format_date, 6),
    (_format_duration, 4),
    (_missing, 7),
    (_extra_argument, 3),
    (_no_such_tool, 8),
    (_other_tool, 2),
    (_chatter, 10),
    (_no_call, 5),
    (_extra_call, 5),
    (_syntax, 4),
    (_wrong_entry, 6),
)
