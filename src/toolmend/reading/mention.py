"""Is a call that stands in a text made, or only spoken of? Knows places in a text, no notation.

Made: alone on its line or in its block, whatever chatter stands around; behind an introduction ("Sure: f(x)"); beside
other calls. Spoken of: within a sentence, behind words that refuse, propose, quote or suppose it, before a question
whether to make it.
"""

from __future__ import annotations

import re

from toolmend.reading.scan import CALL, FENCE, scan

_REFUSALS = (
    r"cannot|can't|can not|(?:will|do|does|did|must|should|is|am|are|was|would|could|may|have|has) not|never|unable"
    r"|\w+n['’]t|refus\w+|avoid\w*|forbidden|not allowed|unsafe|dangerous|harmful|instead of|rather than|without"
)
_REFUSES = re.compile(rf"\b(?:{_REFUSALS})(?!\w)", re.IGNORECASE)
_HEDGES = re.compile(
    rf"\b(?:{_REFUSALS}|would|could|should(?! be\b)|might|unless|whether|if (?:you|i|we|the|it)|supposing"
    r"|for example|for instance|an example|examples?:|e\.g\.|i\.e\.|such as|hypothetical\w*|imagine|suppose"
    r"|already|said|wrote|says|asked(?! for| me)|quot\w+"
    r"|injection|malicious|i (?:have |had )?(?:called|ran|used|made)|(?:was|were|looks? like|means?)\s*:|shall i"
    r"|do you want|want me|one (?:way|option)|options?:|propos\w+|suggest\w*|alternatively|plan(?:ned|ning)?)(?![\w])",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+")
_MARKER = re.compile(
    r"\s*(?:(?:[-*+•]|\(?\d{1,3}[.):])\s+|>>>\s*|\$\s+|return\s+|(?:json|python|tool_code|tool_call|functools)\s*)?"
    r"(?:(?:<\|?/?[\w|-]{1,30}>)\s*)*[\s\ufeff\u200b\u2060\[({,;\"'`*_“‘]*(?:await\s+|[^\W\d]\w*\s*=\s*)?"
)
_INTERJECTION = re.compile(
    r"^\s*(?:(?:no|yes|yeah|ok|okay|sure|sorry|alright|right|well|now|great|certainly|of course)\b[\s,.!…–—-]*)+", re.I
)
_JOINED = re.compile(r"(?:[\s,;&()\[\]]|and\b|then\b|->|→)*")
_CLOSED = re.compile(r"[\s\ufeff\u200b\u2060)\]}\"'`*_”’;,]*(?:#.*|//.*)?")
_INTRODUCES = re.compile(r"(?::|->|→|=>)[\s\[({\"'`*_“‘]*(?:json|python)?\s*$")
_BEGINS = re.compile(r"[^\W\d_a-z]|[\d(<\u2190-\U0001faff]")
_GOES_ON = re.compile(r"(?:because|since|as|is|was|would|will|could|cannot|can't|but|which|so that|until)\b")
_THING = r"(?:it|this|that|these|them|so|the (?:call|calls|change|tool))"
_DO = r"(?:do|run|make|call|use|apply|send|submit|delete|remove|book)"
_ACT = rf"(?:go ahead|proceed|continue|execute|confirm|{_DO} {_THING})"
_PROPOSES = re.compile(
    rf"\b(?:(?:shall|should|may|can) (?:i|we)(?: {_ACT})?(?: now| with (?:it|this|that))?\s*\?"
    rf"|(?:want|like) me to {_ACT}\b[^.?!\n]*\?|is (?:this|that) (?:ok|okay|right|correct|what you want)\b[^.?!\n]*\?"
    rf"|(?:ok|okay|sounds? good|{_ACT})\s*\?|please confirm\b|let me know if i should"
    r"|do i have your (?:permission|ok))",
    re.IGNORECASE,
)


def refused(sentence: str) -> bool:
    """Whether words refuse what they speak of."""
    return _REFUSES.search(sentence) is not None


def hedged(sentence: str) -> bool:
    """Whether words refuse, suppose, propose or quote what they speak of."""
    return _HEDGES.search(sentence) is not None


def mentioned(text: str, start: int, stop: int, since: int = 0) -> bool:
    """Whether the call from `start` to `stop` is only spoken of. Calls before `since` were made already."""
    line = text.rfind("\n", 0, start) + 1
    before = text[max(line, since) : start]
    if not text[:start].strip() and not text[stop:].strip():
        return False
    if since > line:
        before = before[_joined_end(before) :]
    after = _after(text, stop)
    if _before(before, since > line) or _behind(after):
        return True
    if not before.strip() and since <= line and _line_before(text, line, since):
        return True
    return _followed(text, stop, after)


def _before(before: str, joined: bool) -> bool:
    if before.lstrip().startswith(">") and not before.lstrip().startswith(">>>"):
        return True
    before = _INTERJECTION.sub("", before, count=1)
    if _MARKER.fullmatch(before):
        return False
    last = _SENTENCE.split(before.rstrip(" \t`*_\"'([{“‘"))[-1]
    if _INTRODUCES.search(before):
        return hedged(last)
    if re.search(r"[.!…)][\"'”’`*_]*\s+[\s\[({\"'`*_“‘]*$", before) and not joined:
        return hedged(last)
    return True


def _joined_end(before: str) -> int:
    match = _JOINED.match(before)
    return match.end() if match else 0


def _after(text: str, stop: int) -> str:
    """What follows on the line behind this call and others that are joined to it."""
    newline = text.find("\n", stop)
    end = len(text) if newline < 0 else newline
    place = stop
    for _ in range(20):
        joined = _JOINED.match(text, place, end)
        begin = joined.end() if joined else place
        call = CALL.match(text, begin, end) if begin > place else None
        if call is None and not text.startswith("{", begin, end):
            break
        place, missing = scan(text, call.end() - 1 if call else begin, len(text))
        if missing != "" or place > end:
            return ""
    return text[place:end]


def _behind(after: str) -> bool:
    """Whether the words behind a call go on with its sentence."""
    closed = _CLOSED.match(after)
    place = closed.end() if closed else 0
    rest = after[place:]
    if not rest or rest.startswith(("<|", "</", "[/")):
        return False
    ended = rest[0] in ".!…"
    if not ended and (not after[:place][-1:].isspace() or not _BEGINS.match(rest)):
        return True
    sentence = _SENTENCE.split(rest.lstrip(" .!…"))[0]
    return hedged(sentence)


def _line_before(text: str, line: int, since: int) -> bool:
    """Whether the line above, which a fence may follow, introduces the call as something that is not done."""
    above = text[since:line]
    if not above.strip():
        return False
    lines = [one for one in above.rstrip().split("\n")[-4:] if one.strip() and not FENCE.fullmatch(one)]
    if not lines:
        return False
    last = lines[-1].strip().rstrip("*_` ")
    broken = not above.rstrip(" ").endswith("\n\n") and last[-1:].isalpha()
    return (last.endswith(":") or broken) and hedged(_SENTENCE.split(last)[-1])


def _followed(text: str, stop: int, after: str) -> bool:
    """Whether what follows asks for leave, or goes on with a sentence that the call stands in."""
    following = text[stop : stop + 400]
    if (
        "?" not in following
        and "confirm" not in following
        and "know" not in following
        and "permission" not in following
    ):
        below = text[stop + len(after) :].lstrip(" ")
        return below.startswith("\n") and _GOES_ON.match(below[1:]) is not None
    return _PROPOSES.search(following) is not None
