"""The fallback for a CausalLM whose cache is of another form: KerasHub's own `generate`, one row at a time.

The same methods as Engine. Nothing is kept of a conversation, and a reply is shown when it is whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from toolmend.models.keras.engine import DecodedRow


class Plain:
    """Replies of one CausalLM. `never` cannot be kept to here; a led row (`pick`) is not led."""

    batch, leads, traces = 1, False, 0

    def __init__(self, lm: Any, window: int, stops: Sequence[int]) -> None:
        self._lm, self.window, self._stops = lm, window, tuple(int(each) for each in stops)
        self._temperature: float | None = None
        lm.preprocessor = None

    @property
    def bytes(self) -> int:
        """Bytes of the weights."""
        return sum(int(variable.value.nbytes) for variable in self._lm.variables)

    def generate(self, rows: Sequence[DecodedRow]) -> None:
        """Fill `made` and `ended` of every row."""
        for row in rows:
            self._sample(row)
            length = self.window
            tokens, mask = np.zeros((1, length), "int32"), np.zeros((1, length), "int32")
            tokens[0, : len(row.ids)], mask[0, : len(row.ids)] = row.ids, 1
            whole = self._lm.generate({"token_ids": tokens, "padding_mask": mask}, stop_token_ids=self._stops)
            made = [int(each) for each in np.asarray(whole["token_ids"])[0, len(row.ids) :][: row.room]]
            end = next((place for place, token in enumerate(made) if token in self._stops), None)
            row.made, row.ended = made[:end], end is not None
            row.take(row.made)

    def forget(self) -> None:
        """Nothing is kept."""

    def warm_up(self, sampled: Sequence[bool] = (False,)) -> None:
        """Compile what greedy replies need."""
        self.generate([DecodedRow([0], 1)])

    def _sample(self, row: DecodedRow) -> None:
        """Another temperature compiles anew; another seed does not."""
        import keras_hub

        if row.temperature != self._temperature:
            drawn = keras_hub.samplers.RandomSampler(temperature=row.temperature or 1.0, seed=0)
            self._lm.compile(sampler=drawn if row.temperature > 0 else "greedy")
            self._temperature = row.temperature
        if row.temperature > 0:
            self._lm.sampler.seed_generator.state.assign([row.seed % 2**31, 0])
