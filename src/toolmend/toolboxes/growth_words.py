"""The words that the growth world is made of: eight kinds of things, five things of each, eight deeds for each.

A deed is a name, a description and its parameters; one that ends in `?` may be left out. `{a}` is the thing with its
article, `{thing}` without. What is made of them is growth.py's business.
"""

from __future__ import annotations

from typing import Any, Literal

from toolmend.messages import Effect

Deed = tuple[str, str, str, Effect]
CORE = ("book_table", "set_heater_level", "send_invoice", "rent_bicycle", "search_train")

_DAY = {"type": "string", "format": "date", "description": "the day, as YYYY-MM-DD"}
_TIME = {"type": "string", "format": "time", "description": "the time, as HH:MM on the 24-hour clock"}


def _text(description: str, *choices: str) -> dict[str, Any]:
    return {"type": "string", **({"enum": list(choices)} if choices else {}), "description": description}


def _number(description: str, kind: Literal["integer", "number"], least: int, most: int) -> dict[str, Any]:
    return {"type": kind, "minimum": least, "maximum": most, "description": description}


PARAMETERS: dict[str, dict[str, Any]] = {
    "day": _DAY,
    "until": {**_DAY, "description": "the last day, as YYYY-MM-DD"},
    "time": _TIME,
    "off_time": {**_TIME, "description": "when it ends, as HH:MM on the 24-hour clock"},
    "people": _number("for how many people", "integer", 1, 40),
    "days": _number("for how many days", "integer", 1, 60),
    "number": _number("the number it is filed under", "integer", 1, 999_999),
    "copies": _number("how many", "integer", 1, 100),
    "level": _number("how strong, in per cent", "integer", 0, 100),
    "stars": _number("from 1 (poor) to 5 (great)", "integer", 1, 5),
    "amount": _number("in euros", "number", 0, 100_000),
    "percent": _number("in per cent", "integer", 1, 100),
    "on": {"type": "boolean", "description": "true for on, false for off"},
    "name": _text("first and last name of the person"),
    "to": _text("who gets it"),
    "room": _text("the room it is in"),
    "text": _text("the words"),
    "reason": _text("why"),
    "title": _text("what it is called"),
    "group": _text("the class, ward or team"),
    "start": _text("the town where the journey begins"),
    "end": _text("the town where it ends"),
    "by": _text("the way it goes", "email", "post", "fax"),
    "language": _text("the language wanted", "English", "French", "German", "Spanish", "Polish"),
    "mood": _text("what for", "quiet", "cheerful", "sad", "party"),
    "travel_class": _text("how comfortable", "second", "first"),
    "rooms": {"type": "array", "items": {"type": "string"}, "description": "the rooms they are in"},
}

KINDS: tuple[tuple[tuple[str, ...], tuple[Deed, ...]], ...] = (
    (
        ("table", "court", "haircut", "tasting", "massage"),
        (
            ("book_{thing}", "Book {a} for a day and a time.", "day time people", "write"),
            ("move_{thing}", "Move {a} that is booked to another day or time.", "name day time", "write"),
            ("cancel_{thing}", "Cancel {a} that is booked.", "name day reason?", "write"),
            ("confirm_{thing}", "Send a message that {a} takes place as booked.", "name day", "write"),
            ("find_free_{thing}", "Find out when {a} is still free on a day.", "day people?", "read"),
            ("review_{thing}", "Write a review of {a} that took place.", "stars text?", "write"),
            ("gift_{thing}", "Send somebody a voucher for {a}.", "to amount text?", "write"),
            ("queue_for_{thing}", "Put somebody on the waiting list for {a}.", "name day", "write"),
        ),
    ),
    (
        ("heater", "lamp", "blind", "sprinkler", "speaker"),
        (
            ("switch_{thing}", "Switch {a} on or off.", "room on", "write"),
            ("set_{thing}_level", "Set how strong {a} works.", "room level", "write"),
            ("time_{thing}", "Let {a} run between two times every day.", "room time off_time", "write"),
            ("lock_{thing}", "Lock the buttons of {a}, so that children cannot change it.", "room on", "write"),
            ("rename_{thing}", "Give {a} another name in the app.", "room title", "write"),
            ("inspect_{thing}", "Read the state and the consumption of {a}.", "room", "read"),
            ("link_{thing}s", "Let every {thing} of several rooms work as one.", "rooms title?", "write"),
            ("reset_{thing}", "Set {a} back to how it left the factory.", "room", "danger"),
        ),
    ),
    (
        ("invoice", "contract", "permit", "report", "certificate"),
        (
            ("draft_{thing}", "Write a first version of {a}.", "to title text?", "write"),
            ("send_{thing}", "Send {a} to somebody.", "number to by", "write"),
            ("sign_{thing}", "Sign {a} with the digital key.", "number", "danger"),
            ("archive_{thing}", "Put {a} into the archive.", "number until?", "write"),
            ("translate_{thing}", "Have {a} translated.", "number language", "write"),
            ("print_{thing}", "Print {a}.", "number copies?", "write"),
            ("find_{thing}", "Find {a} by words in it.", "text until?", "read"),
            ("void_{thing}", "Declare {a} void.", "number reason", "danger"),
        ),
    ),
    (
        ("bicycle", "tent", "drill", "costume", "canoe"),
        (
            ("rent_{thing}", "Rent {a} out to somebody for some days.", "name day days", "write"),
            ("take_back_{thing}", "Note that {a} came back, and in which state.", "name text?", "write"),
            ("repair_{thing}", "Give {a} to the workshop.", "number text", "write"),
            ("price_{thing}", "Set what {a} costs a day.", "amount", "write"),
            ("reserve_{thing}", "Keep {a} for somebody who comes later.", "name day", "write"),
            ("insure_{thing}", "Insure {a} against theft and damage.", "number amount until", "write"),
            ("count_{thing}s", "Count how many {thing}s are there on a day.", "day", "read"),
            ("sell_{thing}", "Sell {a} that is no longer rented out.", "number to amount", "danger"),
        ),
    ),
    (
        ("pupil", "patient", "member", "volunteer", "applicant"),
        (
            ("enrol_{thing}", "Take somebody in as {a}.", "name day group?", "write"),
            ("dismiss_{thing}", "Let {a} go for good.", "name day", "danger"),
            ("assign_{thing}", "Put {a} into another class, ward or team.", "name group", "write"),
            ("excuse_{thing}", "Note that {a} is away, and why.", "name day reason", "write"),
            ("invite_{thing}", "Ask {a} to come for a talk.", "name day time", "write"),
            ("phone_{thing}", "Call {a} and read a text aloud.", "name text", "write"),
            ("look_up_{thing}", "Look up what is known about {a}.", "name", "read"),
            ("praise_{thing}", "Put a word of praise into the file of {a}.", "name text", "write"),
        ),
    ),
    (
        ("playlist", "album", "podcast", "film", "audiobook"),
        (
            ("play_{thing}", "Play {a} from the beginning.", "title level?", "write"),
            ("download_{thing}", "Load {a} down for the road.", "title", "write"),
            ("suggest_{thing}", "Suggest {a} that fits a mood.", "mood language?", "read"),
            ("share_{thing}", "Share a link to {a}.", "title to", "write"),
            ("buy_{thing}", "Buy {a}.", "title amount", "danger"),
            ("bookmark_{thing}", "Remember where one was in {a}.", "title time", "write"),
            ("hide_{thing}", "Never show {a} again.", "title", "write"),
            ("score_{thing}", "Give {a} some stars.", "title stars", "write"),
        ),
    ),
    (
        ("payment", "loan", "subscription", "donation", "refund"),
        (
            ("start_{thing}", "Set up {a}.", "to amount day?", "danger"),
            ("stop_{thing}", "Stop {a} for good.", "to reason?", "danger"),
            ("pause_{thing}", "Let {a} rest for a while.", "to until", "write"),
            ("raise_{thing}", "Make {a} bigger by some per cent.", "to percent", "write"),
            ("split_{thing}", "Split {a} among several people.", "to people", "write"),
            ("remind_of_{thing}", "Remind somebody of {a} that is due.", "to day by?", "write"),
            ("show_{thing}s", "Show every {thing} of a person.", "name until?", "read"),
            ("explain_{thing}", "Explain {a} in simple words.", "number language?", "read"),
        ),
    ),
    (
        ("flight", "train", "ferry", "coach", "shuttle"),
        (
            ("search_{thing}", "Search for {a} between two towns.", "start end day", "read"),
            ("buy_{thing}_ticket", "Buy a ticket for {a}.", "name start end day travel_class?", "danger"),
            ("check_in_for_{thing}", "Check in for {a}.", "name number", "write"),
            ("upgrade_{thing}", "Change to another class on {a}.", "number travel_class", "write"),
            ("track_{thing}", "Tell where {a} is now and how late.", "number", "read"),
            ("claim_for_{thing}", "Ask for money back because {a} was late.", "number reason amount?", "write"),
            ("add_luggage_to_{thing}", "Take more luggage along on {a}.", "number copies", "write"),
            ("order_meal_on_{thing}", "Order something to eat on {a}.", "number text?", "write"),
        ),
    ),
)
