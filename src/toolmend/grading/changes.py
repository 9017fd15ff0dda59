"""What differs between two states of a world, place by place. States are JSON data; knows no world and no rule.

    {"rooms": [{"name": "Crypt", "enemies": []}]}  ->  {"rooms": [{"name": "Crypt", "enemies": [{"name": "Ghoul"}]}]}
    one difference: rooms/Crypt/enemies/Ghoul was added

Items of a list are told apart by their `name`, `id` or `title` where each has one of its own, texts by themselves;
other lists that name their items are compared by content, and lists of nameless things place by place, from 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolmend.grading.values import canonical, folded

Path = tuple[str, ...]

MISSING: Final = object()
_NAMES = ("name", "id", "title")


@dataclass(frozen=True, slots=True)
class StateDifference:
    """One place that is not as it was. `before` is MISSING for what was added, `after` for what was removed."""

    path: Path
    before: Any
    after: Any

    def __str__(self) -> str:
        """`rooms/Crypt was added`."""
        how = "was added" if self.before is MISSING else "was removed" if self.after is MISSING else "was changed"
        return f"{'/'.join(self.path) or 'everything'} {how}"


def differences(before: Any, after: Any, path: Path = ()) -> Iterator[StateDifference]:
    """Every difference, the outermost place of each; a list that is not there is an empty one."""
    if _alike(before, after):
        return
    before, after = _filled(before, after)
    if not _branches(before, after):
        yield StateDifference(path, before, after)
        return
    for key, one, other in paired(before, after):
        yield from differences(one, other, (*path, key))


def paired(before: Any, after: Any) -> list[tuple[str, Any, Any]]:
    """What two mappings, or two lists, hold under the same key, MISSING where one of them holds nothing."""
    before, after = (
        type(other)() if one is MISSING and isinstance(other, (Mapping, list)) else one
        for one, other in ((before, after), (after, before))
    )
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        return [(key, before.get(key, MISSING), after.get(key, MISSING)) for key in dict.fromkeys([*before, *after])]
    if not isinstance(before, list) or not isinstance(after, list):
        return []
    ones, others = _keyed(before, after), _keyed(after, before)
    if ones is None or others is None:
        return _by_content(before, after)
    return [
        (ones[key][0] if key in ones else others[key][0], _second(ones.get(key)), _second(others.get(key)))
        for key in dict.fromkeys([*ones, *others])
    ]


def places(before: Any, after: Any, pattern: Path, path: Path = ()) -> list[tuple[Path, Any, Any]]:
    """The places that a pattern names, with what is there before and after.

    Its parts are keys and names of items, or numbers from 1 (-1 is the last); `*` is any. A place may be empty in both.
    """
    if not pattern:
        return [(path, before, after)]
    first, *rest = pattern
    children = paired(before, after)
    found: list[tuple[Path, Any, Any]] = []
    for place, (key, one, other) in enumerate(children, 1):
        if first == "*" or folded(key) == folded(first) or (key.isdigit() and first == str(place - len(children) - 1)):
            found += places(one, other, tuple(rest), (*path, key))
    if not found and not rest and any(isinstance(state, Mapping) for state in (before, after)):
        return [((*path, first), MISSING, MISSING)]
    return found


def texts_in(value: Any) -> Iterator[str]:
    """Every text at any depth of a value, keys left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from texts_in(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from texts_in(item)


def _alike(before: Any, after: Any) -> bool:
    """Equal as JSON: numbers as numbers, never True as 1; texts exactly, for a name in other capitals is another."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        return before.keys() == after.keys() and all(_alike(before[key], after[key]) for key in before)
    if isinstance(before, list) and isinstance(after, list):
        return len(before) == len(after) and all(map(_alike, before, after))
    return bool(before is after or (isinstance(before, bool) is isinstance(after, bool) and before == after))


def _filled(before: Any, after: Any) -> tuple[Any, Any]:
    """A missing list as an empty one, where the other is a list."""
    if before is MISSING and isinstance(after, list):
        return [], after
    if after is MISSING and isinstance(before, list):
        return before, []
    return before, after


def _branches(before: Any, after: Any) -> bool:
    return any(isinstance(before, kind) and isinstance(after, kind) for kind in (Mapping, list))


def _keyed(items: list[Any], others: list[Any]) -> dict[str, tuple[str, Any]] | None:
    """The items by what tells them apart: folded key -> key as written, item; None where only their content does."""
    both = [*items, *others]
    if both and all(isinstance(item, Mapping) for item in both):
        for name in _NAMES:
            if all(isinstance(item.get(name), str) for item in both):
                return _unique([(item[name], item) for item in items])
        return _numbered(items)
    if both and all(isinstance(item, str) for item in both):
        return _unique([(item, item) for item in items])
    return _numbered(items)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, tuple[str, Any]] | None:
    made = {folded(key): (key, item) for key, item in pairs}
    return made if len(made) == len(pairs) else None


def _numbered(items: list[Any]) -> dict[str, tuple[str, Any]]:
    return {str(place): (str(place), item) for place, item in enumerate(items, 1)}


def _second(pair: tuple[str, Any] | None) -> Any:
    return pair[1] if pair else MISSING


def _by_content(before: list[Any], after: list[Any]) -> list[tuple[str, Any, Any]]:
    """Items that two lists do not share; those that they share have no difference."""
    there, found = Counter(map(canonical, before)), list[tuple[str, Any, Any]]()
    for item in after:
        if there[canonical(item)]:
            there[canonical(item)] -= 1
        else:
            found.append((_shown(item), MISSING, item))
    for item in reversed(before):
        if there[canonical(item)]:
            there[canonical(item)] -= 1
            found.append((_shown(item), item, MISSING))
    return found


def _shown(item: Any) -> str:
    name = next((item[name] for name in _NAMES if name in item), item) if isinstance(item, Mapping) else item
    return str(name)[:80]
