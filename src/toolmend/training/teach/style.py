"""One sentence in other words, by rule: openings, politeness, contractions, everyday synonyms, order, slips of the pen.

Works on sentences in pieces (templates.Spoken); pieces that say a value are never touched. Knows no tool.
"""

from __future__ import annotations

import re
from random import Random

from toolmend.training.phrases import first_upper
from toolmend.training.teach.templates import Spoken

_VERBS = frozenset(
    "add book cancel call change check clear close convert copy create delete drop edit end fetch file find get give "
    "hand hide list lock look make move note open order pay pick place plan play post print put raise read record "
    "remove rename report reserve return run save search send set share ship show start stop switch take tell throw "
    "translate turn unlock update upload use write bring lower mark count pull".split()
)
_ASKING = (
    "Please {}", "Please {}", "Could you {}?", "Can you {}?", "Would you {}?", "Can you please {}?", "Now {}",
    "I need you to {}", "I want you to {}", "Let's {}", "Go ahead and {}", "Kindly {}", "Could you please {}?",
)  # fmt: skip
_OPENINGS = (
    "Hi, ", "Hello, ", "Hey, ", "OK, ", "Okay, ", "So, ", "Right, ", "Also, ", "Next, ", "And ", "Well, ", "Alright, ",
    "Good morning, ", "Listen, ", "One more thing: ", "Then ", "By the way, ", "Oh, ", "Um, ",
)  # fmt: skip
_CLOSINGS = (
    ", please",
    " please",
    ", thanks",
    ". Thanks!",
    ". Thank you",
    ", would you",
    ", if you can",
    " now",
    ". Please",
)
_SAME = (
    ("I would", "I'd"), ("I have", "I've"), ("do not", "don't"), ("does not", "doesn't"), ("did not", "didn't"),
    ("is not", "isn't"), ("are not", "aren't"), ("cannot", "can't"), ("it is", "it's"), ("what is", "what's"),
    ("that is", "that's"), ("there is", "there's"), ("she is", "she's"), ("he is", "he's"), ("we have", "we've"),
    ("we are", "we're"), ("has not", "hasn't"), ("will not", "won't"), ("let us", "let's"), ("who is", "who's"),
    ("I need", "I want"), ("show me", "let me see"), ("would like", "wants"), ("tell me", "I'd like to know"),
    ("euros", "euro"), ("percent", "per cent"),
    ("delete", "remove"), ("give me", "get me"), ("wants", "needs"),
    ("right now", "now"), ("any more", "anymore"),
)  # fmt: skip
_TIME_AT_END = re.compile(r" (on|by|until|for|from|in|at|before|after|till) $", re.IGNORECASE)


def restyled(said: Spoken, random: Random, strength: float = 0.5) -> str:
    """The sentence said another way; each kind of change happens with a chance of about `strength` / 2."""
    pieces = list(said)
    if random.random() < 0.25 * strength:
        pieces = _fronted(pieces)
    pieces = [(text, True) if value else (_synonyms(text, random, 0.4 * strength), False) for text, value in pieces]
    if random.random() < strength:
        pieces = _addressed(pieces, random)
    if random.random() < 0.12 * strength:
        pieces = _typo(pieces, random)
    if random.random() < 0.2 * strength:
        pieces = [(text if value else text.lower(), value) for text, value in pieces]
    text = re.sub(r" +", " ", "".join(text for text, _ in pieces)).strip()
    text = re.sub(r" ([,.?!])", r"\1", text)
    return _ended(text, random)


def _addressed(pieces: list[tuple[str, bool]], random: Random) -> list[tuple[str, bool]]:
    """With an opening, a polite frame, or a closing."""
    (first, value), rest = pieces[0], pieces[1:]
    verb = first.split(" ")[0].lower() if not value else ""
    one_sentence = not any(re.search(r"[.?!] ", text) for text, said in pieces if not said)
    chance = random.random()
    if verb in _VERBS and chance < 0.5:
        before, after = random.choice(_ASKING).split("{}")
        after = after if one_sentence else ""
        last = [
            (text.rstrip(" .!") + after, said) if place == len(rest) - 1 and not said else (text, said)
            for place, (text, said) in enumerate(rest)
        ]
        if rest and rest[-1][1]:
            last.append((after, False))
        return [(before + first[0].lower() + first[1:], False), *last]
    if chance < 0.8:
        opening = random.choice(_OPENINGS)
        lowered = first if value or re.match(r"I\b", first) else first[0].lower() + first[1:]
        return [(opening, False), (lowered, value), *rest]
    text, said = pieces[-1]
    free_text = said and not re.search(r"\d", text)  # a remark would swallow what is put behind it
    if free_text or (not said and text.rstrip().endswith("?")):
        return pieces
    ending = (text, True) if said else (text.rstrip(" .!"), False)
    return [*pieces[:-1], ending, (random.choice(_CLOSINGS), False)]


def _fronted(pieces: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """With a last phrase such as `on Friday` first."""
    end = pieces[-1][0].strip(" .!") if not pieces[-1][1] else None
    body = pieces[:-1] if end == "" else pieces
    if len(body) < 3 or not body[-1][1] or body[-2][1]:
        return pieces
    match = _TIME_AT_END.search(body[-2][0])
    if not match or body[0][1]:
        return pieces
    first = body[0][0] if re.match(r"I\b", body[0][0]) else body[0][0][0].lower() + body[0][0][1:]
    kept = [(first, False), *body[1:-2], (body[-2][0][: match.start()], False)]
    return [(first_upper(match[1]) + " ", False), body[-1], (", ", False), *kept]


def _synonyms(text: str, random: Random, chance: float) -> str:
    for one, other in _SAME:
        for old, new in ((one, other), (other, one)) if "'" in other else ((one, other),):
            if random.random() < chance and (match := re.search(rf"\b{re.escape(old)}\b", text, re.IGNORECASE)):
                new = first_upper(new) if match[0][0].isupper() else new
                text = text[: match.start()] + new + text[match.end() :]
                break
    return text


def _typo(pieces: list[tuple[str, bool]], random: Random) -> list[tuple[str, bool]]:
    """With one word misspelled."""
    places = [
        (at, match) for at, (text, value) in enumerate(pieces) if not value for match in re.finditer(r"[a-z]{4,}", text)
    ]
    if not places:
        return pieces
    at, match = random.choice(places)
    word, spot = match[0], random.randrange(len(match[0]) - 1)
    wrong = random.choice(
        (
            word[:spot] + word[spot + 1] + word[spot] + word[spot + 2 :],
            word[:spot] + word[spot + 1 :],
            word[: spot + 1] + word[spot:],
        )
    )
    text = pieces[at][0]
    return [*pieces[:at], (text[: match.start()] + wrong + text[match.end() :], False), *pieces[at + 1 :]]


def _ended(text: str, random: Random) -> str:
    if text.endswith("?"):
        return text[:-1] if random.random() < 0.15 else text
    bare = text.rstrip(" .!")
    return bare + random.choice(("", "", ".", ".", ".", "!")) if bare else text
