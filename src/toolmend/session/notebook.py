"""A talk as a notebook shows it: what was said, what came back, the calls that took effect. Escaped; runs nothing."""

from __future__ import annotations

from toolmend.messages import Message
from toolmend.plots import table_html
from toolmend.reading import render
from toolmend.session.answer import Answer


class NotebookTalk:
    """What a notebook shows of a talk that has these."""

    messages: list[Message]
    answers: list[Answer]

    def _repr_html_(self) -> str:
        said = [message.content for message in self.messages if message.role == "user"]
        rows = [
            (f"{'↳ ' * (answer.amends is not None)}{text}", answer.text, "\n".join(map(render, answer.standing)))
            for text, answer in zip(said, self.answers, strict=False)
        ]
        return table_html(("said", "reply", "took effect"), rows)
