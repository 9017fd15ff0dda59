"""Transcripts of talks, WebVTT and SubRip; the second at which each line was said is kept.

A file without times is a text like any other, and is marked so (`no_times`).
"""

from __future__ import annotations

import html
import re
from pathlib import PurePath

from toolmend.extras.knowledge.collect.finish import finished
from toolmend.extras.knowledge.collect.item import TEXT_AT_MOST, Item, Writing
from toolmend.extras.knowledge.encoding import cleaned, decode
from toolmend.extras.knowledge.outcome import Outcome
from toolmend.extras.knowledge.source import Cue, Source

_TIMES = re.compile(r"(?:(\d+):)?(\d{1,2}):(\d{2})[.,](\d{1,3})\s*-->")
_TAG = re.compile(r"<[^>\n]{0,100}>|\{\\[^}\n]{0,100}\}")  # {\an8} places a line: of SubStation Alpha, in SubRip too


def read(item: Item) -> Source | Outcome:
    """A transcript; a name with a video's id in brackets (as yt-dlp writes it) gives it its address."""
    decoded, encoding = decode(item.data, item.header)
    writing = Writing()
    last = ""
    for seconds, line in _cues(decoded):
        # Rolling captions show each line twice: as the new one, and as the old one above the next.
        if not line or line == last or writing.length > TEXT_AT_MOST:
            continue
        start = writing.block(line, "\n")
        if seconds is not None:
            writing.cues.append(Cue(start, seconds))
        last = line
    if not writing.text.strip():
        return Outcome("no_text", item.name, "a transcript in which nobody speaks")
    return finished(
        Source(
            id="",
            url=_address(item),
            form="transcript",
            text=writing.text,
            title=PurePath(item.name).name.partition("[")[0].partition(".")[0].strip(" _-"),
            seen=item.seen,
            cues=tuple(writing.cues),
            encoding=encoding,
            notes=() if writing.cues else ("no_times",),
        ),
        item,
    )


def _address(item: Item) -> str:
    """The address given, else that of the video whose id is in the file's name."""
    named = re.search(r"\[([\w-]{11})\]", PurePath(item.name).name)
    return f"https://www.youtube.com/watch?v={named[1]}" if item.url.startswith("file:") and named else item.url


def _cues(text: str) -> list[tuple[float | None, str]]:
    lines: list[tuple[float | None, str]] = []
    seconds: float | None = None
    skipped = False
    for line in text.split("\n"):
        bare = " ".join(html.unescape(_TAG.sub("", line)).split())
        if found := _TIMES.match(line.strip()):
            hours, minutes, whole, part = found.groups()
            seconds = int((hours or "0")[:6]) * 3600 + int(minutes) * 60 + int(whole) + float(f"0.{part}")
            skipped = False
        elif bare.startswith(("WEBVTT", "NOTE", "STYLE", "REGION")):
            skipped = True
        elif not bare:
            skipped = False
        elif not skipped and not bare.isdigit() and not re.match(r"(?:Kind|Language): ", bare):
            lines.append((seconds, cleaned(bare)))
    return lines
