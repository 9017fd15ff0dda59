"""The page's HTML: what is shown of a talk, a world and a ballot; nobody's text becomes markup or a template."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from toolmend.apps.arena.ballot import ballot_html, reveal_html
from toolmend.apps.arena.markup import button, safe, tag
from toolmend.apps.arena.steps import steps_html
from toolmend.apps.arena.talk import live_html, talk_html
from toolmend.apps.arena.world import world_html
from toolmend.arena.views import (
    AttemptView,
    DeskView,
    Reveal,
    SideView,
    StepView,
    TurnView,
    WorldRow,
    WorldView,
)
from toolmend.mistakes import Mark

EVIL = "<script>alert(1)</script><img src=x onerror='alert(2)'>\"'>{{7*7}}${alert(3)}`\\"
CALL = 'action.add_calendar_entry(title="Lunch")'
TURN = TurnView(0, "Lunch", CALL, (CALL,), (Mark.MISTAKE, Mark.MISTAKE), ("time has the wrong value",), judged="case")
SIDE = SideView("left", "builtin/small · oneline", "c1", None, "calendar", (TURN,), WorldView("calendar"))


class Seen(HTMLParser):
    """The elements, attributes and text of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(name)
        self.attributes += attributes

    def handle_data(self, data: str) -> None:
        self.text += data


def evil_side() -> SideView:
    """A side in which every text is hostile."""
    step = StepView(EVIL, EVIL, EVIL, 1, 1.0, EVIL)
    turn = TurnView(0, EVIL, EVIL, (EVIL,), (Mark.MISTAKE,), (EVIL,), steps=(step,), errors=(EVIL,))
    world = WorldView(EVIL, (WorldRow((EVIL,), "added"),), (EVIL,), changes=(EVIL,))
    attempt = AttemptView(EVIL, replace(turn, n=1))
    return SideView(
        "left", EVIL, EVIL, None, EVIL, (turn,), world, waiting=EVIL, problem=EVIL, next=EVIL, origin=EVIL,
        attempts=(attempt,),
    )  # fmt: skip


def test_no_text_becomes_markup() -> None:
    side = evil_side()
    html = (
        talk_html(side, [EVIL])
        + live_html(EVIL, EVIL, True)
        + world_html(side.world)
        + reveal_html(Reveal(EVIL, EVIL, "a"))
    )
    seen = Seen(html)
    assert {"script", "img"} & set(seen.tags) == set()
    assert [name for name, _ in seen.attributes if name.startswith("on")] == []
    assert EVIL in seen.text


def test_no_text_becomes_a_template() -> None:
    assert not set("${}`\\") & set(safe(EVIL))


@given(st.text())
def test_safe_text_reads_as_it_was_written(text: str) -> None:
    html = tag("p", safe(text), title=text)
    seen = Seen(html)
    assert seen.tags == ["p"]
    assert len(seen.text) == len(text)


def test_what_turns_lines_around_is_replaced() -> None:
    assert safe("a\u202eb\x00c\nd") == "a�b�c\nd"


def test_an_attribute_may_be_bare_or_absent() -> None:
    assert tag("input", required=True, title=None, class_="a") == '<input required class="a"></input>'


def test_a_button_says_what_it_does() -> None:
    assert (
        button("It's late.", "correct", n=3)
        == '<button type="button" data-do="correct" data-n="3">It&#x27;s late.</button>'
    )


def test_a_call_is_shown_once_when_the_reply_is_the_call() -> None:
    turn = replace(TURN, reply='action.add_calendar_entry("Lunch")')
    assert talk_html(replace(SIDE, turns=(turn,))).count("add_calendar_entry") == 1


def test_words_beside_a_call_are_shown() -> None:
    turn = replace(TURN, reply=f"Sure!\n{CALL}")
    assert "Sure!" in talk_html(replace(SIDE, turns=(turn,)))


def test_marks_stand_with_their_words_and_how_often() -> None:
    html = talk_html(SIDE)
    assert "🍄</span> mistake ×2</span>" in html
    assert "<li>time has the wrong value</li>" in html


def test_a_corrected_reply_says_where() -> None:
    later = replace(TURN, n=1, marks=(Mark.FIXED,), mistakes=(), amends=0, correction=True)
    html = talk_html(replace(SIDE, turns=(replace(TURN, corrected_by=1, undone=True), later)))
    assert "corrected in message 2" in html
    assert 'corrects <a href="#left-0">message 1</a>' in html
    assert "🥦</span> fixed" in html


def test_corrections_are_offered_under_the_last_reply() -> None:
    html = talk_html(SIDE, ["It starts at one."])
    assert 'data-do="correct"' in html and 'data-text="It starts at one."' in html
    assert "Give this mistake to the other model" in html


def test_nothing_is_offered_in_a_battle_or_while_it_answers() -> None:
    for html in (talk_html(SIDE, ["No."], fixing=False), talk_html(replace(SIDE, busy=True), ["No."])):
        assert 'data-do="correct"' not in html


def test_a_stopped_message_is_shown_with_what_happened() -> None:
    html = talk_html(replace(SIDE, waiting="And one more", problem="stopped"))
    assert "And one more" in html and "stopped" in html


def test_what_the_case_says_next_is_one_click() -> None:
    html = talk_html(replace(SIDE, next="And a dinner."))
    assert 'data-do="say"' in html and 'data-text="And a dinner."' in html


def test_attempts_are_counted_and_linked() -> None:
    made = [AttemptView("c7", replace(TURN, marks=(Mark.FIXED,))), AttemptView("c8", TURN)]
    html = talk_html(replace(SIDE, attempts=tuple(made)))
    assert "1 of 2 attempts fixed it" in html
    assert 'href="/c/c7"' in html


def test_steps_are_folded_with_their_cost() -> None:
    steps = (StepView("request", "asked", tokens=40), StepView("reply", "answered", "x", 9, 0.25, "{}"))
    html = steps_html("left-0", steps)
    assert "2 steps, 49 tokens, 0.25 s" in html
    assert html.count("<details") == 2


def test_the_world_says_what_changed_without_colours() -> None:
    rows = (WorldRow(("2024-05-03", "12:00"), "gone"), WorldRow(("2024-05-03", "13:00"), "added"))
    html = world_html(WorldView("calendar", rows, ("date", "time"), changes=("moved to 13:00",)))
    assert "− <del>2024-05-03</del>" in html
    assert "+ 2024-05-03" in html
    assert "moved to 13:00" in html


def test_a_map_keeps_its_columns() -> None:
    html = world_html(WorldView("dungeon", (WorldRow(("[A]--[B]",)),), mono=True))
    assert '<pre class="mono" tabindex="0">[A]--[B]</pre>' in html


def test_a_ballot_waits_for_both_replies() -> None:
    view = DeskView("d1", "battle", SIDE, replace(SIDE, side="right"), open=True)
    assert ballot_html(replace(view, right=replace(view.right, busy=True))) == ""
    assert ballot_html(replace(view, open=False)) == ""
    html = ballot_html(view)
    assert html.count('data-do="vote"') == 1 + 4 + 8
    assert 'name="desk" value="d1"' in html


def test_a_vote_on_one_reply_reveals_nobody() -> None:
    assert "The battle goes on" in reveal_html(Reveal(None, None, "a"))
