"""Who may run what: a policy over the effects of tools, and a person who is asked where it says so.

    Session(model, tools, approve="write=ask,danger=deny")            # nobody to ask: what would be asked is denied
    Session(model, tools, approve=Approvals(Policy(write="ask"), ask))  # async def ask(question) -> Verdict

Every decision is an event (`Decided`) and a line of the log `toolmend.approval`, which has no arguments. Knows no
screen: a terminal, the server and the arena each bring an `ask`.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

from toolmend.base.errors import BadOption, ToolError, UnknownName
from toolmend.base.events import Decided
from toolmend.base.messages import Call, Effect
from toolmend.session.mend.doubts import sourced
from toolmend.session.together import SharedAct
from toolmend.tools import Toolbox
from toolmend.tools.preview import preview

Rule = Literal["allow", "ask", "deny", "dry-run"]
RULES: tuple[str, ...] = get_args(Rule)

log = logging.getLogger("toolmend.approval")


@dataclass(frozen=True, slots=True)
class Policy:
    """What is done about calls of tools that read, that write, and that cannot be taken back."""

    read: Rule = "allow"
    write: Rule = "allow"
    danger: Rule = "ask"

    @classmethod
    def of(cls, text: str) -> Policy:
        """`ask` (for everything but reading), or `write=ask,danger=deny`. Raises BadOption."""
        rules: dict[str, Any] = {}
        for part in filter(None, (piece.strip() for piece in text.split(","))):
            effect, sign, rule = part.rpartition("=")
            if rule not in RULES or (sign and effect not in get_args(Effect)):
                raise BadOption(
                    f"approval {part!r} is no policy: write one of {', '.join(RULES)}, "
                    "or such a word for an effect, as in write=ask,danger=deny "
                    f"(effects: {', '.join(get_args(Effect))})"
                )
            rules |= {effect: rule} if sign else {"write": rule, "danger": rule}
        return cls(**rules)

    def rule(self, effect: Effect) -> Rule:
        """What holds for tools of that effect."""
        rule: Rule = getattr(self, effect)
        return rule

    def __str__(self) -> str:
        """As it is written on the command line."""
        return ",".join(f"{field.name}={getattr(self, field.name)}" for field in fields(self))


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """May this call run? `call` has the arguments that will be run, `preview` what would change, "" if unknown, and
    `doubts` are why it may not be what was asked for (careful.py). `id` is its number where questions are kept."""

    turn: int
    call: Call
    effect: Effect
    preview: str = ""
    doubts: tuple[str, ...] = ()
    id: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer: `by` is who gave it, `reason` is told to the model."""

    allowed: bool
    reason: str = ""
    by: str = "person"

    def __post_init__(self) -> None:
        """Nothing but True allows: not a word or a number that a screen passed on."""
        object.__setattr__(self, "allowed", self.allowed is True)

    @classmethod
    def of(cls, text: str, by: str = "person") -> Verdict:
        """The answer that somebody wrote: `yes` or `y` and not a word more allows. All else is a no, and its words but
        for a leading `no` are the reason."""
        said = text.strip()
        if said.lower() in _YES:
            return cls(True, by=by)
        return cls(False, _NO.sub("", said, count=1), by)


_YES = frozenset({"y", "yes"})
_NO = re.compile(r"\A(?:no|n)(?:\W+|\Z)", re.IGNORECASE)

Asker = Callable[[ApprovalRequest], Awaitable[Verdict]]
Look = Callable[[Call], tuple[str, ...]]
Before = Callable[[int, Call], Decided | None]


@dataclass(frozen=True, slots=True)
class Approvals:
    """A policy, and who is asked; with nobody to ask, what would be asked is denied.

    `before` is for a talk that is told again: what was decided over this call of this turn then, None for a new call.
    `look` finds what is doubtful of a call (careful.py): it is shown with the question, and what came from outside the
    talk is asked about even where the policy would let it run.
    """

    policy: Policy = Policy()
    ask: Asker | None = None
    before: Before | None = None
    look: Look | None = None


def approvals_of(given: str | Policy | Approvals | None) -> Approvals | None:
    """What `Session(approve=…)` was given; None runs everything, as a measurement must. Raises BadOption."""
    if given is None or isinstance(given, Approvals):
        return given
    return Approvals(Policy.of(given) if isinstance(given, str) else given)


class Approver:
    """Decides over the calls of one talk. What was denied is denied again in the same turn: nobody is asked twice."""

    def __init__(self, tools: Toolbox, approvals: Approvals) -> None:
        self.tools, self.approvals = tools, approvals
        self._denied: dict[tuple[int, str], Decided] = {}
        self.together = SharedAct()

    def asks(self, call: Call) -> bool:
        """Whether somebody is there to be asked about calls of this tool, and is."""
        tools = {spec.full_name: spec.effect for spec in self.tools.specs}
        effect = tools.get(call.tool)
        return effect is not None and self.approvals.ask is not None and self.approvals.policy.rule(effect) == "ask"

    async def decide(self, turn: int, call: Call) -> Decided | None:
        """The decision; None for a call that cannot run anyway."""
        try:
            tool = self.tools.tool(call.tool)
            await self.tools.accept(call)
        except (UnknownName, ToolError):
            return None
        if self.approvals.before and (then := self.approvals.before(turn, call)):
            self.together.decide(then.decision == "allowed", then.by, then.reason)
            return then
        same = turn, json.dumps([call.tool, call.arguments], sort_keys=True, default=repr)
        made = self._denied.get(same)
        made = replace(made, call=call) if made else await self._decided(turn, call, tool.effect)
        if made.decision == "denied":
            self._denied[same] = made
        _note(made)
        return made

    async def _decided(self, turn: int, call: Call, effect: Effect) -> Decided:
        rule = self.approvals.policy.rule(effect)
        doubts = self.approvals.look(call) if self.approvals.look and effect != "read" else ()
        several = self.together.has(call)
        doubts = (self.together.listed(), *doubts) if several else doubts
        asked = sourced(doubts) or (several and self.approvals.ask is not None)
        rule = "ask" if rule == "allow" and asked else rule
        if rule == "allow":
            return Decided(turn, call, effect, "allowed")
        if rule == "deny":
            return Decided(turn, call, effect, "denied", reason=f"tools that {_does(effect)} are not to be called here")
        seen = self._seen(call)
        if rule == "dry-run":
            return Decided(turn, call, effect, "dry-run", preview=seen)
        if self.approvals.ask is None:
            why = "it needs a person's consent and nobody can be asked" + "".join(f"; {doubt}" for doubt in doubts)
            return Decided(turn, call, effect, "denied", reason=why)
        if several and self.together.decided:
            allowed, by, reason = self.together.decided
            return Decided(turn, call, effect, "allowed" if allowed else "denied", by, reason, seen)
        try:
            verdict = await self.approvals.ask(ApprovalRequest(turn, call, effect, seen, doubts))
        except BaseException:  # the turn ends while the question waits: nothing runs, and that is written down, too
            _note(Decided(turn, call, effect, "denied", "nobody"))
            raise
        decision = "allowed" if verdict.allowed else "denied"
        self.together.decide(verdict.allowed, verdict.by, verdict.reason)
        return Decided(turn, call, effect, decision, verdict.by, verdict.reason, seen)

    def _seen(self, call: Call) -> str:
        """What would change; of calls that go together what each of them would."""
        calls = self.together.calls if self.together.has(call) and not self.together.decided else (call,)
        return "\n".join(dict.fromkeys(preview(self.tools, one) for one in calls))


def _note(made: Decided) -> None:
    fields_ = {"tool": made.call.tool, "effect": made.effect, "decision": made.decision, "by": made.by}
    log.info("approval", extra={"fields": {**fields_, "turn": made.turn}})


def told(decided: Decided) -> str:
    """What a model is told of a call that was not run."""
    if decided.decision == "dry-run":
        return (
            f"dry run: it was not run{'. It would have changed:' if decided.preview else ''}\n{decided.preview}".strip()
        )
    who = "the user did not allow it" if decided.by != "policy" else "it was not allowed"
    return f"not run: {who}{': ' if decided.reason else ''}{decided.reason}. Do not make this call again."


def _does(effect: Effect) -> str:
    return {"read": "read", "write": "change something", "danger": "do what cannot be taken back"}[effect]
