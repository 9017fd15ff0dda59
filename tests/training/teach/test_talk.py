"""Talks over somebody's own tools: every learned reply comes to whole calls, held-out wordings are never trained on."""

from __future__ import annotations

from pathlib import Path

from toolmend.language.resolve.calls import compute
from toolmend.language.resolve.said import AGAIN, CHANGE, MISSING, UNDO
from toolmend.reading.spoken import read_spoken
from toolmend.strategies.spoken_signature import spoken_system
from toolmend.tools import Toolbox
from toolmend.training.adapter.turn import Turn
from toolmend.training.teach.examples import read_examples
from toolmend.training.teach.kit import Kit, kit_of
from toolmend.training.teach.talk import TaughtTalk

SEEDS = range(150)


def talks(kit: Kit, *, held_out: bool = False) -> list[tuple[TaughtTalk, list[Turn]]]:
    made = [TaughtTalk(kit, seed, held_out=held_out) for seed in SEEDS]
    return [(talk, talk.play()) for talk in made]


def test_every_learned_call_is_whole_or_asks(kit: Kit) -> None:
    wanting = []
    for talk, turns in talks(kit):
        for turn in turns:
            lines = read_spoken(turn.reply, talk.specs).lines if turn.learned else ()
            direct = [line for line in lines if line.tool not in (CHANGE, AGAIN, UNDO)]
            computed = compute(direct, talk.specs, turn.against)
            asks = any(words == MISSING for line in direct for words in line.words.values())
            if asks != (computed.question is not None) or (not asks and len(computed.calls) != len(direct)):
                wanting.append(turn)
    assert wanting == []


def test_objects_are_said_in_words_and_computed(kit: Kit) -> None:
    counts = [
        thing["count"]
        for talk, turns in talks(kit)
        for turn in turns
        if turn.learned and turn.op == "call" and turn.reply.startswith("pack")
        for call in compute(read_spoken(turn.reply, talk.specs).lines, talk.specs, turn.against).calls
        for thing in call.arguments["things"]
        if "count" in thing
    ]
    assert counts and all(type(count) is int for count in counts)


def test_held_out_wordings_are_never_said_in_training(kit: Kit) -> None:
    trained = [turn.said for _, turns in talks(kit) for turn in turns]
    held = [turn.said for _, turns in talks(kit, held_out=True) for turn in turns]
    assert not any("over to" in said.lower() for said in trained)
    assert any("over to" in said.lower() for said in held)


def test_what_people_say_to_correct_is_used(kit: Kit) -> None:
    turns = [turn for _, turns in talks(kit) for turn in turns]
    assert any(turn.said.startswith("No, ") and turn.op == "change" for turn in turns)
    assert any(turn.op == "fixed" and turn.said == "Thanks!" for turn in turns)
    assert {"outside", "lacking", "groundless", "fix 3 wrong"} <= {turn.op for turn in turns}


def test_a_talk_is_the_same_for_the_same_seed(kit: Kit) -> None:
    assert TaughtTalk(kit, 4).play() == TaughtTalk(kit, 4).play()


def test_the_shops_talks_show_what_a_session_shows() -> None:
    box = Toolbox.load("shop")
    path = Path(__file__).parents[3] / "examples" / "shop_examples.txt"
    kit = kit_of(box, read_examples(path, box), path)
    named = {spec.full_name: box.named[spec.name] for spec in box.specs if spec.name in box.named}
    systems = {TaughtTalk(kit, seed).system for seed in range(40)}
    assert spoken_system(box.specs, named) in systems
    assert [said for said, reply in kit.fixed if "(" in reply] == []
