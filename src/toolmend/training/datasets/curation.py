"""Curation: which lines are dropped, and why, one after the other. The rules are those of Koala (Geng et al. 2023) that
a store of talks needs: length, language, personal data, duplicates, test leakage. Reads and writes nothing."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from toolmend.training.datasets import personal
from toolmend.training.datasets.language import other_language
from toolmend.training.datasets.leakage import Prompts
from toolmend.training.datasets.lines import Chat, ChatMessage, Line

LONGEST, NEAR, BLEU = 8000, 0.8, 0.2
"""Characters of a line; the Jaccard index, and the share of sentence BLEU, from which one is dropped."""
Shingles = frozenset[str]


@dataclass
class Curation:
    """Remembers the lines of one kind that it let through. `prompts` must not be learned."""

    prompts: Prompts
    seen: set[str] = field(default_factory=set)
    kept: list[Shingles] = field(default_factory=list)
    holders: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    alike: dict[str, float] = field(default_factory=dict)

    def reason(self, line: Line) -> str:
        """Why the line is dropped; "" where it is kept."""
        spoken = [said.content for said in line.messages if said.role == "user"]
        texts = [said.content for said in line.messages if said.role != "system"] + taught(line)
        if sum(len(said.content) for said in line.messages) > LONGEST:
            return f"more than {LONGEST:,} characters"
        if not "".join(spoken).strip():
            return "no words"
        if other := other_language(" ".join(spoken)):
            return f"another language: {other}"
        if kinds := {kind for text in texts for kind in personal.kinds_in(text)}:
            return f"personal data: {', '.join(sorted(kinds))}"
        same = repr([[(m.role, m.learn, m.content) for m in line.messages if m.role != "system"], taught(line)])
        if same in self.seen:
            return "the same as an earlier line"
        self.seen.add(same)
        if self._nearly_seen(shingles("\n".join(taught(line)))):
            return "nearly the same as an earlier line"
        for text in spoken:
            if text not in self.alike:
                self.alike[text] = self.prompts.nearest(text)
        return f"BLEU above {BLEU:.0%}" if any(self.alike[text] > BLEU for text in spoken) else ""

    def _nearly_seen(self, runs: Shingles) -> bool:
        """Whether an earlier line has nearly the same runs of words; they are remembered else."""
        shared = Counter(place for run in runs for place in self.holders[run])
        if any(count / (len(runs) + len(self.kept[place]) - count) >= NEAR for place, count in shared.items()):
            return True
        for run in runs:
            self.holders[run].append(len(self.kept))
        self.kept.append(runs)
        return False


def shingles(text: str) -> Shingles:
    """The runs of three words of a text; of a shorter one itself."""
    words = re.findall(r"\w+", text.lower())
    return frozenset(" ".join(words[at : at + 3]) for at in range(max(1, len(words) - 2)))


def taught(line: Line) -> list[str]:
    """What the line teaches: each learned reply after the words it answers, not the history before them."""
    asked = ChatMessage("user", "")
    if isinstance(line, Chat):
        texts: list[str] = []
        for said in line.messages:
            asked = said if said.role == "user" else asked
            texts += [asked.content, said.content.strip()] if said.role == "assistant" and said.learn else []
        return texts
    asked = next((said for said in reversed(line.messages) if said.role == "user"), asked)
    return [asked.content, *(text for one in line.attempts for text in (one.content.strip(), one.wrong) if text)]
