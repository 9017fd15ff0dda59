"""Talks by every strategy over random toolboxes."""

import json

import pytest

from toolmend.models.builtin.brief import Brief
from toolmend.strategies import Talk, load_strategy
from toolmend.tools import Toolbox
from toolmend.training.schemas.prompts import brief
from toolmend.training.schemas.talks import STRATEGIES, dialogue
from toolmend.training.schemas.tools import kits


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_same_number_is_the_same_talk(strategy):
    assert dialogue(5, strategy=strategy) == dialogue(5, strategy=strategy)
    assert dialogue(5, strategy=strategy) != dialogue(6, strategy=strategy)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_talk_has_something_to_learn(strategy):
    for number in range(40):
        talk = dialogue(number, strategy=strategy)
        assert talk[-1].gold
        assert all(each.op.startswith(f"{strategy} ") for each in talk if each.gold)


def test_every_kind_of_reply_is_there():
    kinds = {each.op for number in range(300) for each in dialogue(number) if each.gold}
    assert kinds >= {
        *("oneline call", "oneline fix", "oneline words", "native call", "native fix", "native words"),
        *("react call", "react fix", "react words", "freyr intents", "freyr values", "freyr fix"),
        *("freyr_paper intents", "freyr_paper values"),
    }


def test_what_is_called_stands_in_the_prompt():
    for number in range(60):
        talk = dialogue(number, strategy="oneline")
        for each in talk:
            if each.gold and each.op != "oneline words":
                assert f"{each.reply.partition('(')[0]}(" in talk[0].user


def test_actions_are_json():
    found = [
        each.reply for number in range(60) for each in dialogue(number, strategy="react") if "Input: " in each.reply
    ]
    assert found
    assert all(isinstance(json.loads(text.partition("Action Input: ")[2]), dict) for text in found)


def test_the_exam_talks_about_its_own_tools():
    training = {name for kit in kits(False) for name in kit.names}
    for number in range(60):
        head = dialogue(number, True, "oneline")[0].user
        assert not any(f"{name}(" in head for name in training)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_of_a_prompt_only_the_tools_stay(strategy):
    box = Toolbox.load("growth-5")
    text = load_strategy(strategy).system_text(Talk(tuple(box.specs), ()))
    short = brief().shortened(text)
    assert len(short) < len(text) - 150 or strategy == "oneline"
    assert all(phrase not in short for phrase in brief().phrases)
    if strategy != "native":
        assert all(spec.name in short for spec in box.specs)


def test_the_preset_can_be_told(tmp_path):
    about = json.loads(json.dumps({"prompts": {"phrases": brief().phrases, "skipped": brief().skipped}}))
    assert Brief.of(about, tmp_path) == brief()
