"""Whether a sentence said to an open question is a request of its own: then the question is of no interest any more.

An answer is explained by its value and a few words beside it; what opens with a tool's verb and has an object of its
own, or leaves words that neither the question nor the call that waits knows, asks for something else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.corrections.names import split_name
from toolmend.language.corrections.segments import segments
from toolmend.language.corrections.slots import slots_of
from toolmend.language.resolve import vocabulary
from toolmend.language.resolve.background import Open
from toolmend.session.mend.asked import is_question
from toolmend.session.mend.grounds import AWAY, WORD, removes, stems

_LEAD = re.compile(rf"(?i)^(?:(?:{vocabulary.either('leads in cues')}|also|next|no wait|hang on|i want to)\b[,:]?\s*)+")
_CLAUSE = re.compile(r"(?i)[,;:.!?](?=\s|$)|\b(?:because|since|so that|as long as)\b")
_POINTS = re.compile(r"(?i)^(?:it|that|this|them|one)\b")
_OBJECT = re.compile(r"(?i)\b(?:the|a|an|my|our|his|her|their|another|some|all|every\w*|both)\b")
_AWAY = re.compile(rf"(?i)(?:{AWAY})\w*")
_PLAINLY = frozenset("add remove delete cancel erase undo".split())  # nothing is called so
_GIVES = frozenset("add book schedule create insert make order put plan enter note".split())
_BESIDE = frozenset(
    "a an the it is at on in to of for and or by with from until till about around roughly maybe probably sharp say"
    " said think guess should would will be like prefer better best perfect good fine make want need please just only"
    " exactly ok okay well um uh so that this works work suits me i we you my our start starts begin begins end ends"
    " last lasts take takes long sorry yes yeah no not than more less then them one let lets us s d ll re ve m t put"
    " set have got do does did as if can could go with there here too very much many o clock oclock am pm up"
    " down".split()
)


def own_request(said: str, waiting: Open, specs: Sequence[ToolSpec], asked_for: str = "") -> bool:
    """Whether it is one; `waiting` is the call that the question was about, `asked_for` what it was to do, in words."""
    text = _LEAD.sub("", " ".join(said.split()))
    if not WORD.search(text):
        return False
    slots = slots_of(Call(waiting.question.tool), specs)
    slot = next((slot for slot in slots if slot.name == waiting.question.argument), None)
    known = _known(waiting, asked_for)
    if _opens(text, specs, known, free=slot is not None and slot.kind == "text"):
        return True
    values, rest = segments(text)
    if is_question(said):
        return bool(_left(rest, known))
    if slot is None or slot.kind in ("text", "list", "object"):
        return False
    clauses = [clause for clause in _CLAUSE.split(text) if clause.strip()]
    answered = any(len(_left(segments(clause)[1], known)) < _MANY for clause in clauses if segments(clause)[0])
    member = slot.kind == "enum" and any(stems(str(one)) <= stems(text) for one in slot.schema.get("enum", ()))
    return bool(values) and not answered and not member


_MANY = 2  # so many words that nothing explains are another matter


def _known(waiting: Open, asked_for: str) -> set[str]:
    """The words of the call that waits: its tool's, its arguments', those that were said for it."""
    names = [waiting.question.tool.rpartition(".")[2], waiting.question.argument, *waiting.line.words]
    texts = [asked_for, waiting.question.reason, *map(str, waiting.line.words.values())]
    return stems(" ".join([*(" ".join(split_name(name)) for name in names), *texts]))


def _left(rest: str, known: set[str]) -> set[str]:
    """The words beside the values that nothing explains."""
    return {word for word in stems(rest) if word.isalpha()} - known - stems(" ".join(_BESIDE))


def _opens(text: str, specs: Sequence[ToolSpec], known: set[str], *, free: bool) -> bool:
    """Whether a sentence opens with a verb of asking that has an object of its own. In a `free` text, which may be the
    name of something ("Book club"), the object must be marked as one."""
    verb, _, rest = text.partition(" ")
    verb = verb.lower().strip(",.!?")
    names = {part for spec in specs for part in split_name(spec.name)[:1]}
    told = {first.lower() for spec in specs for first in WORD.findall(spec.description)[:1]}
    does = {*names, *told, *(_GIVES if _GIVES & {*names, *told} else ())}
    takes = any(removes(spec.full_name) for spec in specs)
    asks = verb in does or (takes and (verb in _PLAINLY or _AWAY.fullmatch(verb) is not None))
    if not asks or _POINTS.match(rest) or not _left(segments(rest)[1], known):
        return False
    return not free or verb in _PLAINLY or bool(_OBJECT.search(rest)) or bool(segments(rest)[0])
