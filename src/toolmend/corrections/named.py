"""Clauses about arguments that are not typed by their words: texts, members, lists, yes and no, and named arguments.

"call it Dentist", "without express", "for Ben", "large", "the room is the kitchen", "Thursday too". Knows one call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from typing import Any

from toolmend.corrections import texts
from toolmend.corrections.clauses import cores
from toolmend.corrections.part import Part, edit, unclear
from toolmend.corrections.slots import KNOWN_LABELS, Slot
from toolmend.corrections.typed import Typed
from toolmend.corrections.values import Said

_IS = r"(?:'s| is| was| are| should(?: have)?(?: be| been| say| read)?| must be| has to be| needs to be| ought to be| goes to| to| as| at| for| in| into| be| :| =|:|=|,)*"
_VERB = r"(?:please |can you |could you )?(?:change|set|make|fix|correct|put|move|update|adjust|use|have|write|edit|enter|switch|turn|with|for|as|let|keep|raise|lower)"
_CALLED = re.compile(
    r"(?:please |just )*(?:(?:call|name|rename|label|title|entitle)(?!,? (?:is|was|should|and|are|ok|fine|right|wrong|stays)\b)(?: (?:it|that|this|the \w+))?(?: (?:to|as|into))?|(?:it|that|this)(?:'s| is| should be|'ll be)? (?:called|named|titled|labelled|entitled)"
    r"|(?:the )?(?:name|title|label|heading)(?: of (?:it|that))? (?:is|should be|should read|should say|to|=|:))[:,]? (.+)",
    re.I,
)
_OFF = re.compile(
    r"(?:please )?(?:(?:without|no|not|minus|drop|skip|remove|delete|leave out|leave off|take (?:out|off)|lose|omit|forget|turn off|switch off|disable|cancel|don't (?:need|want|make it|use|do|add)|i (?:don't|didn't) (?:need|want|ask for|say)"
    r"|there's no|it's not|it isn't|it's without|not with|nix|clear|get rid of|no need for|never)) (?:the |any |an? |it |to be |that )*(.+)",
    re.I,
)
_ON = re.compile(
    r"(?:please )?(?:(?:we|i)(?:'d| would)? (?:want|like|prefer|wanted)(?: to (?:sit|be|have it|eat|be seated))?|with|add|plus|include|turn on|switch on|enable|make (?:it|that|this)|it's|it should be|it is|and|use|put in|do|want|i want(?:ed)?|need|on) (?:the |an? |it )*(.+)", re.I
)
_ALSO = re.compile(r"(?:(?:and|add|also|plus|with|on|include|as well as) )+(.+?)(?: (?:too|as well|also))?|(.+?) (?:too|as well|also)", re.I)
_ONLY = re.compile(r"(?:only|just)(?: on)? (.+)|(.+?) only", re.I)
_LEAVE_OUT = re.compile(
    r"(?:drop|remove|delete|leave out|take out|take off|lose|skip|cut|omit|get rid of|without|no|clear|leave off|strike) (?:the |any |that )?(?:words? |bit |part )?(.+?)(?: (?:from|in|off|of|out of) (?:the |its )?([\w ]+?))?", re.I
)
_PUT_IN = re.compile(r"(?:add|append|put|insert) (['\"]?)(.+?)\1 (?:to|at the end of|after|onto) (?:the |its )?([\w ]+?)", re.I)
_ANTONYMS = {"outdoor": ("inside", "indoors", "indoor", "in"), "outside": ("inside", "indoors", "indoor"), "indoor": ("outside", "outdoors", "outdoor"),
             "private": ("public",), "public": ("private",), "on": ("off",), "return": ("one-way", "one way")}  # fmt: skip
_ALIKE = {"outdoor": ("outside", "outdoors", "terrace", "open air", "garden"), "outside": ("outdoors", "outdoor"), "indoor": ("inside", "indoors"),
          "gift": ("wrapped", "wrapping", "present"), "express": ("fast", "rush", "priority"), "shuffle": ("random", "shuffled", "shuffling")}  # fmt: skip
_JUDGES = re.compile(r"(?i)(?:wrong|right|fine|ok|okay|correct|good|incorrect|missing|not|off|too|also|and|swapped|perfect|great|mixed|but)\b")
_TO = {
    "to": {"recipient", "to", "payee", "destination", "receiver", "addressee"},
    "for": {"recipient", "person", "guest", "for", "payee", "patient", "whom"},
    "from": {"from", "sender", "origin", "account", "source"},
    "in": {"room", "place", "location", "zone", "city", "area"},
    "at": {"restaurant", "place", "location", "venue", "address"},
    "by": {"artist", "band", "author", "singer"},
    "with": {"person", "guest", "with", "extra"},
}
_IDLE = frozenset("ones the a an it its please one that this in on to for of with is at my our want size colour color version kind type".split())
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()


class Named:
    """Reads clauses of words against the arguments of one call."""

    def __init__(self, slots: Sequence[Slot], said: Said, typed: Typed) -> None:
        self.slots, self.said, self.typed = slots, said, typed
        self.texts = tuple(slot for slot in slots if slot.kind == "text")

    def called(self, text: str) -> Part | None:
        """ "call it Dentist", "the room is the kitchen", "title: tea": the argument is named, its value follows."""
        if (match := _CALLED.fullmatch(text)) and not _JUDGES.match(match[1]):
            if slot := self.title():
                return self.whole(slot, match[1])
        for slot, words, separated in self._labelled(text):
            if slot.kind == "text":
                name = next((core for core in cores(words) if texts.namelike(core)), "")
                if name and separated and not _JUDGES.match(words):
                    return self.whole(slot, name)
                continue
            part = self.typed.read(words, {slot.name}) or self.member(words, (slot,)) or self.listed(words, (slot,))
            if part is None and slot.kind == "truth" and re.fullmatch(r"(?i)on|off|yes|no|true|false", words):
                part = self._turned(slot, words.lower() in ("on", "yes", "true"), words)
            if part and (part.edits or part.unclear or part.same) and set(part.edits) <= {slot.name}:
                return part
        if match := re.fullmatch(rf"(?:{_VERB} )?(?:the|its) (\w+)(?:{_IS}) .+", text, re.I):
            word = match[1].lower()
            if word in KNOWN_LABELS and not any(word in slot.labels for slot in self.slots) and word not in self.typed.known:
                return unclear(f"there is no {word} here")
        return None

    def _labelled(self, text: str) -> Iterator[tuple[Slot, str, bool]]:
        """The arguments that are named, the words for each, and whether a verb or a mark stands between."""
        shared = [label for slot in self.slots for label in slot.labels]
        for slot in self.slots:
            own = [label for label in slot.labels if label == slot.label or shared.count(label) == 1]
            labels = "|".join(sorted(map(re.escape, own), key=len, reverse=True))
            for pattern in (
                rf"(?:(?P<verb>{_VERB}) )?(?:only |just )?(?:the |its |my |a )?(?:right |correct |actual |new )?(?:{labels})(?P<is>{_IS}) (?P<value>.+)",
                rf"(?:put it )?(?:under|with|by|as) (?:the |a )(?:{labels}) (?P<value>.+)",
                rf"(?P<value>.+?) (?:is|for|as|in) (?:the|its) (?:right |correct )?(?:{labels})(?: field)?",
            ):
                if match := re.fullmatch(pattern, text, re.I):
                    yield slot, match["value"].strip(" :=,"), bool(match.groupdict().get("verb")) or match.groupdict().get("is") != ""

    def title(self) -> Slot | None:
        """What a thing is called by: the one text that is a name, or the only text there is."""
        for names in ({"title", "name", "label", "subject"}, {"track", "song"}):
            named = [slot for slot in self.texts if slot.label in names]
            if len(named) == 1:
                return named[0]
        return self.texts[0] if len(self.texts) == 1 else None

    def whole(self, slot: Slot, words: str) -> Part:
        """A text as a whole."""
        words = re.sub(r"^(['\"])(.*)\1$", r"\2", words.strip())
        if re.search(r"(?i)\bnot\b|\binstead of\b|\brather than\b", words):
            words = re.split(r"(?i),? (?:and )?(?:not|instead of|rather than) ", words)[0]
        if isinstance(slot.old, str) and words.lower() == slot.old.lower():
            return Part(same={slot.name: words})
        return edit(slot.name, texts.fitted(words, slot.old or ""), words, f"{words!r} is the {slot.label}", sure=True)

    # members, yes and no, lists -----------------------------------------------------------------------------------

    def member(self, text: str, slots: Sequence[Slot] | None = None) -> Part | None:
        """A member of an enum, and nothing else but small words."""
        fitting: list[tuple[Slot, Any]] = []
        for slot in slots or self.slots:
            if slot.kind == "enum":
                values, rest = self.members(text, slot.schema)
                if len(values) == 1 and self._idle(rest, slot):
                    fitting.append((slot, values[0]))
                elif len(values) == 2 and self._idle([word for word in rest if word not in ("or", "either")], slot):
                    return unclear(f"{text!r}: which of them?", [{slot.name: value} for value in values])
        if len(fitting) != 1:
            return None
        slot, value = fitting[0]
        return Part(same={slot.name: text}) if value == slot.old else edit(slot.name, value, text, f"{value!r} is the {slot.label}")

    def members(self, text: str, schema: Any) -> tuple[list[Any], list[str]]:
        """The members that are named, and the words that name none."""
        words = re.findall(r"[\w'°%+-]+", text)
        values: list[Any] = []
        rest: list[str] = []
        place = 0
        while place < len(words):
            for size in range(min(4, len(words) - place), 0, -1):
                found = self._member(words[place : place + size], schema)
                if found is not None:
                    values += [found] if found not in values else []
                    place += size
                    break
            else:
                rest.append(words[place].lower())
                place += 1
        return values, rest

    def _member(self, words: Sequence[str], schema: Any) -> Any:
        """The member that exactly these words name; None if they name none, or fewer of them do."""
        if words[0].lower() in _IDLE:
            return None
        day = words[0].lower().removesuffix("s")
        short = [member for member in schema["enum"] if day in _DAYS and isinstance(member, str) and len(member) > 1 and day.startswith(member.lower())]
        if len(words) == 1 and len(short) == 1:
            return short[0]
        values = self.said.read(" ".join(words), schema).values
        if len(values) != 1 or any(len(words) > 1 and self.said.read(" ".join(part), schema).values for part in (words[1:], words[:-1])):
            return None
        return values[0]

    def _idle(self, rest: Sequence[str], slot: Slot) -> bool:
        return all(word in _IDLE or word in slot.labels or word in self.typed.known for word in rest)

    def flag(self, text: str) -> Part | None:
        """Yes or no: "without express", "shuffle on", "not outside", "it's urgent"."""
        for slot in self.slots:
            if slot.kind != "truth":
                continue
            for pattern, value in ((_OFF, False), (_ON, True), (re.compile(r"(.+?)"), True)):
                if match := pattern.fullmatch(text):
                    words = re.sub(r"(?i)\b(?:please|it|mode|delivery|shipping|turned|switched|be)\b", " ", match[1])
                    said = re.fullmatch(r"(?i)(?:the )?(.+?)(?: (?:is|should be))?(?: (on|off|yes|no|true|false))?", " ".join(words.split()))
                    if said and (means := self._names_flag(slot, said[1])) is not None:
                        on = (said[2] or "on").lower() in ("on", "yes", "true")
                        return self._turned(slot, value == (on == means), text)
        return None

    def _turned(self, slot: Slot, value: bool, text: str) -> Part:
        return Part(same={slot.name: text}) if value is slot.old else edit(slot.name, value, text, f"{slot.label}: {'yes' if value else 'no'}")

    def _names_flag(self, slot: Slot, words: str) -> bool | None:
        """True where the words name it, False where they name its contrary."""
        said = re.sub(r"(?i)^(?:the|any|an?|to) ", "", words).lower().strip(" ,!")
        for word in slot.label.split():
            if said in _ANTONYMS.get(word, ()):
                return False
            if said in _ALIKE.get(word, ()):
                return True
        label = slot.label.removeprefix("is ").removeprefix("with ").removeprefix("has ")
        stems = {_stem(word) for word in label.split()}
        own = [_stem(word) for word in re.findall(r"\w+", said)]
        return True if (own and stems >= set(own)) or said == label else None

    def listed(self, text: str, slots: Sequence[Slot] | None = None) -> Part | None:
        """A list made longer, shorter, or another."""
        for slot in slots or self.slots:
            if slot.kind != "list":
                continue
            old = list(slot.old) if isinstance(slot.old, (list, tuple)) else []
            if match := _OFF.fullmatch(text):
                gone = self._items(slot, match[1], old)
                if gone and all(item in old for item in gone):
                    return edit(slot.name, [item for item in old if item not in gone], text, f"without {match[1]}", sure=True)
                continue
            only, also = _ONLY.fullmatch(text), _ALSO.fullmatch(text)
            if only and (items := self._items(slot, only[1] or only[2], old)):
                return edit(slot.name, items, text, f"only {text!r}", sure=True)
            if also and (items := self._items(slot, also[1] or also[2], old)):
                more = [item for item in items if item not in old]
                return edit(slot.name, self._ordered(slot, [*old, *more]), text, f"{text!r} besides", sure=True) if more else None
            if (items := self._items(slot, text, old)) and items != old:
                return edit(slot.name, items, text, f"{text!r} is the {slot.label}", sure=True)
        return None

    def _items(self, slot: Slot, text: str, old: list[Any]) -> list[Any]:
        schema = slot.schema.get("items") or {}
        if "enum" in schema:
            expanded = _expanded(text, schema["enum"])
            if expanded:
                return expanded
            values, rest = self.members(text, schema)
            return values if self._idle([word for word in rest if word not in ("and", "every", "each")], slot) else []
        words = [re.sub(r"(?i)^(?:the|an?|some|any) ", "", item.strip()) for item in re.split(r",| and | & ", text)]
        same = [next((item for item in old if str(item).lower() in (word.lower(), f"{word.lower()}s")), None) for word in words]
        return same if all(item is not None for item in same) else []

    @staticmethod
    def _ordered(slot: Slot, values: list[Any]) -> list[Any]:
        order = (slot.schema.get("items") or {}).get("enum")
        return sorted(values, key=order.index) if order and all(value in order for value in values) else values

    # texts --------------------------------------------------------------------------------------------------------

    def cut(self, text: str) -> Part | None:
        """Words put into a text or taken out of it, or an optional argument left out."""
        if match := _PUT_IN.fullmatch(text):
            slot = next((slot for slot in self.texts if match[3].lower() in slot.labels), None)
            if slot:
                return edit(slot.name, f"{slot.old} {match[2]}" if slot.old else match[2], text, f"{match[2]!r} added", sure=True)
        match = _LEAVE_OUT.fullmatch(text)
        if not match:
            return None
        words, label = match[1].strip(" '\""), (match[2] or "").lower()
        for slot in self.slots:
            if not label and words.lower() in slot.labels and not slot.required and slot.old is not None and slot.kind != "truth":
                return edit(slot.name, None, text, f"without {slot.label}", sure=True)
        among = [slot for slot in self.texts if not label or label in slot.labels]
        shorter = [(slot, new) for slot in among if isinstance(slot.old, str) and (new := texts.without(slot.old, words))]
        if len(shorter) == 1:
            slot, new = shorter[0]
            return edit(slot.name, new, text, f"{slot.label} without {words!r}", sure=True)
        return None

    def respelled(self, text: str) -> Part | None:
        """ "Marta, without the h": one text has a word that becomes this."""
        changed = [(slot, new) for slot in self.texts if isinstance(slot.old, str) and (new := texts.respelled(slot.old, text)) and new != slot.old]
        if len(changed) == 1:
            return edit(changed[0][0].name, changed[0][1], text, f"spelled {text!r}", sure=True)
        return unclear("more than one text could be meant", [{slot.name: new} for slot, new in changed]) if changed else None

    def phrase(self, text: str, *, meant: bool) -> Part | None:
        """Words alone: mended where a text has a slip of them, else the text whose place they take."""
        bare = text.strip(" '\"")
        if not bare or len(bare.split()) > 7 or not self.texts or not texts.namelike(bare):
            return None
        if all(any(word in slot.labels for slot in self.slots) for word in re.sub(r"(?i)\b(?:the|your|its|with|of|and)\b", " ", bare).lower().split()):
            return None
        core = re.sub(r"(?i)^(?:it's|the|an?|my|for|with|to|at|in|by|from|of) ", "", bare)
        slips = [(slot, new) for slot in self.texts if isinstance(slot.old, str) and (new := texts.likened(slot.old, core))]
        if len(slips) == 1:
            return edit(slips[0][0].name, slips[0][1], bare, f"{core!r} is like what was taken", sure=True)
        if not meant:
            return self._by_lead(bare, core) if core[:1].isupper() or core.lower() in self.said.request.lower() else None
        for slot in self.texts:
            if isinstance(slot.old, str) and (new := texts.phrase_for(slot.old, bare)):
                return edit(slot.name, new, bare, f"{bare!r} in the {slot.label}")
        shared = [slot for slot in self.texts if isinstance(slot.old, str) and len(core.split()) > 1 and texts.shares(slot.old, core)]
        if len(shared) == 1:
            return self.whole(shared[0], bare)
        return self._placed(bare, core)

    def _placed(self, bare: str, core: str) -> Part | None:
        """By the word before it, by what the request has, or as the only text."""
        if part := self._by_lead(bare, core):
            return part
        lead = bare.split()[0].lower()
        held = [slot for slot in self.texts if isinstance(slot.old, str)]
        request = self.said.request.lower()
        doubtful = [slot for slot in held if request and slot.old.lower() not in request]
        if len(held) == 1 and (parted := self._head_or_tail(held[0], core)):
            return parted
        for slots in ([slot for slot in doubtful if core.lower() in request], held):
            if len(slots) == 1 and len(str(slots[0].old).split()) <= 2 and lead not in _TO:
                return self.whole(slots[0], core if lead != "my" else bare)
        candidates: list[dict[str, Any]] = [{slot.name: core} for slot in held]
        return unclear(f"{bare!r}: not clear what it is for", candidates)

    def _head_or_tail(self, slot: Slot, core: str) -> Part | None:
        """For a title of several words: a title of its own, or one of its ends, where the request has the whole."""
        head, lead, tail = texts.divided(slot.old)
        if not lead:
            return None
        if texts.divided(core)[1]:
            return self.whole(slot, core)
        request = self.said.request.lower()
        ways = [f"{core} {lead} {tail}", f"{head} {lead} {core}"]
        asked = [way for way in ways if way.lower() in request]
        if len(asked) == 1:
            return edit(slot.name, texts.fitted(asked[0], slot.old), core, f"{core!r} in the {slot.label}")
        return unclear(f"{core!r}: which part of the {slot.label}?", [{slot.name: texts.fitted(way, slot.old)} for way in ways])

    def _by_lead(self, bare: str, core: str) -> Part | None:
        """By the small word before it: "to Ben" is for a recipient."""
        lead = bare.split()[0].lower()
        fitting = [slot for slot in self.texts if core != bare and _TO.get(lead, set()) & (slot.labels | {slot.name})]
        return replace(self.whole(fitting[0], core), sure=False) if len(fitting) == 1 else None


def _stem(word: str) -> str:
    return re.sub(r"(?:ping|ped|ing|ed|s)$", "", word.lower())[:6]


def _expanded(text: str, members: Sequence[Any]) -> list[Any]:
    """Weekdays and weekends among members that are days."""
    days = [member for member in members for day in _DAYS if str(member).lower()[:3] == day[:3] and day.startswith(str(member).lower())]
    if len(days) < 7:
        return []
    said = re.sub(r"(?i)^(?:on|every|the|all) ", "", text.lower().strip())
    if said in ("weekdays", "weekday", "working days", "work days"):
        return days[:5]
    if said in ("weekends", "weekend", "at weekends"):
        return days[5:]
    return days if said in ("day", "days", "every day", "daily", "week") else []


def words_of(values: Iterator[Any] | Sequence[Any]) -> Set[str]:
    """The words of the texts among some values, lower-cased."""
    return {word for value in values if isinstance(value, str) for word in re.findall(r"[^\W\d_]{3,}", value.lower())}
