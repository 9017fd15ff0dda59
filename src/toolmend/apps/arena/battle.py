"""The page of blind battles: two talks without names, a ballot, then the names. It lists no contestants."""

from __future__ import annotations

import gradio as gr

from toolmend.apps.arena import frame
from toolmend.apps.arena.battling import Battling
from toolmend.apps.arena.side import PRESSED, Talking
from toolmend.arena import Arena
from toolmend.arena.views import SIDES

_KEYS = """<details class="keys"><summary>By keyboard</summary><p>Outside the text box: <kbd>A</kbd> A is better,
<kbd>B</kbd> B is better, <kbd>T</kbd> tie, <kbd>X</kbd> both bad, <kbd>1</kbd> to <kbd>8</kbd> the scale,
<kbd>N</kbd> the next of the queue. <kbd>Esc</kbd> leaves the text box.</p></details>"""


def battle_blocks(arena: Arena) -> gr.Blocks:
    """The page for all; whose battle it shows is in the cookie of each request."""
    page = frame.blocks("toolmend arena: battle")
    with page, gr.Column(elem_classes=["arena", "battle"]):
        frame.top("Battle")
        head = gr.HTML(elem_classes="head", elem_id="head", apply_default_css=False, js_on_load=PRESSED)
        with gr.Row(elem_classes="sides", equal_height=False):
            halves = {}
            for side in SIDES:
                with gr.Column(elem_classes=["side", side], min_width=340):
                    halves[side] = Talking.made(side)
        ballot = gr.HTML(elem_id="ballot", elem_classes="ballot", apply_default_css=False, js_on_load=PRESSED)
        with gr.Column(elem_classes="composer"):
            note = gr.HTML(elem_classes="note", elem_id="note", apply_default_css=False, js_on_load=None)
            with gr.Row(elem_classes="saying"):
                text = frame.box("Say to both", "Add a lunch with Ada on May 3 at noon")
                send = gr.Button("Send", variant="primary", scale=1, min_width=90, elem_id="send")
                stop = gr.Button("Stop", scale=1, min_width=70, elem_id="stop")
        gr.HTML(_KEYS, apply_default_css=False, js_on_load=None)
        hands = Battling(arena, halves, head, ballot, note, text)
        page.load(hands.load, outputs=hands.outputs, **frame.QUIET)
        send.click(hands.send, inputs=text, outputs=hands.outputs, **frame.QUIET)
        text.submit(hands.send, inputs=text, outputs=hands.outputs, **frame.QUIET)
        stop.click(hands.stop, outputs=hands.outputs, **frame.QUIET)
        head.submit(hands.next, outputs=hands.outputs, **frame.QUIET)
        ballot.submit(hands.vote, outputs=hands.outputs, **frame.QUIET)
    return page
