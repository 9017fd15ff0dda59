"""`python -m toolmend.apps.cli`: the same as the command `toolmend`."""

from toolmend.apps.cli import main

main()
