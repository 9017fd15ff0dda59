"""What the tests of models share: a request, and a model asked without an event loop of the test's own."""

from __future__ import annotations

from collections.abc import Callable

import anyio
import pytest

from toolmend.base.messages import Message, Reply, Request
from toolmend.models import Model
from toolmend.models.model import OnDelta

Ask = Callable[..., Reply]


@pytest.fixture
def hello() -> Request:
    return Request((Message("user", "hello"),))


@pytest.fixture
def ask() -> Ask:
    """The reply of a model."""

    def reply(model: Model, request: Request, on_delta: OnDelta | None = None) -> Reply:
        return anyio.run(lambda: model.reply(request, on_delta=on_delta))

    return reply
