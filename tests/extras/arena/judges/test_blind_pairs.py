"""Blind pairs: which answers are paired, which side they come to, what a rater must not see."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from toolmend.base.errors import BadOption, UnknownName
from toolmend.base.events import Asked, Called, Event, Finished, Marked, Replied, Undone
from toolmend.base.messages import Call, CallResult
from toolmend.evals.store import Run, RunConfig, Sample, StoredContestant
from toolmend.extras.arena.judges.blind_pairs import BlindPairs, answers, blind_pairs

Make = Callable[..., Sample]

MODEL = "ollama/qwen2.5:7b"
A, B = f"{MODEL} · freyr", f"{MODEL} · native"
RUN = Run(
    "aaaaaaaaaaaa",
    RunConfig("dungeon", contestants=(StoredContestant(MODEL, "freyr"), StoredContestant(MODEL, "native"))),
    "t",
)


def turn(number: int, text: str, step: int = 0, *calls: Call) -> list[Event]:
    ran = [Called(number, call, CallResult(call.id)) for call in calls]
    return [
        Asked(number, f"ask {step}"),
        Replied(number, text, model="qwen2.5:7b"),
        *ran,
        Marked(number, (), (), True, step),
    ]


def many(sample: Make, count: int = 40) -> list[Sample]:
    """Of each strategy so many cases of two steps, told apart by their words."""
    return [
        sample(
            [*turn(0, f"{strategy} {n} first"), *turn(1, f"{strategy} {n} second", 1), Finished()],
            case=f"main/{n:02}",
            model=MODEL,
            strategy=strategy,
        )
        for strategy in ("freyr", "native")
        for n in range(count)
    ]


def paired(samples: Sequence[Sample], n: int = 50, seed: int = 1) -> BlindPairs:
    return blind_pairs(RUN, samples, "freyr", "native", n, seed)


# pairs ---------------------------------------------------------------------------------------------------------------


def test_sides_are_of_the_same_case_and_step(sample: Make) -> None:
    made = paired(many(sample))
    head, *key = made.key
    assert (len(made.lines), len(key), head["there"], head["alike"], head["pairs"]) == (50, 50, 80, 0, 50)
    assert (head["a"], head["b"], head["seed"]) == (A, B, 1)
    for line, known in zip(made.lines, key, strict=True):
        number, words = known["case"].removeprefix("main/").lstrip("0") or "0", ("first", "second")[known["step"]]
        for side in ("left", "right"):
            strategy = {A: "[model]", B: "native"}[known[side]]  # the name `freyr` is masked
            assert line[side]["reply"] == f"{strategy} {number} {words}"
        assert (line["pair"], line["request"]) == (known["pair"], f"ask {known['step']}")
        assert line["earlier"] == ["ask 0"][: known["step"]]


def test_the_coin_is_fair(sample: Make) -> None:
    left = [line["left"] for line in paired(many(sample, 100), 200).key[1:]]
    assert left.count(A) == 97


def test_the_same_seed_makes_the_same_files(sample: Make) -> None:
    samples = many(sample)
    assert paired(samples) == paired(samples[::-1])
    assert paired(samples).lines != paired(samples, seed=2).lines


def test_more_pairs_keep_the_sides_of_those_there(sample: Make) -> None:
    sides = [{line["pair"]: line["left"] for line in paired(many(sample), n).key[1:]} for n in (10, 80)]
    assert sides[0].items() <= sides[1].items()


def test_what_is_alike_is_counted_and_left_out(sample: Make) -> None:
    samples = [
        sample(turn(0, text), case=f"m/{text}", model=MODEL, strategy=way)
        for text in "pq"
        for way in ("freyr", "native")
    ]
    with pytest.raises(BadOption, match="share 2 answers, all alike"):
        paired(samples)
    made = paired([*samples[:3], replace(samples[3], events=tuple(turn(0, "other")))])
    assert (len(made.lines), made.there, made.alike) == (1, 2, 1)


def test_what_one_alone_answered_is_no_pair(sample: Make) -> None:
    samples = many(sample, 2)
    broken = replace(samples[0], status="error", detail="down")
    assert paired([broken, *samples[1:]]).there == 2


def test_contestants_that_are_not_there(sample: Make) -> None:
    with pytest.raises(UnknownName, match="react"):
        blind_pairs(RUN, [], "react", "native", 1, 1)
    with pytest.raises(BadOption, match="may be any of"):
        blind_pairs(RUN, [], "qwen", "native", 1, 1)
    with pytest.raises(BadOption, match="both are"):
        blind_pairs(RUN, [], "native", "native", 1, 1)


# what is shown -------------------------------------------------------------------------------------------------------


def test_the_answer_before_any_correction_is_shown(sample: Make) -> None:
    found = answers(sample([*turn(0, "wrong"), *turn(1, "corrected")]))
    assert [(step, each.shown.reply) for step, each in found.items()] == [(0, "wrong")]


def test_calls_that_took_effect_are_shown(sample: Make) -> None:
    bat, rat, cat = (Call("add", {"name": name}, name) for name in ("bat", "rat", "cat"))
    failed = Called(0, cat, CallResult("cat", error="no"))
    (found,) = answers(
        sample([*turn(0, "Done.", 0, bat, rat), failed, Undone(0, ("rat",)), Undone(1, ("bat",))])
    ).values()
    assert found.shown.calls == ({"tool": "add", "arguments": {"name": "bat"}},)


def test_the_last_words_of_a_turn_are_shown(sample: Make) -> None:
    asked, reply, marked = turn(0, "add_enemy")
    (found,) = answers(sample([asked, reply, Replied(0, "A bat is there.", "summary"), marked])).values()
    assert found.shown.reply == "A bat is there."


def test_given_answers_and_reminders_are_not_shown(sample: Make) -> None:
    events = [Asked(0, "Add. Please!", reminder=" Please!"), Replied(0, "x", model="given"), Marked(0, (), (), True, 0)]
    found = answers(sample([*events, *turn(1, "y", 1)]))
    assert [(step, each.earlier) for step, each in found.items()] == [(1, ("Add.",))]


def test_no_name_is_in_the_pairs(sample: Make) -> None:
    text = "I am Qwen2.5 (ollama/qwen2.5:7b), a model of Alibaba Cloud, asked by freyr."
    call = Call("add", {"name": "Qwen", "by": ["qwen2.5:7b"]}, "1")
    samples = [
        sample(turn(0, f"{text} {way}", 0, call), case="main/x", model=MODEL, strategy=way)
        for way in ("freyr", "native")
    ]
    (line,) = paired(samples).lines
    shown = json.dumps([line["left"], line["right"]]).lower()
    assert [name for name in ("qwen", "alibaba", "freyr", "ollama") if name in shown] == []
    assert "[model]" in shown and "[maker]" in shown
    assert set(line) == {"schema", "pair", "earlier", "request", "left", "right"}
