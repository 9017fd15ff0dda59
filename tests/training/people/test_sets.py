"""Talks out of public sets: what is learned of each, and one line for what is no such set or only half of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from public_sets import DIALOGUE, HIRED, SCHEMA, VARIANT, put, user, write_hwu64, write_sgd, write_slurp, write_snips
from toolmend.base.errors import BadFile, BadOption
from toolmend.training.people.requests import Labelled, labelled_talks
from toolmend.training.people.sets import SETS, import_set
from toolmend.training.people.sgd import sgd_talks
from toolmend.training.people.talk_lines import PeopleTalk, read_talks

Write = Callable[[Path], Path]


def imported(name: str, write: Write, tmp_path: Path) -> tuple[PeopleTalk, ...]:
    import_set(name, write(tmp_path / name), tmp_path / "talks.jsonl.xz")
    return read_talks(tmp_path / "talks.jsonl.xz")


def test_a_dialogue_becomes_a_talk_of_what_was_asked_for_and_changed(tmp_path: Path) -> None:
    (talk,) = imported("sgd", write_sgd, tmp_path)
    assert [(turn.said, turn.reply) for turn in talk.turns] == [
        ("We fancy a boat", 'FindBoats(harbour="?")'),
        ("Somewhere in Harwich, and with an engine", 'change(harbour="Harwich", motor="yes")'),
        ("Does it have a toilet?", "None of these tools can do that."),
        (
            "Good, hire that one for three on the 4th",
            'HireBoat(harbour="Harwich", hire_date="the 4th", seats="three", boat_name="?")',
        ),
        ("No, the 5th", 'change(hire_date="the 5th")'),
        ("Thanks, bye", "You're welcome."),
    ]


def test_what_was_only_chosen_was_not_said(tmp_path: Path) -> None:
    write_sgd(tmp_path)
    chosen = user("That one", "HireBoat", {**HIRED, "hire_date": ["the 4th"]}, ["SELECT"])
    put(tmp_path / "train" / "dialogues_001.json", [{**DIALOGUE, "turns": [chosen]}])
    (talk,) = sgd_talks(tmp_path)
    assert talk.turns[0].reply == 'HireBoat(harbour="?", hire_date="?", boat_name="?")'


def test_intents_are_tools_under_the_names_of_each_variant(tmp_path: Path) -> None:
    (talk,) = imported("sgd", write_sgd, tmp_path)
    assert talk.tools == (
        "FindBoats(harbour, motor?: yes|no)  # Look for boats. harbour: Where the boat lies; motor: With a motor",
        "HireBoat(harbour, hire_date: date, seats: int = 2, boat_name)  # Hire a boat. harbour: Where the boat lies; "
        "hire_date: Which day; seats: How many people; boat_name: Name of the boat",
    )
    assert [line.partition("  # ")[0] for line in talk.otherwise[0]] == [
        "SearchVessels(port, has_engine?: yes|no)", "RentVessel(port, day_of_hire: date, people: int = 2, vessel)"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "write", "talks"),
    [
        ("snips", write_snips, [
            ("add_to_playlist(song?, playlist?)  # Add to playlist", "Put Rain Dogs on my ironing list",
             'add_to_playlist(song="Rain Dogs", playlist="ironing")'),
        ]),
        ("hwu64", write_hwu64, [
            ("set_alarm(time?: time, date?: date)  # Set alarm", "ring me at quarter to six on monday",
             'set_alarm(time="quarter to six", date="monday")'),
            ("remove_alarm(date?: date)  # Remove alarm", "no alarm on sunday", 'remove_alarm(date="sunday")'),
        ]),
        ("slurp", write_slurp, [
            ("hue_lightdim_iot(house_place?, change_amount?: int)  # Hue_lightdim iot", "dim the attic by ten",
             'hue_lightdim_iot(house_place="attic", change_amount="ten")'),
            ("hue_lightdim_iot(house_place?, change_amount?: int)  # Hue_lightdim iot", "darker please",
             "hue_lightdim_iot()"),
        ]),
    ],
)  # fmt: skip
def test_a_request_is_a_talk_with_its_intent_as_a_tool(
    name: str, write: Write, talks: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    made = [(talk.tools[0], talk.turns[0].said, talk.turns[0].reply) for talk in imported(name, write, tmp_path)]
    assert made == talks


def test_an_intent_takes_what_any_of_its_requests_gives() -> None:
    said = [
        Labelled("ring at six", "ring", {"time": "six"}),
        Labelled("ring at 7, floor 3", "ring", {"time": "7", "floor": "3"}),
    ]
    assert {talk.tools for talk in labelled_talks(said, "ours")} == {("ring(time?: time, floor?: int)  # Ring",)}


def test_whose_they_are_stands_in_the_head(tmp_path: Path) -> None:
    out = tmp_path / "talks.jsonl"
    assert import_set("slurp", write_slurp(tmp_path / "slurp"), out) == (2, 2, "CC BY 4.0 (text)")
    head = json.loads(out.read_text().splitlines()[0])
    assert head == {
        "talks": 1, "set": "slurp", "licence": "CC BY 4.0 (text)", "cite": "SLURP (Bastianelli et al. 2020)", "count": 2
    }  # fmt: skip


def cut_off(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) * 2 // 3])


def spoilt_sgd(what: str, folder: Path) -> Path:
    write_sgd(folder)
    train = folder / "train"
    if what == "cut off":
        cut_off(train / "dialogues_001.json")
    elif what == "a gap":
        put(train / "dialogues_003.json", [DIALOGUE])
    elif what == "no schema":
        (train / "schema.json").unlink()
    elif what == "no service":
        put(train / "dialogues_001.json", [{**DIALOGUE, "services": ["Boats_1", "Planes_1"]}])
    elif what == "other variants":
        put(folder / "sgd_x" / "data" / "v1" / "train" / "schema.json", [{**VARIANT[0], "slots": []}])
    elif what == "other turns":
        put(train / "dialogues_001.json", [{**DIALOGUE, "turns": [{"speaker": "USER", "text": "hi"}]}])
    elif what == "another format":
        put(train / "dialogues_001.json", {"version": 2})
    elif what == "another schema":
        put(train / "schema.json", [{**SCHEMA[0], "slots": [{"name": "x"}]}])
    elif what == "no dialogues":
        (train / "dialogues_001.json").unlink()
    return folder


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("cut off", r"dialogues_001\.json: is no JSON, or cut off: half a download\? Fetch it again$"),
        ("a gap", r"train: lacks dialogues_002\.json, but not those after it: half a download\?"),
        (
            "no schema",
            r"schema\.json: is not there: wanted is a copy of dstc8-schema-guided-dialogue; is it half a download",
        ),
        ("no service", r"dialogue 1_00000 uses Planes_1, which schema\.json has not: half a download\?"),
        ("other variants", r"sgd_x: has other services than .*schema\.json: half a download\?"),
        ("other turns", r"dialogue 1_00000 is not as the corpus has them \(KeyError\('frames'\)\)|'utterance'"),
        ("another format", r"dialogues_001\.json: is no list of dialogues with turns, as the corpus has them$"),
        ("another schema", r"schema\.json: is no schema as the corpus has them|sgd_x: has other services"),
        ("no dialogues", r"train: has no dialogues_001\.json: wanted is a copy of dstc8-schema-guided-dialogue$"),
    ],
)
def test_what_is_no_corpus_is_one_line(what: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=told) as caught:
        import_set("sgd", spoilt_sgd(what, tmp_path / "sgd"), tmp_path / "talks.jsonl")
    assert len(str(caught.value).splitlines()) == 1
    assert not (tmp_path / "talks.jsonl").exists()


def spoilt(write: Write, pattern: str) -> Write:
    def written(folder: Path) -> Path:
        (path,) = write(folder).rglob(pattern)
        cut_off(path)
        return folder

    return written


@pytest.mark.parametrize(
    ("name", "write", "told"),
    [
        ("snips", spoilt(write_snips, "train_*.json"), r"train_AddToPlaylist_full\.json: is no JSON, or cut off: half"),
        ("hwu64", spoilt(write_hwu64, "*.csv"), r"All\.csv:\d+: ends in the middle of a line: half a download\?"),
        ("slurp", spoilt(write_slurp, "train.jsonl"), r"train\.jsonl:2: is no JSON, or cut off: half a download\?"),
        ("snips", write_slurp, r"has no INTENT/train_INTENT_full\.json: wanted is a copy of sonos/nlu-benchmark$"),
        ("hwu64", write_slurp, r"has no \*Annotated-All\.csv: wanted is a copy of xliuhw/NLU-Evaluation-Data$"),
        ("slurp", write_snips, r"has no dataset/slurp/train\.jsonl: wanted is a copy of pswietojanski/slurp$"),
        ("sgd", write_slurp, r"schema\.json: is not there"),
    ],
)
def test_what_is_no_set_or_half_of_one_is_one_line(name: str, write: Write, told: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=told):
        import_set(name, write(tmp_path / "copy"), tmp_path / "talks.jsonl")
    assert not (tmp_path / "talks.jsonl").exists()


@pytest.mark.parametrize("name", sorted(SETS))
def test_a_folder_that_is_not_there_is_said(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=rf"nowhere: is no folder: name that of your copy of the set {name}$"):
        import_set(name, tmp_path / "nowhere", tmp_path / "talks.jsonl")


def test_talks_have_one_form(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"talks\.csv: talks are written as \.jsonl or \.jsonl\.xz"):
        import_set("slurp", write_slurp(tmp_path / "slurp"), tmp_path / "talks.csv")
