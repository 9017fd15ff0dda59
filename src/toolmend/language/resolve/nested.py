"""Objects and lists of objects whose fields were said in words: each field is computed by itself, and things are found.

[{"product": "seed boxes", "quantity": "a dozen"}]  ->  [{"product": "Seed box", "quantity": 12}]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolmend.base.schemas import plain
from toolmend.language.resolve import Resolved, resolve
from toolmend.language.resolve.background import Background
from toolmend.language.resolve.parameters import is_computed, typed
from toolmend.language.resolve.references import Referred, refer


def nested(name: str, words: Any, schema: Any, root: Mapping[str, Any], background: Background) -> Any:
    """The value that the words come to; words that mean no value of their field stay as they are. `root` is the schema
    of all arguments, to which references lead; `name` that of the field."""
    one = typed(name, plain(schema, root))
    if isinstance(words, list):
        return [nested(name, item, one.get("items"), root, background) for item in words]
    if isinstance(words, Mapping):
        fields = one.get("properties") or {}
        return {key: nested(key, item, fields.get(key), root, background) for key, item in words.items()}
    if not isinstance(words, str):
        return words
    if is_computed(one):
        result = resolve(words, one, now=background.now, hours=background.hours, locale=background.locale)
        return result.value if isinstance(result, Resolved) else words
    things = background.things.get(name, ())
    found = refer(words, things, now=background.now) if things else None
    one_thing = isinstance(found, Referred) and len(found.places) == 1
    return next(iter(things[found.places[0]].values())) if one_thing and isinstance(found, Referred) else words
