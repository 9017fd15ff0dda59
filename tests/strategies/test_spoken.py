"""The strategy spoken: what a model is shown, what its words become, what is asked."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from masked import Mask
from toolmend.base.messages import Call, Message, ToolSpec
from toolmend.extras.worlds.shop import Shop
from toolmend.language.resolve.background import Question
from toolmend.models.scripted import Scripted
from toolmend.session import Session, ask_once
from toolmend.strategies import Talk, load_strategy
from toolmend.strategies.spoken_grammar import spoken_lines
from toolmend.strategies.spoken_question import sentence
from toolmend.strategies.spoken_signature import spoken_line, spoken_spec, spoken_system
from toolmend.tools import Toolbox
from toolmend.tools.toolboxes import Calendar

NAMED = {"action.remove_calendar_entry": {"entry": "entry"}}
ADD = "action.add_calendar_entry"
SPECS = Calendar().specs


@pytest.fixture
def chat() -> Callable[..., Session]:
    """A talk about a calendar in 2025 whose model gives these replies."""

    def make(*replies: str) -> Session:
        return Session(
            Scripted(replies), Calendar(now=dt.datetime(2025, 1, 1)), "spoken", system="not used", mend=False
        )

    return make


def said(session: Session, *sentences: str) -> list[str]:
    return [session.say(sentence).text for sentence in sentences]


def asked(session: Session, number: int) -> Any:
    model: Any = session.model
    return model.requests[number].messages


def test_the_system_text_is_the_one_of_the_notation() -> None:
    assert spoken_system(SPECS, NAMED) == (
        "Tools:\n"
        "add_calendar_entry(title, date: date, time: time, duration: minutes = 30)\n"
        "remove_calendar_entry(entry)\n"
        "change(of, ...)\n"
        "again(of, ...)\n"
        "undo(of)\n"
        "Write the words that were said. No call if none is due."
    )


@pytest.mark.parametrize(
    ("tool", "line"),
    [
        (
            "find_products",
            "find_products(text?, category?: kitchen|garden|home|outdoor, max_price?: EUR, in_stock: yes|no = no)",
        ),
        ("receive_goods", "receive_goods(items: [{product, quantity: int = 1}])"),
        ("create_discount", "create_discount(code, percent: int, until: date, products?: […])"),
        ("end_discount", "end_discount(code)"),
    ],
)  # fmt: skip
def test_types_defaults_and_what_may_be_left_out(tool: str, line: str) -> None:
    [spec] = [spec for spec in Shop().specs if spec.name == tool]
    assert spoken_line(spec) == line


def test_told_to_describe_it_says_what_tools_and_parameters_are_for() -> None:
    [line] = [spoken_line(spec, describe=True) for spec in Shop().specs if spec.name == "end_discount"]
    assert line.startswith("end_discount(code)  # ")
    assert line.endswith("code: the code")


def test_the_suites_own_system_text_is_not_sent(chat: Callable[..., Session]) -> None:
    session = chat("Hello.")
    session.say("Hi")
    assert asked(session, 0)[0].content == spoken_system(SPECS, NAMED)


def test_words_become_a_full_call(chat: Callable[..., Session]) -> None:
    session = chat('add_calendar_entry(title="tea with Elsie", date="Sunday the 8th of June", time="half past three")')
    answer = session.say("Tea with Elsie on Sunday the 8th of June, half past three.")
    assert answer.text == 'action.add_calendar_entry("tea with Elsie", date="2025-06-08", time="15:30")'
    assert answer.calls[0].said["time"] == "half past three"
    assert str(session.tools) == "2025-06-08 15:30  30 min  tea with Elsie"


def test_the_model_is_told_what_it_said_itself(chat: Callable[..., Session]) -> None:
    first = 'add_calendar_entry(title="tea", date="8 June", time="at 7")'
    session = chat(first, 'change(time="in the evening")', "Fine.")
    assert said(session, "tea", "the evening", "thanks")[0] == "At 07:00 or 19:00?"
    assert [message.content for message in asked(session, 2)[1:]] == [
        "tea",
        first,
        "the evening",
        'change(time="in the evening")',
        "thanks",
    ]


def test_a_call_that_was_said_otherwise_is_told_with_its_values() -> None:
    history = [("user", "tea"), ("assistant", 'action.add_calendar_entry("Tea", date="2025-06-08", time="15:00")')]
    model = Scripted(["Fine."])
    ask_once("thanks", model=model, tools="calendar", strategy="spoken", history=history)
    told = 'add_calendar_entry(title="Tea", date="2025-06-08", time="15:00")'
    assert model.requests[0].messages[2] == Message("assistant", told)


def test_asked_once_a_change_is_said_against_the_history() -> None:
    history = [("user", "tea"), ("assistant", 'action.add_calendar_entry("Tea", date="2025-06-08", time="15:00")')]
    reply = ask_once("later", model=Scripted(['change(time="an hour later")']), tools="calendar", strategy="spoken",
                     history=history)  # fmt: skip
    assert str(reply) == 'action.add_calendar_entry("Tea", date="2025-06-08", time="16:00")'
    [call] = reply.calls
    assert (call.amends, call.arguments) == ("c1", {"title": "Tea", "date": "2025-06-08", "time": "16:00"})


def test_asked_once_a_question_is_the_reply() -> None:
    model = Scripted(['add_calendar_entry(title="tea", date="8 June", time="?")'])
    reply = ask_once("tea", model=model, tools="calendar", strategy="spoken")
    assert (str(reply), reply.calls) == ("At what time?", ())


def test_an_open_question_is_answered_over_several_turns(chat: Callable[..., Session]) -> None:
    session = chat(
        'add_calendar_entry(title="tea", date="8 June", time="?")',
        'change(time="at 7")',
        'change(time="in the evening")',
    )
    assert said(session, "tea on 8 June", "at 7", "evening") == [
        "At what time?",
        "At 07:00 or 19:00?",
        'action.add_calendar_entry("tea", date="2025-06-08", time="19:00")',
    ]


def test_a_question_is_asked_only_as_long_as_it_is_open(chat: Callable[..., Session]) -> None:
    session = chat(
        'add_calendar_entry(title="tea", date="8 June", time="?")',
        'add_calendar_entry(title="walk", date="9 June", time="noon")',
        'change(time="1 pm")',
    )
    said(session, "tea", "walk", "later")
    assert str(session.tools) == "2025-06-09 13:00  30 min  walk"


def test_a_full_call_is_taken_as_it_is(chat: Callable[..., Session]) -> None:
    session = chat(
        'action.add_calendar_entry("Tea", date="2025-06-08", time="15:00")',
        'action.remove_calendar_entry("Tea", "2025-06-08", "15:00")',
    )
    assert said(session, "tea", "no tea")[1] == 'action.remove_calendar_entry("Tea", date="2025-06-08", time="15:00")'


def test_a_thing_that_the_same_reply_makes_is_not_looked_for() -> None:
    lines = (
        'add_customer(name="Ben Bo", email="b@x.example")',
        'change_address(customer="Ben Bo", address={"street": "A 1", "city": "B", "postcode": "12345"})',
    )
    session = Session(Scripted(["\n".join(lines)]), Shop(), "spoken")
    assert [result.error for result in session.say("a new customer").results] == [None, None]


def test_words_for_the_person_stay_words(chat: Callable[..., Session]) -> None:
    answer = chat("It is sunny.").say("How is the weather?")
    assert (answer.text, answer.calls, answer.reading.problem) == ("It is sunny.", (), "no_call")


def test_a_broken_line_is_a_broken_call(chat: Callable[..., Session]) -> None:
    answer = chat('add_calendar_entry(title=(((tea, date="8 June", time="noon")').say("tea")
    assert answer.reading.problem == "syntax"


def test_without_a_session_a_talk_has_no_world() -> None:
    talk = Talk(SPECS, (Message("user", "hi"),))
    assert load_strategy("spoken").system_text(talk) == spoken_system(SPECS, {})


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (Question(ADD, "time"), "At what time?"),
        (Question(ADD, "date"), "On what day?"),
        (Question(ADD, "title"), "What is the title?"),
        (Question(ADD, "duration"), "How long?"),
        (Question(ADD, "time", ("07:00", "19:00")), "At 07:00 or 19:00?"),
        (Question(ADD, "date", ("2025-03-04", "2025-04-03")), "On 2025-03-04 or 2025-04-03?"),
        (Question("", "of", reason="there is nothing to change yet"), "There is nothing to change yet."),
        (Question("", "of", reason="nothing here is called 'x'"), "Nothing here is called 'x': which one do you mean?"),
        (Question(ADD, "entry", ({"title": "meeting", "time": "15:00"}, {"title": "meeting", "time": "09:00"})),
         "The meeting at 09:00 or the one at 15:00?"),
        (Question(ADD, "of", ({"title": "tea"}, {"title": "walk"})), "The tea or the walk?"),
        (Question("shop.show_order", "order", ({"order": 2, "customer": "Ada"}, {"order": 1, "customer": "Ben"})),
         "Order 1 (Ben) or order 2 (Ada)?"),
        (Question("", "of", ({"room": "bath", "degrees": 21}, *[{"room": "bath", "on": False}] * 2)),
         "The bath (on no) or the one (degrees 21)?"),
    ],
)  # fmt: skip
def test_a_question_in_one_sentence(question: Question, text: str) -> None:
    assert sentence(question, SPECS) == text


def test_a_moment_is_asked_for_as_people_write_it() -> None:
    spec = ToolSpec("remind", "", {"type": "object", "properties": {"when": {"type": "string", "format": "date-time"}}})
    question = Question("remind", "when", ("2025-03-04T07:30", "2025-03-04T19:30"))
    assert sentence(question, [spec]) == "On 2025-03-04 at 07:30 or 2025-03-04 at 19:30?"


def test_a_choice_is_asked_by_its_members() -> None:
    assert sentence(Question("shop.add_product", "category"), Shop().specs) == "Kitchen, garden, home or outdoor?"


@pytest.mark.parametrize(
    ("argument", "kind", "text"),
    [
        ("seats", "integer", "How many seats?"),
        ("puppets", "array", "Which puppets?"),
        ("when", "string", "When?"),
        ("how_many", "integer", "How many?"),
        ("queen_seen", "boolean", "Queen seen: yes or no?"),
        ("address", "string", "What is the address?"),
    ],
)
def test_what_was_not_said_is_asked_for_as_people_ask(argument: str, kind: str, text: str) -> None:
    spec = ToolSpec("tool", "", {"type": "object", "properties": {argument: {"type": kind}}})
    assert sentence(Question("tool", argument, reason="it was not said"), [spec]) == text


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ('add_calendar_entry(title="tea", date="8 June", time="?")', True),
        ('add_calendar_entry(title="tea")\nchange(of="it", time="4")', True),
        ('remove_calendar_entry(entry="the \\"big\\" one")', True),
        ("undo()", True),
        ("There is nothing to do.", True),
        ('add_calendar_entry(titel="tea")', False),
        ('add_calendar_entry(title="a\nb")', False),
        ('delete_all(entry="x")', False),
        ('add_calendar_entry(title="a", title="b")', False),
        ('add_calendar_entry(date="8 June")', False),
        ('add_calendar_entry(time="4", date="8 June", title="tea")', False),
        ("add_the_tea_at_four", False),
    ],
)
def test_the_grammar_lets_through_the_notation_alone(text: str, fits: bool) -> None:
    mask = Mask(spoken_lines([spoken_spec(spec, NAMED) for spec in SPECS]))
    taken = mask.fits(text.encode())
    if taken:
        mask.take(text.encode())
    assert (taken and mask.may_end) is fits


def test_a_tool_without_arguments_is_in_the_grammar() -> None:

    def clear() -> None:
        """Clear."""

    assert Mask(spoken_lines(Toolbox.of(clear).specs)).fits(b"clear()")


def test_structured_sends_the_grammar() -> None:
    model = Scripted(["undo()"])
    Session(model, Calendar(), "spoken?structured=true").say("no")
    constraint: Any = model.requests[0].constraint
    assert constraint.kind == "lark"


def test_a_request_that_is_said_once_more_is_read_without_the_wrong_reply() -> None:
    def lend(what: str, who: str) -> str:
        """Lend a thing."""
        return f"{what} to {who}"

    model = Scripted(('lend(what="Ada", who="saw")', 'lend(what="saw", who="Ada")'))
    session = Session(model, Toolbox.of(lend), "spoken?describe=true", mend=False)
    session.say("the saw, Ada has it now")
    answer = session.correct("Lend the saw to Ada.")
    assert [call.arguments for call in answer.calls] == [{"what": "saw", "who": "Ada"}]
    assert [message.content for message in model.requests[1].messages[1:]] == ["Lend the saw to Ada."]


def feed(cat: str, grams: int = 40) -> str:
    """Note that a cat was fed."""
    if cat == "Tiger":
        raise ValueError("no cat Tiger")
    return f"{cat}: {grams}"


def test_a_call_that_failed_may_be_said_otherwise_and_is_made_anew() -> None:
    replies = 'feed(cat="Tiger", grams="30 grams")', 'change(cat="Pearl")', 'change(grams="50")'
    session = Session(Scripted(replies), Toolbox.of(feed), "spoken", mend=False)
    made = [session.request(text).calls for text in ("feed Tiger 30 grams", "Pearl I mean", "make it 50")]
    assert [(call.arguments, call.amends) for (call,) in made] == [
        ({"cat": "Tiger", "grams": 30}, None),
        ({"cat": "Pearl", "grams": 30}, None),
        ({"cat": "Pearl", "grams": 50}, "c2"),
    ]


def add_piece(title: str, composer: str) -> str:
    """Add a piece to the programme."""
    return title


def share_room(room: int, singers: list[str]) -> str:
    """Put singers in a room."""
    return str(room)


@pytest.mark.parametrize(
    ("replies", "call", "times"),
    [
        (  # twice the same words, and a number that nobody has: the other tool fits
            ('add_piece(title="Hilde", composer="Hilde")', 'share_room(room="214", singers="Hilde")'),
            Call("share_room", {"room": 214, "singers": ["Hilde"]}),
            2,
        ),
        (  # nothing else is said
            ('add_piece(title="Hilde", composer="Hilde")', "None of these tools can do that."),
            Call("add_piece", {"title": "Hilde", "composer": "Hilde"}),
            2,
        ),
        (  # nothing speaks against it
            ('share_room(room="214", singers="Hilde")',),
            Call("share_room", {"room": 214, "singers": ["Hilde"]}),
            1,
        ),
    ],
)
def test_a_tool_that_the_words_speak_against_is_held_against_the_others(
    replies: tuple[str, ...], call: Call, times: int
) -> None:
    model = Scripted(replies)
    session = Session(model, Toolbox.of(add_piece, share_room), "spoken?describe=true", mend=False)
    answer = session.request("room 214 is for Hilde")
    assert [(one.tool, dict(one.arguments)) for one in answer.reading.calls] == [(call.tool, dict(call.arguments))]
    assert len(model.requests) == times


def test_a_tool_with_fewer_words_in_common_is_not_taken_instead() -> None:
    model = Scripted(('add_piece(title="?", composer="Biebl")', 'share_room(room="3", singers="Biebl")'))
    session = Session(model, Toolbox.of(add_piece, share_room), "spoken?describe=true", mend=False)
    assert session.request("3 for the programme, by the composer Biebl").reading.calls == ()


def test_held_against_the_others_the_grammar_is_that_of_the_others() -> None:
    replies = 'add_piece(title="Hilde", composer="Hilde")', 'share_room(room="214", singers="Hilde")'
    model = Scripted(replies)
    strategy = "spoken?describe=true&structured=true"
    Session(model, Toolbox.of(add_piece, share_room), strategy, mend=False).request("room 214 is for Hilde")
    shown = [Mask(request.constraint) for request in model.requests]
    fits = [[mask.fits(reply.encode()) for reply in replies] for mask in shown]
    assert fits == [[True, True], [False, True]]
