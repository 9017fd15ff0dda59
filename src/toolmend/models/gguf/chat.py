"""How a GGUF model is talked to: a conversation to a prompt, by the template in its file. Tokens are made elsewhere.

A prompt is the id of its first control token, then texts. Where a message spells a control token, its text is cut in
two: an engine that tokenizes each part alone reads it as the letters that it is, and none is lost.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolmend.errors import BadOption
from toolmend.messages import Message, ToolSpec
from toolmend.models import templates
from toolmend.models.gguf.header import Header
from toolmend.models.openai_messages import WireNames

Prompt = tuple[int | str, ...]

_CUT = "\ufdd0"  # a noncharacter of Unicode: no text that means anything has it


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
