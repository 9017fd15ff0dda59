"""Commands called in this process, for systems as `toolmend run` plays them."""

from command_line import _quiet_place, canned, invoke  # noqa: F401
