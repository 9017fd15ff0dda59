"""The card of a fine-tuned preset: what it was made from, how, and what was measured before and after. Only text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolmend.training.tune.examples import Examples

_MEANING = {
    "held_out_loss": "loss of the held-out examples (nats; lower is better)",
}
_RECIPE = ("rate", "batch", "epochs", "tokens", "seed", "warm_up", "decay", "clip")


def card(about: Mapping[str, Any], examples: Examples) -> str:
    """README.md of the preset, from what stands in its training.json."""
    figures, trained = about["figures"], about["trained"]
    rows = "\n".join(
        f"| {_MEANING[name]} | {before:.4f} | {figures['after'][name]:.4f} |"
        for name, before in figures["before"].items()
    )
    kept = figures["kept_step"]
    verdict = (
        f"The weights of step {kept:,} of {figures['steps']:,} are kept, the best by the first row."
        if kept
        else ("**No examination was better than the base: these are the base's weights.**")
    )
    special = {"preference": ["beta"]}.get(trained["method"], []) + (["rank", "alpha"] if trained["rank"] else [])
    recipe = ", ".join(f"{name} {trained[name]}" for name in (*_RECIPE, *special) if trained[name] is not None)
    return f"""# {about["name"]}: {about["about"]}

Made from `{trained["base"]}` with `{trained["command"]}`.
License: {about["license"]}.

| | before | after |
|---|---|---|
{rows}

{verdict} Which were kept was decided by these same figures, so they flatter: measure it on a suite it has not seen.

Learned from {len(examples.train):,} examples ({len(examples.held):,} held out, {examples.long:,} too long,
{examples.skipped:,} broken lines left out), data {trained["data"]}, {figures["tokens"]:,} padded tokens.
Recipe: {recipe}. The course of it: loss.svg.
"""
