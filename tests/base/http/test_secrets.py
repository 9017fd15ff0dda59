"""No key is shown, and nothing else is hidden in what is kept."""

import pytest

from toolmend.base.http.secrets import Secrets

KEY = 'very/secret"key+1'


@pytest.mark.parametrize("spelled", [KEY, 'very/secret\\"key+1', "very/secret%22key%2B1", "very%2Fsecret%22key%2B1"])
def test_a_key_is_hidden_in_every_spelling(spelled):
    assert Secrets(KEY).hide(f"a {spelled} b") == "a *** b"


def test_a_placeholder_is_no_key():
    assert Secrets("ollama").hide("run ollama pull") == "run ollama pull"


def test_a_key_that_holds_another_is_hidden_whole():
    assert Secrets("abcdefgh", "abcdefgh-ijkl").hide("abcdefgh-ijkl") == "***"


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key provided: sk-proj-1***************cdef.",
        "Bearer abc.def",
        "key gsk_0123456789",
        "AIzaSyA0123456789-abc is no key",
        "hf_abcdefghijkl",
    ],
)
def test_error_texts_show_nobodys_key(text):
    hidden = Secrets().hide_all(text)
    assert "***" in hidden
    assert "cdef" not in hidden and "0123" not in hidden and "abc.d" not in hidden and "abcdef" not in hidden


def test_what_is_kept_stays_as_it_is():
    text = "task-list sk-learn-pipelines Bearer"
    assert Secrets().hide(text) == text


def test_secrets_do_not_show_themselves():
    assert "very" not in repr(Secrets(KEY))
