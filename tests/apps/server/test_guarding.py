"""Who is let in, how often, and what is written down: keys, hosts, limits, log."""

from __future__ import annotations

import json
import logging
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chatting import user
from toolmend.apps.server.app import create_app
from toolmend.apps.server.keys import Key, KeyFile, Rates
from toolmend.apps.server.log import NAME, JsonLines
from toolmend.apps.server.refusals import ApiError
from toolmend.apps.server.settings import ServerSettings, is_loopback
from toolmend.base.errors import BadFile, BadOption, UnknownName
from toolmend.base.messages import Reply, Usage

BODY = {"model": "canned/text", "messages": [user("my secret plan")]}


@pytest.fixture
def keys(tmp_path: Path) -> KeyFile:
    return KeyFile(tmp_path / "keys.json")


@pytest.fixture
def log() -> Iterator[list[dict[str, Any]]]:
    lines: list[dict[str, Any]] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(json.loads(self.format(record)))

    handler, logger = Kept(), logging.getLogger(NAME)
    handler.setFormatter(JsonLines())
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield lines
    logger.removeHandler(handler)
    logger.setLevel(logging.NOTSET)


def bearer(key: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"}


def test_a_key_is_known_by_its_hash_alone(keys: KeyFile) -> None:
    made = keys.add("ada")
    assert made not in keys.path.read_text()
    assert made.rpartition("-")[2] not in keys.path.read_text()
    found = KeyFile(keys.path).find(made)
    assert found is not None and found.name == "ada"


def test_nobody_else_may_read_the_file(keys: KeyFile) -> None:
    keys.add("ada")
    assert stat.S_IMODE(keys.path.stat().st_mode) == 0o600


def test_two_keys_have_salts_of_their_own(keys: KeyFile) -> None:
    keys.add("ada"), keys.add("bob")
    assert len({key.salt for key in keys.keys}) == 2


@pytest.mark.parametrize("given", ["", "tm", "tm-12345678-x", "sk-1-2", "tm--", "\udcff"])
def test_other_keys_are_not_found(keys: KeyFile, given: str) -> None:
    keys.add("ada")
    assert keys.find(given) is None


def test_a_changed_key_is_not_found(keys: KeyFile) -> None:
    made = keys.add("ada")
    assert keys.find(made[:-1] + ("a" if made[-1] != "a" else "b")) is None


def test_a_name_is_given_once(keys: KeyFile) -> None:
    keys.add("ada")
    with pytest.raises(BadOption, match="called 'ada' already"):
        keys.add("ada")


def test_a_key_that_is_not_there_cannot_be_revoked(keys: KeyFile) -> None:
    with pytest.raises(UnknownName, match="unknown key 'ada'"):
        keys.revoke("ada")


def test_a_broken_file_of_keys_says_where(keys: KeyFile) -> None:
    keys.path.write_text("[]")
    with pytest.raises(BadFile, match=r"keys\.json: no file of keys"):
        _ = keys.keys


def test_without_a_key_nobody_is_let_in(serve: Any, keys: KeyFile) -> None:
    made = keys.add("ada")
    api = serve(keys=keys.path)
    assert api.error(BODY) == (401, None, None)
    assert api.error(BODY, headers=bearer("tm-1-2")) == (401, "invalid_api_key", None)
    assert api.post(BODY, headers=bearer(made)).status_code == 200


@pytest.mark.parametrize("path", ["/v1/models", "/v1/models/x", "/v1/nothing"])
def test_a_key_is_needed_everywhere(serve: Any, keys: KeyFile, path: str) -> None:
    keys.add("ada")
    assert serve(keys=keys.path).request("GET", path).status_code == 401


def test_whether_the_server_lives_is_no_secret(serve: Any, keys: KeyFile) -> None:
    keys.add("ada")
    assert serve(keys=keys.path).request("GET", "/healthz").json() == {"status": "ok"}


def test_a_revoked_key_stops_working_and_the_last_one_opens_no_door(serve: Any, keys: KeyFile) -> None:
    made = keys.add("ada")
    api = serve(keys=keys.path)
    KeyFile(keys.path).revoke("ada")
    assert api.error(BODY, headers=bearer(made)) == (401, "invalid_api_key", None)


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.2", "::", "example.com"])
def test_a_server_for_others_needs_a_key(host: str, keys: KeyFile) -> None:
    with pytest.raises(BadOption, match="there is no API key yet"):
        create_app(ServerSettings(host=host, keys=keys.path))
    keys.add("ada")
    assert create_app(ServerSettings(host=host, keys=keys.path))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]", "127.8.9.1"])
def test_this_machine_is_this_machine(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["evil.example:8000", "", "localhost.evil.example"])
def test_without_keys_another_host_name_is_refused(serve: Any, host: str) -> None:
    assert serve().error(BODY, headers={"host": host}) == (403, "host_not_allowed", None)


def test_no_page_of_another_origin_is_let_in(serve: Any) -> None:
    api, evil = serve(), {"origin": "http://evil.example"}
    refused = api.post({"model": "canned/text", "messages": [user("Hi")]}, headers=evil)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "origin_not_allowed")
    assert api.text.requests == []
    for answer in (refused, api.request("OPTIONS", "/v1/chat/completions", headers=evil)):
        assert not any(name.startswith("access-control") for name in answer.headers)


def key(**limits: int) -> Key:
    return Key("ada", "1", "00", "", "", **limits)


def test_requests_of_a_key_are_limited() -> None:
    now = [0.0]
    rates, ada = Rates(lambda: now[0]), key(requests=2)
    rates.admit(ada), rates.admit(ada)
    with pytest.raises(ApiError, match="2 requests per minute") as refused:
        rates.admit(ada)
    assert (refused.value.status, refused.value.code, refused.value.headers["retry-after"]) == (
        429,
        "rate_limit_exceeded",
        "31",
    )
    now[0] = 31.0
    rates.admit(ada)


def test_tokens_of_a_key_are_limited_once_they_are_known() -> None:
    now = [0.0]
    rates, ada = Rates(lambda: now[0]), key(tokens=60)
    rates.admit(ada)
    rates.spent(ada, 90)
    with pytest.raises(ApiError, match=r"60 tokens per minute\. Try again in 31\.0 s"):
        rates.admit(ada)
    now[0] = 31.1
    rates.admit(ada)


def test_a_limit_is_told_as_429(serve: Any, keys: KeyFile) -> None:
    made = keys.add("ada", requests=1)
    api = serve(keys=keys.path)
    assert api.post(BODY, headers=bearer(made)).status_code == 200
    answer = api.post(BODY, headers=bearer(made))
    assert (answer.status_code, answer.json()["error"]["type"], answer.headers["retry-after"]) == (
        429,
        "requests",
        "60",
    )


def test_more_requests_at_once_than_allowed_are_put_off(serve: Any) -> None:
    assert serve(concurrency=0).error(BODY) == (503, "overloaded", None)


def test_the_log_has_a_line_for_a_request_and_no_contents(serve: Any, keys: KeyFile, log: list[dict[str, Any]]) -> None:
    made = keys.add("ada")
    answer = serve([Reply("my answer", usage=Usage(7, 2))], keys=keys.path).post(BODY, headers=bearer(made))
    (line,) = log
    assert line["request"] == answer.headers["x-request-id"]
    assert {name: line[name] for name in ("event", "level", "status", "key", "model", "input_tokens")} == {
        "event": "request",
        "level": "info",
        "status": 200,
        "key": "ada",
        "model": "canned/text",
        "input_tokens": 7,
    }
    written = json.dumps(log)
    assert "secret plan" not in written and "my answer" not in written and made not in written


def test_a_fault_is_logged_with_its_place_and_without_its_words(serve: Any, log: list[dict[str, Any]]) -> None:
    def breaks(_request: Any) -> str:
        raise RuntimeError("my secret plan")

    serve(breaks).post(BODY)
    (line,) = log
    assert (line["level"], line["status"], line["error"]) == ("error", 500, "RuntimeError")
    assert line["trace"][-1].endswith(" breaks")
    assert "secret plan" not in json.dumps(line)


def test_a_refused_key_is_not_logged(serve: Any, keys: KeyFile, log: list[dict[str, Any]]) -> None:
    keys.add("ada")
    serve(keys=keys.path).post(BODY, headers=bearer("tm-00000000-mistyped"))
    assert "mistyped" not in json.dumps(log)
