"""The stream: kept once, forgotten with all that came of it, whole after a kill."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from migrated import both_ways
from postgres import MISSING, Server, binaries, running
from toolmend.base import db
from toolmend.base.errors import BadOption, UnknownName
from toolmend.evals.store import Store
from toolmend.extras.memory import Stream, Which
from toolmend.extras.memory.memory import STATES
from toolmend.extras.memory.tables import MIGRATIONS, memories, metadata

NOW = "2026-04-01T12:00:00.000000Z"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    yield from running(binaries, MISSING)


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "memory.db")
        return
    with request.getfixturevalue("server").database() as url:
        yield url


@pytest.fixture
def stream(place: str) -> Iterator[Stream]:
    with Stream(place, "anna", clock=lambda: NOW) as made:
        yield made


def texts(stream: Stream) -> list[str]:
    return [each.text for each in stream.memories()]


def test_a_memory_comes_back_as_it_was(stream: Stream) -> None:
    kept = stream.remember("  I am allergic\nto nuts. ", at="2026-03-02", talk="t1", data={"a": [1, "ü"]})
    assert (kept.id, kept.text, kept.at, kept.who, kept.state) == (
        "m1",
        "I am allergic to nuts.",
        "2026-03-02T00:00:00.000000Z",
        "user",
        "live",
    )
    assert stream.get("m1") == kept
    assert (kept.data, kept.foreign, kept.talk) == ({"a": [1, "ü"]}, False, "t1")


def test_the_same_words_are_kept_once(stream: Stream) -> None:
    numbers = [stream.remember(text).number for text in ("Fred likes tea.", "fred likes TEA", "Fred likes tea!")]
    assert numbers == [1, 1, 1]
    assert len(stream.history()) == 1


def test_others_may_say_the_same(stream: Stream) -> None:
    assert [stream.remember("It rains.", who=who).number for who in ("Anna", "Ben")] == [1, 2]


@pytest.mark.parametrize("text", ["", " \n", "?!", "\0", "x" * 4001])
def test_what_cannot_be_kept_is_refused(stream: Stream, text: str) -> None:
    with pytest.raises(BadOption):
        stream.remember(text)


def supersede(stream: Stream, old: int, new: int) -> None:
    """As earlier versions did, when one memory was said to be in place of another."""
    with db.writing(stream.engine) as connection:
        row = sa.update(memories).where(memories.c.number == old)
        connection.execute(row.values(state="superseded", successor=new))


def test_what_an_earlier_version_superseded_stays_and_names_its_successor(stream: Stream) -> None:
    stream.remember("The code is 11.")
    stream.remember("The code is 22.")
    supersede(stream, 1, 2)
    assert texts(stream) == ["The code is 22."]
    assert [each.text for each in stream.memories(states=STATES)] == ["The code is 11.", "The code is 22."]
    assert (stream.get("m1").state, stream.get("m1").successor) == ("superseded", 2)


def test_contradictions_are_flagged_and_both_stay(stream: Stream) -> None:
    stream.remember("The choir meets on Monday.")
    newer = stream.remember("The choir meets on Tuesday.")
    assert (newer.contradicts, stream.get("m1").contradicts) == ((1,), (2,))
    assert len(texts(stream)) == 2


def test_forgetting_takes_what_came_of_it(stream: Stream) -> None:
    stream.remember("My code is 11.")
    stream.remember("My code is 22.")
    supersede(stream, 1, 2)
    stream.remember("Codes are short.", kind="reflection", cites=(2,))
    stream.remember("Reflections are short.", kind="reflection", cites=(3,))
    stream.remember("It rains.")
    assert stream.forget(Which(ids=(2,))) == (1, 2, 3, 4)
    assert texts(stream) == ["It rains."]
    gone = [(did, name, why) for _, did, name, why in stream.history() if did == "forgotten"]
    assert gone == [
        ("forgotten", "m1", "an earlier state"),
        ("forgotten", "m2", ""),
        ("forgotten", "m3", "made of one that is gone"),
        ("forgotten", "m4", "made of one that is gone"),
    ]


def test_a_confirmed_wish_outlives_its_evidence(stream: Stream) -> None:
    stream.remember("corrected", kind="correction")
    stream.remember("45 minutes by default", kind="preference", state="confirmed", cites=(1,))
    assert stream.forget(Which(ids=(1,))) == (1,)
    assert stream.get("m2").cites == ()


def test_numbers_are_never_given_twice(stream: Stream) -> None:
    stream.remember("One.")
    stream.forget(Which(ids=(1,)))
    assert stream.remember("Two.").id == "m2"


@pytest.mark.parametrize(
    ("which", "left"),
    [
        (Which(containing="red TEA"), ["Blue tea.", "Shred teapots."]),
        (Which(containing="100%"), ["Red tea.", "Blue tea.", "Shred teapots."]),
        (Which(kind="call"), ["Red tea.", "Blue tea.", "Shred teapots."]),
        (Which(everything=True), []),
    ],
    ids=["words", "no wildcard", "kind", "everything"],
)
def test_forgetting_by_filter(stream: Stream, which: Which, left: list[str]) -> None:
    stream.remember("Red tea.", at="2026-01-01")
    stream.remember("Blue tea.", at="2026-01-02", who="Ben")
    stream.remember("Shred teapots.", at="2026-03-31")
    stream.forget(which)
    assert texts(stream) == left


def test_a_filter_that_names_nothing_is_refused() -> None:
    with pytest.raises(BadOption, match="say which memories"):
        Which()
    with pytest.raises(BadOption, match="no word in it"):
        Which(containing="%")
    with pytest.raises(UnknownName):
        Which(kind="dream")


def test_what_has_expired_is_not_recalled_and_goes_with_the_next_memory(stream: Stream) -> None:
    stream.remember("The offer holds.", expires="2026-03-31")
    assert texts(stream) == []
    stream.remember("The shop is open.", expires="2026-04-02")
    assert texts(stream) == ["The shop is open."]
    assert [did for _, did, _, _ in stream.history()] == ["remembered", "expired", "remembered"]


def test_namespaces_do_not_reach_into_each_other(place: str, stream: Stream) -> None:
    stream.remember("Anna's secret.")
    with Stream(place, "ben", clock=lambda: NOW) as other:
        assert texts(other) == []
        with pytest.raises(UnknownName):
            other.get("m1")
        assert other.forget(Which(ids=(1,))) == ()
        with pytest.raises(UnknownName):
            other.remember("It follows.", cites=(1,))
        other.remember("Ben's secret.")
        assert other.namespaces() == {"anna": 1, "ben": 1}
        assert [line[1] for line in other.history()] == ["remembered"]
    assert texts(stream) == ["Anna's secret."]


def test_nothing_of_what_was_forgotten_is_in_the_file(tmp_path: Path) -> None:
    place = tmp_path / "memory.db"
    with Stream(place) as stream:
        stream.remember("The password is xyzzyplugh.")
        stream.forget(Which(containing="xyzzyplugh"))
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"xyzzyplugh" not in left


def test_the_tables_are_those_of_the_first_version(place: str) -> None:
    shape, _ = both_ways(place, "memory", MIGRATIONS, metadata)
    columns = {table: [column[0] for column in found[0]] for table, found in shape.items()}  # type: ignore[index]
    assert columns == {
        "memories": [
            *("number", "namespace", "kind", "who", "text", "plain", "importance", "at", "state", "expires"),
            *("successor", "foreign", "talk", "data"),
        ],
        "memory_history": "id at did namespace memory detail".split(),
        "memory_links": "memory other kind".split(),
    }
    assert [found[2] for found in shape.values()] == [["memories_by_namespace"], [], ["memory_links_by_other"]]  # type: ignore[index]


def test_a_store_and_a_stream_share_a_place(place: str) -> None:
    with Store(place), Stream(place) as stream:
        stream.remember("It rains.")
    with Stream(place) as stream:
        assert texts(stream) == ["It rains."]


def test_killed_while_remembering_every_memory_is_whole(place: str) -> None:
    chance, kept = random.Random(7), set[str]()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, str(Path(__file__).with_name("writer.py")), place]
    for _ in range(3):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as writer:
            assert writer.stdout is not None
            lines = [writer.stdout.readline() for _ in range(chance.randrange(2, 40))]
            writer.send_signal(signal.SIGKILL)
            lines += writer.stdout.readlines()
        kept |= {line.strip() for line in lines if line.endswith("\n")}
    with Stream(place, "writer") as stream:
        found = {each.id: each for each in stream.memories(states=STATES)}
        assert kept <= set(found)
        assert sum(did == "remembered" for _, did, _, _ in stream.history()) == len(found)
        contradicted = sum(len(each.contradicts) for each in found.values())
        assert 2 * sum(did == "contradicted" for _, did, _, _ in stream.history()) == contradicted > 0
