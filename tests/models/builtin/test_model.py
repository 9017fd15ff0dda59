"""What an embedded model answers: how it ends, what it counts, what it forgets, and that talks do not mix."""

import asyncio

import pytest

from toolmend.base.messages import Message, Options, Request
from toolmend.models import Abilities, Model
from toolmend.models.builtin.tokens import SPECIAL

GREEDY = Options(max_tokens=12)


def request(*said, options=GREEDY):
    roles = ("user", "assistant")
    return Request(tuple(Message(roles[n % 2], text) for n, text in enumerate(said)), options=options)


def spoken(model, options=GREEDY, said="hi"):
    pieces = []
    reply = model.reply_now(request(said, options=options), pieces.append)
    return reply, pieces


def test_it_is_a_model(random_model):
    assert isinstance(random_model, Model)
    can = Abilities(streaming=True, system=False, toolboxes=("calendar",), window=96, avoids=True)
    assert random_model.abilities == can


def test_it_says_what_it_has_to_say_and_stops(speaker):
    reply, _ = spoken(speaker("Fix it by 5pm"), Options(max_tokens=30))
    assert (str(reply), reply.finish, reply.model, reply.truncated) == (
        "Fix it by 5pm",
        "stop",
        "builtin/speaker",
        False,
    )


def test_tokens_are_counted_with_the_end(speaker, tokens):
    reply, _ = spoken(speaker("Fix it"), Options(max_tokens=30))
    assert reply.usage.output_tokens == len(tokens.encode("Fix it")) + 1
    assert reply.usage.input_tokens == len(tokens.prompt([("user", "hi")]))
    assert reply.usage.seconds > 0


def test_nothing_said_is_empty(speaker):
    reply, pieces = spoken(speaker(""))
    assert (reply.text, reply.finish, reply.usage.output_tokens, pieces) == ("", "empty", 1, [])


def test_greedy_replies_are_the_same_every_time(random_model):
    replies = [random_model.reply_now(request("Add a lunch")).text for _ in range(3)]
    assert len(set(replies)) == 1
    assert replies[0]


def test_greedy_does_not_look_at_the_seed(random_model):
    one, two = (random_model.reply_now(request("hi", options=Options(seed=n, max_tokens=12))).text for n in (1, 2))
    assert one == two


def test_the_same_seed_gives_the_same_text_and_another_seed_another(random_model):
    def text(seed):
        return random_model.reply_now(request("hi", options=Options(temperature=1.0, seed=seed, max_tokens=12))).text

    assert text(7) == text(7)
    assert text(7) != text(8)


def test_a_low_temperature_is_nearly_greedy(random_model):
    cold = random_model.reply_now(request("hi", options=Options(temperature=1e-4, seed=1, max_tokens=12))).text
    assert cold == random_model.reply_now(request("hi")).text


@pytest.mark.parametrize("most", [1, 5])
def test_no_more_tokens_than_allowed(random_model, most):
    reply = random_model.reply_now(request("hi", options=Options(max_tokens=most)))
    assert (reply.usage.output_tokens, reply.finish) == (most, "length")


def test_a_reply_takes_a_third_of_the_window_at_most(random_model):
    assert random_model.reply_now(request("hi", options=Options(max_tokens=500))).usage.output_tokens == 32


def test_special_tokens_are_never_said(random_model):
    text = random_model.reply_now(request("hi", options=Options(temperature=5.0, seed=3, max_tokens=32))).text
    assert not any(name in text for name in SPECIAL)


def test_a_stop_text_ends_the_reply_before_it(speaker):
    reply, pieces = spoken(speaker("Fix it by 5pm"), Options(max_tokens=30, stop=(" by",)))
    assert (reply.text, reply.finish) == ("Fix it", "stop")
    assert "".join(pieces) == "Fix it"


def test_the_first_of_several_stop_texts_counts(speaker):
    assert spoken(speaker("Fix it by 5pm"), Options(max_tokens=30, stop=("pm", " it", "zzz")))[0].text == "Fix"


def test_a_reply_that_a_stop_text_ended_counts_what_was_made(speaker, tokens):
    reply, _ = spoken(speaker("Fix it by 5pm"), Options(max_tokens=30, stop=("by",)))
    assert reply.usage.output_tokens == len(tokens.encode("Fix it by"))


def test_a_stop_text_that_never_comes_changes_nothing(speaker):
    reply, pieces = spoken(speaker("Fix it by 5pm"), Options(max_tokens=30, stop=("pmx", "5 pm")))
    assert (reply.text, "".join(pieces)) == ("Fix it by 5pm", "Fix it by 5pm")


SAYINGS = ["Fix it by 5pm", 'Zoé: "Bix" 5PM', "é", "x<|y", "trailing \n ", "日本", "<", 'a("b', "QUX7zed"]


@pytest.mark.parametrize("text", SAYINGS)
def test_pieces_join_to_the_text(speaker, text):
    reply, pieces = spoken(speaker(text), Options(max_tokens=32))
    assert "".join(pieces) == reply.text == text


def test_pieces_come_one_by_one(speaker):
    assert len(spoken(speaker("Fix it by 5pm"), Options(max_tokens=30))[1]) > 3


@pytest.mark.parametrize("seed", range(20))
def test_pieces_of_gibberish_join_to_the_text(random_model, seed):
    reply, pieces = spoken(random_model, Options(temperature=1.5, seed=seed, max_tokens=32))
    assert "".join(pieces) == reply.text


def test_a_reply_cut_short_gives_all_its_pieces(speaker, tokens):
    for most in range(1, len(tokens.encode("Zoé 5PM"))):
        reply, pieces = spoken(speaker("Zoé 5PM"), Options(max_tokens=most))
        assert "".join(pieces) == reply.text


def test_system_text_is_not_read(random_model):
    plain = request("hi")
    with_system = Request((Message("system", "Answer in French."), *plain.messages), options=plain.options)
    replies = [random_model.reply_now(each) for each in (plain, with_system)]
    assert (replies[0].text, replies[0].usage.input_tokens) == (replies[1].text, replies[1].usage.input_tokens)


def long_talk(turns):
    return [text for n in range(turns) for text in (f"Add lunch {n}", f"lunch {n} is in")][:-1]


def test_a_talk_longer_than_the_window_loses_its_oldest_turns_and_says_so(random_model):
    whole, cut = (random_model.reply_now(request(*long_talk(turns))) for turns in (2, 12))
    assert (whole.truncated, cut.truncated) == (False, True)
    assert cut.usage.input_tokens <= 96 - 12


def test_what_is_left_of_a_long_talk_begins_with_a_request(random_model, tokens):
    reply = random_model.reply_now(request(*long_talk(12)))
    turns = list(zip(("user", "assistant") * 12, long_talk(12), strict=False))
    lengths = [len(tokens.prompt(turns[first:])) for first in range(0, 23, 2)]
    assert reply.usage.input_tokens == next(length for length in lengths if length <= 84)


def test_a_talk_cut_short_is_answered_as_if_that_was_all(random_model):
    said = long_talk(12)
    kept = next(said[n:] for n in range(0, 23, 2) if not random_model.reply_now(request(*said[n:])).truncated)
    assert random_model.reply_now(request(*said)).text == random_model.reply_now(request(*kept)).text


def test_a_single_request_longer_than_the_window_keeps_its_end(random_model):
    reply = random_model.reply_now(request("Add " + "lunch, " * 100 + "now"))
    assert (reply.truncated, reply.usage.input_tokens) == (True, 84)


def test_no_message_at_all_is_answered(random_model):
    assert random_model.reply_now(Request((), options=GREEDY)).usage.input_tokens == 2


def test_replies_do_not_depend_on_what_was_asked_before(random_model):
    alone = random_model.reply_now(request("Add a lunch")).text
    for other in ("Add a dinner", "Add a lunch with Tom", "x", "Cancel it", "Add"):
        random_model.reply_now(request(other))
        assert random_model.reply_now(request("Add a lunch")).text == alone


def test_replies_asked_for_at_once_do_not_mix(random_model):
    said = [f"Add lunch number {number}" for number in range(12)]
    alone = [random_model.reply_now(request(text)).text for text in said]

    async def together():
        return await asyncio.gather(*(random_model.reply(request(text)) for text in said))

    assert [reply.text for reply in asyncio.run(together())] == alone
    assert len(set(alone)) > 1


def test_pieces_of_replies_asked_for_at_once_do_not_mix(random_model):
    heard = {number: [] for number in range(6)}

    async def together():
        jobs = (random_model.reply(request(f"lunch {n}"), on_delta=heard[n].append) for n in heard)
        return await asyncio.gather(*jobs)

    replies = asyncio.run(together())
    assert ["".join(pieces) for pieces in heard.values()] == [reply.text for reply in replies]
