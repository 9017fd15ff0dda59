"""How often a right call is doubted, and asked about although nothing is wrong: written suites, their calls given.

    python benchmarks/consent.py calendar_dev shop

Nothing is answered but yes; no model is asked. Prints per suite: right calls that write, those asked about, and why.
"""

from __future__ import annotations

import sys
from collections import Counter

from toolmend.base.portal import run_sync
from toolmend.evals.suites.oracle import right_reply
from toolmend.evals.suites.suite import Case, Suite, load_suite
from toolmend.models.scripted import Scripted
from toolmend.session import Answer, ApprovalRequest, Approvals, Session, Verdict
from toolmend.session.careful import CAREFUL, Careful


async def asked(suite: Suite, case: Case) -> tuple[int, list[ApprovalRequest]]:
    """The right calls of a dialogue that write, and the questions about them."""
    questions: list[ApprovalRequest] = []

    async def yes(question: ApprovalRequest) -> Verdict:
        questions.append(question)
        return Verdict(True)

    session: Session
    careful = Careful(yes, lambda: session)
    approvals = Approvals(CAREFUL, careful.ask, look=careful.look)
    session = Session(Scripted([""]), suite.toolbox(case), "oneline", approve=approvals, sink=careful.hear, mend=False)
    finals: list[Answer] = []
    for step in case.steps:
        target = None if step.amends is None else finals[step.amends]
        finals.append(await session.play(step.say, target, reply=right_reply(step)))
    effects = {spec.full_name: spec.effect for spec in session.tools.specs}
    return sum(effects.get(call.tool) != "read" for answer in finals for call in answer.standing), questions


def main(names: list[str]) -> None:
    """Print a line per suite, and the doubts by their kind."""
    for name in names:
        suite = load_suite(name)
        made, kinds, some = 0, Counter[str](), list[str]()
        total = 0
        for case in suite.cases().values():
            count, questions = run_sync(asked, suite, case)
            made, total = made + count, total + len(questions)
            for question in questions:
                kinds.update(doubt.partition(" ")[0] for doubt in question.doubts)
                some += [f"{question.call.tool}: {'; '.join(question.doubts)}"]
        told = ", ".join(f"{kind} {number}" for kind, number in kinds.most_common())
        print(f"{name}: {total} of {made} right calls asked about ({100 * total / max(1, made):.0f} %): {told}")
        if "-v" in sys.argv:
            print("\n".join(f"    {line}" for line in some))


if __name__ == "__main__":
    main([name for name in sys.argv[1:] if not name.startswith("-")] or ["calendar_dev", "shop"])
