"""A run as one HTML file that needs nothing else: tables, plots, and the whole conversations behind every figure.

No request leaves the page (its own policy forbids them), nothing a model wrote is ever markup, and conversations are
gzip in base64, fifty to a block, unpacked by the browser when somebody looks. Knows no store: samples stream through.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from importlib.resources import files
from typing import Any, TextIO
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from toolmend.base.mistakes import Mark
from toolmend.evals.reports import heat, plots, tables
from toolmend.evals.reports.evidence import FACETS, Piece, PublishedEvidence, evidence
from toolmend.evals.reports.published import published
from toolmend.evals.reports.tables import FEW_NOTE, Behind, name_of
from toolmend.evals.reports.talk import talk
from toolmend.evals.store import Run, Sample
from toolmend.evals.suites.suite import Suite

BLOCK = 50  # conversations unpacked at a time


def write_html(
    file: TextIO,
    run: Run,
    samples: Iterable[Sample],
    report: Mapping[str, Any] | None = None,
    *,
    suite: Suite | None = None,
    chosen: str = "",
    state: str = "",
) -> None:
    """Write the page of a run, or without a report that of some of its conversations (`chosen` says which).

    `suite` is what was played, where the report has the published tables. `state` is that of the store where the page
    is served (`toolmend view`): it leads back to the other runs, and asks there whether more has come.
    """
    environment = Environment(
        loader=PackageLoader("toolmend.evals.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["link"] = _link
    data = PageData(run, suite if report and "blog" in report else None)
    script, style = _script(), _asset("colours.css") + _asset("page.css")
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
        + "; connect-src 'self'" * bool(state)
    )
    page = environment.get_template("page.html").generate(
        run=run,
        report=report,
        chosen=chosen,
        state=state,
        tables=tables,
        published=published(report) if report else [],
        plots=plots,
        heat_maps=heat.heat_maps(report) if report else [],
        few=FEW_NOTE,
        policy=policy,
        script=script,
        style=style,
        data=data,
        samples=samples,
    )
    for piece in page:
        file.write(piece)


class PageData:
    """What the page's script works on, gathered while the samples go by once."""

    def __init__(self, run: Run, suite: Suite | None = None) -> None:
        self.limits = {
            experiment["id"]: experiment["corrections"] for experiment in run.config.settings.get("experiments", ())
        }
        self.published = PublishedEvidence(suite) if suite else None
        self.who = _Numbers([(contestant.model, contestant.strategy) for contestant in run.config.contestants])
        self.cases, self.mistakes, self.arms, self.counted = _Numbers(), _Numbers(), _Numbers(), _Numbers()
        self.rows: dict[str, list[Any]] = {
            name: [] for name in ("case", "who", "attempt", "arm", "error", "marks", "mistakes", "pieces")
        }

    def blocks(self, samples: Iterable[Sample]) -> Iterator[str]:
        """The conversations, packed; afterwards `index` knows them all."""
        block: list[dict[str, Any]] = []
        for sample in samples:
            self._count(sample)
            block.append(talk(sample))
            if len(block) == BLOCK:
                yield pack(block)
                block = []
        if block:
            yield pack(block)

    def index(self) -> str:
        """Who, which case, which marks and mistakes, and what each sample counts for; packed."""
        return pack(
            {
                "block": BLOCK,
                "who": self.who.values,
                "names": [name_of({"model": model, "strategy": strategy}) for model, strategy in self.who.values],
                "cases": self.cases.values,
                "arms": self.arms.values,
                "mistakes": self.mistakes.values,
                "counted": self.counted.values,
                "marks": {mark.value: mark.glyph for mark in Mark},
                "facets": {name: asdict(facet) for name, facet in FACETS.items()},
                "rows": self.rows,
            }
        )

    def _count(self, sample: Sample) -> None:
        marked = sample.marked
        kinds = dict.fromkeys(str(mistake) for reply in marked for mistake in reply.mistakes)
        row = {
            "case": self.cases.of(sample.case),
            "who": self.who.of(sample.contestant),
            "attempt": sample.attempt,
            "arm": self.arms.of(sample.arm),
            "error": int(sample.status == "error"),
            "marks": " ".join("".join(_LETTERS[mark] for mark in reply.marks) for reply in marked),
            "mistakes": [self.mistakes.of(kind) for kind in kinds],
            "pieces": [number for piece in self._pieces(sample) for number in self._numbers(piece)],
        }
        for name, value in row.items():
            self.rows[name].append(value)

    def _pieces(self, sample: Sample) -> list[Piece]:
        found = evidence(sample, self.limits.get(sample.case.split("/")[0], 3))
        return found + (self.published.of(sample) if self.published else [])

    def _numbers(self, piece: Piece) -> tuple[int, int]:
        return piece.turn, self.counted.of((piece.facet, piece.kind, piece.outcome))


_LETTERS = {mark: mark.value[0] if mark is not Mark.REGRESSED else "x" for mark in Mark}


class _Numbers:
    """A number for each different value, in the order met."""

    def __init__(self, values: Iterable[Any] = ()) -> None:
        self._number = {value: number for number, value in enumerate(dict.fromkeys(values))}

    def of(self, value: Any) -> int:
        return self._number.setdefault(value, len(self._number))

    @property
    def values(self) -> list[Any]:
        return list(self._number)


def pack(data: Any) -> str:
    """JSON, gzip, base64; the same for the same data. Nothing in it can end a script element."""
    text = json.dumps(data, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode("ascii"), 9, mtime=0)).decode("ascii")


def unpack(text: str) -> Any:
    """What `pack` packed."""
    return json.loads(gzip.decompress(base64.b64decode(text)))


def _link(behind: Behind) -> str:
    kind = f"&kind={quote(behind.kind, safe='')}" if behind.kind else ""
    return f"#show={quote(behind.facet, safe='')}&who={behind.who}{kind}"


def _script() -> Markup:
    """The page's script: files of one scope, which nothing outside can reach."""
    parts = [_asset(f"script/{name}.js") for name in ("data", "elements", "list", "talk", "page", "live")]
    return Markup('"use strict";\n(() => {\n') + Markup("\n").join(parts) + Markup("})();\n")


def _asset(name: str) -> Markup:
    """A file of this package, ours and no foreign word in it: the only text that is not escaped."""
    return Markup(files("toolmend.evals.reports").joinpath("templates", name).read_text(encoding="utf-8"))


def _hash(text: str) -> str:
    """The word by which the policy lets exactly this script or style be."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
