"""Why somebody should look at a call before it runs: it does another thing than was said, or something of it was not.

What a model saw and nobody here said (results of tools, names of things, documents, descriptions) is named as the
source where a doubtful value, or the call itself, stands there. Knows no screen and asks nobody.
"""

from __future__ import annotations

import re
import unicodedata

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.corrections.names import split_name
from toolmend.session.mend.grounds import AWAY, TAKING, Ground, Heard, alike, grounds, removes, stems

SOURCE = "it is in "
"""How a doubt names where a value comes from that nobody here said."""
_AWAY = re.compile(rf"(?i)\b(?:{AWAY}|undo)")
_GONE = re.compile(
    rf"(?i)\b(?:{AWAY}|undo|throw\w*|threw|toss\w*|bin(?:ned|ning)?|ditch|trash|chuck\w*|dump\w*|axe|nix|skip|kill|void"
    r"|unbook|unsubscribe|dispose|withdraw|revoke|empty|lose|sold|used up|us(?:e|ing) up|finish(?:ed)?|(?:ran|run) out"
    r"|(?:is|are|['’]s|['’]re|was) (?:off|gone|out|over|done)|don['’]?t (?:need|want)|do not (?:need|want)|no need"
    r"|(?:take|took|strike|struck|cross)\w* [^.;]*\b(?:off|out|away|down)|can['’]?t make|won['’]?t be"
    r"|not (?:going|coming))"
)
_STAYS = re.compile(
    r"(?i)\b(?:(?:don['’]?t|do not|never|won['’]?t|not|without) (?:\w+ ){0,2}?(?:forget\w*|drop\w*|clear\w*|wip\w*)"
    r"|drop\w*\b[^.;,]*\boff|drop(?:s|ped|ping)? (?:by|in|round|over)|clear(?:ed|s)? up|no idea)\b"
)
"""Words of going that take nothing away: "don't forget the milk", "dropping off the bike"."""
_GIVING = frozenset("add create book schedule insert new make order put".split())
_IDLE = frozenset("set get do run call make use new the a an of to in on for and".split())
_LEAST = 3  # letters of a word by which a source is found


def doubts(call: Call, spec: ToolSpec | None, heard: Heard) -> tuple[str, ...]:
    """Every reason, each a line. A value that stands on no word of the person's, on no default and on nothing that is
    there is one; so is a call that nothing of what was said asks for."""
    name, said = set(split_name(call.tool.rpartition(".")[2])), set(re.findall(r"[^\W_]+", heard.text.lower()))
    stands = grounds(call, spec, heard)
    if _wants_gone(call, heard) and name & _GIVING and not _GIVING & said:
        return ("you asked for something to go; this adds",)
    if not removes(call.tool):
        reasons = [f"{one.name} {one.value!r}: {_problem(one, heard)}" for one in stands if one.problem]
    else:
        reasons = [f"{one.name} {one.value!r} {_problem(one, heard)}" for one in stands if one.problem]
        same = alike(call, heard)
        if len(same) > 1 and not any(one.words for one in stands if one.name in same[0][1]):
            reasons.append(f"there are {len(same)} of that name")
        if not (_GONE.search(_STAYS.sub("", heard.text)) or said & name & TAKING):
            reasons.insert(0, _from("you did not say that anything should go", _named_in(call, heard)))
    if not reasons and not _asked_for(call, spec, stands, heard):
        reasons.append(_from("nothing that you said asks for this", _named_in(call, heard)))
    return tuple(reasons)


def sourced(reasons: tuple[str, ...]) -> bool:
    """Whether one of the doubts is that something came from outside."""
    return any(SOURCE in reason for reason in reasons)


def _wants_gone(call: Call, heard: Heard) -> bool:
    """Whether something is to go, and these words are none of a text of the call."""
    texts = " ".join(str(value) for value in call.arguments.values())
    return any(not stems(match[0]) <= stems(texts) for match in _AWAY.finditer(_STAYS.sub("", heard.text)))


def _asked_for(call: Call, spec: ToolSpec | None, stands: tuple[Ground, ...], heard: Heard) -> bool:
    """Whether words of the person's stand behind the call: one of its values, or what its tool is called or is for;
    where something was read meanwhile, what its tool does."""
    known = stems(heard.text)
    words = stems(" ".join(split_name(call.tool.rpartition(".")[2]))) - _IDLE
    if removes(call.tool) or words & known:
        return True
    told = stems(spec.description) - _IDLE if spec and not heard.foreign else set()
    if heard.after:
        return bool(told & known)
    return any(one.words for one in stands) or bool(told & known)


def _problem(one: Ground, heard: Heard) -> str:
    return _from(one.problem, _holding(str(one.value), one.problem, heard))


def _from(problem: str, source: str) -> str:
    return f"{problem}; {SOURCE}{source}" if source else problem


def _named_in(call: Call, heard: Heard) -> str:
    """Where a call that nobody asked for is spoken of; else what was read before it was thought of."""
    name = _plain(call.tool.rpartition(".")[2]).replace("_", " ")
    values = [_plain(str(value)) for value in call.arguments.values() if len(str(value)) >= _LEAST]
    spoken = [label for label, text in heard.outside if name in _plain(text).replace("_", " ")]
    held = [label for label, text in heard.outside if any(value in _plain(text) for value in values)]
    return next(iter((*spoken, *held, *heard.after)), "")


def _holding(value: str, problem: str, heard: Heard) -> str:
    """What holds the value: whole, else the words of it that were not said; else what was read before."""
    missing = problem.partition("was not said: ")[2] or value
    for wanted in (_plain(value), *(_plain(part) for part in missing.split(", "))):
        if wanted in _plain(heard.earlier):
            return ""  # the person said it, for something else
        for label, text in heard.outside:
            if len(wanted) >= _LEAST and re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", _plain(text)):
                return label
    return next(iter(heard.after), "")


def _plain(text: str) -> str:
    """A text as it reads: compatible forms as one, nothing that cannot be seen, single blanks."""
    shown = "".join(one for one in unicodedata.normalize("NFKC", text) if unicodedata.category(one) != "Cf")
    return " ".join(shown.casefold().split())
