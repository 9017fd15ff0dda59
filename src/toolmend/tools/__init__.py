"""Tools: typed Python functions that a model may call, and the boxes they come in."""

from toolmend.base.errors import ToolError
from toolmend.tools.foreign import foreign
from toolmend.tools.tool import Tool, tool
from toolmend.tools.toolbox import Toolbox

__all__ = ["Tool", "ToolError", "Toolbox", "foreign", "tool"]
