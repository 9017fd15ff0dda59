"""`python -m toolmend`: the command, where its script is not on the path."""

from toolmend.apps.cli import main

if __name__ == "__main__":
    main()
