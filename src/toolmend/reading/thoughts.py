"""What a model thinks inside its text: never a call, never words for a person. Knows no call.

`<think>…</think>` and its kin, `[THINK]…[/THINK]`, `<|START_THINKING|>…`, channels `analysis` and `thought`. One that
is never closed goes on to the end; a closing mark alone ends what was begun in the prompt: all that stands before it.
Marks of turns and channels, which say nothing, are hidden with them.
"""

from __future__ import annotations

import re

_TAG = r"think|thinking|thought|reasoning|reflection|scratchpad|seed:think|antthinking|inner_monologue"
_OTHERS = {
    "[think]": "[/think]",
    "<|start_thinking|>": "<|end_thinking|>",
    "<|begin_of_thought|>": "<|end_of_thought|>",
    "<|inner_prefix|>": "<|inner_suffix|>",
    "◁think▷": "◁/think▷",
    "<unused94>": "<unused95>",
    "<|channel>": "<channel|>",
}
"""Marks that begin and end a thought, in lower case; `<|channel>` is followed by the channel's name."""
_STRINGS = r"(?<=[=:(,\[{ ])\"(?:[^\"\\\n]|\\.)*+\"|(?<=[=:(,\[{])'(?:[^'\\\n]|\\.)*+'"
_VALUES = (
    r"<parameter\b[^<>\n]*+>.*?</parameter>|<arg_value>.*?</arg_value>|<\|\"\|>.*?<\|\"\|>"
    r"|<[｜|]+DSML[｜|]+parameter\b.*?</[｜|]+DSML[｜|]+parameter>"
)
_CHANNEL = r"<\|channel\|>\s*analysis\b(?:[^<]|<\|constrain\|>)*+<\|message\|>|\Aanalysis(?=[A-Z])"
_CHANNEL_END = re.compile(
    r"<\|(?:end|return|call)\|>|(?=<\|(?:start|channel)\|>|assistantcommentary to=)|assistant(?:commentary|final)"
)
_CONTROL = (
    r"<\|start\|>\s*(?:assistant)?|<\|channel\|>\s*(?:final|commentary)\s*<\|message\|>|<\|(?:end|return|im_end|eot_id|eom_id"
    r"|end_of_text|endoftext|START_RESPONSE|END_RESPONSE|START_TEXT|END_TEXT|END_OF_TURN_TOKEN)\|>|</?s>"
    r"|<[｜|]end[▁_]of[▁_]sentence[｜|]>|<end_of_turn>|<turn\|>|<\|python_(?:start|end)\|>|<\|(?:user|assistant)\|>|(?<=[.!?])assistantfinal"
)
_MARK = re.compile(
    rf"(?P<control>{_CONTROL})|(?P<skip>{_STRINGS}|{_VALUES})|(?P<channel>{_CHANNEL})|<(?P<tag>{_TAG})(?:\s[^<>\n]*+)?>|</(?P<ends>{_TAG})>"
    + f"|(?P<opens>{'|'.join(map(re.escape, _OTHERS))})|(?P<closes>{'|'.join(map(re.escape, _OTHERS.values()))})",
    re.DOTALL | re.IGNORECASE,
)
_HINT = re.compile(rf"</?(?:{_TAG}|s)\b|\[/?think\]|<[|｜]|\|>|\Aanalysis[A-Z]|◁|<unused9|<end_of", re.IGNORECASE)

MARKS = (
    *(f"<{tag}>" for tag in _TAG.split("|")),
    *_OTHERS,
    "<|channel|>analysis<|message|>",
)
"""What begins a thought, in lower case: where a text ends with a part of one, a stream waits for more."""

Span = tuple[int, int]


def thoughts(text: str) -> tuple[list[Span], bool]:
    """The places of thoughts and of empty marks in a text, in order, and whether there are thoughts.

    Marks within quoted values are text.
    """
    if _HINT.search(text) is None:
        return [], False
    spans: list[Span] = []
    place, thinks = 0, False
    while (mark := _MARK.search(text, place)) is not None:
        place = mark.end()
        if mark["skip"]:
            continue
        if mark["ends"] or (mark["closes"] or "").lower() not in ("", "<channel|>"):
            spans, thinks = [(0, place)], True
        elif mark["control"] or mark["closes"]:
            spans.append(mark.span())
        else:
            place, thinks = _end(text, mark), True
            spans.append((mark.start(), place))
    return spans, thinks


def _end(text: str, mark: re.Match[str]) -> int:
    if mark["channel"]:
        ending = _CHANNEL_END.search(text, mark.end())
        return ending.end() if ending else len(text)
    closing = f"</{mark['tag']}>" if mark["tag"] else _OTHERS[mark["opens"].lower()]
    ending = re.compile(re.escape(closing), re.IGNORECASE).search(text, mark.end())
    return ending.end() if ending else len(text)


def blanked(text: str, spans: list[Span]) -> str:
    """The text with a line's end and blanks where these places are, as long as before."""
    parts, place = [], 0
    for start, stop in spans:
        parts += [text[place:start], "\n", " " * (stop - start - 1)]
        place = stop
    return "".join([*parts, text[place:]]) if spans else text


def words_of(text: str) -> str:
    """The text as a person is to read it, without thoughts."""
    return unthought(text)[0]


def unthought(text: str) -> tuple[str, str]:
    """The words of a text, stripped, and its thoughts without their marks."""
    spans, _ = thoughts(text)
    if not spans:
        return text, ""
    words, said, place = [], [], 0
    for start, stop in spans:
        words.append(text[place:start].strip())
        said.append(_MARK.sub("", text[start:stop]).strip())
        place = stop
    words.append(text[place:].strip())
    return "\n".join(filter(None, words)), "\n".join(filter(None, said))
