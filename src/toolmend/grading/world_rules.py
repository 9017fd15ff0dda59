"""Checks of a world as data, read strictly: what suites write under `state`. docs/suites.md has the table of keys.

    [{"at": "rooms/Crypt/enemies", "added": 2, "like": {"hp": 10}, "say": "There should be two of them."}]
    {"changes": [...], "only": true, "says": {"contains": "full"}}       {"oneof": [one way, another]}       "same"

Whatever is wrong is a BadState with the mapping and the key where it stands. Knows no file and no lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, cast

from toolmend.base.errors import BadOption, UnknownName
from toolmend.grading.changes import Path
from toolmend.grading.expected import RULES, Any_, OneOf, accepted
from toolmend.grading.worlds import ANYWHERE, ELSE, REPLY, AnyFields, Change, Either, ExpectedWorld, Fields, Op

SAME = "same"
_OPS = ("added", "removed", "to", "free")
_CHANGE_KEYS = ("name", "at", *_OPS, "like", "each", "sum", "distinct", "say")
_LIKE_FIELDS = ("date", "duration", "range", "time")  # rules that records have fields of the same name as
_WORLD_KEYS = ("changes", "only", "says", "say")


class BadState(BadOption):
    """What is wrong with a check of a world: `what`, at a key of a mapping."""

    def __init__(self, what: str, where: Mapping[str, Any] | None = None, key: str = "") -> None:
        super().__init__(f"{key}: {what}" if key else what)
        self.where, self.key, self.what = where, key, what


def world_of(
    data: Any, where: Mapping[str, Any] | None = None, key: str = "state", aside: Iterable[str] = ()
) -> ExpectedWorld:
    """The check that such data spells; `where` and `key` tell where it stands. Raises BadState."""
    skipped = tuple(path_of(path) for path in aside)
    if data == SAME:
        return ExpectedWorld(aside=skipped)
    if isinstance(data, list):
        return ExpectedWorld(_changes(data, where, key), aside=skipped)
    if not isinstance(data, Mapping):
        raise BadState(f"must be `{SAME}`, a list of changes or a mapping, not {data!r:.40}", where, key)
    if "oneof" in data:
        _only(data, ("oneof",))
        ways = data["oneof"]
        if not isinstance(ways, list) or len(ways) < 2:
            raise BadState("must be a list of at least two ways of being right", data, "oneof")
        first, *others = (world_of(way, data, "oneof", aside) for way in ways)
        return ExpectedWorld(first.changes, first.only, first.says, first.aside, tuple(others), first.say)
    _only(data, _WORLD_KEYS)
    changes = _changes(data["changes"], data, "changes") if "changes" in data else ()
    return ExpectedWorld(changes, _flag(data, "only", True), _says(data), skipped, (), _built_in(data))


def path_of(written: Any) -> Path:
    """`rooms/Crypt/enemies` as its parts; a list is the parts themselves, for names with a slash in them."""
    parts = written.split("/") if isinstance(written, str) else written
    if not isinstance(parts, list) or not parts:
        return ()
    made = tuple(str(part).strip() if isinstance(part, (str, int)) else "" for part in parts)
    return made if all(made) else ()


def pattern_of(data: Any) -> Any:
    """What a value must be like: a mapping of fields, several such, or an acceptable value. Raises BadOption."""
    if isinstance(data, Mapping) and set(data) == {"oneof"} and isinstance(data["oneof"], list):
        ways = [pattern_of(way) for way in data["oneof"]]
        return (
            AnyFields(tuple(ways))
            if any(isinstance(way, (Fields, Either, AnyFields)) for way in ways)
            else OneOf(tuple(ways))
        )
    if not isinstance(data, Mapping) or "regex" in data:
        return accepted(data)
    if len(data) != 1 or not set(data) <= set(RULES):
        return Fields({name: _field(name, rule) for name, rule in data.items()})
    [(name, rule)] = data.items()
    return Either(Fields({name: _field(name, rule)}), accepted(data)) if name in _LIKE_FIELDS else accepted(data)


def _field(name: str, rule: Any) -> Any:
    several = name == ANYWHERE and isinstance(rule, list)
    return tuple(accepted(value) for value in rule) if several else pattern_of(rule)


def _changes(data: Any, where: Mapping[str, Any] | None, key: str) -> tuple[Change, ...]:
    if not isinstance(data, list):
        raise BadState(f"must be a list of changes, not {data!r:.40}", where, key)
    made: list[Change] = []
    for entry in data:
        if not isinstance(entry, Mapping):
            raise BadState(f"a change is a mapping, not {entry!r:.40}", where, key)
        change = _change(entry)
        if change.name in {other.name for other in made}:
            raise BadState(f"two changes are called {change.name!r}; give each a name of its own", entry, "name")
        made.append(change)
    return tuple(made)


def _change(data: Mapping[str, Any]) -> Change:
    _only(data, _CHANGE_KEYS)
    at = path_of(data.get("at"))
    if not at:
        raise BadState("must be a path such as rooms/Crypt/enemies", data, "at")
    ops = [op for op in _OPS if op in data]
    if len(ops) != 1:
        raise BadState(f"a change has one of {', '.join(_OPS)}", data, ops[1] if ops else "at")
    op = cast(Op, ops[0])
    counted = op in ("added", "removed")
    for key in ("like", "each", "sum", "distinct"):
        if key in data and not counted:
            raise BadState("goes with added or removed", data, key)
    if op == "free" and data["free"] is not True:
        raise BadState("must be true", data, "free")
    like = _pattern(data, "to" if op == "to" else "like")
    return Change(
        _name(data, at),
        at,
        op,
        _pattern(data, op) if counted else 1,
        like,
        _flag(data, "each", False),
        {name: _rule(data, "sum", rule) for name, rule in _mapping(data, "sum").items()},
        _distinct(data),
        _sentences(data, "say"),
    )


def _pattern(data: Mapping[str, Any], key: str) -> Any:
    return _rule(data, key, data[key]) if key in data else Any_()


def _rule(data: Mapping[str, Any], key: str, written: Any) -> Any:
    try:
        return pattern_of(written)
    except BadOption as error:
        raise BadState(str(error), data, key) from error


def _name(data: Mapping[str, Any], at: Path) -> str:
    """The name given, or the last key of the path in words."""
    if "name" in data:
        name = data["name"]
        if not isinstance(name, str) or not name.strip() or name in (ELSE, REPLY):
            raise BadState(f"must be words for what should have changed, not {name!r:.40}", data, "name")
        return " ".join(name.split())
    keys = [part for part in at if re.fullmatch(r"[a-z][a-z_]*", part)]
    if not keys:
        raise BadState("is missing: words for what should have changed", data, "name")
    return keys[-1].replace("_", " ")


def _distinct(data: Mapping[str, Any]) -> dict[str, str]:
    written = data.get("distinct", {})
    fields = {written: ""} if isinstance(written, str) else written
    if not isinstance(fields, Mapping) or not all(isinstance(pattern, str) for pattern in fields.values()):
        raise BadState("must be a field, or a mapping of fields to patterns", data, "distinct")
    try:
        return {name: re.compile(pattern).pattern for name, pattern in fields.items()}
    except re.error as error:
        raise BadState(f"is no regular expression: {error}", data, "distinct") from error


def _says(data: Mapping[str, Any]) -> Any:
    if "says" not in data:
        return None
    return Any_() if data["says"] is True else _pattern(data, "says")


def _built_in(data: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Sentences for what no change names: everything else, and the reply."""
    where = _mapping(data, "say")
    _only(where, (ELSE, REPLY))
    return {name: _sentences(where, name) for name in where}


def _sentences(data: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """A sentence or several, each with a capital and an end, no figure in it: a person says it aloud."""
    written = data.get(key, [])
    said = [written] if isinstance(written, str) else written
    if not isinstance(said, list) or not all(isinstance(sentence, str) and sentence.strip() for sentence in said):
        raise BadState(f"must be a sentence or a list of sentences, not {written!r:.40}", data, key)
    for sentence in said:
        if not (sentence[0].isupper() and sentence.rstrip()[-1] in ".?!"):
            raise BadState(f"is no sentence (a capital first, a full stop last): {sentence!r:.60}", data, key)
        if re.search(r"[0-9\"_=({\[]", sentence):
            raise BadState(f"says it in the notation of calls, not as people speak: {sentence!r:.60}", data, key)
    return tuple(" ".join(sentence.split()) for sentence in said)


def _flag(data: Mapping[str, Any], key: str, default: bool) -> bool:
    value = data.get(key, default)
    if not isinstance(value, bool):
        raise BadState(f"must be true or false, not {value!r:.40}", data, key)
    return value


def _mapping(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key, {})
    if not isinstance(value, Mapping):
        raise BadState(f"must be a mapping, not {value!r:.40}", data, key)
    return value


def _only(data: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in data:
        if key not in known:
            raise BadState(str(UnknownName("key", key, known)), data, key)
