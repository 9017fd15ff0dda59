"""What a client is told when there is no answer: OpenAI's error object, with its HTTP status. Knows no request."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from toolmend.base.errors import ModelError, ToolmendError

_ADDRESS = re.compile(r"\bhttps?://[^\s'\",;)]*[^\s'\",;:.)]")
INVALID, SERVER = "invalid_request_error", "server_error"


class ApiError(ToolmendError):
    """An error in the API's own shape: HTTP status, type, the parameter it is about, a code for programs.

    What it says reaches the client: it has no secret, no path of this machine and no stack.
    """

    def __init__(
        self,
        status: int,
        text: str,
        *,
        kind: str = INVALID,
        param: str | None = None,
        code: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.status, self.kind, self.param, self.code = status, kind, param, code
        self.headers = dict(headers or {})
        super().__init__(text)

    def as_dict(self) -> dict[str, Any]:
        """`{"error": {"message", "type", "param", "code"}}`."""
        return {"error": {"message": str(self), "type": self.kind, "param": self.param, "code": self.code}}


def invalid(text: str, param: str | None, code: str = "invalid_value") -> ApiError:
    """400: a parameter makes no sense."""
    return ApiError(400, text, param=param, code=code)


def unanswered(text: str, code: str = "upstream_error", *, again: bool = False) -> ApiError:
    """502: the model gave no answer, or none of the kind that was asked for. `again`: trying again may help."""
    headers = {"x-should-retry": "true" if again else "false"}
    return ApiError(502, text, kind=SERVER, code=code, headers=headers)


def failed_model(error: ModelError, model: str) -> ApiError:
    """502 in the model's own words, without the options of its name and without addresses: where it runs is no
    business of a client's."""
    text = _ADDRESS.sub("its address", str(error).replace(model, model.partition("?")[0]))
    return unanswered(text, again=error.retryable)


def timed_out(seconds: float) -> ApiError:
    """504: it took too long."""
    return ApiError(504, f"No answer within {seconds:g} s.", kind=SERVER, code="timeout")


def broken() -> ApiError:
    """500: a fault of toolmend's own; what it was stands in the server's log."""
    text = "The server had an error while processing the request; its log says more under the x-request-id."
    return ApiError(500, text, kind=SERVER, code="internal_error")
