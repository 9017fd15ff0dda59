"""What a sentence or a description implies for arguments that a reply left out: members, switches, units, defaults.

"Find me a cheap concert" → price_range="cheap"; "with the verdict" → with_verdict. Pure: knows words and a schema.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve import Resolved, resolve
from toolmend.language.resolve.allotted import PLAIN, alike, numbers_in, words_of
from toolmend.language.resolve.parameters import typed
from toolmend.language.resolve.said import MISSING

_DEFAULT = re.compile(r"(?i)\bdefaults?(?: value)?(?: is| to| =|:)? ?(?:to )?(?:set to )?['\"]?(?P<value>[\w.-]+)")
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w.'-]+(?: [A-Z][\w.'-]+)*")
_SWITCHES = frozenset("include with show get is has use need want if add return display enable required".split())
_NOT = re.compile(r"(?i)\b(?:\w+n't|without|never|no|not|except|excluding|skip)\b")
_EXAMPLES = re.compile(r"(?i)\be\.g|example|such as|\blike\b|instance|\betc\b")


def implied(spec: ToolSpec, words: Mapping[str, Any], sentence: str) -> dict[str, Any]:
    """The words, with what is missing: members and switches that are named, defaults that a description has, the one
    name that nobody has."""
    return _names(spec, _defaults(spec, _said(spec, dict(words), sentence)), sentence)


def _said(spec: ToolSpec, words: dict[str, Any], sentence: str) -> dict[str, Any]:
    """Members and switches that the sentence names and the reply left out, and the unit that a number is told in."""
    told = " ".join(re.findall(r"[a-z0-9]+", sentence.lower()))
    used = " ".join(str(text).lower() for text in words.values())
    for name, schema in ((name, typed(name, schema)) for name, schema in spec.properties.items()):
        own, members = [word for word in words_of(name) if word.isalpha()], _members(schema)
        examples = "enum" not in schema and _EXAMPLES.search(str(schema.get("description", "")))
        if members and not examples and name in words and not _is_one(str(words[name]), members):
            words[name] = MISSING
        listed = _members(schema.get("items", {})) if schema.get("type") == "array" else []
        if said := [one for one in listed if re.search(rf"\b{re.escape(one.lower().replace('_', ' '))}s?\b", told)]:
            words[name] = said
        if words.get(name, MISSING) != MISSING and schema.get("type") != "boolean":
            continue
        if members:
            said = [one for one in members if re.search(rf"\b{re.escape(one.lower().replace('_', ' '))}\b", told)]
            if len(said) == 1 and (name in spec.required or said[0].lower() not in used):
                words[name] = said[0]
        elif schema.get("type") == "boolean":
            content = [word for word in own if word not in _SWITCHES and len(word) > 2]
            if content and all(alike(word, told.split()) for word in content):
                refused = words.get(name) == "no" or _NOT.search(_clause(content[-1], sentence))
                words |= {name: "no" if refused else "yes"}
                if refused and schema.get("default") is False:
                    del words[name]
        elif schema.get("type") == "string" and own[-1:] in (["unit"], ["units"]):
            counted = {word for number in numbers_in(sentence) for word in number.after[:1] if len(word) > 2}
            counted -= PLAIN
            if len(counted) == 1:
                words[name] = counted.pop()
    return words


def _members(schema: Mapping[str, Any]) -> list[str]:
    """What a text can be: the members of its enum, else those that its description has in quotation marks."""
    if "enum" in schema:
        return [str(one) for one in schema["enum"] if isinstance(one, str)]
    quoted = re.findall(r"['\"“]([\w .-]{2,24})['\"”]", str(schema.get("description", "")))
    return quoted if schema.get("type") == "string" and len(quoted) > 1 else []


def _is_one(text: str, members: Sequence[str]) -> bool:
    return isinstance(resolve(text, {"type": "string", "enum": list(dict.fromkeys(members))}), Resolved)


def _clause(word: str, sentence: str) -> str:
    """The part of the sentence that has the word, up to it."""
    match = re.search(rf"(?i)[^.,;!?]*\b{re.escape(word[:4])}", sentence)
    return match[0] if match else ""


def _defaults(spec: ToolSpec, words: dict[str, Any]) -> dict[str, Any]:
    """What a description says a value is where nothing is said, for what must be given."""
    for name in spec.required:
        schema = spec.properties.get(name, {})
        match = _DEFAULT.search(str(schema.get("description", "")))
        if words.get(name, MISSING) == MISSING and match:
            value = match["value"].rstrip(".")
            words[name] = (
                {"true": "yes", "false": "no"}.get(value.lower(), value) if schema.get("type") == "boolean" else value
            )
    return words


def _names(spec: ToolSpec, words: dict[str, Any], sentence: str) -> dict[str, Any]:
    """The one name of the sentence that no argument has, to the one text that must be given and is not."""
    lacking = [
        name
        for name in spec.required
        if words.get(name, MISSING) == MISSING
        and spec.properties.get(name, {}).get("type") == "string"
        and not spec.properties[name].keys() & {"enum", "format", "pattern"}
    ]
    used = " ".join(str(text) for text in words.values()).lower()
    free = [
        match[0].rstrip(".").removesuffix("'s") for match in _NAME.finditer(sentence) if match[0].lower() not in used
    ]
    return {**words, lacking[0]: free[0]} if len(lacking) == len(free) == 1 else words
