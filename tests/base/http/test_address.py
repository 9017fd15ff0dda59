"""Addresses of servers: what is one, and what may be shown of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.base.errors import BadOption
from toolmend.base.http import host_of, web_address


def test_an_address_has_no_slash_at_its_end():
    assert web_address("https://example.org:8443/v1/", "base_url") == "https://example.org:8443/v1"


def test_a_password_in_an_address_is_refused_and_not_shown():
    with pytest.raises(BadOption, match="base_url has a user or a password in it") as error:
        web_address("https://ada:secret@example.org/v1", "base_url")
    assert "secret" not in str(error.value)


def test_a_host_is_a_host():
    assert host_of("http://example.org:80/v1") == "example.org"


@pytest.mark.parametrize("text", ["", "localhost:8080", "ftp://example.org", "http://", "http://[::1"])
def test_what_is_no_address_is_refused(text):
    with pytest.raises(BadOption, match=r"base_url .*is no web address"):
        web_address(text, "base_url")


def test_an_address_with_a_query_is_refused_and_its_key_not_shown():
    with pytest.raises(BadOption, match="leave out what follows") as error:
        web_address("https://example.org/v1?key=secret", "base_url")
    assert "secret" not in str(error.value)


@given(st.text())
def test_no_text_raises_anything_else(text):
    try:
        web_address(f"http://{text}", "base_url")
    except BadOption as error:
        assert "base_url" in str(error)
