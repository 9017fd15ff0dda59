"""Every fault of the fake server through both adapters, streamed and whole: each has one named outcome, no key shows.

All cases are played once, in one event loop, against one server; the tests look at what came of them.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from dataclasses import dataclass

import anyio
import pytest

from fakes import FAULTS, FakeServer, Received
from toolmend.base.errors import ModelError
from toolmend.base.http import Retry
from toolmend.base.messages import Call, Message, Reply, Request, ToolSpec, Usage
from toolmend.models.ollama import Ollama
from toolmend.models.openai_compat import OpenAICompatible

KEY = "sk-test-0123456789abcdef"
TEXT = "Hello from the fake server."
CALLS = (Call("look", {"at": "Zoë", "day": 3}), Call("wait", {"for": "me"}))
ASKED = Request((Message("user", "hi"),), (ToolSpec("look"), ToolSpec("wait")))

# What comes of a fault: the text of a reply behind "=", "empty" for a reply that says nothing, "calls" for the two
# calls, else words of the error. After a "|" stands what comes of it elsewhere: "family mode", "family" or "mode".
OUTCOMES = """
429                 HTTP 429 Too Many Requests: rate limit reached (tried 3 times)
429-date            HTTP 429 Too Many Requests: rate limit reached (tried 3 times)
429-bare            HTTP 429 Too Many Requests: rate limit reached (tried 3 times)
429-junk            HTTP 429 Too Many Requests: rate limit reached (tried 3 times)
429-day             daily quota reached (asks to come back in 86400 s)
500                 HTTP 500 Internal Server Error: the model runner has crashed (tried 3 times)
500-empty           HTTP 500 Internal Server Error (tried 3 times)
502                 HTTP 502 Bad Gateway: (an HTML page) (tried 3 times)
503                 HTTP 503 Service Unavailable: loading the model (tried 3 times)
400-other           HTTP 422 Unprocessable Entity: field required
401                 wrong or missing key (HTTP 401); set FAKE_KEY in the environment
401-hidden          wrong or missing key (HTTP 401); set FAKE_KEY in the environment
404                 HTTP 404 Not Found: model 'fake' not found, try pulling it first
302                 is moved to http://127.0.0.1:9/login; give that address
204                 an empty answer (HTTP 204, no content)
html-200            answers text/html instead of JSON
empty-200           an empty answer (HTTP 200, no content)
null-200            neither JSON nor an event stream: 'null'
list-200            no chat completion but {'message'        | ollama: no reply of Ollama's but [{'message'
deep-200            the reply is no JSON (
digits-200          the reply is no JSON (
error-200           the server says: no free slot for ***
other-error-200     the server says: Overloaded
other-reply-200     but {'type': 'message'
max-tokens-ignored  = Hello from the fake server.
empty-reply         empty
usage-missing       = Hello from the fake server.
odd-characters      = one\u2028two\x85three\x0bfour\x1cfive 🍄
huge-piece          = x*
content-null        = Hello from the fake server.            | whole: empty
role-null           = Hello from the fake server.
content-missing     empty
content-parts       = Hello from the fake server.
content-number      empty
message-null        empty
choices-null        empty                                    | whole: no chat completion but
choices-empty       empty                                    | whole: without saying that this was all
choices-two         = Hello from the fake server.
finish-odd          = Hello from the fake server.
finish-missing      = Hello from the fake server.
usage-odd           = Hello from the fake server.
usage-infinite      = Hello from the fake server.
usage-list          = Hello from the fake server.
surrogate           = *server.
error-in-stream     the server says: the runner of *** ran out of memory
event-odd           = Hello from the fake server.
calls-null          = Hello from the fake server.
calls-odd           = Hello from the fake server.
call-legacy         calls
arguments-other     calls
arguments-half      calls with arguments that are no JSON object
arguments-list      calls with arguments that are no JSON object
name-null           calls without a name
malformed           is no JSON (
malformed-line      = Hello from the fake server.            | ollama: record 2 of the stream is no JSON
half-json           is no JSON (
no-done             = Hello from the fake server.
no-end              without saying that this was all
after-done          = Hello from the fake server.
comments            = Hello from the fake server.
blank-lines         = Hello from the fake server.
crlf                = Hello from the fake server.
no-space            = Hello from the fake server.
two-lines           = Hello from the fake server.
bom                 = Hello from the fake server.
byte-by-byte        = Hello from the fake server.
at-once             = Hello from the fake server.
no-last-newline     = Hello from the fake server.
bad-utf8            = *server.
wrong-type          answers text/html instead of JSON
no-type             = Hello from the fake server.
whole-for-stream    = Hello from the fake server.
gzip                = Hello from the fake server.
gzip-broken         the answer cannot be read
gzip-bomb           the reply does not end: more than 4,194,304 bytes
odd-encoding        = Hello from the fake server.
drop-before-head    no answer from http://
drop-in-head        no answer from http://
drop-after-head     no answer from http://
drop-in-body        the connection broke off after
drop-in-utf8        the connection broke off after
drop-at-end         = Hello from the fake server.            | whole: the connection broke off after
reset-in-body       the connection broke off after
reset-before-head   no answer from http://
closes-idle         = Hello from the fake server.
length-too-long     = Hello from the fake server.            | whole: the connection broke off after
length-too-short    is no JSON (
length-odd          no answer from http://
chunk-odd           no answer from http://
no-http             no answer from http://
huge-head           no answer from http://
early-hints         = Hello from the fake server.
slow                = Hello from the fake server.
silent              said nothing for 0.2 s
stalls              said nothing for 0.2 s after
endless             the reply does not end: more than 4,194,304 bytes
endless-pings       the reply does not end: more than 4,194,304 bytes
endless-line        the reply does not end: more than 4,194,304 bytes
"""
CALLING = [name for name, fault in FAULTS.items() if fault.needs]


@dataclass(frozen=True)
class Case:
    """One fault, one adapter, one way of asking."""

    fault: str
    family: str
    mode: str

    def __str__(self) -> str:
        return f"{self.fault}-{self.family}-{self.mode}"

    @property
    def expected(self) -> str:
        """What comes of it."""
        usual, *others = (part.strip() for part in TABLE[self.fault].split("|"))
        for other in others:
            where, _, outcome = other.partition(": ")
            if where in (self.family, self.mode, f"{self.family} {self.mode}"):
                return outcome
        return usual


def cases() -> Iterable[Case]:
    """Every fault wherever it means anything."""
    for name, fault in FAULTS.items():
        for family in fault.apis:
            for mode, other in (("stream", "whole"), ("whole", "streams")):
                if fault.where != other:
                    yield Case(name, family, mode)


def table() -> dict[str, str]:
    """Fault -> what comes of it."""
    rows = [line.split(maxsplit=1) for line in OUTCOMES.strip().split("\n")]
    return {name: outcome for name, outcome in rows} | {name: "calls" for name in FAULTS if name.startswith("calls-by")}


TABLE = table() | {name: "calls" for name in ("calls-same-index", "calls-shuffled", "calls-whole", "calls-echo")}
TABLE["calls-wrong-index"] = "calls the other way round"
CASES = list(cases())


def adapter(case: Case, server: FakeServer, retry: Retry) -> OpenAICompatible | Ollama:
    """The model under test; its name tells the server which fault to play."""
    kind, path = (OpenAICompatible, "/v1") if case.family == "openai" else (Ollama, "")
    return kind(
        case.fault,
        base_url=server.url + path,
        key_env="FAKE_KEY",
        concurrency=None,
        silence=0.2,
        timeout=20,
        retries=2,
        stream=case.mode == "stream",
        retry=retry,
    )


async def at_once(seconds: float) -> None:
    """A pause that takes no time."""


@pytest.fixture(scope="module")
def outcomes() -> dict[Case, Reply | BaseException]:
    """What came of every case."""
    found: dict[Case, Reply | BaseException] = {}

    def script(received: Received) -> Reply:
        calling = received.body["model"] in CALLING
        return Reply("", CALLS, usage=Usage(5, 9)) if calling else Reply(TEXT, usage=Usage(5, 5))

    async def main() -> None:
        async with FakeServer(script, lambda received: [received.body["model"]]) as server:
            # The silent ones wait side by side; the others go one after the other, so that no wait is spoiled.
            quick = [case for case in CASES if case.fault not in ("silent", "stalls")]
            for case in quick:
                await one(case, server)
            async with anyio.create_task_group() as group:
                for case in set(CASES) - set(quick):
                    group.start_soon(one, case, server)

    async def one(case: Case, server: FakeServer) -> None:
        model = adapter(case, server, Retry(sleep=at_once))
        try:
            with anyio.fail_after(30):
                found[case] = await model.reply(ASKED)
        except Exception as error:  # whatever comes is what the test is about
            found[case] = error

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FAKE_KEY", KEY)
        anyio.run(main)
    return found


def test_every_fault_has_an_outcome() -> None:
    assert sorted(TABLE) == sorted(FAULTS)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_outcome(case: Case, outcomes: dict[Case, Reply | BaseException]) -> None:
    outcome, expected = outcomes[case], case.expected
    if isinstance(outcome, Reply):
        assert shown(outcome, expected) == expected
    else:
        assert isinstance(outcome, ModelError), traceback.format_exception(outcome)
        assert expected in str(outcome)
        assert (str(outcome).startswith(f"{case.family}/{case.fault}: "), "\n" in str(outcome)) == (True, False)
        assert len(str(outcome)) < 400


def shown(reply: Reply, expected: str) -> str:
    """A reply in the words of the table."""
    if reply.finish == "empty":
        return "empty"
    if reply.text:
        if expected.startswith("= *"):
            return "= *" + reply.text[-len(expected) + 3 :]
        return "= x*" if reply.text == "x" * 1_000_000 else f"= {reply.text}"
    if any(not call.tool for call in reply.calls):
        return "calls without a name"
    if any("*raw" in call.arguments for call in reply.calls):
        return "calls with arguments that are no JSON object"
    made = tuple(Call(call.tool, call.arguments) for call in reply.calls)
    return "calls" if made == CALLS else "calls the other way round" if made == CALLS[::-1] else str(made)


def test_no_key_shows(outcomes: dict[Case, Reply | BaseException]) -> None:
    def seen(outcome: Reply | BaseException) -> str:
        """All that can be seen of it; of an error, what caused it too."""
        return repr(outcome) if isinstance(outcome, Reply) else "".join(traceback.format_exception(outcome))

    assert [str(case) for case, outcome in outcomes.items() if KEY in seen(outcome)] == []


def test_tokens_spent_on_nothing_are_counted(outcomes: dict[Case, Reply | BaseException]) -> None:
    spent = [
        outcome.usage
        for case, outcome in outcomes.items()
        if isinstance(outcome, Reply) and case.fault == "empty-reply"
    ]
    assert [(usage.input_tokens, usage.output_tokens) for usage in spent] == [(12, 40)] * 4


@pytest.mark.parametrize("fault", ["usage-missing", "usage-odd", "usage-infinite", "usage-list"])
def test_what_is_no_count_counts_nothing(fault: str, outcomes: dict[Case, Reply | BaseException]) -> None:
    replies = [outcome for case, outcome in outcomes.items() if case.fault == fault and isinstance(outcome, Reply)]
    assert [(reply.usage.input_tokens, reply.usage.output_tokens) for reply in replies] == [(0, 0)] * 4
