"""A talk over somebody's own tools: that over made-up ones (tool_talks.py) with these in their place, with sentences
that are said as they stand, and second thoughts in the person's own words."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from toolmend.language.resolve.said import CHANGE, Said
from toolmend.reading.spoken import read_spoken
from toolmend.training.adapter.turn import Turn
from toolmend.training.teach.kit import Kit
from toolmend.training.teach.tool_requests import Offered
from toolmend.training.teach.tool_talks import ToolTalk

_DESCRIBED, _LONGEST = 0.4, 1800  # letters of a system text with descriptions
_FIXED = 6


class TaughtTalk(ToolTalk):
    """A talk over a kit by its seed. `held_out`: with wordings, complaints and changes that are never trained on."""

    def __init__(self, kit: Kit, seed: int, *, held_out: bool = False) -> None:
        self.kit, self._chosen = kit, Random(f"kit {seed} {held_out}")
        super().__init__(seed, held_out=held_out)

    def ops(self) -> Mapping[str, float]:
        """Any that makes sense now, and examples as they stand."""
        return {**super().ops(), "fixed": _FIXED * bool(self.kit.fixed and not self.held_out)}

    def _offers(self) -> tuple[list[Offered], bool]:
        offered = self.kit.offered(self._chosen, held_out=self.held_out)
        length = sum(len(str(one.spec.parameters)) + len(one.spec.description) for one in offered)
        return offered, length < _LONGEST and self._chosen.random() < _DESCRIBED

    def _fixed(self) -> bool | None:
        """An example as it stands."""
        said, reply = self.random.choice(self.kit.fixed)
        lines = read_spoken(reply, self.specs).lines
        if not lines:
            self.turns.append(Turn(said, reply, True, "fixed"))
            return None
        computed = self._computed(lines, said)
        if not computed.calls:
            return False
        self._reply(said, list(lines), "fixed", computed)
        return None

    def _change(self) -> bool | None:
        """Another value for an argument, half of the time in the person's own words."""
        old = self.calls[-1]
        own = () if self.held_out else self.kit.changes.get(old.tool, ())
        if not own or self._chosen.random() < 0.5:
            return super()._change()
        name, wording = self._chosen.choice(own)
        told = self.asking.say(self._offered(old).parameter(name).kind)
        said, line = wording.replace(f"{{{name}}}", told.words), Said(CHANGE, {name: told.words})
        computed = self._computed([line], said)
        due = {**old.arguments, name: told.value}
        if told.value == old.arguments.get(name) or [dict(call.arguments) for call in computed.calls] != [due]:
            return False
        self._reply(said, [line], "change", computed)
        return None
