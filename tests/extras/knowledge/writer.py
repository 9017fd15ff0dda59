"""A process that adds COUNT small sources to a library, and prints each outcome once it is kept.

python writer.py PLACE COUNT
"""

from __future__ import annotations

import sys

from toolmend.extras.knowledge import Library, Outcome
from toolmend.extras.knowledge.collect import Item, read


def main(place: str, count: int) -> None:
    """Add what is missing, and again what is there."""
    print("opening", flush=True)
    with Library(place) as library:
        for number in range(count):
            text = f"---\nlanguage: en\n---\n# Number {number}\n\n" + f"Sentence {number} stands here. " * 60
            (source,) = read(Item(text.encode(), f"{number}.md", f"https://a.example/{number}"))
            assert not isinstance(source, Outcome)
            outcome = library.keep(source)
            print(outcome.name, outcome.source, flush=True)
        print("all", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
