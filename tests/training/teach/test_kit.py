"""Examples as a kit: what is learned and what is held out, and what is refused before anything is trained."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolmend.base.errors import BadFile, BadOption
from toolmend.tools import Toolbox
from toolmend.training.teach.examples import read_examples
from toolmend.training.teach.kit import Kit, kit_of


def refused(tmp_path: Path, box: Toolbox, text: str) -> str:
    path = tmp_path / "e.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises((BadFile, BadOption)) as caught:
        kit_of(box, read_examples(path, box), path)
    return str(caught.value)


def test_one_wording_in_five_is_held_out(kit: Kit) -> None:
    assert [tool.wordings for tool in kit.held][:2] == [
        ("Bring {crates} crates over to {shelf}",),
        ("Fetch {goods} on {day}",),
    ]
    assert not {wording for tool in kit.held for wording in tool.wordings} & {
        wording for tool in kit.tools for wording in tool.wordings
    }


def test_wordings_of_the_signature_stand_beside_the_persons_own(kit: Kit) -> None:
    wordings = kit.tools[0].wordings
    assert "Move: crates {crates}, shelf {shelf}" in wordings
    assert wordings.count("Crates for {shelf}: {crates}") == 4


def test_what_lacks_a_value_is_made_of_the_signature(kit: Kit) -> None:
    assert ("shelf", "Move {crates} crates to a shelf") in kit.tools[0].lacking


def test_a_sentence_without_a_call_stands_as_it_is(kit: Kit) -> None:
    assert kit.fixed == (("Thanks!", "You're welcome."),)


def test_second_thoughts_are_wordings_too(kit: Kit) -> None:
    assert kit.changes == {"depot.move": [("crates", "No, {crates}")]}


def test_what_no_word_says_is_told(kit: Kit) -> None:
    assert kit.notes == (
        "line 12: no word says by='van'; the whole sentence is taken to mean it",
        "line 13: no word says things__1__count='1'; the whole sentence is taken to mean it",
    )


def test_too_few_sentences_are_counted_by_tool(tmp_path: Path, box: Toolbox) -> None:
    assert refused(tmp_path, box, 'Go => depot.move(3, "B7")').endswith(
        "too few examples: depot.move: 1 of 5 examples; depot.collect: 0 of 5 examples; depot.pack: 0 of 5 examples"
    )


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ('Go => depot.move(3, "B7")\nGo => depot.move(4, "B7")', 2),
        ('Get 3 to B7 => depot.move(3, "B7")\nget 3 to b7 => depot.pack([{"what": "B7", "count": 3}])', 2),
        ('Go to B7 => depot.move(1, "B7")\nGo to C2 => depot.move(9, "C2")', 2),
    ],
)
def test_the_same_words_cannot_mean_two_things(tmp_path: Path, box: Toolbox, lines: str, line: int) -> None:
    more = "\n".join(
        text for text in Path(__file__).with_name("conftest.py").read_text().splitlines() if "=> depot" in text
    )
    assert f"e.txt:{line}: " in refused(tmp_path, box, f"{lines}\n{more}")


def test_what_stands_for_several_arguments_is_refused() -> None:
    with pytest.raises(BadOption, match=r"action.remove_calendar_entry: entry stands for title, date, time"):
        kit_of(Toolbox.load("calendar"), (), "none")
