"""Commands called in this process or in another, and a tiny suite."""

from command_line import _quiet_place, canned, invoke, program, suite  # noqa: F401
