"""The simulated calendar talk, listened to: what is said, which entries were changed, by what words they went."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from toolmend.training.dialogues import Talk
from toolmend.training.meaning import Entry, Meant


class HeardTalk(Talk):
    """A talk that remembers of its last step what was `changed`, as (old, new), and the words for entries."""

    def __post_init__(self) -> None:
        """Nothing heard yet."""
        super().__post_init__()
        self.changed: list[tuple[Entry, Entry]] = []
        self.mentioned: list[tuple[Entry, str]] = []
        self.several = ""

    def step(self) -> tuple[str, str, Meant]:
        """One step, heard anew."""
        self.changed, self.mentioned, self.several = [], [], ""
        return super().step()

    def _preamble(self) -> str:
        self.today, today = self.today or date.min, self.today  # what day it is the clock says, nobody else
        said = super()._preamble()
        self.today = today
        return said

    def _the(self, entry: Entry) -> str:
        words = super()._the(entry)
        self.mentioned.append((entry, words))
        return words

    def _them(self) -> str:
        self.several = super()._them()
        return self.several

    def _change(
        self, old: Entry, new: Entry, section: str, slots: dict[str, str], the: Entry | None = None
    ) -> tuple[str, Meant]:
        self.changed.append((old, new))
        return super()._change(old, new, section, slots, the)

    def _replaced(self, old: Entry, new: Entry, section: str, /, **slots: str) -> tuple[str, Meant]:
        self.changed.append((old, new))
        return super()._replaced(old, new, section, **slots)

    def _group_to(self, new: list[Entry], section: str, **slots: str) -> tuple[str, Meant]:
        self.changed += zip(self.group, new, strict=True)
        return super()._group_to(new, section, **slots)

    def words_for(self, entry: Entry) -> Sequence[str]:
        """The words by which an entry went in the last step, those said last first."""
        return [words for other, words in reversed(self.mentioned) if other == entry]
