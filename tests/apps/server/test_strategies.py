"""The client's tools through each strategy: calls out, results in, the words at the end. The server runs nothing."""

from __future__ import annotations

from typing import Any

import pytest

from chatting import CALENDAR, ENEMY, WEATHER, by_prompt, called, calls_of, function, result, user
from toolmend.base.messages import Call, Reply
from toolmend.strategies.history import marked

PARIS = called(("call_1", "get_weather", {"city": "Paris"}))
ASKED = user("What is the weather in Paris?")


def test_native_calls_go_out(serve: Any) -> None:
    api = serve([Reply("", (Call("get_weather", {"city": "Paris"}),))])
    choice = api.chat("canned/native", ASKED, tools=[WEATHER])["choices"][0]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["content"] is None
    assert calls_of(choice["message"]) == [("get_weather", {"city": "Paris"})]


def test_native_is_told_the_results(serve: Any) -> None:
    api = serve(["It is sunny."])
    message = api.message("canned/native", ASKED, PARIS, result("call_1", "sunny"), tools=[WEATHER])
    assert message["content"] == "It is sunny."
    told = api.native.requests[0].messages
    assert [(each.role, each.content) for each in told[1:]] == [
        ("user", "What is the weather in Paris?"),
        ("assistant", ""),
        ("tool", "sunny"),
    ]
    assert told[2].calls == (Call("get_weather", {"city": "Paris"}, "call_1"),)


def test_native_goes_on_after_many_failed_calls(serve: Any) -> None:
    api = serve(["I give up."])
    rounds = [
        message
        for number in range(50)
        for message in (
            called((f"c{number}", "get_weather", {"city": "X"})),
            result(f"c{number}", "Error: no such city"),
        )
    ]
    assert api.message("canned/native", ASKED, *rounds, tools=[WEATHER])["content"] == "I give up."


def test_a_call_with_wrong_arguments_is_tried_again_here(serve: Any) -> None:
    api = serve(
        [Reply("", (Call("add_enemy", {"name": "Orc"}),)), Reply("", (Call("add_enemy", {"name": "Orc", "hp": "5"}),))]
    )
    message = api.message("canned/native", user("Add an orc"), tools=[ENEMY])
    assert calls_of(message) == [("add_enemy", {"name": "Orc", "hp": 5})]
    assert "argument 'hp' is missing" in api.native.requests[1].messages[-1].content


def test_calls_that_stay_wrong_go_out_as_they_are(serve: Any) -> None:
    api = serve([Reply("", (Call("add_enemy", {"name": "Orc"}),))])
    assert calls_of(api.message("canned/native", user("Add an orc"), tools=[ENEMY])) == [("add_enemy", {"name": "Orc"})]


def test_a_tool_that_is_not_there_never_goes_out(serve: Any) -> None:
    api = serve([Reply("", (Call("launch", {}),))])
    assert calls_of(api.message("canned/native", user("Go"), tools=[ENEMY])) == []


def test_react_loops(serve: Any) -> None:
    step = 'Thought: I look.\nAction: get_weather\nAction Input: {"city": "Rome"}'
    api = serve([step, "Thought: done\nFinal Answer: Both are sunny."])
    history = [ASKED, PARIS, result("call_1", "sunny")]
    first = api.message("react:canned/text", *history, tools=[WEATHER])
    assert calls_of(first) == [("get_weather", {"city": "Rome"})]
    assert api.text.requests[0].messages[-1].content == f"Observation: {marked('sunny')}"
    history += [called(("call_2", "get_weather", {"city": "Rome"})), result("call_2", "sunny too")]
    assert api.message("react:canned/text", *history, tools=[WEATHER])["content"] == "Both are sunny."


def test_freyr_makes_all_its_calls_at_once(serve: Any) -> None:
    api = serve(by_prompt(intent="add_enemy, get_weather", params="- name: Orc\n- hp: 5\n- city: Rome"))
    message = api.message("freyr:canned/text", user("An orc, and the weather"), tools=[ENEMY, WEATHER])
    assert [name for name, _ in calls_of(message)] == ["add_enemy", "get_weather"]


def test_freyr_sums_up_after_the_results(serve: Any) -> None:
    api = serve(by_prompt(summary="There is an orc now."))
    made = called(("c1", "add_enemy", {"name": "Orc", "hp": 5}))
    message = api.message("freyr:canned/text", user("An orc"), made, result("c1", "added Orc"), tools=[ENEMY])
    assert message == {"role": "assistant", "content": "There is an orc now.", "refusal": None}
    assert f"add_enemy: {marked('added Orc')}" in api.text.requests[0].messages[0].content
    assert len(api.text.requests) == 1


def test_freyr_tries_a_failed_call_again(serve: Any) -> None:
    api = serve(by_prompt(params="- name: Orc\n- hp: 7"))
    made = called(("c1", "add_enemy", {"name": "Orc", "hp": 99}), ("c2", "get_weather", {"city": "Rome"}))
    answers = [result("c1", "Error: hp is at most 20"), result("c2", "sunny")]
    message = api.message("freyr:canned/text", user("An orc"), made, *answers, tools=[ENEMY, WEATHER])
    assert calls_of(message) == [("add_enemy", {"name": "Orc", "hp": 7})]
    assert "hp is at most 20" in api.text.requests[0].messages[-1].content


def test_freyr_sums_up_after_a_second_try(serve: Any) -> None:
    api = serve(by_prompt(summary="Done."))
    rounds = [
        called(("c1", "add_enemy", {"name": "Orc", "hp": 99})),
        result("c1", "Error: hp is at most 20"),
        called(("c2", "add_enemy", {"name": "Orc", "hp": 7})),
        result("c2", "added"),
    ]
    assert api.message("freyr:canned/text", user("An orc"), *rounds, tools=[ENEMY])["content"] == "Done."


def test_freyr_does_one_thing_after_the_other_where_calls_must_not_be_parallel(serve: Any) -> None:
    api = serve(
        by_prompt(intent="add_enemy, get_weather", params="- name: Orc\n- hp: 5\n- city: Rome", summary="Done.")
    )
    asked, made, fields = (
        user("Both"),
        called(("c1", "add_enemy", {"name": "Orc", "hp": 5})),
        {"parallel_tool_calls": False},
    )
    first = api.message("freyr:canned/text", asked, tools=[ENEMY, WEATHER], **fields)
    assert [name for name, _ in calls_of(first)] == ["add_enemy"]
    second = api.message("freyr:canned/text", asked, made, result("c1", "ok"), tools=[ENEMY, WEATHER], **fields)
    assert [name for name, _ in calls_of(second)] == ["get_weather"]
    rest = [called(("c2", "get_weather", {"city": "Rome"})), result("c2", "sunny")]
    third = api.message("freyr:canned/text", asked, made, result("c1", "ok"), *rest, tools=[ENEMY, WEATHER], **fields)
    assert third["content"] == "Done."


def test_freyr_talks_where_no_tool_is_meant(serve: Any) -> None:
    api = serve(by_prompt(intent="talk", chat="Hello to you."))
    assert api.message("freyr:canned/text", user("Hello"), tools=[ENEMY])["content"] == "Hello to you."


def test_the_published_freyr_works_too(serve: Any) -> None:
    def script(request: Any) -> str:
        return "add_enemy" if "conversation (msg)" in request.messages[0].content else "- name: Orc\n- hp: 5"

    message = serve(script).message("freyr_paper:canned/text", user("An orc"), tools=[ENEMY])
    assert calls_of(message) == [("add_enemy", {"name": "Orc", "hp": 5})]


def test_auto_takes_freyr_for_models_without_tool_calling(serve: Any) -> None:
    api = serve(by_prompt(intent="add_enemy", params="- name: Orc\n- hp: 5"))
    assert calls_of(api.message("canned/text", user("An orc"), tools=[ENEMY])) == [
        ("add_enemy", {"name": "Orc", "hp": 5})
    ]


def test_a_system_text_does_not_take_the_tools_away(serve: Any) -> None:
    api = serve(["get_weather(city='Rome')"])
    system = {"role": "system", "content": "You are a pirate."}
    assert calls_of(api.message("oneline:canned/text", system, ASKED, tools=[WEATHER])) == [
        ("get_weather", {"city": "Rome"})
    ]
    told = api.text.requests[0].messages[0].content
    assert "get_weather(city)" in told and told.endswith("You are a pirate.")


DAY, TIME = {"type": "string", "format": "date"}, {"type": "string", "description": "as HH:MM"}
ADD = function("add_entry", title="string")
ADD["function"]["parameters"] |= {"properties": {"title": {"type": "string"}, "date": DAY, "time": TIME}}
ADD["function"]["parameters"] |= {"required": ["title", "date", "time"]}


def test_words_go_out_as_values_and_a_question_as_words(serve: Any) -> None:
    entry = 'add_entry(title="tea", date="8 June 2025", time='
    api = serve([f'{entry}"half past three pm")', f'{entry}"?")'])
    assert calls_of(api.message("spoken:canned/text", user("Tea"), tools=[ADD])) == [
        ("add_entry", {"title": "tea", "date": "2025-06-08", "time": "15:30"})
    ]
    assert api.message("spoken:canned/text", user("Tea"), tools=[ADD])["content"] == "At what time?"


def test_an_earlier_call_of_the_client_is_changed(serve: Any) -> None:
    lunch = {"title": "Lunch", "date": "2024-05-03", "time": "12:00"}
    before = called(("c1", "add_entry", lunch))
    api = serve(['change(time="an hour later")'])
    talk = (user("Lunch"), before, result("c1", "made"), user("An hour later"))
    assert calls_of(api.message("spoken:canned/text", *talk, tools=[ADD])) == [
        ("add_entry", {**lunch, "time": "13:00"})
    ]
    assert api.text.requests[0].messages[2].content == ('add_entry(title="Lunch", date="2024-05-03", time="12:00")')


def test_after_a_computed_call_it_is_said_what_came_of_it(serve: Any) -> None:
    made = called(("c1", "add_entry", {"title": "Lunch", "date": "2024-05-03", "time": "12:00"}))
    talk = (user("Lunch"), made, result("c1", "entry 7 made"))
    message = serve().message("spoken:canned/text", *talk, tools=[ADD])
    assert message["content"] == "add_entry: entry 7 made"


def test_names_that_python_cannot_write_come_back_as_the_client_wrote_them(serve: Any) -> None:
    api = serve(["get_weather_2(city='Rome')"])
    tools = [function("get-weather", city="string"), function("get.weather", city="string")]
    assert calls_of(api.message("oneline:canned/text", ASKED, tools=tools)) == [("get.weather", {"city": "Rome"})]


@pytest.mark.parametrize("names", [("", ""), ("action__", "action__"), ("action.", "action.")])
def test_the_embedded_model_calls_the_calendar_of_a_client(serve: Any, names: tuple[str, str]) -> None:
    tools = [
        {"type": "function", "function": {**each["function"], "name": prefix + each["function"]["name"]}}
        for prefix, each in zip(names, CALENDAR, strict=True)
    ]
    message = serve().message("builtin/small", user("Add a meeting with Fred on Nov 11 2024 at 5PM"), tools=tools)
    ((name, arguments),) = calls_of(message)
    assert name == f"{names[0]}add_calendar_entry"
    assert (arguments["date"], arguments["time"]) == ("2024-11-11", "17:00")


def test_the_embedded_model_says_what_came_of_its_call(serve: Any) -> None:
    made = called(
        ("c1", "add_calendar_entry", {"title": "Lunch", "date": "2024-05-03", "time": "12:00", "duration": 30})
    )
    message = serve().message("builtin/small", user("Lunch"), made, result("c1", "entry 7 made"), tools=CALENDAR)
    assert message["content"] == "add_calendar_entry: entry 7 made"


def test_the_embedded_model_takes_a_correction(serve: Any) -> None:
    made = called(
        (
            "c1",
            "add_calendar_entry",
            {"title": "Meeting with Fred", "date": "2024-11-11", "time": "05:00", "duration": 30},
        )
    )
    talk = [user("Add a meeting with Fred on Nov 11 2024 at 5PM"), made, result("c1", "done")]
    talk += [{"role": "assistant", "content": "Done."}, user("The time is wrong, it should be 17:00.")]
    ((_, arguments),) = calls_of(serve().message("builtin/small", *talk, tools=CALENDAR))
    assert arguments["time"] == "17:00"


@pytest.mark.parametrize(
    "fields",
    [
        {"tools": [WEATHER]},
        {"tools": [function("add_calendar_entry", title="string")]},
        {},
        {"tools": CALENDAR, "tool_choice": "none"},
        {"tools": CALENDAR, "response_format": {"type": "json_object"}},
    ],
)
def test_the_embedded_model_refuses_what_it_was_not_trained_for(serve: Any, fields: dict[str, Any]) -> None:
    status, code, _ = serve().error({"model": "builtin/small", "messages": [user("Hi")], **fields})
    assert (status, code) == (400, "tools_not_supported")
