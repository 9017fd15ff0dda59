"""A process that remembers, each memory in place of the one before, and prints the ids of those that are kept.

python writer.py PLACE
"""

from __future__ import annotations

import sys

from toolmend.memory import Stream


def main(place: str) -> None:
    """Go on until killed."""
    with Stream(place, "writer") as stream:
        last: str | None = None
        for number in range(100_000):
            last = stream.remember(f"The count is {number} of {id(stream)}.", supersedes=last).id
            print(last, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
