"""Tools that a person allowed for the rest of a talk, each as it was then: one that is changed is asked about again."""

from __future__ import annotations

from collections.abc import Callable

from toolmend.base.messages import ToolSpec
from toolmend.tools import Toolbox


class AllowedTools(set[str]):
    """Names of tools. One is in it while the tool is what it was when it was added."""

    def __init__(self, tools: Callable[[], Toolbox]) -> None:
        super().__init__()
        self._tools, self._as = tools, dict[str, ToolSpec | None]()

    def add(self, name: str) -> None:
        """Allow a tool as it now is."""
        super().add(name)
        self._as[name] = self._spec(name)

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) and self._as.get(str(name)) == self._spec(str(name))

    def _spec(self, name: str) -> ToolSpec | None:
        return next((spec for spec in self._tools().specs if spec.full_name == name), None)
