"""The data card: README.md of a data folder, from its counts alone. The same counts make the same bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from toolmend.training.datasets.lines import KINDS

GAPS = (
    "Right is what a suite's marks say, or in a talk without marks what a person let stand after correcting it.",
    "In a talk without marks a correction may be a change of mind: its pairs have the correction in the prompt.",
    "The system text shows the world as the talk begins, not as it is later.",
    "Personal data are found by their form: names, streets and dates of birth are not.",
    "Language is told from all that people say in a line; short texts are taken for English.",
    "Leakage is told by the words: a test request in other words is not found.",
    "One talk may give several lines; all of them are in the same part.",
)
METHODS = {
    "length": "at most {most:,} characters",
    "language": "English (py3langid)",
    "personal data": "e-mail, phone, card, IBAN, IP, keys: {private}",
    "exact duplicates": "the same messages and replies",
    "near duplicates": "Jaccard index of runs of three words from {near:.0%} (MinHash, then counted)",
    "test leakage": "sentence BLEU of a message above {bleu:.0%} against {prompts:,} prompts of {suites}",
}


def card(counts: Mapping[str, Any]) -> str:
    """The whole page."""
    settings, parts = counts["settings"], counts["parts"]
    kept = sum(sum(part.values()) for part in parts.values())
    page = [
        "# Training data made by toolmend",
        "",
        f"{kept:,} lines from stored talks and corrections, made by `toolmend data build` {counts['version']}. "
        "Calls are written as lines of Python.",
        "",
        *_table(
            ("part", *KINDS, "talks"), [(part, *each.values(), counts["talks"][part]) for part, each in parts.items()]
        ),
        "## Sources",
        "",
        *_sources(counts),
        "## Curation",
        "",
        *_curation(counts),
        f"Held out: {settings['test_share']:.0%} of the talks, by a hash of the request that they begin with.",
        "",
        "## Licences",
        "",
        "What people wrote is theirs; what models wrote is under their makers' terms, which may forbid to train other "
        "models on it: see the models above. The suites that ship with toolmend are under Apache-2.0. The folder has "
        "no licence of its own: whoever passes it on gives it one.",
        "",
        "## Known gaps",
        "",
        *(f"- {gap}" for gap in GAPS),
    ]
    return "\n".join(page) + "\n"


def _sources(counts: Mapping[str, Any]) -> Iterator[str]:
    runs, intake = counts["runs"], counts["intake"]
    rows = [(r["run"], r["suite"], r["tools"], r["created"], "; ".join(r["contestants"])) for r in runs]
    yield from _table(("run", "suite", "toolbox", "made", "contestants"), rows)
    yield f"{intake['samples']:,} talks were read."
    if intake["left_out"]:
        yield f"Left out: {'; '.join(f'{reason}: {count:,}' for reason, count in intake['left_out'].items())}."
    yield ""


def _curation(counts: Mapping[str, Any]) -> Iterator[str]:
    settings = counts["settings"]
    values = {
        **settings,
        "private": "masked" if settings["mask"] else "dropped",
        "suites": ", ".join(settings["tested"]),
    }
    made = (f"{count:,}" for count in counts["made"].values())
    rows: list[Sequence[object]] = [("made", "before any rule", *made, "")]
    for step in counts["steps"]:
        reasons = "; ".join(f"{reason}: {count:,}" for reason, count in step["reasons"].items())
        changes = (f"{step['before'][kind]:,} → {step['after'][kind]:,}" for kind in KINDS)
        rows.append((step["rule"], METHODS[step["rule"]].format(**values), *changes, reasons))
    yield from _table(("rule", "keeps", *KINDS, "dropped or changed"), rows)
    if settings["untested"]:
        yield f"Not compared with {', '.join(settings['untested'])}: made of a file that is not part of toolmend."
        yield ""
    if settings["dev"]:
        suites = ", ".join(settings["dev"])
        yield f"Suites for development, whose prompts may be learned: {suites}. Figures on them are no test."
        yield ""


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(str(cell).replace('|', chr(92) + '|').replace(chr(10), ' ') for cell in row)} |"
    yield ""
