"""What a correction says of a reply, for models that can say something else: the reply, and the part that is blamed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from toolmend.corrections.blame import blamed
from toolmend.messages import Call, Wrong


def wrong(text: str, calls: Sequence[Call], said: str) -> Wrong:
    """The reply as one to avoid, told `said`. Where one argument of its one call is blamed, only that shall change."""
    head, opened, _ = text.partition("(")
    if len(calls) != 1 or not opened or head.strip() != calls[0].tool:
        return Wrong(text)
    name = blamed(said, calls[0].arguments)
    part = _spelled(text, name, calls[0].arguments[name]) if name else ""
    return Wrong(text, head + opened, part) if part else Wrong(text)


def _spelled(text: str, name: str, value: Any) -> str:
    """The argument as it stands in the reply, with its name if that is there; "" where it is spelled otherwise."""
    plain = json.dumps(value, ensure_ascii=False)
    return next((each for each in (f"{name}={plain}", plain) if text.count(each) == 1), "")
