"""`toolmend chat` with lines piped in. What a terminal adds is tested in test_processes.py."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Invoke = Callable[..., Result]

NOON = 'action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00")'
ONE = 'action.add_calendar_entry("Lunch", date="2024-05-03", time="13:00")'
DONE = '  c{} ran: {{"title": "Lunch", "date": "2024-05-03", "time": "{}", "duration": 30}}\n'
ECHO = ("chat", "--model", "scripted/echo", "--no-mend")
WORLD = "  calendar\n    2024-05-03 {}  30 min  Lunch\n"


@pytest.fixture
def chat(invoke: Invoke) -> Callable[..., Result]:
    """A talk with a model that repeats what it is told, corrections too."""
    return lambda *lines, **_: invoke(*ECHO, stdin="".join(f"{line}\n" for line in lines))


def test_a_reply_with_what_it_did_and_the_world(chat: Invoke) -> None:
    result = chat(NOON)
    assert result.exit_code == 0
    assert result.stdout == f"  {NOON}\n" + DONE.format(1, "12:00") + WORLD.format("12:00")


def test_where_a_value_came_from(invoke: Invoke) -> None:
    said = 'add_calendar_entry(title="Lunch", date="2024-05-03", time="noon")'
    talk = ["chat", "--model", "scripted/echo", "--strategy", "spoken"]
    call = '  action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00")\n'
    after = DONE.format(1, "12:00") + WORLD.format("12:00")
    assert invoke(*talk, stdin=f"{said}\n").stdout == f'{call}  time 12:00 ← "noon"\n{after}'


def test_a_question_is_no_missing_call(invoke: Invoke) -> None:
    said = 'add_calendar_entry(title="Lunch", date="2024-05-03", time="?")'
    result = invoke("chat", "--model", "scripted/echo", "--strategy", "spoken", stdin=f"{said}\n")
    assert result.stdout == "  At what time?\n"


def test_the_routers_verdict_and_what_became_of_the_old_call(chat: Invoke) -> None:
    result = chat(NOON, f"No, {ONE}")
    said = "taken as a correction of c1 (/new if it is a new request)"
    changed = "  changed: time 12:00 → 13:00\n"
    done = DONE.format(2, "13:00") + changed + "  c1 undone\n" + WORLD.format("13:00")
    assert result.stdout.endswith(f"  {said}\n  No, {ONE}\n  read as {ONE}\n{done}")


def test_an_explicit_correction_is_no_matter_of_the_router(chat: Invoke) -> None:
    result = chat(NOON, f"/correct {ONE}")
    assert "taken as" not in result.stdout
    assert result.stdout.endswith("  c1 undone\n" + WORLD.format("13:00"))


def test_the_last_message_was_a_new_request_after_all(chat: Invoke) -> None:
    result = chat(NOON, f"No, {ONE}", "/new")
    assert result.stdout.endswith(
        DONE.format(3, "13:00")
        + "  calendar\n    2024-05-03 12:00  30 min  Lunch\n    2024-05-03 13:00  30 min  Lunch\n"
    )


def test_the_last_message_was_a_correction_after_all(chat: Invoke) -> None:
    result = chat(NOON, f"/new {ONE}", "/correct")
    changed = "  changed: time 12:00 → 13:00\n  c1 undone\n"
    assert result.stdout.endswith(DONE.format(3, "13:00") + changed + WORLD.format("13:00"))


def test_the_last_two_are_the_last_that_did_something(chat: Invoke) -> None:
    result = chat(NOON, ONE, "hello", "undo the last two")
    assert result.stdout.endswith("  taken back: c2\n  taken back: c1\n  calendar\n    (no entries)\n")


def test_what_cannot_be_undone_is_not_called_taken_back(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "home.py").write_text("def heat(degrees: int) -> str:\n    return str(degrees)\n")
    tools = ("--tools", str(tmp_path / "home.py"), "--approve", "allow")
    result = invoke(*ECHO, *tools, stdin="heat(degrees=22)\n/correct heat(degrees=21)\n/undo\n")
    assert result.stdout.count("  c1 cannot be undone and stays\n") == 1
    assert result.stdout.endswith("  c2 cannot be undone and stays\n")


def test_undo_of_a_correction(chat: Invoke) -> None:
    result = chat(NOON, f"/correct {ONE}", "/undo")
    assert result.stdout.endswith("  taken back: c2; c1 is back\n" + WORLD.format("12:00"))


def test_a_correction_without_a_call_leaves_things_as_they_were(chat: Invoke) -> None:
    result = chat(NOON, "/correct I am sorry")
    assert "  no call in it" in result.stdout
    assert "  c1 is back: nothing came that could be called\n" in result.stdout
    assert result.stdout.count("  calendar\n") == 1


def test_a_tool_error_is_shown(chat: Invoke) -> None:
    result = chat('action.remove_calendar_entry("Lunch", "2024-05-03", "12:00")')
    assert "  c1 ✘ tool error: there is no 'Lunch' on 2024-05-03 at 12:00; that day is empty\n" in result.stdout


def test_the_chain_of_calls(chat: Invoke) -> None:
    result = chat(NOON, f"/correct {ONE}", '/new action.fly("Lunch")', "/calls")
    lines = result.stdout.splitlines()[-4:]
    assert lines[:3] == [f"  c1 {NOON}  [undone]", f"     ← {ONE}", f"  c2 {ONE}  [stands]"]
    assert lines[3].startswith('  c3 action.fly("Lunch")  [failed: there is no tool')


def test_a_name_that_python_cannot_write_is_shown_all_the_same(invoke: Invoke, tmp_path: Path) -> None:
    result = invoke("chat", "--model", "scripted/echo", stdin="hello there\n/calls\n")
    assert result.stdout.endswith("  no call was made yet\n")


def test_the_world_on_request(chat: Invoke) -> None:
    assert chat("/state").stdout == "  calendar\n    (no entries)\n"


def test_export_as_json_and_icalendar(chat: Invoke) -> None:
    pytest.importorskip("icalendar", reason="needs the extra calendar")
    result = chat(NOON, "/export may.json", "/export may.ics")
    assert result.stdout.endswith("written: may.json\nwritten: may.ics\n")
    assert json.loads(Path("may.json").read_text())["entries"][0]["title"] == "Lunch"
    assert b"SUMMARY:Lunch\r\n" in Path("may.ics").read_bytes()


def test_a_world_with_a_map_shows_it(invoke: Invoke) -> None:
    lines = ['create_room("Hall", "A wide hall")', 'add_trap("Hall", "Pit", "Deep", "You fall", 1)']
    result = invoke("chat", "--model", "scripted/echo", "--tools", "dungeon", stdin="\n".join(lines))
    assert "  dungeon\n    ╔══════╗\n    ║ Hall ║\n    ║      ║\n    ╚══════╝\n" in result.stdout
    assert "✘ tool error: traps go into corridors only, and 'Hall' is a room; corridors: none yet\n" in result.stdout


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/undo", "there is nothing to undo yet"),
        ("/correct no", "there is nothing to correct yet: say something first"),
        ("/correct", "the last message was no new request after another; /correct TEXT says a correction"),
        ("/new", "the last message was not taken as a correction; /new TEXT says a new request"),
        ("/export", "/export needs a file name that ends in .json or .ics (a calendar)"),
        ("/export notes.txt", "/export needs a file name that ends in .json or .ics (a calendar)"),
        ("/export map.svg", "/export needs a file name that ends in .json or .ics (a calendar)"),
        ("/undu", "unknown command '/undu' (did you mean /undo?)"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_the_talk_goes_on(chat: Invoke, line: str, said: str) -> None:
    result = chat(line, "/state")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"toolmend: {said}")
    assert result.stderr.count("\n") == 1
    assert result.stdout.endswith("(no entries)\n")


def test_quit_leaves_at_once(chat: Invoke) -> None:
    assert chat("/quit", NOON).output == ""


def test_no_prompt_and_nothing_for_empty_lines(chat: Invoke) -> None:
    assert chat("", "   ").output == ""


def test_help_names_every_command(chat: Invoke) -> None:
    text = chat("/help").stdout
    assert all(word in text for word in ("/correct", "/new", "/undo", "/calls", "/state", "/export", "/help", "/quit"))


def test_bytes_that_are_no_text(invoke: Invoke) -> None:
    result = invoke("chat", "--model", "scripted/echo", stdin=b"caf\xff\n")
    assert result.exit_code == 0
    assert "caf\ufffd" in result.stdout


def test_control_characters_of_a_model_are_not_obeyed(chat: Invoke) -> None:
    assert "\\x1b[2J" in chat("\x1b[2J").stdout


def test_a_toolbox_of_ones_own_without_a_world(invoke: Invoke) -> None:
    pytest.importorskip("icalendar", reason="needs the extra calendar")
    Path("post_office.py").write_text(
        'from toolmend import tool\n@tool(effect="danger")\n'
        'def send(text: str) -> str:\n    "Send."\n    return "sent"\n'
    )
    words = ["chat", "--model", "scripted/echo", "--tools", "post_office:send", "--approve", "allow", "--no-mend"]
    result = invoke(*words, stdin='send("a")\n/correct send("b")\n/state\n/export x.ics\n/export x.json\n')
    assert '  c2 ran: "sent"\n  changed: text a → b\n  c1 cannot be undone and stays\n' in result.stdout
    assert result.stderr == (
        "toolmend: the toolbox post_office:send has no state to show\n"
        "toolmend: only a calendar can live in an .ics file or on a CalDAV server; FILE.json takes any world\n"
    )
    assert Path("x.json").read_text() == "null"


def test_a_model_of_another_toolbox_is_refused(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    from toolmend.models import Abilities
    from toolmend.models.scripted import Scripted

    monkeypatch.setattr(Scripted, "abilities", Abilities(toolboxes=("calendar",)))
    Path("diary.py").write_text("from toolmend import Toolbox\nclass Diary(Toolbox): ...\n")
    result = invoke("chat", "--model", "scripted/echo", "--tools", "diary:Diary")
    assert result.exit_code == 2
    assert "was trained for the toolbox calendar only" in result.stderr


def test_a_model_that_fails_does_not_end_the_talk(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("")
    result = invoke("chat", "--model", f"scripted/{tmp_path}/none.jsonl", stdin="hello\n/state\n")
    assert (result.exit_code, result.stdout) == (2, "  calendar\n    (no entries)\n")
    assert "this request was not recorded" in result.stderr


def test_a_call_is_run_when_the_next_line_says_so(invoke: Invoke) -> None:
    words = ["chat", "--model", "scripted/echo", "--approve", "ask", "--no-mend"]
    result = invoke(*words, stdin=f"{NOON}\ny\n{ONE}\nno: wrong day\n")
    assert f"  {NOON}  [write]\n    - (no entries)\n    + 2024-05-03 12:00  30 min  Lunch\n" in result.stdout
    assert WORLD.format("12:00") in result.stdout
    assert "  c2 not run\n  wrong day\n" in result.stdout  # the words of a no are a correction


def test_a_yes_with_more_words_runs_nothing(invoke: Invoke) -> None:
    result = invoke("chat", "--model", "scripted/echo", "--approve", "ask", stdin=f"{NOON}\ny but at one\n/state\n")
    assert "  c1 not run\n  y but at one\n" in result.stdout
    assert result.stdout.endswith("  calendar\n    (no entries)\n")


def test_a_line_that_is_no_answer_is_said(invoke: Invoke) -> None:
    result = invoke("chat", "--model", "scripted/echo", "--approve", "ask", stdin=f"{NOON}\n/state\n")
    assert "nobody answered" in result.stdout
    assert result.stdout.endswith("  calendar\n    (no entries)\n")


def test_always_asks_no_more(invoke: Invoke) -> None:
    result = invoke("chat", "--model", "scripted/echo", "--approve", "ask", stdin=f"{NOON}\nalways\n{ONE}\n")
    assert result.stdout.count("  [write]\n") == 1
    assert result.stdout.endswith("2024-05-03 13:00  30 min  Lunch\n")


@pytest.fixture
def home(invoke: Invoke) -> Invoke:
    """A talk about two functions of one's own, with a model that repeats what it is told."""
    text = "from typing import Literal\n\ndef heat(room: Literal['bath', 'kitchen'], degrees: float) -> str:\n"
    Path("home.py").write_text(f"{text}    return room\n\n\ndef get_heat() -> int:\n    return 21\n")
    words = ("chat", "--model", "scripted/echo", "--tools", "home.py")
    return lambda *lines: invoke(*words, stdin="".join(f"{line}\n" for line in lines))


def test_ones_own_functions_are_asked_about_before_they_run(home: Invoke) -> None:
    result = home('heat("bath", 22)', "y", "get_heat()")
    assert '  heat("bath", degrees=22)  [write]\n' in result.stdout
    assert '  c1 ran: "bath"\n' in result.stdout
    assert result.stdout.endswith("  get_heat()\n  c2 ran: 21\n")


def test_what_nobody_answered_is_not_run(home: Invoke) -> None:
    shown = home('heat("bath", 22)').stdout
    assert "  c1 not run: the user did not allow it: nobody answered\n" in shown
    assert "    a line with y after it, or --approve allow, would let it run\n" in shown


def test_where_the_values_came_from(home: Invoke) -> None:
    result = home('heat("bath", 22)', "y", "/why")
    assert result.stdout.endswith('  c1 heat("bath", degrees=22)\n    room bath ← "bath"\n    degrees 22 ← "22"\n')


def test_twice_wrong_offers_to_teach_and_writes_the_sentences(home: Invoke) -> None:
    lines = ['heat("bath", 22)', "y", '/correct heat("bath", 23)', "y", '/correct heat("kitchen", 23)', "y", "/teach"]
    result = home(*lines)
    assert "`toolmend teach home.py`" in result.stdout
    assert "  home_examples.txt: 2 more." in result.stdout
    assert Path("home_examples.txt").read_text().splitlines()[:2] == [
        'heat("bath", 22) => heat("bath", degrees=22)',
        '    heat("bath", 23) => heat("bath", degrees=23)',
    ]


def test_questions_about_the_talk_and_the_world_need_no_model(chat: Invoke) -> None:
    result = chat(NOON, "What did I change?", "What's on 2024-05-03?", "undo the last one", "exit", NOON)
    assert "  c1 action.add_calendar_entry(" in result.stdout
    assert "  Friday, 3 May 2024\n    12:00  30 min  Lunch\n" in result.stdout
    assert result.stdout.endswith("  taken back: c1\n  calendar\n    (no entries)\n")


def test_a_calendar_that_is_there_in_the_next_talk(invoke: Invoke) -> None:
    words = ["chat", "--model", "scripted/echo", "--world", "mine.json"]
    invoke(*words, stdin=f"{NOON}\n")
    assert "Lunch" in invoke(*words, stdin="/state\n").stdout
    assert invoke(*words[:-1], "mine.txt", stdin="").stderr.startswith("toolmend: 'mine.txt' is no place for a world")


def test_a_dry_run_changes_nothing(invoke: Invoke) -> None:
    result = invoke("chat", "--model", "scripted/echo", "--approve", "dry-run", stdin=f"{NOON}\n/state\n")
    assert "+ 2024-05-03 12:00  30 min  Lunch" in result.stdout
    assert result.stdout.endswith("  calendar\n    (no entries)\n")


def test_a_policy_nobody_knows_is_refused(invoke: Invoke) -> None:
    result = invoke("chat", "--approve", "write=maybe", stdin="")
    assert result.exit_code == 2
    assert "write=ask,danger=deny" in result.stderr


def test_a_correction_is_mended_by_its_words_unless_told_otherwise(invoke: Invoke) -> None:
    result = invoke("chat", "--model", "scripted/echo", stdin=f"{NOON}\nNo, at 1 pm.\n")
    assert "mended: edit" in result.stdout
    assert result.stdout.endswith("  c1 undone\n" + WORLD.format("13:00"))


def test_ones_own_functions_fail_in_one_line_and_may_give_nothing(invoke: Invoke, tmp_path: Path) -> None:
    tools = tmp_path / "my tools.py"
    tools.write_text("def clean(): raise RuntimeError('the tank\\nis empty')\ndef rinse(): ...\n", encoding="utf-8")
    words = ["chat", "--tools", str(tools), "--model", "scripted/echo", "--approve", "allow"]
    shown = invoke(*words, stdin="clean()\nrinse()\n").stdout.splitlines()
    assert "  c1 ✘ tool error: clean failed: RuntimeError: the tank is empty" in shown
    assert "  c2 ran" in shown
    assert not [line for line in shown if "tool failed" in line]
