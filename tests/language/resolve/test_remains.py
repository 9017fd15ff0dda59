"""What of a sentence no argument has, and neither the tool nor a word of little sense explains."""

import pytest

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.remains import remains

CAKE = ToolSpec(
    "order_cake",
    "Take an order for a cake.",
    {"type": "object", "properties": {"customer": {"type": "string"}, "day": {"type": "string"}}, "required": []},
)


@pytest.mark.parametrize(
    ("sentence", "left"),
    [
        ("Selma would like a cake for Saturday", []),
        ("Selma wants a sponge cake for Saturday, three tiers", ["sponge", "three tiers"]),
        ("please order the cake for Selma on Saturday", []),
    ],
)
def test_what_nobody_has_remains(sentence: str, left: list[str]) -> None:
    assert remains(CAKE, {"customer": "Selma", "day": "Saturday"}, sentence) == left
