"""Short lists of tools: which are on them, in which order, and what strategies then send."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend import Scripted, Session
from toolmend.base.errors import BadOption
from toolmend.base.messages import Call, CallResult, Message, Reply
from toolmend.extras.worlds.growth import Growth
from toolmend.strategies import load_strategy
from toolmend.strategies.shortlist import Index, ranking, shortlist, words

TOOLS = Growth(80).specs
HEATER = Message("user", "Set the heater in the study to 35 percent.")


def names(messages: list[Message], most: int) -> list[str]:
    return [tool.full_name for tool in shortlist(TOOLS, messages, most)]


def test_zero_is_all_of_them() -> None:
    assert shortlist(TOOLS, [HEATER], 0) == TOOLS == shortlist(TOOLS, [HEATER], 80)


def test_the_best_fitting_are_kept_in_the_order_of_the_toolbox() -> None:
    kept = names([HEATER], 5)
    assert len(kept) == 5
    assert "set_heater_level" in kept
    assert kept == [tool.full_name for tool in TOOLS if tool.full_name in kept]


def test_words_are_cut_so_that_rental_is_rent() -> None:
    assert words("Bicycle RENTAL, 2 rents") == ["bicy", "rent", "rent"]
    assert ranking(TOOLS, [Message("user", "bicycle rental")])[0] == "rent_bicycle"


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    index = Index(["the heater", "the lamp", "the lamp"])
    assert index.score(0, {"heat": 1.0}) > index.score(1, {"lamp": 1.0}) > index.score(0, {"the": 1.0}) > 0
    assert index.score(0, {"sofa": 1.0}) == 0


def test_what_was_said_before_counts_less_but_counts() -> None:
    both = [HEATER, Message("assistant", "Done."), Message("user", "Rent a bicycle to Ada")]
    ranked = ranking(TOOLS, both)
    assert ranked[0] == "rent_bicycle"
    assert ranked.index("set_heater_level") < ranking(TOOLS, both[2:]).index("set_heater_level")


def test_what_was_called_stays_on_the_list() -> None:
    done = Message("assistant", "", (Call("send_invoice", {}),), results=(CallResult("", "done"),))
    more = [done, Message("user", "It should be the radiator: set the heater to 40")]
    assert "send_invoice" not in names(more[1:], 3)
    assert "send_invoice" in names(more, 3)


@given(st.lists(st.text(max_size=60), max_size=4), st.integers(1, 90))
def test_any_text_gives_a_list_of_that_length(texts: list[str], most: int) -> None:
    assert len(shortlist(TOOLS, [Message("user", text) for text in texts], most)) == min(most, 80)


def test_native_sends_so_many_tools() -> None:
    model = Scripted([Reply("No tool fits.")])
    Session(model, Growth(80), "native?tools=7").request(HEATER.content)
    assert len(model.requests[0].tools) == 7


def test_freyr_lists_so_many_intents() -> None:
    model = Scripted(["talk", "Hello."])
    Session(model, Growth(80), "freyr?tools=3").request(HEATER.content)
    listed = [tool.name for tool in TOOLS if f"- {tool.name}" in model.requests[0].messages[0].content]
    assert (len(listed), "set_heater_level" in listed) == (3, True)


def test_a_number_below_zero_is_refused() -> None:
    with pytest.raises(BadOption, match="tools is -1; it must be 0 or more"):
        load_strategy("native?tools=-1")
