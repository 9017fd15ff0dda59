"""Files of talks: read as they were written, and one line that says what is wrong with any other."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from toolmend.base.errors import BadFile
from toolmend.training.adapter.turn import Turn
from toolmend.training.people.talk_lines import PeopleTalk, read_talks, write_talks

TALK = PeopleTalk(
    ("feed(cat, grams: grams = 40)  # Feed a cat. cat: who",),
    (
        Turn("Miso got 30", 'feed(cat="Miso", grams="13")', False, "people"),
        Turn("30!", 'change(grams="30")', True, "people"),
    ),
    (("dish_out(animal, amount: grams = 40)",),),
    "ours 1",
)  # fmt: skip
WRITTEN = '@ feed(cat)  # Feed a cat\n> Miso has eaten\nfeed(cat="Miso")\n> ta\nYou\'re welcome.\n'
LINE: dict[str, Any] = {"tools": ["feed(cat)"], "turns": [{"say": "Miso ate", "reply": 'feed(cat="Miso")'}]}


@pytest.mark.parametrize("name", ["talks.jsonl", "talks.jsonl.xz"])
def test_what_was_written_is_read(name: str, tmp_path: Path) -> None:
    write_talks(tmp_path / name, {"set": "ours"}, [TALK])
    assert read_talks(tmp_path / name) == (TALK,)


@pytest.mark.parametrize("name", ["talks.txt", "talks.txt.xz"])
def test_talks_as_the_written_ones_are_read_too(name: str, tmp_path: Path) -> None:
    content = WRITTEN.encode()
    (tmp_path / name).write_bytes(lzma.compress(content) if name.endswith(".xz") else content)
    (talk,) = read_talks(tmp_path / name)
    assert [turn.reply for turn in talk.turns] == ['feed(cat="Miso")', "You're welcome."]


def test_a_head_is_not_needed(tmp_path: Path) -> None:
    (tmp_path / "talks.jsonl").write_text(json.dumps(LINE))
    assert read_talks(tmp_path / "talks.jsonl")[0].turns[0].said == "Miso ate"


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([{**LINE, "tools": []}], r"talks\.jsonl:1: is a talk without tools; it would teach nothing$"),
        ([{**LINE, "turns": []}], r":1: is a talk without turns; it would teach nothing$"),
        ([LINE, {"messages": []}], r":2: is no talk: `toolmend data import` makes talks of public sets"),
        ([{**LINE, "tools": ["feed a cat"]}], r":1: is no talk \(feed a cat is no signature of a tool\); its form"),
        ([{**LINE, "turns": [{"say": "hi"}]}], r":1: is no talk \('reply'\); its form is in docs/training\.md$"),
        ([{**LINE, "tools": ["groom(cat)"]}], r":1: calls feed, which is none of its tools$"),
        ([{**LINE, "otherwise": [["feed(cat, dog)"]]}], r":1: has tools otherwise with more or fewer arguments"),
        ([{"talks": 2, "count": 1}, LINE], r":1: has talks of version 2; this toolmend reads 1$"),
        ([{"talks": 1, "count": 3}, LINE], r"talks\.jsonl: has 1 of its 3 talks: half a download\? Fetch it again$"),
        ([{"talks": 1, "count": 0}], r"talks\.jsonl: has no talk in it$"),
        ([], r"talks\.jsonl: has no talk in it$"),
    ],
)  # fmt: skip
def test_what_is_no_talk_is_one_line(rows: list[dict[str, Any]], told: str, tmp_path: Path) -> None:
    path = tmp_path / "talks.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    with pytest.raises(BadFile, match=told):
        read_talks(path)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        (
            "a.jsonl",
            b'{"tools": ["feed(cat)"], "tur',
            r"a\.jsonl:1: is no line of JSON: half a download\? Fetch it again, or",
        ),
        ("a.jsonl.xz", lzma.compress(b"{}" * 99)[:60], r"a\.jsonl\.xz: cannot be unpacked: half a download\?"),
        ("a.jsonl", b"\xff\xfe\x00", r"a\.jsonl: is no text in UTF-8, so it holds no talks$"),
        ("a.txt", b"> Miso ate\nfed\n", r"a\.txt: has a talk without tools \(@ before each\); it would teach nothing$"),
        ("a.txt", b"@ feed(cat)\nfed\n", r"a\.txt: has a reply before anything was said"),
    ],
)
def test_other_files_are_one_line(name: str, content: bytes, told: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadFile, match=told):
        read_talks(tmp_path / name)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"a\.jsonl: cannot be read \(No such file or directory\)"):
        read_talks(tmp_path / "a.jsonl")
