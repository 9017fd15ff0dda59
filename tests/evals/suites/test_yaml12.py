"""YAML as suites use it: few types, every line known, nothing lost in silence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolmend.base.errors import BadFile
from toolmend.evals.suites.yaml12 import load


def read(folder: Path, text: str) -> Any:
    path = folder / "x.yaml"
    path.write_text(text, encoding="utf-8")
    return load(path)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("17:00", "17:00"),
        ("2024-11-11", "2024-11-11"),
        ("2024-11-11 17:00:00", "2024-11-11 17:00:00"),
        ("no", "no"),
        ("Yes", "Yes"),
        ("on", "on"),
        ("1_000", "1_000"),
        ("0x1F", "0x1F"),
        (".inf", ".inf"),
        ("=", "="),
        ('"5"', "5"),
        ("'true'", "true"),
        ("!!str 17", "17"),
        ("|-\n  5", "5"),
        ("5", 5),
        ("-12", -12),
        ("007", 7),
        ("0.5", 0.5),
        ("1e3", 1000.0),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("[1, a]", [1, "a"]),
        ("{}", {}),
    ],
)
def test_types(tmp_path: Path, written: str, value: Any) -> None:
    found = read(tmp_path, f"key: {written}\n")["key"]
    assert found == value
    assert isinstance(found, type(value))


def test_mappings_know_their_lines(tmp_path: Path) -> None:
    found = read(tmp_path, "# a comment\na: 1\nb:\n\n  c: 2\n")
    assert (found.line, found.lines, found["b"].line, found["b"].lines) == (2, {"a": 2, "b": 3}, 5, {"c": 5})


def test_a_key_that_stands_twice_is_told_with_both_lines(tmp_path: Path) -> None:
    with pytest.raises(BadFile) as caught:
        read(tmp_path, "a: 1\nb: 2\n\na: 3\n")
    assert (caught.value.line, caught.value.what) == (4, "key 'a' stands twice (first in line 1)")


def test_an_alias_is_what_it_points_at(tmp_path: Path) -> None:
    found = read(tmp_path, "a: &x {time: 17:00}\nb: *x\n")
    assert found["b"] == {"time": "17:00"}


def test_a_merge_key_is_a_key_like_any_other(tmp_path: Path) -> None:
    assert read(tmp_path, "a: &x {b: 1}\nc:\n  <<: *x\n")["c"] == {"<<": {"b": 1}}


def test_aliases_of_aliases_are_made_once(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    found = read(tmp_path, "\n".join(lines))
    assert found["a29"][0] is found["a29"][8]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("a: 1\nb:\n\tc: 2\n", 3, "not YAML: found character '\\t' that cannot start any token"),
        ("a: [1,\n", 2, "not YAML: expected the node content"),
        ("a: *nowhere\n", 1, "not YAML: found undefined alias 'nowhere'"),
        ("a: &x [*x]\n", 1, "nested too deeply (or an alias that contains itself)"),
        ("a: " + "[" * 80 + "]" * 80, 1, "nested too deeply"),
        ("a: 1\nb: !thing 5\n", 2, "tag !thing is not known here"),
        ("a: 1\nb: !thing [5]\n", 2, "tag !thing is not known here"),
        ('a: !thing "5"\n', 1, "tag !thing is not known here"),
        ("a: !!set {b}\n", 1, "tag !!set is not known here"),
        ("a: !!python/object/apply:os.getcwd []\n", 1, "tag !!python/object/apply:os.getcwd is not known here"),
        ("a: !!timestamp 2024-11-11\n", 1, "tag !!timestamp is not known here"),
        ("a: !!binary aGk=\n", 1, "tag !!binary is not known here"),
        ("a: 1\n5: 2\n", 2, "key 5 is not text"),
        ("no: 1\nnull: 2\n", 2, "key None is not text"),
        ("? [a]\n: 1\n", 1, "key ['a'] is not text"),
        ("a: 1e999\n", 1, "number 1e999 is too large"),
        ("a: " + "9" * 5000, 1, "number 99999999999999999999 is too large"),
    ],
)
def test_what_is_no_plain_yaml_is_told_with_its_line(tmp_path: Path, text: str, line: int, what: str) -> None:
    with pytest.raises(BadFile) as caught:
        read(tmp_path, text)
    assert (caught.value.line, caught.value.what[: len(what)]) == (line, what)


def test_nesting_beyond_measure_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="not YAML"):
        read(tmp_path, "[" * 20_000)


@pytest.mark.parametrize("content", [b"a: \xff\n", b"a: \x00\n"])
def test_what_is_no_text_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(content)
    with pytest.raises(BadFile, match=r"x\.yaml: (cannot be read|not YAML)"):
        load(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot be read"):
        load(tmp_path / "none.yaml")


def test_an_empty_file_is_nothing(tmp_path: Path) -> None:
    assert read(tmp_path, "# only a comment\n") is None


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.sampled_from("ab:- \n\t[]{}&*!?|>'\"#%@,~0.1e+"), max_size=30))
def test_no_text_raises_anything_else(tmp_path: Path, text: str) -> None:
    try:
        read(tmp_path, text)
    except BadFile as error:
        assert str(error).startswith(str(tmp_path / "x.yaml"))
