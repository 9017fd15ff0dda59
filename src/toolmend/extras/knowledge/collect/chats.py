"""Files of chats, a talk a line (ShareGPT, OpenAI, Hugging Face): read as Markdown, each talk below a heading."""

from __future__ import annotations

import json
from dataclasses import replace

from toolmend.extras.knowledge.collect import markdown
from toolmend.extras.knowledge.collect.item import Item
from toolmend.extras.knowledge.encoding import decode
from toolmend.extras.knowledge.outcome import Outcome
from toolmend.extras.knowledge.source import Source
from toolmend.reading.chat_rows import chat_row


def read(item: Item) -> Source | Outcome:
    """The talks of a file; a line that is none is named."""
    decoded, _ = decode(item.data, item.header)
    talks = list[str]()
    for number, line in enumerate(decoded.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = chat_row(json.loads(line))
        except (ValueError, RecursionError) as error:
            return Outcome("unreadable", item.name, f"line {number}: {error}"[:200])
        if row is None:
            says = "no talk: it has neither messages, conversations, nor prompt and completion"
            return Outcome("unreadable", item.name, f"line {number}: {says}")
        said = "\n\n".join(f"{role}: {text}" for role, text, _ in row.messages)
        talks.append(f"# Talk {len(talks) + 1}\n\n{said}")
    return markdown.read(replace(item, data="\n\n".join(talks).encode(), header=""))
