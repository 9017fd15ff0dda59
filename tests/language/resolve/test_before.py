"""What was said before: texts that are no faulty copies, calls that a change can be of, more of what is not known."""

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.resolve.background import Background
from toolmend.language.resolve.calls import compute
from toolmend.reading.spoken import read_spoken


def test_a_text_that_was_said_before_is_no_faulty_copy() -> None:
    texts = {"type": "object", "properties": {"who": {"type": "string"}}, "required": ["who"]}
    spec = ToolSpec("waited", "", texts)
    given = Background(text="stood outside twelve minutes, not a soul", before="fetch Novotny at ten")
    lines = read_spoken('waited(who="Novotny")', [spec]).lines
    assert compute(lines, [spec], given).calls[0].arguments == {"who": "Novotny"}


def test_a_change_is_of_a_call_that_takes_its_arguments() -> None:
    texts = {name: {"type": "string"} for name in ("name", "phone")}
    book = ToolSpec("book", "", {"type": "object", "properties": texts, "required": ["name"]})
    cancel = ToolSpec("cancel", "", {"type": "object", "properties": {"name": texts["name"]}, "required": ["name"]})
    calls = (Call("book", {"name": "Hugo"}, "c1"), Call("cancel", {"name": "Ada"}, "c2"))
    lines = read_spoken('change(phone="0171 5550")', [book, cancel]).lines
    [call] = compute(lines, [book, cancel], Background(calls, text="0171 5550 is his number")).calls
    assert (call.tool, call.arguments, call.amends) == ("book", {"name": "Hugo", "phone": "0171 5550"}, "c1")
    assert compute(lines, [cancel], Background(calls[1:], text="0171 5550")).question


def test_more_of_what_is_not_known_is_so_much() -> None:
    days = {"type": "object", "properties": {"days": {"type": "integer"}}, "required": ["days"]}
    spec = ToolSpec("extend", "", days)
    lines = read_spoken('extend(days="three more days")', [spec]).lines
    [call] = compute(lines, [spec], Background(text="that's three more days")).calls
    assert call.arguments == {"days": 3}
