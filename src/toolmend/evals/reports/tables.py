"""A report as tables of cells, each with its figure, what it rests on and which conversations stand behind it.

Text, Markdown and HTML draw the same tables from here. Computes nothing: words and figures come from the report.

    rate 0.74 of 38 trials in 13 cases  ->  Cell("74 %", "50–95 n=38", Behind("fix_at_1", 0))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from toolmend.base.plots import table_html

FEW = 10  # cases; with fewer an interval is to be read with care (stats.bootstrap_mean)
FEW_SIGN = "°"
FEW_NOTE = f"{FEW_SIGN} fewer than {FEW} cases (n = trials/cases): read such an interval with care."

LEVELS = ("0 try again", "1 it is wrong", "2 what is wrong", "3 the value")

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Behind:
    """The conversations a figure was counted from: see evidence.py. `who` is the number of the contestant."""

    facet: str
    who: int
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure as text; `small` is its interval and count, `share` (0 to 1) how strongly a heat map paints it."""

    text: str
    small: str = ""
    behind: Behind | None = None
    share: float | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """A line: its heading, its cells, and whether it is a published one."""

    head: str
    cells: tuple[Cell, ...]
    published: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table. `about` belongs to its title, `note` below it.

    `heat` says that shares are to be painted, `marks` that cells are marks or words, no figures.
    """

    title: str
    about: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    heat: bool = False
    marks: bool = False
    note: str = ""

    @property
    def has_few(self) -> bool:
        """Whether a cell rests on few cases."""
        return any(FEW_SIGN in cell.text + cell.small for row in self.rows for cell in row.cells)

    def _repr_html_(self) -> str:
        cells = ((row.head, *(f"{cell.text}\n{cell.small}".strip() for cell in row.cells)) for row in self.rows)
        return f"<p>{escape(f'{self.title} {self.about}'.strip())}</p>{table_html(self.columns, cells)}"


def name_of(contestant: Data) -> str:
    """A contestant in a table: the strategy only where it is not the usual one."""
    model, strategy = contestant["model"], contestant["strategy"]
    return model if strategy == "oneline" else f"{model} · {strategy}"


# toolmend's own rates ------------------------------------------------------------------------------------------------


def own(report: Data) -> list[Table]:
    """What a terminal has room for: who fixes what when told, by level, by kind of mistake, and what it cost."""
    rates = (overview(report), ladder(report), levels(report), kinds(report))
    return [table for table in (*rates, cost(report), roles(report), explained(report), others(report)) if table]


def full(report: Data) -> list[Table]:
    """Every table of toolmend's own rates."""
    rates = (overview(report), ladder(report), levels(report), kinds(report), mistakes(report), dialogues(report))
    spent = (cost(report), roles(report), explained(report), outcomes(report))
    return [table for table in (*rates, *spent, others(report)) if table]


def others(report: Data) -> Table | None:
    """What other packages count (registry.columns); None where nobody does."""
    rows = report["contestants"]
    names = list(rows[0].get("other", ())) if rows else []
    cells = [[row["other"][name] for name in names] for row in rows]
    made = [
        TableRow(name_of(row), tuple(Cell("–" if value is None else f"{value:,.2f}") for value in values))
        for row, values in zip(rows, cells, strict=True)
    ]
    return Table("Further columns", "means over samples", ("contestant", *names), tuple(made)) if names else None


def overview(report: Data) -> Table:
    """First right, fix@1, its control and the difference, fix@3, regress, done."""
    rows = report["contestants"]
    columns = ("contestant", "first right", "fix@1", "control", "net fix", "fix@3", "regress", "done")
    made = []
    for who, row in enumerate(rows):
        shares = [rate_cell(row[name], facet, who) for name, facet in _SHARES]
        net = difference_cell(row["net_fix"], Behind("net_fix", who))
        rest = [rate_cell(row["fix_at_k"]["3"], "within 3", who), rate_cell(row["regress"], "regress", who)]
        made.append(TableRow(name_of(row), (*shares, net, *rest, rate_cell(row["done"], "done", who))))
    return Table("Who fixes what when told", "95 % intervals, clustered by case", columns, tuple(made))


def ladder(report: Data) -> Table | None:
    """By whom mistakes were mended; None where nobody plays with the ladder."""
    made = []
    for row in report["contestants"]:
        if told := row.get("ladder"):
            made.append(TableRow(name_of(row), _rungs(told["headline"])))
            made += [TableRow(f"  ↳ {words}", _rungs(told[str(level)])) for level, words in enumerate(LEVELS)]
            doubts = {key: _share(rate) for key, rate in told["groundless"].items()}
            asks, unasked = doubts["questions"], doubts["unasked"]
            made.append(TableRow("  ↳ groundless", (*_NONE * 3, asks, *_NONE, unasked, *_NONE * 2, doubts["given_up"])))
    columns = ("contestant", "no model", "anew", "model", "asks", "+ choice", "unasked", "in", "of again", "given up")
    return Table("By whom it was mended", "", columns, tuple(made), note=_LADDER_NOTE) if made else None


_NONE = (Cell("–"),)
_LADDER_NOTE = (
    "Shares of all corrections at the headline level, and by level. Fixed with no model asked, by asking anew for a "
    "part, by the model alone; the person was asked, which fixes nothing; right by one choice among the answers that "
    "were offered, too; no model asked, whatever came of it. Input tokens of a repair, and as a share of the request's "
    "own. Right answers given up."
)


def _rungs(told: Data) -> tuple[Cell, ...]:
    names = ("without_model", "asked_anew", "by_model", "questions", "one_choice", "unasked")
    tokens, share = told["input_tokens"], told["of_asking_again"]
    cost = (Cell("–" if tokens is None else f"{tokens:,.0f}"), Cell(percent(share)))
    return (*(_share(told[name]) for name in names), *cost, *_NONE)


def _share(rate: Data) -> Cell:
    """A share with its count alone: so many columns leave no room for intervals; JSON has them."""
    return Cell("–") if rate["value"] is None else Cell(percent(rate["value"]), _count(rate), None, rate["value"])


_SHARES = (("first_right", "first_right"), ("fix_at_1", "fix_at_1"), ("control", "level 0"))


def levels(report: Data) -> Table:
    """fix@1 by level."""
    rows = report["contestants"]
    made = []
    for who, row in enumerate(rows):
        cells = [rate_cell(row["fix_at_1_by_level"][str(level)], f"level {level}", who) for level in range(4)]
        gone = [rate_cell(row[name], name, who) for name in ("fix_at_1_named", "told_named")]
        made.append(TableRow(name_of(row), (*cells, *gone)))
    columns = ("contestant", *LEVELS, "named gone", "value said, gone")
    return Table("fix@1 by what the correction gives away", "", columns, tuple(made))


def kinds(report: Data) -> Table | None:
    """fix@1 by kind of the mistake that was named; None where nothing was."""
    rows = report["contestants"]
    named = sorted({kind for row in rows for kind in row["by_kind"]})
    made = [
        TableRow(kind, tuple(_kind(row["by_kind"].get(kind), who, kind) for who, row in enumerate(rows)))
        for kind in named
    ]
    columns = ("mistake", *map(name_of, rows))
    about = "headline level; control in brackets"
    return Table("fix@1 by kind of mistake", about, columns, tuple(made), heat=True) if made else None


def _kind(fixes: Data | None, who: int, kind: str) -> Cell:
    if not fixes or fixes["fix_at_1"]["value"] is None:
        return Cell("–")
    fixed, control = fixes["fix_at_1"], fixes["control"]
    text = f"{percent(fixed['value'])} ({percent(control['value'])}) {_count(fixed)}"
    return Cell(text, "", Behind("fix_at_1", who, kind), fixed["value"])


def dialogues(report: Data) -> Table:
    """How whole dialogues ended, and what further corrections brought."""
    rows = report["contestants"]
    made = []
    for who, row in enumerate(rows):
        done = Behind("done", who)
        passed = [_figure(percent(row["pass_k"][k]), done) for k in ("1", "3", "5")]
        turns = _figure("–" if row["turns_to_done"] is None else f"{row['turns_to_done']:.1f}", done)
        within = [rate_cell(row["fix_at_k"][k], f"within {k}", who) for k in ("1", "2", "3")]
        right = [Cell("–" if row[k] is None else f"{row[k]:.2f}") for k in ("turns_to_right", "sentences_to_right")]
        made.append(TableRow(name_of(row), (rate_cell(row["done"], "done", who), turns, *passed, *within, *right)))
    passes, fixes = ("pass^1", "pass^3", "pass^5"), ("fix@1", "fix@2", "fix@3")
    columns = ("contestant", "done", "turns to done", *passes, *fixes, "turns to right", "sentences to right")
    about = "pass^k: so many attempts at a case all done; fix@k: no mistake left within so many corrections"
    return Table("Whole dialogues", about, columns, tuple(made))


def mistakes(report: Data) -> Table | None:
    """How many mistakes of each kind first replies had; None where they had none."""
    rows = report["contestants"]
    most = max((count for row in rows for count in row["mistakes"].values()), default=0)
    made = [
        TableRow(kind, tuple(_mistake(row["mistakes"].get(kind, 0), most, who, kind) for who, row in enumerate(rows)))
        for kind in sorted({kind for row in rows for kind in row["mistakes"]})
    ]
    columns = ("mistake", *(f"{name_of(row)} (of {row['first_right']['trials']:,})" for row in rows))
    about = "how many of each, of so many requests"
    return Table("Mistakes in first replies", about, columns, tuple(made), heat=True) if made else None


def _mistake(count: int, most: int, who: int, kind: str) -> Cell:
    return Cell(f"{count:,}", "", Behind("mistake", who, kind), count / most) if count else Cell("–")


def outcomes(report: Data) -> Table | None:
    """How replies came, where some came otherwise than whole, asked for and as asked."""
    rows = report["contestants"]
    names = [name for name in ("empty", "truncated", "cached") if any(row["outcomes"][name] for row in rows)]
    unmet = sorted({name for row in rows for name in row["outcomes"]["unmet"]})
    made = []
    for who, row in enumerate(rows):
        found = row["outcomes"]
        counts = [(found[name], Behind(name, who)) for name in names]
        counts += [(found["unmet"].get(name, 0), Behind("unmet", who, name)) for name in unmet]
        cells = [Cell(f"{count:,}", "", behind) if count else Cell("–") for count, behind in counts]
        made.append(TableRow(name_of(row), tuple(cells)))
    columns = ("contestant", *names, *(f"{name} not honoured" for name in unmet))
    return Table("How replies came", "the others were whole", columns, tuple(made)) if columns[1:] else None


def cost(report: Data) -> Table:
    """Replies, tokens, seconds, and money where prices were given."""
    rows = report["contestants"]
    currency = next((row["cost"]["currency"] for row in rows if "money" in row["cost"]), None)
    made = []
    for who, row in enumerate(rows):
        spent, every = row["cost"], Behind("all", who)
        told = [f"{row['samples']:,}", *(f"{spent[name]:,}" for name in ("replies", "input_tokens", "output_tokens"))]
        told += [seconds(spent[name]) for name in ("seconds_median", "seconds_p95")]
        told += [f"{spent['money']:.4g}"] if currency else []
        errors = Cell(f"{row['errors']:,}", "", Behind("error", who) if row["errors"] else None)
        made.append(TableRow(name_of(row), (*(_figure(text, every) for text in told), errors)))
    columns = ["contestant", "samples", "replies", "tokens in", "tokens out", "s median", "s p95", currency, "errors"]
    return Table("Cost", "", tuple(column for column in columns if column), tuple(made))


def roles(report: Data) -> Table | None:
    """What each role of a strategy cost, and how soon requests were answered; None where no strategy has two roles."""
    rows = report["contestants"]
    if all(len(row["roles"]) < 2 for row in rows):
        return None
    made = []
    for who, row in enumerate(rows):
        spent, every = row["cost"], Behind("all", who)
        within = [_figure(percent(spent[name]), every) for name in ("within_5_s", "within_10_s")]
        retries = sum(role["retries"] for role in row["roles"].values())
        made.append(TableRow(name_of(row), (*_role({**spent, "retries": retries}, every), *within)))
        for name, role in row["roles"].items() if len(row["roles"]) > 1 else ():
            made.append(TableRow(f"  ↳ {name}", (*_role(role, every), Cell(""), Cell(""))))
    columns = (
        "contestant",
        "replies",
        "tokens in",
        "tokens out",
        "s median",
        "s p95",
        "retries",
        "within 5 s",
        "within 10 s",
    )
    return Table("Roles", "seconds of a reply; requests answered within 5 and 10 s", columns, tuple(made))


def _role(spent: Data, behind: Behind) -> list[Cell]:
    texts = [f"{spent[name]:,}" for name in ("replies", "input_tokens", "output_tokens")]
    texts += [seconds(spent[name]) for name in ("seconds_median", "seconds_p95")]
    return [_figure(text, behind) for text in (*texts, f"{spent['retries']:,}")]


def explained(report: Data) -> Table | None:
    """Whether what a strategy says of its own calls is so; None where none says anything."""
    made = [
        TableRow(
            f"{name_of(row)}, {_SAYS[says]}", (rate_cell(found, "all", who), _figure(f"{found['unchecked']:,}", every))
        )
        for who, row in enumerate(report["contestants"])
        for every in [Behind("all", who)]
        for says, found in row["explained"].items()
    ]
    about = "sentence by sentence, held by code against calls, results and states; 95 % intervals, clustered by case"
    columns = ("contestant", "are so", "say nothing to check")
    return Table("Is what it says of its calls so", about, columns, tuple(made)) if made else None


_SAYS = {"summary": "sentences of summaries", "reason": "sentences of reasons"}


# figures as text -----------------------------------------------------------------------------------------------------


def percent(value: float | None) -> str:
    """`74 %`, or a dash."""
    return "–" if value is None else f"{100 * value:.0f} %"


def seconds(value: float | None) -> str:
    """`0.05`, or a dash."""
    return "–" if value is None else f"{value:.2f}"


def _figure(text: str, behind: Behind) -> Cell:
    """A figure without an interval; a dash leads nowhere."""
    return Cell(text) if text == "–" else Cell(text, "", behind)


def rate_cell(rate: Data, facet: str, who: int) -> Cell:
    """A share with its interval and count, and the facet it was counted from."""
    if rate["value"] is None:
        return Cell("–")
    small = f"{100 * rate['low']:.0f}–{100 * rate['high']:.0f} {_count(rate)}"
    return Cell(percent(rate["value"]), small, Behind(facet, who), rate["value"])


def _count(rate: Data) -> str:
    """`n=38`; where the cases are few `n=11/7°`, or `n=4°` where every case gives one trial."""
    trials, cases = rate["trials"], rate["cases"]
    if cases >= FEW:
        return f"n={trials}"
    return f"n={trials}{FEW_SIGN}" if cases == trials else f"n={trials}/{cases}{FEW_SIGN}"


def difference_cell(difference: Data, behind: Behind) -> Cell:
    """A difference of shares with its interval."""
    if difference["value"] is None:
        return Cell("–")
    sign = FEW_SIGN if difference["cases"] < FEW else ""
    small = f"{100 * difference['low']:+.0f}…{100 * difference['high']:+.0f}{sign}"
    return Cell(f"{100 * difference['value']:+.0f} %", small, behind)
