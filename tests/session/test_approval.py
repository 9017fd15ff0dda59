"""Which calls may run: policies over effects, a person who is asked, what is told of it, and what is written down."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest

from toolmend import Session, Toolbox, tool
from toolmend.base.errors import BadOption
from toolmend.base.events import Called, Decided, Refused, Undone
from toolmend.session import ApprovalRequest, Approvals, Policy, Verdict
from toolmend.tools.toolboxes.calendar import Calendar

NOON = 'action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00")'
ONE = 'action.add_calendar_entry("Lunch", date="2024-05-03", time="13:00")'
Talk = Callable[..., tuple[Session, list[Any]]]


def answering(*verdicts: Verdict) -> tuple[list[ApprovalRequest], Any]:
    """Somebody who gives these answers, and what they were asked."""
    asked: list[ApprovalRequest] = []
    left = list(verdicts)

    async def ask(question: ApprovalRequest) -> Verdict:
        asked.append(question)
        return left.pop(0)

    return asked, ask


def post_office(sent: list[str]) -> Toolbox:
    """A tool of each effect."""

    @tool(effect="read")
    def look() -> int:
        "Look."
        return len(sent)

    @tool(effect="danger")
    def send(text: str) -> str:
        "Send."
        sent.append(text)
        return "sent"

    return Toolbox.of(look, send)


def decided(events: list[Any]) -> list[tuple[str, str, str]]:
    """Effect, decision and who made it, of each decision."""
    return [(each.effect, each.decision, each.by) for each in events if isinstance(each, Decided)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "read=allow,write=allow,danger=ask"),
        ("ask", "read=allow,write=ask,danger=ask"),
        ("deny", "read=allow,write=deny,danger=deny"),
        ("write=dry-run", "read=allow,write=dry-run,danger=ask"),
        ("allow, read=ask", "read=ask,write=allow,danger=allow"),
    ],
)
def test_a_policy_is_read(text: str, expected: str) -> None:
    assert str(Policy.of(text)) == expected


@pytest.mark.parametrize("text", ["maybe", "write=maybe", "change=ask", "=ask"])
def test_a_policy_nobody_knows(text: str) -> None:
    told = (
        f"approval {text!r} is no policy: write one of allow, ask, deny, dry-run, or such a word for an effect, as in "
        "write=ask,danger=deny (effects: read, write, danger)"
    )
    with pytest.raises(BadOption) as raised:
        Policy.of(text)
    assert str(raised.value) == told


def test_without_a_policy_everything_runs_and_nothing_is_said(talk: Talk) -> None:
    chat, events = talk(NOON)
    chat.say("Lunch")
    assert decided(events) == []
    assert len(chat.standing) == 1


def test_what_is_allowed_runs_and_is_written_down(talk: Talk) -> None:
    chat, events = talk(NOON, approve="allow")
    chat.say("Lunch")
    assert decided(events) == [("write", "allowed", "policy")]
    assert len(chat.standing) == 1


def test_what_is_denied_does_not_run(talk: Talk) -> None:
    chat, events = talk(NOON, approve="deny")
    answer = chat.say("Lunch")
    assert chat.tools.state() == {"entries": []} or not chat.standing
    assert answer.results[0].fault == "refused"
    assert answer.results[0].error == (
        "not run: it was not allowed: tools that change something are not to be called here. "
        "Do not make this call again."
    )
    assert [type(each) for each in events][-2:] == [Decided, Refused]
    assert not any(isinstance(each, Called) for each in events)


def test_with_nobody_to_ask_it_is_denied(talk: Talk) -> None:
    sent: list[str] = []
    chat, events = talk('send("a")', tools=post_office(sent), approve=Policy())
    answer = chat.say("Send it")
    assert sent == []
    assert "nobody can be asked" in str(answer.results[0].error)
    assert decided(events) == [("danger", "denied", "policy")]


def test_a_person_is_asked_with_a_preview_and_the_call_as_it_will_run(talk: Talk) -> None:
    asked, ask = answering(Verdict(True))
    chat, events = talk(NOON, approve=Approvals(Policy(write="ask"), ask))
    chat.say("Lunch")
    assert [(each.effect, each.preview) for each in asked] == [
        ("write", "- (no entries)\n+ 2024-05-03 12:00  30 min  Lunch")
    ]
    assert asked[0].call == chat.standing[0]
    assert decided(events) == [("write", "allowed", "person")]


def test_a_no_and_its_reason_reach_the_model(talk: Talk) -> None:
    _, ask = answering(Verdict(False, "wrong day", "ada"))
    chat, events = talk(NOON, approve=Approvals(Policy(write="ask"), ask))
    answer = chat.say("Lunch")
    assert answer.results[0].error == "not run: the user did not allow it: wrong day. Do not make this call again."
    assert decided(events) == [("write", "denied", "ada")]


def test_nobody_is_asked_the_same_twice_in_a_turn(talk: Talk) -> None:
    asked, ask = answering(Verdict(False))
    chat, events = talk(f"{NOON}\n{NOON}", approve=Approvals(Policy(write="ask"), ask))
    chat.say("Lunch")
    assert len(asked) == 1
    assert decided(events) == [("write", "denied", "person")] * 2


def test_a_call_that_cannot_run_is_not_asked_about(talk: Talk) -> None:
    asked, ask = answering()
    chat, _ = talk("action.add_calendar_entry(5)\naction.nonesuch()", approve=Approvals(Policy(write="ask"), ask))
    answer = chat.say("Lunch")
    assert asked == []
    assert {each.fault for each in answer.results} <= {"arguments", "unknown_tool"}


def test_a_dry_run_tells_what_would_change(talk: Talk) -> None:
    chat, events = talk(NOON, approve="dry-run")
    answer = chat.say("Lunch")
    assert str(answer.results[0].error).startswith("dry run: it was not run. It would have changed:")
    assert "+ 2024-05-03 12:00  30 min  Lunch" in str(answer.results[0].error)
    assert decided(events) == [("write", "dry-run", "policy")]
    assert str(chat.tools) == "(no entries)"


def test_what_cannot_be_taken_back_is_never_tried(talk: Talk) -> None:
    sent: list[str] = []

    class Mailing(Calendar):  # a world that could be set back; what was sent could not
        @tool(effect="danger")
        def send(self, text: str) -> str:
            "Send."
            sent.append(text)
            return "sent"

    chat, events = talk('action.send("a")', tools=Mailing(), approve="dry-run")
    chat.say("Send it")
    assert sent == []
    assert [each.preview for each in events if isinstance(each, Decided)] == [""]


def test_reading_is_not_asked_about(talk: Talk) -> None:
    chat, events = talk("look()", tools=post_office([]), approve="ask")
    chat.say("Look")
    assert decided(events) == [("read", "allowed", "policy")]


def test_a_denied_correction_puts_back_what_it_undid(talk: Talk) -> None:
    _, ask = answering(Verdict(True), Verdict(False))
    chat, events = talk(NOON, ONE, approve=Approvals(Policy(write="ask"), ask))
    chat.say("Lunch")
    answer = chat.correct("At one.")
    assert answer.redone
    assert str(chat.tools) == "2024-05-03 12:00  30 min  Lunch"
    assert [each.redone for each in events if isinstance(each, Undone)] == [False, True]


def test_a_decision_is_a_line_of_the_log_without_arguments(talk: Talk, caplog: pytest.LogCaptureFixture) -> None:
    chat, _ = talk(NOON, approve="deny")
    with caplog.at_level(logging.INFO, logger="toolmend.approval"):
        chat.say("Lunch")
    [line] = [each for each in caplog.records if each.name == "toolmend.approval"]
    tool_name = "action.add_calendar_entry"
    expected = {"tool": tool_name, "effect": "write", "decision": "denied", "by": "policy", "turn": 0}
    assert line.fields == expected  # type: ignore[attr-defined]
    assert "Lunch" not in str(vars(line))


@pytest.mark.parametrize("text", ["yes", "y", " YES\n"])
def test_an_exact_yes_allows(text: str) -> None:
    assert Verdict.of(text, "client") == Verdict(True, by="client")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("OK, wait, no!", "OK, wait, no!"),
        ("yes, but not today", "yes, but not today"),
        ("y?", "y?"),
        ("Approved.", "Approved."),
        ("true", "true"),
        ("yesterday", "yesterday"),
        ("no: too late", "too late"),
        ("No, nobody asked", "nobody asked"),
        ("n", ""),
        ("nobody", "nobody"),
        ("", ""),
    ],
)
def test_anything_but_an_exact_yes_is_a_no_with_its_words(text: str, reason: str) -> None:
    assert Verdict.of(text) == Verdict(False, reason)


def test_only_true_itself_allows() -> None:
    assert [Verdict(said).allowed for said in ("no", 1, None)] == [False, False, False]  # type: ignore[arg-type]
