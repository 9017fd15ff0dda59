"""What a request is called: stable hashes, the same in every process, for recordings and for the cache of replies."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from typing import Any

from toolmend.messages import Request
from toolmend.models.model import Model


def request_key(request: Request) -> str:
    """A stable hash of everything a request holds."""
    return _digest(asdict(request))


def reply_key(model: Model, request: Request) -> str:
    """A stable hash of the model's name and options and of everything the request holds."""
    held = {name: value for name, value in asdict(request).items() if name != "avoid" or value}
    return _digest([model.name, getattr(model, "options", {}), held])


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, default=str, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
