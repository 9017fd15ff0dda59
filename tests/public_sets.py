"""Small sets of our own in the formats of public ones: no sentence of theirs is in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SCHEMA = [
    {
        "service_name": "Boats_1", "description": "Hire boats",
        "slots": [
            {"name": "harbour", "description": "Where the boat lies", "is_categorical": False, "possible_values": []},
            {"name": "hire_date", "description": "Which day", "is_categorical": False, "possible_values": []},
            {"name": "seats", "description": "How many people", "is_categorical": True,
             "possible_values": ["1", "2", "3"]},
            {"name": "motor", "description": "With a motor", "is_categorical": True,
             "possible_values": ["True", "False"]},
            {"name": "boat_name", "description": "Name of the boat", "is_categorical": False, "possible_values": []},
        ],
        "intents": [
            {"name": "FindBoats", "description": "Look for boats", "is_transactional": False,
             "required_slots": ["harbour"], "optional_slots": {"motor": "dontcare"}, "result_slots": []},
            {"name": "HireBoat", "description": "Hire a boat.", "is_transactional": True,
             "required_slots": ["boat_name", "harbour", "hire_date"], "optional_slots": {"seats": "2"},
             "result_slots": []},
        ],
    }
]  # fmt: skip
VARIANT = [
    {
        **SCHEMA[0], "service_name": "Boats_11",
        "slots": [{**slot, "name": name} for slot, name in
                  zip(SCHEMA[0]["slots"], ("port", "day_of_hire", "people", "has_engine", "vessel"), strict=True)],
        "intents": [{**intent, "name": name} for intent, name in
                    zip(SCHEMA[0]["intents"], ("SearchVessels", "RentVessel"), strict=True)],
    }
]  # fmt: skip


def user(text: str, intent: str, values: dict[str, list[str]], acts: list[str], *told: str) -> dict[str, Any]:
    """A person's turn; `told` are `slot=words` that stand in the text, an act may name its slot: `INFORM seats`."""
    spans = []
    for slot, _, words in (one.partition("=") for one in told):
        start = text.index(words)
        spans.append({"slot": slot, "start": start, "exclusive_end": start + len(words)})
    state = {"active_intent": intent, "requested_slots": [], "slot_values": values}
    actions = [{"act": act.split()[0], "slot": act.partition(" ")[2], "values": []} for act in acts]
    return {
        "speaker": "USER", "utterance": text,
        "frames": [{"service": "Boats_1", "slots": spans, "state": state, "actions": actions}],
    }  # fmt: skip


SYSTEM = {"speaker": "SYSTEM", "utterance": "There is the Kittiwake.", "frames": []}
HIRED = {"harbour": ["Harwich"], "motor": ["True"], "boat_name": ["Kittiwake"], "seats": ["3"]}
DIALOGUE = {
    "dialogue_id": "1_00000", "services": ["Boats_1"],
    "turns": [
        user("We fancy a boat", "FindBoats", {}, ["INFORM_INTENT"]), SYSTEM,
        user("Somewhere in Harwich, and with an engine", "FindBoats", {"harbour": ["Harwich"], "motor": ["True"]},
             ["INFORM harbour", "INFORM motor"], "harbour=Harwich"), SYSTEM,
        user("Does it have a toilet?", "FindBoats", {"harbour": ["Harwich"], "motor": ["True"]}, ["REQUEST"]), SYSTEM,
        user("Good, hire that one for three on the 4th", "HireBoat",
             {**HIRED, "hire_date": ["the 4th"]},
             ["SELECT", "INFORM_INTENT", "INFORM seats", "INFORM hire_date"], "hire_date=the 4th"), SYSTEM,
        user("No, the 5th", "HireBoat",
             {**HIRED, "hire_date": ["the 5th"]},
             ["NEGATE", "INFORM hire_date"], "hire_date=the 5th"), SYSTEM,
        user("Yes, please", "HireBoat",
             {**HIRED, "hire_date": ["the 5th"]},
             ["AFFIRM"]), SYSTEM,
        user("Thanks, bye", "NONE", {**HIRED, "hire_date": ["the 5th"]}, ["THANK_YOU", "GOODBYE"]),
    ],
}  # fmt: skip


def put(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def write_sgd(folder: Path, *, variants: bool = True) -> Path:
    put(folder / "train" / "schema.json", SCHEMA)
    put(folder / "train" / "dialogues_001.json", [DIALOGUE])
    if variants:
        put(folder / "sgd_x" / "data" / "v1" / "train" / "schema.json", VARIANT)
    return folder


def write_snips(folder: Path) -> Path:
    rows = [
        {"data": [{"text": "Put "}, {"text": "Rain Dogs", "entity": "song"}, {"text": " on my "},
                  {"text": "ironing", "entity": "playlist"}, {"text": " list"}]},
        {"data": [{"text": "more for the "}, {"text": "gym", "entity": "playlist"}, {"text": " and "},
                  {"text": "bus", "entity": "playlist"}]},
    ]  # fmt: skip
    put(
        folder / "2017-06-custom-intent-engines" / "AddToPlaylist" / "train_AddToPlaylist_full.json",
        {"AddToPlaylist": rows},
    )
    return folder


def write_hwu64(folder: Path) -> Path:
    head = (
        "userid;answerid;scenario;intent;status;answer_annotation;notes;suggested_entities;answer_normalised;answer;"
        "question"
    )
    lines = [
        "1;1;alarm;set;null;ring me at [time : quarter to six] on [date : monday];null;null;ring me;Ring me;How?",
        "1;2;general;joke;null;make me laugh;null;null;make me laugh;Make me laugh;How?",
        "2;3;alarm;remove;null;no alarm on [date : sunday];null;null;no alarm;No alarm;How?",
    ]
    put(folder / "AnnotatedData" / "NLU-Data-Home-Domain-Annotated-All.csv", "\r\n".join([head, *lines, ""]))
    return folder


def write_slurp(folder: Path) -> Path:
    rows = [
        {"slurp_id": 1, "sentence_annotation": "dim the [house_place : attic] by [change_amount : ten]",
         "intent": "iot_hue_lightdim", "action": "hue_lightdim", "scenario": "iot"},
        {"slurp_id": 2, "sentence_annotation": "darker please", "intent": "iot_hue_lightdim", "action": "hue_lightdim",
         "scenario": "iot"},
    ]  # fmt: skip
    put(folder / "dataset" / "slurp" / "train.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    return folder
