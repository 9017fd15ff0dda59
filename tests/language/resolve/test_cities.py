"""Cities with their states."""

import pytest

from toolmend.language.resolve.cities import with_state


@pytest.mark.parametrize(
    ("text", "whole"),
    [("Boston", "Boston, MA"), ("Chicago, Illinois", "Chicago, IL"), ("Boston, MA", "Boston, MA"), ("Rome", "Rome")],
)
def test_a_city_has_its_state_where_both_are_due(text, whole):
    assert with_state(text, "The city and state") == whole
    assert with_state(text, "The city") == text
