"""The server described for tools that try it: OpenAPI 3.1, from the types that bodies are read with."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import models_json_schema

from toolmend import __version__
from toolmend.apps.server.body import ChatBody
from toolmend.apps.server.responses_body import ResponseBody

_REF = "#/components/schemas/{model}"
_REFUSED = {"400": "wrong", "401": "no key, or a wrong one", "403": "a foreign host name", "404": "not there"}
_POSTED = {
    **_REFUSED,
    "408": "the body did not arrive in time",
    "413": "the body is too large",
    "415": "not JSON",
    "429": "a limit of the key",
    "500": "a fault of the server",
    "502": "the model gave no answer, or none of the kind asked for",
    "503": "too many requests at once",
    "504": "no answer in time",
}


def described() -> dict[str, Any]:
    """The description."""
    _, found = models_json_schema([(ChatBody, "validation"), (ResponseBody, "validation")], ref_template=_REF)
    schemas = {**found["$defs"], "Error": _error()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "toolmend serve", "version": __version__, "description": "See docs/serve.md."},
        "components": {
            "schemas": schemas,
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"key": []}],
        "paths": {
            "/v1/chat/completions": {"post": _post("ChatBody", "A chat completion.", "chat.completion")},
            "/v1/responses": {"post": _post("ResponseBody", "A response.", "response")},
            "/v1/models": {"get": _get("The models.", {"type": "object", "required": ["object", "data"]}, _REFUSED)},
            "/v1/models/{name}": {"get": {**_get("A model.", {"type": "object"}, _REFUSED), "parameters": [_name()]}},
            "/healthz": {"get": _get("Whether it answers.", {"type": "object", "required": ["status"]}, {})},
        },
    }


def _post(body: str, what: str, kind: str) -> dict[str, Any]:
    made = {"type": "object", "required": ["id", "object"], "properties": {"object": {"const": kind}}}
    content = {"application/json": {"schema": made}, "text/event-stream": {"schema": {"type": "string"}}}
    return {
        "summary": what,
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": {"$ref": _REF.format(model=body)}}},
        },
        "responses": _responses(content, _POSTED),
    }


def _get(what: str, schema: dict[str, Any], refused: dict[str, str]) -> dict[str, Any]:
    return {"summary": what, "responses": _responses({"application/json": {"schema": schema}}, refused)}


def _responses(content: dict[str, Any], refused: dict[str, str]) -> dict[str, Any]:
    error = {"application/json": {"schema": {"$ref": _REF.format(model="Error")}}}
    refusals = {status: {"description": why, "content": error} for status, why in refused.items()}
    return {"200": {"description": "done", "content": content}, **refusals}


def _name() -> dict[str, Any]:
    return {"name": "name", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}


def _error() -> dict[str, Any]:
    text = {"type": ["string", "null"]}
    about = {"message": {"type": "string"}, "type": {"type": "string"}, "param": text, "code": text}
    error = {"type": "object", "required": list(about), "properties": about}
    return {"type": "object", "required": ["error"], "properties": {"error": error}}
