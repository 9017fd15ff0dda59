"""A process that remembers, each memory against those before, and prints the ids of those that are kept.

python writer.py PLACE
"""

from __future__ import annotations

import sys

from toolmend.extras.memory import Stream


def main(place: str) -> None:
    """Go on until killed."""
    with Stream(place, "writer") as stream:
        for number in range(100_000):
            print(stream.remember(f"The count is {number} of {id(stream)}.").id, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
