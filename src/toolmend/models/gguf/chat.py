"""How a GGUF model is talked to: a conversation to a prompt, by the template in its file, and constraints as Lark
grammars, which llama.cpp's llguidance takes as they are, around schemas too. Tokens are made elsewhere.

A prompt is the id of its first control token, then texts. Where a message spells a control token, its text is cut in
two: an engine that tokenizes each part alone reads it as the letters that it is, and none is lost.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from toolmend.base.errors import BadOption
from toolmend.base.messages import Constraint, Message, ToolSpec
from toolmend.models import templates
from toolmend.models.gguf.header import Header
from toolmend.models.openai_messages import WireNames

Prompt = tuple[int | str, ...]

_CUT = "\ufdd0"  # a noncharacter of Unicode: no text that means anything has it
_SIGN = "~"
_START = re.compile(r"^start[ \t]*:", re.MULTILINE)
_SPECIAL = re.compile(r"<\|[^<>\s]+\|>")


class GgufChat:
    """The template of a file, or that of a family (`wanted`). Raises BadOption, UnknownName, BadFile."""

    def __init__(self, header: Header, wanted: str = "") -> None:
        self._header, self._words = header, {f"{name}_token": header.word(name) for name in ("bos", "eos")}
        source = str(header.meta.get("tokenizer.chat_template", ""))
        if source and wanted in ("", "own"):
            self.template = templates.own(source, header.path, (), self._words)
        else:
            family = wanted or templates.guess(header.marks, header.kind, header.path.name)
            if not family or family == "own":
                known = ", ".join(templates.FAMILIES)
                raise BadOption(f"{header.path.name} has no chat template; say template=NAME; known: {known}")
            self.template = templates.find(family)
            source = "".join(self.template.needs)
        self.marks = [mark for mark, control in header.marks.items() if control or (mark.strip() and mark in source)]
        self.end = self._words["eos_token"]

    def prompt(self, messages: Sequence[Message], tools: Sequence[ToolSpec], names: WireNames) -> Prompt:
        """A conversation, ready for the reply. No control token can be written by a message."""
        text = self.template.text(messages, tools, names, self.marks, _CUT)
        first, *rest = [part for part in text.split(_CUT) if part] or [""]
        begin = next((mark for mark in self.marks if first.startswith(mark)), "")
        ids = self._header.ids
        opening = begin or (self._words["bos_token"] if self._header.meta.get("tokenizer.ggml.add_bos_token") else "")
        parts = [part for part in (first.removeprefix(begin), *rest) if part]
        # Texts alone would be several prompts: where no id goes first, the cuts are blanks without width.
        return (ids[opening], *parts) if opening else (templates.GAP.join(parts),)


def grammar_of(constraint: Constraint, end: str = "") -> str:
    """The grammar of a constraint. White space in JSON is one blank at most: endless white space is a way to fail.

    `end` is the token that ends the model's turns: where a vocabulary has several, llguidance knows another one only,
    and a reply that could go on would never end.
    """
    lark = _lark(constraint)
    if _SPECIAL.fullmatch(end):
        lark = _START.sub(f"start: whole {end}?\nwhole:", lark, count=1)
    return f"%llguidance {{}}\n{lark}"


def probe_of(grammar: str) -> str:
    """The same grammar after one sign. An engine that cannot compile a grammar leaves it out without a word: only a
    reply that begins with the sign shows that it was taken."""
    return _START.sub(f'start: "{_SIGN}" probed\nprobed:', grammar, count=1)


def took(reply: str) -> bool:
    """Whether the first token after a probe shows that its grammar was taken."""
    return reply.startswith(_SIGN)


def _lark(constraint: Constraint) -> str:
    if constraint.kind == "lark":
        return str(constraint.value)
    if constraint.kind == "regex":
        return f"start: /{_slashed(str(constraint.value))}/"
    schema = {**constraint.value, "x-guidance": {"whitespace_pattern": " ?"}}
    return f"start: %json {json.dumps(schema)}"


def _slashed(pattern: str) -> str:
    """A pattern whose slashes are escaped, those that are not yet."""
    return re.sub(r"\\.|/", lambda part: "\\/" if part[0] == "/" else part[0], pattern, flags=re.DOTALL)
