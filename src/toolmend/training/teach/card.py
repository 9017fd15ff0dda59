"""The card of a taught model: what it is for, what it was taught with, its figures, how it fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_MISSES = 6


def percent(share: Mapping[str, float]) -> str:
    """`91.2 % [88.0, 93.7], 365 of 400`."""
    low, high = 100 * share["low"], 100 * share["high"]
    return f"{100 * share['share']:.1f} % [{low:.1f}, {high:.1f}], {share['k']:,} of {share['n']:,}"


def card(
    name: str, toolbox: str, trained: Mapping[str, Any], figures: Mapping[str, Any], misses: Sequence[tuple[str, ...]]
) -> str:
    """README.md of the preset. `misses` are (said, due, got) of the first held-out mistakes."""
    rows = "\n".join(f"| {kind} | {right} |" for kind, right in figures["by_kind"].items())
    arguments = "\n".join(f"| {argument} | {right} |" for argument, right in figures["by_argument"].items())
    fixed = figures["fix_by_level"].items()
    levels = "\n".join(f"| fix@1, level {level} | {percent(each)} |" for level, each in fixed)
    wrong = "\n".join(f"- *{said}*\n  due: `{due}`\n  said: `{got}`" for said, due, got in misses[:_MISSES])
    held = figures["held_out"]
    begun = f", begun as {trained['start']}" if trained["start"] else ""
    return f"""# {name}: taught for the toolbox `{toolbox}`

A Llama of {trained["parameters"]:,} parameters that answers with calls of `{toolbox}` in one line of Python, and with
nothing else. Taught by `{trained["command"]}` from {trained["examples"]} example sentences: dialogues made of them by
rule{trained["teacher"]}, with corrections, {trained["positions"]:,} positions{begun}. It reads the conversation; it
reads no system text, knows no world (which order, which customer) and not what day it is. English only.

| exam: whole reply exact, greedy, history as it should have been | share, 95 % interval (Wilson) |
|---|---|
| sentences and words as in training | {percent(figures["same"])} |
| **held out: {trained["held_out"]} sentences and their words, never trained on** | **{percent(held)}** |
| of these the requests and changes | {percent(figures["requests"])} |
| fix@1: right after one correction of a wrong reply | {percent(figures["fix"])} |
{levels}

Replies to one held-out sentence are alike, so the true intervals are wider. The exam's sentences are made by the same
rules as training's: how it does on what people really say is for a suite to show.

![loss](loss.svg)

| held out, by kind | exact |
|---|---|
{rows}

| held out, by argument | right |
|---|---|
{arguments}

How it fails (the first held-out misses):
{wrong or "- no miss in the exam"}
"""
