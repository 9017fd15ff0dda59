"""Columns of the report that other packages bring (registry.columns): a number of a sample, its mean by contestant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from statistics import fmean

from toolmend.registry import columns
from toolmend.store import Sample


class OtherColumns:
    """The means of all registered columns, taken while samples pass."""

    def __init__(self) -> None:
        self._columns = {name: columns.get(name) for name in columns.names()}
        self._values: dict[tuple[tuple[str, str], str], list[float]] = defaultdict(list)

    def __bool__(self) -> bool:
        return bool(self._columns)

    def passing(self, samples: Iterable[Sample]) -> Iterator[Sample]:
        """The samples, each looked at."""
        for sample in samples:
            for name, column in self._columns.items():
                value = column(sample) if sample.status == "ok" else None
                if value is not None:
                    self._values[sample.contestant, name].append(value)
            yield sample

    def of(self, contestant: tuple[str, str]) -> dict[str, float | None]:
        """By name the mean of a contestant, None where no sample has a value."""
        means = {name: self._values.get((contestant, name)) for name in self._columns}
        return {name: fmean(values) if values else None for name, values in means.items()}
