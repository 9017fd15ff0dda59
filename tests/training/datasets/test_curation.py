"""Curation: each rule by itself, and the counts of all of them."""

from __future__ import annotations

import pytest

from toolmend.training.datasets.curation import Limits, curate, in_test, leaking, private, repeated, too_long
from toolmend.training.datasets.leakage import Prompts
from toolmend.training.datasets.lines import Attempt, Chat, Hindsight, Line, Pair, Said
from toolmend.training.datasets.texts import gist, whole

REQUEST = "Add a meeting with Fred on Nov 11 at 5PM"


def chat(said: str = REQUEST, reply: str = "Done.", talk: str = "t", **more: object) -> Chat:
    return Chat("1", (), (Said("user", said), Said("assistant", reply)), {"talk": talk, **more})


def verdicts(rule: object) -> list[str]:
    return [each if isinstance(each, str) else "kept" for each in rule]  # type: ignore[attr-defined]


def test_length_counts_all_that_is_said() -> None:
    assert verdicts(too_long([chat("ab", "cd"), chat("ab", "cde"), chat(" ", "")], 4)) == [
        "kept",
        "more than 4 characters",
        "no words",
    ]


def test_the_same_again_wherever_it_is_from() -> None:
    lines = [chat(run="a"), chat(run="b"), chat(reply="No.")]
    assert verdicts(repeated(lines)) == ["kept", "the same as an earlier line", "kept"]


def test_learned_or_not_is_not_the_same() -> None:
    said = (Said("user", "a"), Said("assistant", "b", learn=False), Said("user", "c"), Said("assistant", "d"))
    other = (Said("user", "a"), Said("assistant", "b"), Said("user", "c"), Said("assistant", "d"))
    assert verdicts(repeated([Chat("1", (), said), Chat("2", (), other)])) == ["kept", "kept"]


def test_personal_data_in_a_call_are_found() -> None:
    said = Said("assistant", "mail(to=['ada@example.org'])")
    assert verdicts(private([Chat("1", (), (Said("user", "a"), said))], mask=False)) == ["e-mail"]


def test_personal_data_are_masked_everywhere() -> None:
    mail = "ada@example.org"
    asked, reply = (Said("user", f"Write to {mail}"),), Said("assistant", mail)
    lines: list[Line] = [
        Chat("1", (), (*asked, reply)),
        Pair("2", (), asked, (reply,), (reply,), mail),
        Hindsight("3", (), asked, (Attempt(mail, "bad", mail), Attempt(mail))),
    ]
    for line in private(lines, mask=True):
        assert not isinstance(line, str)
        assert {text for text in whole(line) if mail in text} == set()
        assert "Write to [e-mail]" in whole(line)


def test_any_message_may_leak() -> None:
    said = (Said("user", "Hello there, how are you today?"), Said("assistant", "a"), Said("user", REQUEST))
    prompts = Prompts([REQUEST])
    assert verdicts(leaking([Chat("1", (), said), chat("Remove my lunch")], prompts, 0.2)) == ["BLEU above 20%", "kept"]


def test_a_replies_words_leak_nothing() -> None:
    assert verdicts(leaking([chat("Remove my lunch", REQUEST)], Prompts([REQUEST]), 0.2)) == ["kept"]


def test_the_gist_leaves_history_out() -> None:
    said = (Said("user", "a"), Said("assistant", "b", learn=False), Said("user", "c"), Said("assistant", "d"))
    assert gist(Chat("1", (), said)) == "c\nd"


def test_a_talk_is_on_one_side() -> None:
    assert in_test(chat(talk="x"), 0.3) == in_test(chat("other", talk="x"), 0.3)
    assert (in_test(chat(), 0), in_test(chat(), 1)) == (False, True)


def test_the_share_held_out() -> None:
    held = [in_test(chat(talk=str(number)), 0.1) for number in range(2000)]
    assert sum(held) == 204


def test_more_held_out_keeps_those_that_were() -> None:
    talks = [chat(talk=str(number)) for number in range(300)]
    assert all(in_test(line, 0.3) for line in talks if in_test(line, 0.1))


def test_counts_before_and_after() -> None:
    pytest.importorskip("datasketch")
    pytest.importorskip("py3langid")
    lines = {"chat": [chat("Remove my lunch"), chat("Remove my lunch"), chat()], "pairs": [], "hindsight": []}
    heard: list[tuple[int, int]] = []
    kept, steps = curate(lines, Limits(), Prompts([REQUEST]), lambda *far: heard.append(far))
    assert [line.messages[0].content for line in kept["chat"]] == ["Remove my lunch"]
    assert [(step.rule, step.before["chat"], step.after["chat"], step.reasons) for step in steps] == [
        ("length", 3, 3, {}),
        ("language", 3, 3, {}),
        ("personal data", 3, 3, {}),
        ("exact duplicates", 3, 2, {"the same as an earlier line": 1}),
        ("near duplicates", 2, 2, {}),
        ("test leakage", 2, 1, {"BLEU above 20%": 1}),
    ]
    assert heard[0] == (0, 3)
    assert heard[-1] == (2, 3)
