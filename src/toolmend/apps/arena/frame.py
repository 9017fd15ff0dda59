"""What the pages of the arena share: theme, heading, where the others are, the line that says what happened."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import gradio as gr

from toolmend.apps.arena.markup import safe, tag

PLACES = (("Side by side", "/"), ("Battle", "/battle/"), ("Leaderboard", "/board"), ("History", "/history"))
CSS = files(__package__).joinpath("style.css").read_text(encoding="utf-8")
KEYS = files(__package__).joinpath("keys.js").read_text(encoding="utf-8")
HEAD = f'<meta name="color-scheme" content="light dark"><script>{KEYS}</script>'
# Answers at once: each is a stream of its own. Gradio's default is one run of an event at a time, for all people.
AT_ONCE = 256
WAITING = 2048
# No event is offered to programs; each is drawn without Gradio's own signs of waiting, and several may run at once.
QUIET: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden", "trigger_mode": "multiple"}


def theme() -> gr.themes.Base:
    """Plain, with the fonts that the reader's machine has."""
    mono, plain = ["ui-monospace", "Menlo", "Consolas", "monospace"], ["system-ui", "Segoe UI", "Roboto", "sans-serif"]
    return gr.themes.Base(primary_hue="teal", neutral_hue="stone", font=plain, font_mono=mono).set(
        button_primary_background_fill="#0b6a78",
        button_primary_background_fill_hover="#095663",
        button_primary_background_fill_dark="#0b6a78",
        button_primary_background_fill_hover_dark="#0d7b8b",
        button_primary_text_color="#ffffff",
        checkbox_background_color_selected="#0b6a78",
        checkbox_border_color_selected="#0b6a78",
        body_text_color_subdued="#57534e",
        body_text_color_subdued_dark="#b5afa8",
        input_placeholder_color="#6b6560",
        input_placeholder_color_dark="#c4beb7",
        block_label_text_color="#44403c",
        block_label_text_color_dark="#d6d3d1",
        block_info_text_color="#57534e",
        block_info_text_color_dark="#b5afa8",
    )


def blocks(title: str) -> gr.Blocks:
    """An empty page that many people can use at once."""
    page = gr.Blocks(title=title, analytics_enabled=False, fill_width=True)
    page.queue(default_concurrency_limit=AT_ONCE, max_size=WAITING, api_open=False)
    return page


def top(here: str, target: str = "said") -> gr.HTML:
    """The heading of a page, with the way to the others. `target` is the id a keyboard may skip to."""
    links = [tag("a", safe(name), href=path, aria_current="page" if name == here else None) for name, path in PLACES]
    skip = tag("a", "To the text box", class_="skip", href=f"#{target}")
    head = tag("h1", "toolmend arena") + tag("nav", "".join(links), aria_label="Pages")
    return gr.HTML(skip + tag("header", head, class_="top"), apply_default_css=False, js_on_load=None)


def box(label: str, example: str) -> gr.Textbox:
    """The box in which everything is said; Enter sends."""
    return gr.Textbox(
        label=label, placeholder=example, lines=1, max_lines=6, scale=6, elem_id="said", max_length=8000, min_width=220
    )


def note_html(text: str, *, bad: bool = False) -> str:
    """What happened, in one line, read out by screen readers."""
    return tag("p", safe(text), role="alert" if bad else "status", class_="error" if bad else "told")
