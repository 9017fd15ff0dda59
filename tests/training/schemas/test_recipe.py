"""The recipe of `builtin/schema`."""

import json

import pytest

from toolmend.errors import BadOption
from toolmend.models.builtin.spelling import MAX_SHORTHANDS, Spelling
from toolmend.training.schemas.recipe import SHORTHANDS, Plan, source, train_schema
from toolmend.training.vocabulary import train_vocabulary


def test_the_shorthands_fit_and_come_back():
    assert len(SHORTHANDS) <= MAX_SHORTHANDS
    text = 'Thought: a tool fits\nAction: pay\nAction Input: {"to": "Ann", "day": "2025-01-02"}'
    spelling = Spelling(SHORTHANDS)
    assert spelling.decode(spelling.encode(text)) == text
    assert len(spelling.encode(text)) < len(text)


def test_talks_fit_the_window():
    texts = [
        text for number in range(100) for each in source().dialogue(number, False) for text in (each.user, each.reply)
    ]
    tokens = train_vocabulary(texts, 1024, Spelling(SHORTHANDS))
    heads = [len(tokens.encode(source().dialogue(number, True)[0].user)) for number in range(60)]
    assert max(heads) < 600
    assert max(Plan().buckets) <= 768


def test_another_models_work_is_left_alone(tmp_path):
    pytest.importorskip("torch")
    (tmp_path / "model.json").write_text(json.dumps({"model": "small"}))
    with pytest.raises(BadOption, match="another model"):
        train_schema(tmp_path, tmp_path / "out", print)
