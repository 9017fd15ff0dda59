"""The Gradio parts of one side: settings, talk, what is being written, buttons, world. Knows no desk and no events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import gradio as gr

from toolmend.apps.arena.markup import safe, tag
from toolmend.apps.arena.talk import live_html, talk_html
from toolmend.apps.arena.world import world_html
from toolmend.arena import Contestant, SideView, Which

PRESSED = files(__package__).joinpath("page.js").read_text(encoding="utf-8")
FREE = "none: free talk"

Shown = dict[Any, Any]


@dataclass(frozen=True, slots=True)
class Choices:
    """What can be chosen on a side."""

    models: Sequence[str]
    strategies: Sequence[str]
    toolboxes: Sequence[str]
    cases: Sequence[str]


@dataclass(frozen=True, slots=True, eq=False)
class Talking:
    """What both kinds of page have on a side: a heading, the talk, what is being written, the world."""

    which: Which
    title: gr.HTML
    talk: gr.HTML
    live: gr.HTML
    world: gr.HTML

    @classmethod
    def made(cls, which: Which) -> Talking:
        """The parts, in the order of the page, where the layout stands."""
        title = gr.HTML(elem_id=f"{which}-title", apply_default_css=False, js_on_load=None)
        with gr.Row(elem_classes="beside", equal_height=False):
            with gr.Column(elem_classes="paper", min_width=340):
                talk = gr.HTML(
                    elem_id=f"{which}-talk", elem_classes="talk", apply_default_css=False, js_on_load=PRESSED
                )
                live = gr.HTML(elem_id=f"{which}-live", elem_classes="writing", apply_default_css=False)
            world = gr.HTML(elem_id=f"{which}-world", elem_classes="world", apply_default_css=False)
        return cls(which, title, talk, live, world)

    @property
    def parts(self) -> list[Any]:
        """Everything an event may change."""
        return [self.title, self.talk, self.live, self.world]

    def shown(self, view: SideView, suggestions: Sequence[str] = (), *, fixing: bool = True) -> Shown:
        """The parts as this view has them."""
        return {
            self.title: gr.update(value=title_html(view)),
            self.talk: gr.update(value=talk_html(view, suggestions, fixing=fixing)),
            **self.written(view),
            self.world: gr.update(value=world_html(view.world)),
        }

    def written(self, view: SideView) -> Shown:
        """Only what is being written."""
        writes = view.busy and view.question is None
        return {self.live: gr.update(value=live_html(view.name or self.which, view.partial, writes))}


@dataclass(frozen=True, slots=True, eq=False)
class Settings:
    """The choices of a side. `fields` in the order in which `chosen` takes their values."""

    fields: tuple[Any, ...]
    start: gr.Button

    @classmethod
    def made(cls, which: Which, choices: Choices) -> Settings:
        """The parts where the layout stands: two choices at once in sight, the others folded."""
        about = which.capitalize()
        with gr.Row(elem_classes="choices"):
            model = gr.Dropdown(list(choices.models), label=f"{about} model", min_width=150, filterable=True)
            strategy = gr.Dropdown(list(choices.strategies), label=f"{about} strategy", min_width=110)
            start = gr.Button("New talk", elem_id=f"{which}-start", scale=0, min_width=100)
        with gr.Accordion("World, case, system text, sampling", open=False):
            with gr.Row():
                toolbox = gr.Dropdown(list(choices.toolboxes), label="Toolbox", min_width=120)
                case = gr.Dropdown([FREE, *choices.cases], label="Case, which says what is right", min_width=160)
            system = gr.Textbox(label="System text (empty: the strategy's own)", lines=2, max_length=20_000)
            with gr.Row():
                heat = gr.Number(label="Temperature", minimum=0, maximum=2, step=0.1, min_width=90)
                tokens = gr.Number(label="Most tokens", minimum=1, maximum=32_768, precision=0, min_width=90)
                seed = gr.Number(label="Seed (empty: none)", precision=0, min_width=90)
        return cls((model, strategy, toolbox, case, system, heat, tokens, seed), start)

    def shown(self, view: SideView) -> Shown:
        """The fields as this view has them."""
        who = view.contestant or Contestant("", "")
        values = (
            who.model,
            who.strategy,
            view.toolbox,
            view.case or FREE,
            view.system or "",
            view.temperature,
            view.max_tokens,
            view.seed,
        )
        return {field: gr.update(value=value) for field, value in zip(self.fields, values, strict=True)}

    def chosen(self, given: Mapping[Any, Any], now: SideView) -> Mapping[str, Any]:
        """What `Desk.set` is told, from the values of the fields; another world than `now` takes its case away."""
        model, strategy, toolbox, case, system, heat, tokens, seed = (given[field] for field in self.fields)
        return {
            "contestant": Contestant(model, strategy),
            "toolbox": toolbox,
            "case": "" if case == FREE or (toolbox != now.toolbox and case == now.case) else case,
            "system": system or "",
            "temperature": heat,
            "max_tokens": tokens,
            "seed": seed,
        }


@dataclass(frozen=True, slots=True, eq=False)
class Doings:
    """The buttons under a talk."""

    stop: gr.Button
    retry: gr.Button
    undo: gr.Button
    clear: gr.Button

    @classmethod
    def made(cls, which: Which) -> Doings:
        """The parts where the layout stands."""
        with gr.Row(elem_classes="doings"):
            made = [gr.Button(word, size="sm", elem_id=f"{which}-{word.lower()}", min_width=64) for word in _WORDS]
        return cls(*made)

    @property
    def parts(self) -> list[Any]:
        """All of them."""
        return [self.stop, self.retry, self.undo, self.clear]

    def shown(self, view: SideView) -> Shown:
        """Which of them can be pressed now."""
        said = bool(view.turns or view.waiting)
        free = said and not view.busy
        able = (view.busy, free, free, free or view.question is not None)
        return {part: gr.update(interactive=yes) for part, yes in zip(self.parts, able, strict=True)}


_WORDS = ("Stop", "Retry", "Undo", "Clear")


def title_html(view: SideView) -> str:
    """The heading of a side: who answers, and where the talk is kept."""
    known = view.contestant and view.turns
    link = tag("a", "address of this talk", href=f"/c/{view.conversation}") if known else ""
    return tag("h2", safe(view.name)) + link
