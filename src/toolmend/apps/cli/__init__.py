"""The command line. `main` is what the command `toolmend` calls; the rest is imported when a command asks for it."""

from __future__ import annotations


def main() -> None:
    """Run the command line on the arguments of this process, and exit."""
    import sys

    from toolmend.apps.cli.door import cli

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a sign must not end a run
    cli()
