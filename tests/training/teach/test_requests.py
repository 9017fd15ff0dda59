"""Sentences without end: deterministic, valid, and two sides that share nothing."""

from itertools import pairwise
from random import Random

from toolmend.reading import read_python
from toolmend.training.teach.dialogues import Talks
from toolmend.training.teach.requests import Requests, held_out_names
from toolmend.training.teach.source import sentence_texts, shorthands


def test_the_same_seed_says_the_same(requests):
    first, second = ([requests.one(Random(seed)).text for seed in range(20)] for _ in range(2))
    assert first == second
    assert len(set(first)) > 15


def test_every_call_is_one_that_the_toolbox_takes(requests, box):
    for seed in range(300):
        for call in requests.one(Random(seed), held_out=seed % 2 == 0).calls:
            _, coerced = box.tool(call.tool).validate(call.arguments)
            assert coerced == ()


def test_each_tool_keeps_an_example_for_the_exam(requests):
    assert sorted({each.tool for each in requests.held_out}) == ["depot.collect", "depot.move"]
    assert not {each.name for each in requests.held_out} & {each.name for each in requests.training}


def test_what_follows_a_held_out_example_is_held_out_too(requests):
    for each in requests.templates:
        if each.base:
            assert (each in requests.held_out) == (each.base in requests.held_out)


def test_the_choice_of_what_is_held_out_depends_on_nothing_else(requests):
    assert held_out_names(requests.templates) == held_out_names(tuple(reversed(requests.templates)))


def test_training_never_says_a_held_out_sentence(requests):
    literals = [part for each in requests.held_out if each.base is None for part in each.parts if isinstance(part, str)]
    longest = max(literals, key=len).strip().lower()
    said = " ".join(exchange.user.lower() for seed in range(200) for exchange in Talks(requests).dialogue(seed))
    assert len(longest) > 8 and longest not in said


def test_talks_are_deterministic_and_end_with_right_replies(requests):
    talks = Talks(requests)
    assert talks.dialogue(5) == talks.dialogue(5)
    for seed in range(100):
        talk = talks.dialogue(seed)
        assert talk[-1].gold if talk else True
        assert all(after.op.startswith("fix") for before, after in pairwise(talk) if not before.gold)


def test_right_replies_read_back_as_calls(requests, box):
    for seed in range(150):
        for exchange in Talks(requests).dialogue(seed):
            if exchange.gold and "(" in exchange.reply:
                reading = read_python(exchange.reply, box.specs, lenient=False)
                assert reading.calls and not reading.problem and not reading.rest


def test_wrong_replies_differ_from_the_right_one(requests):
    for seed in range(200):
        talk = Talks(requests).dialogue(seed)
        for wrong, right in pairwise(talk):
            if not wrong.gold and right.gold:
                assert wrong.reply != right.reply


def test_talks_have_corrections_changes_questions_and_thanks(requests):
    kinds = {e.op.split(" ")[0] for seed in range(300) for e in Talks(requests).dialogue(seed)}
    assert {"move", "collect", "fix", "change", "ask", "answer", "groundless", "no"} <= kinds


def test_shorthands_are_those_that_save_most(requests, box):
    replies = [e.reply for seed in range(100) for e in Talks(requests).dialogue(seed)]
    found = shorthands(box.specs, replies)
    assert "depot.move(" in found and len(found) <= 18


def test_the_words_of_sentences_are_known(requests):
    words = " ".join(sentence_texts(requests))
    assert "crates" in words and "Try again." in words and "shelf" in words


def test_notes_name_what_no_word_says(requests):
    assert [note for note in requests.notes() if "by='van'" in note]


def test_a_toolbox_without_examples_of_some_kind_still_talks(box, examples):
    few = Requests(box.specs, [each for each in examples if each.calls and each.calls[0].tool == "depot.move"])
    assert {call.tool for seed in range(30) for call in few.one(Random(seed)).calls} == {"depot.move"}
