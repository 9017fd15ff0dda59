"""A vocabulary with a token for every text: what it decodes to, and what the widened net computes."""

import numpy as np
import pytest

from toolmend.models.builtin.engine import Cache, Engine
from toolmend.models.builtin.tokens import ASSISTANT, END
from toolmend.training.convert.variants import MORE, variants, widened


@pytest.fixture(scope="module")
def rows(tokens):
    return variants(tokens)


def follow(rows, ids):
    """The text of base ids, taking at each the one variant that its state allows."""
    state, text = 0, b""
    for base in ids:
        [row] = [each for each in rows if each.base == base and state in each.allowed]
        state, text = row.after, text + row.text
    return text.decode()


@pytest.mark.parametrize(
    "text",
    ["Meeting with Fred", "it's 5PM (HTML) aB ABc", 'action.add_calendar_entry("Lunch", date="x', " two  spaces é"],
)
def test_every_state_has_the_right_text(rows, tokens, text):
    assert follow(rows, tokens.encode(text)) == text


def test_names_are_unique(rows):
    assert len({each.name for each in rows}) == len(rows)


def test_encoding_finds_every_token_of_spelled_text(rows, tokens):
    by_name = {each.name: each.base for each in rows}
    ids = tokens.encode("Add a meeting, with Anna's (5PM)")
    assert [by_name[tokens.tokenizer.id_to_token(each).encode()] for each in ids] == ids


def test_only_the_end_is_special_and_may_be_made(rows):
    assert [number for number in range(5) if rows[number].allowed] == [END]


def test_the_widened_net_computes_the_same(rows, trained):
    """Its head, where a variant may be made, gives the base token's logit; elsewhere far less than any."""
    ids = trained.tokens.prompt([("user", "Add a meeting with Anna")])
    wanted = Engine(trained.sizes, trained.weights).logits(ids, Cache(trained.sizes, 96))
    weights, sizes = widened(trained.weights, trained.sizes, rows)
    first = {row.base: number for number, row in reversed(list(enumerate(rows)))}
    found = _logits(weights, sizes, trained.sizes.width // trained.sizes.heads, [first[each] for each in ids])
    assert ids[-1] == ASSISTANT
    begun = [number for number, row in enumerate(rows) if 0 in row.allowed]
    assert np.abs(found[begun] - wanted[[rows[number].base for number in begun]]).max() < 1e-4
    assert found[[number for number in range(len(rows)) if 0 not in rows[number].allowed]].max() < -1000


def _logits(weights, sizes, head, ids):
    """The engine on widened weights: its attention keeps the narrow width."""
    engine = Engine(sizes, weights)
    engine._frequencies = sizes.theta ** (-np.arange(head // 2) / (head // 2))
    narrow = sizes.width - MORE
    heads = sizes.heads

    def attend(layer, number, x, cos, sin, hidden, start, cache):
        shape = type("Shape", (), {"width": narrow, "heads": heads, "key_heads": sizes.key_heads})
        inner = type("Inner", (), {"sizes": shape})
        return Engine._attend(_Narrow(inner.sizes, narrow), layer, number, x, cos, sin, hidden, start, cache)

    engine._attend = attend
    cache = Cache(sizes, len(ids))
    cache.keys = np.zeros((sizes.layers, sizes.key_heads, len(ids), head), np.float32)
    cache.values = np.zeros_like(cache.keys)
    return engine.logits(ids, cache)


class _Narrow:
    """Sizes of attention alone."""

    def __init__(self, sizes, width):
        self.sizes, self.width = sizes, width
