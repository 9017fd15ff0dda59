"""What strategies read on LLMaker's 50 requests, replies by the oracle. Needs the file of published requests.

Run: PYTHONPATH=src python benchmarks/calling_tokens.py PATH [STRATEGY ...]   (else: freyr freyr_paper react oneline)

Prints input tokens of a turn beside those of `native`, by number of calls made, and with prefix caching on both sides:
then only what no earlier request of the run began with counts.
"""

from __future__ import annotations

import sys
from statistics import median

from input_tokens import TOKENIZER, Read, measured, ratio
from toolmend.evals.suites.suite import load_suite


def row(name: str, read: list[Read], native: list[Read]) -> str:
    """Medians of one strategy, and medians of its shares of native, request by request."""
    every, fresh = median(each.tokens for each in read), median(each.fresh for each in read)
    plain = ratio(read, native, lambda each: each.tokens)
    cached = ratio(read, native, lambda each: each.fresh)
    whole = every / median(each.tokens for each in native)
    requests = sum(each.requests for each in read) / len(read)
    return f"{name:<24}{requests:>9.2f}{every:>9.0f}{plain:>9.1%}{whole:>9.1%}{fresh:>9.0f}{cached:>9.1%}"


def main() -> None:
    """Measure and print."""
    suite = load_suite("llmaker", cases=sys.argv[1])
    names = sys.argv[2:] or ["freyr", "freyr_paper", "react", "oneline"]
    native = measured(suite, "native")
    everything = {name: measured(suite, name) for name in names}
    print(f"tokens: {TOKENIZER}; {len(native)} requests, level text in all, rounds as run")
    print("share: median over the requests of tokens / native's; medians: median / median; fresh: with prefix caching")
    print(f"{'':<24}{'requests':>9}{'tokens':>9}{'share':>9}{'medians':>9}{'fresh':>9}{'share':>9}")
    print(row("native", native, native))
    for name, read in everything.items():
        print(row(name, read, native))
    for calls in sorted({each.calls for each in native}):
        cases = {each.case for each in native if each.calls == calls}
        print(f"{calls} calls ({len(cases)} requests)")
        few = [each for each in native if each.case in cases]
        print(row("  native", few, few))
        for name, read in everything.items():
            print(row(f"  {name}", [each for each in read if each.case in cases], few))


if __name__ == "__main__":
    main()
