"""The side-by-side page: two talks, one box, and which button does what. Knows no model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradio as gr

from toolmend.apps.arena import frame
from toolmend.apps.arena.hands import WHERE, Half, Hand, Hands
from toolmend.apps.arena.side import Choices, Doings, Settings, Talking
from toolmend.arena import Arena, Which
from toolmend.arena.views import SIDES

_KEYS = """<details class="keys"><summary>By keyboard</summary><p><kbd>Enter</kbd> sends; <kbd>Shift</kbd>+
<kbd>Enter</kbd> is a new line. <kbd>Alt</kbd>+<kbd>L</kbd>, <kbd>Alt</kbd>+<kbd>R</kbd>, <kbd>Alt</kbd>+<kbd>B</kbd>:
to the left, the right, both. <kbd>Alt</kbd>+<kbd>1</kbd> and <kbd>Alt</kbd>+<kbd>2</kbd>: into the box that corrects
the left or right reply, or to <i>Allow</i> where a call waits. <kbd>/</kbd> goes to the box below. <kbd>Tab</kbd>
reaches everything else.</p></details>"""


def duel_blocks(arena: Arena) -> gr.Blocks:
    """The page for all; whose desk it shows is in the cookie of each request."""
    choices = Choices(arena.models, arena.strategies, arena.toolboxes, [case.id for case in arena.cases])
    page = frame.blocks("toolmend arena")
    with page, gr.Column(elem_classes="arena"):
        frame.top("Side by side")
        with gr.Row(elem_classes="sides", equal_height=False):
            halves = {side: _half(side, choices) for side in SIDES}
        note, text, to, send = _composer()
        gr.HTML(_KEYS, apply_default_css=False, js_on_load=None)
        _wire(page, Hands(arena, halves, note, text), text, to, send)
    return page


def _half(side: Which, choices: Choices) -> Half:
    with gr.Column(elem_classes=["side", side], min_width=340):
        settings = Settings.made(side, choices)
        talking, doings = Talking.made(side), Doings.made(side)
    return Half(talking, settings, doings)


def _composer() -> tuple[gr.HTML, gr.Textbox, gr.Radio, gr.Button]:
    with gr.Column(elem_classes="composer"):
        note = gr.HTML(elem_classes="note", elem_id="note", apply_default_css=False, js_on_load=None)
        with gr.Row(elem_classes="saying"):
            text = frame.box("Say", "Add a lunch with Ada on May 3 at noon")
            to = gr.Radio(list(WHERE), value="Both", label="To", scale=2, min_width=290, elem_id="to")
            send = gr.Button("Send", variant="primary", scale=1, min_width=90, elem_id="send")
    return note, text, to, send


def _wire(page: gr.Blocks, hands: Hands, text: gr.Textbox, to: gr.Radio, send: gr.Button) -> None:
    said: dict[str, Any] = {"inputs": [text, to], "outputs": [*hands.outputs, text]}
    page.load(hands.load, outputs=[*hands.outputs, *hands.fields], **frame.QUIET)
    send.click(hands.send, **said, **frame.QUIET)
    text.submit(hands.send, **said, **frame.QUIET)
    for side in SIDES:
        half, hand = hands.halves[side], Hand(hands, side)
        half.talking.talk.submit(hand.acted, outputs=hands.outputs, **frame.QUIET)
        own: list[tuple[gr.Button, Callable[..., Any]]] = [
            (half.doings.stop, hand.stop),
            (half.doings.retry, hand.retry),
            (half.doings.undo, hand.undo),
            (half.doings.clear, hand.clear),
        ]
        for pressed, done in own:
            pressed.click(done, outputs=[*half.parts, hands.note], **frame.QUIET)
        _wire_settings(half.settings, hand, [*half.parts, hands.note, *half.settings.fields])


def _wire_settings(settings: Settings, hand: Hand, outputs: list[Any]) -> None:
    told: dict[str, Any] = {"inputs": set(settings.fields), "outputs": outputs, **frame.QUIET}
    settings.start.click(hand.start, **told)
    for field in settings.fields:
        event = field.input if isinstance(field, gr.Dropdown) else field.blur
        event(hand.picked, **told)
