"""Clauses that name an argument, and those of members, lists, yes and no.

"call it Dentist", "without express", "large", "the room is the kitchen", "Thursday too". Knows one call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from toolmend.language.corrections import texts
from toolmend.language.corrections.clauses import cores
from toolmend.language.corrections.fits import COMMON
from toolmend.language.corrections.part import Part, edit, renewed, unclear
from toolmend.language.corrections.segments import segments
from toolmend.language.corrections.slots import KNOWN_LABELS, Slot
from toolmend.language.corrections.texts import bare_words
from toolmend.language.corrections.typed import Typed
from toolmend.language.corrections.values import Surroundings
from toolmend.language.corrections.worded import Worded
from toolmend.language.resolve import vocabulary
from toolmend.language.resolve.lists import ListChange, change_of
from toolmend.language.resolve.words import Words

_IS = (
    r"(?: only| just|(?: was| is|'s) (?:supposed|meant) to (?:be|say|read)|'s| is| was| are"
    r"| should(?: have|'ve)?(?: be| been| say| read)?| must (?:read|say)"
    r"| has to (?:read|say)| must be| has to be| needs to be"
    r"| ought to be| goes to| to| as| at| for| in| into| be| :| =|:|=|,)*"
)
_VERB = (
    r"(?:please |can you |could you )?(?:change|set|make|fix|correct|put|move|update|adjust|use|have|write|edit"
    r"|enter|switch|turn|with|for|as|let|keep|raise|lower)"
)
_CALLED = re.compile(
    r"(?:please |just )*(?:(?:call(?= (?:it|that|this|them|the \w+)\b| ['\"])|name|rename|label|title"
    r"|entitle)(?!,? (?:is|was|should|and|are|ok|fine"
    r"|right|wrong|stays)\b)(?: (?:it|that|this|the \w+))?(?: (?:to|as|into))?|(?:it|that|this|the \w+)(?:'s"
    r"| is| should be|'ll be)? (?:called|named|titled|labelled|entitled)"
    r"|(?:the )?(?:name|title|label|heading)(?: of (?:it|that))? (?:is|should be|should read|should say|to|="
    r"|:))[:,]? (.+)",
    re.I,
)
_ONLY = re.compile(r"(?:only|just)(?: on| at)? (.+)|(.+?) only", re.I)
_ANTONYMS = vocabulary.table("antonyms")
_ALIKE = vocabulary.table("alike")
_JUDGES = re.compile(
    r"(?i)(?:wrong|right|fine|ok|okay|correct|good|incorrect|missing|not|off|too|also|and|swapped|perfect"
    r"|great|mixed|but)\b"
)
_IDLE = vocabulary.words("beside members")
_STATES = ("on", "enabled", "active", "power")
_REFUSING = re.compile(rf"(?i)\b(?:{vocabulary.either('refusing')})\b")
_FLAG_IDLE = vocabulary.words("beside switches")
_TURNING = vocabulary.words("turning")


class Named:
    """Reads clauses of words against the arguments of one call."""

    def __init__(self, slots: Sequence[Slot], said: Surroundings, typed: Typed, worded: Worded) -> None:
        self.slots, self.said, self.typed, self.texts = slots, said, typed, worded

    def called(self, text: str) -> Part | None:
        """ "call it Dentist", "the room is the kitchen", "title: tea": the argument is named, its value follows."""
        match = _CALLED.fullmatch(text)
        slot = self.texts.title()
        if match and slot and not _JUDGES.match(match[1]) and not re.search(r"[.;:] ", match[1]):
            slip = self.texts.slip(match[1])
            return slip if slip and match[1] in slip.edits.values() else self.texts.whole(slot, match[1])
        for slot, words, separated in self._labelled(text):
            if slot.kind == "text":
                name = next((core for core in cores(words) if texts.namelike(core)), "")
                if name and self._goes_on(slot, name):
                    continue
                brief = text.lower().startswith(("the ", "its ")) and len(words.split()) < 4 and name == words
                if re.fullmatch(r"(['\"]).+\1", words):
                    return self.texts.whole(slot, words)
                if separated and slot.labels & {"text", "message"} and re.search(r"(?i)\b(?:read|say)s?\b", text):
                    return self.texts.whole(slot, words)
                if name and (separated or brief) and not _JUDGES.match(words):
                    return self.texts.whole(slot, name)
                continue
            part = self.typed.read(words, {slot.name}) or self.member(words, (slot,)) or self.listed(words, (slot,))
            if part and (part.edits or part.unclear or part.same) and set(part.edits) <= {slot.name}:
                part.sure = part.sure or separated
                return part
        if match := re.fullmatch(rf"(?:{_VERB} )?(?:the|its|wrong|another) (\w+)(?:(?:{_IS}) .+)?", text, re.I):
            word = match[1].lower()
            own = self.typed.known | {label for slot in self.slots for label in slot.labels}
            if word in KNOWN_LABELS - own:
                return unclear(f"there is no {word} here")
        return None

    def _goes_on(self, slot: Slot, words: str) -> bool:
        """Whether another argument is named after "and"."""
        others = {label for other in self.slots if other is not slot for label in other.labels}
        rest = re.split(r"(?i),|\band\b", words, maxsplit=1)[1:]
        return bool(rest) and bool(set(re.findall(r"\w+", rest[0].lower())[:3]) & others)

    def _labelled(self, text: str) -> Iterator[tuple[Slot, str, bool]]:
        """The arguments that are named, the words for each, and whether a verb or a mark stands between."""
        shared = [label for slot in self.slots for label in slot.labels]
        for slot in self.slots:
            own = [label for label in slot.labels if label == slot.label or shared.count(label) == 1]
            labels = "|".join(sorted(map(re.escape, own), key=len, reverse=True))
            for pattern in (
                rf"(?:(?P<verb>{_VERB}) )?(?:only |just )?(?:the |its |my |a )?(?:right |correct |actual "
                rf"|new )?(?:{labels})(?P<is>{_IS}) (?P<value>.+)",
                rf"(?:replace|swap) (?:the|its) (?:{labels}) (?:with|for|by) (?P<value>.+)",
                rf"as for (?:the|its) (?:{labels}),? (?:that|it|this)(?:'s| is| would be| should be) (?P<value>.+)",
                rf"(?:put it |book it )?(?:under|with|by|as|in) (?:the |a )(?:{labels}) (?:of )?(?P<value>.+)",
                r"(?:(?:put|add|save|it goes|it belongs|that goes|it's)(?: it| them| that)? )?(?:in|on|to|into|under) "
                rf"(?:the |my |our )?(?P<value>(?!for )\S+(?: \S+)?) (?:{labels})",
                rf"(?P<value>(?!without |no |not |drop |remove |add |include ).+?) (?:is|for|as|in) (?:the"
                rf"|its) (?:right |correct )?(?:{labels})(?: field)?",
            ):
                if match := re.fullmatch(pattern, text, re.I):
                    groups = match.groupdict()
                    yield slot, groups["value"].strip(" :=,"), bool(groups.get("verb")) or groups.get("is") != ""

    # members, yes and no, lists -----------------------------------------------------------------------------------

    def member(self, text: str, slots: Sequence[Slot] | None = None) -> Part | None:
        """A member of an enum, and nothing else but small words."""
        fitting: list[tuple[Slot, Any]] = []
        for slot in slots or self.slots:
            if slot.kind == "enum":
                values, rest = self.members(text, slot.schema)
                alone = slots is None and re.fullmatch(r"(?i)(?:the|my|our) \w+ \w+", text)
                if len(values) == 1 and (alone or self._idle(rest, slot)):
                    fitting.append((slot, values[0]))
                elif len(values) == 2 and self._idle([word for word in rest if word not in ("or", "either")], slot):
                    return unclear(f"{text!r}: which of them?", [{slot.name: value} for value in values])
        if len(fitting) != 1:
            return None
        slot, value = fitting[0]
        return renewed(slot.name, slot.old, value, text, f"{value!r} is the {slot.label}")

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
        values = self.said.read(" ".join(words), schema).values
        parts = (words[1:], words[:-1]) if len(words) > 1 else ()
        if len(values) != 1 or any(self.said.read(" ".join(part), schema).values == values for part in parts):
            return None
        return values[0]

    def _idle(self, rest: Sequence[str], slot: Slot) -> bool:
        return all(word in _IDLE or word in COMMON or word in slot.labels or word in self.typed.known for word in rest)

    def flag(self, text: str) -> Part | None:
        """Yes or no: "without express", "shuffle on", "not outside", "it's urgent"."""
        if state := self._state(text):
            return state
        tokens = re.findall(r"[\w']+", text.lower())
        refused = [*_REFUSING.finditer(text)]
        idle = _FLAG_IDLE | self.typed.tool
        words = [word for word in tokens if word not in idle and not any(word in no[0].lower() for no in refused)]
        for slot in self.slots:
            if slot.kind == "truth" and len(refused) < 2 and (means := self._names_flag(slot, words)) is not None:
                return self._turned(slot, means != bool(refused), text)
        return None

    def _state(self, text: str) -> Part | None:
        """On or off: "on, not off", "I wanted them off"."""
        slots = [slot for slot in self.slots if slot.kind == "truth" and slot.label in _STATES]
        said = re.sub(r"\bnot (?:on|off)\b", " ", text.lower())
        words = re.findall(r"[\w']+", said)
        turned = {word for word in words if word in ("on", "off")}
        if len(slots) != 1 or len(turned) != 1 or any(word not in _TURNING | slots[0].labels for word in words):
            return None
        return self._turned(slots[0], turned == {"on"}, text)

    def names(self, slot: Slot, words: str) -> bool:
        """Whether the words name this yes or no."""
        return self._names_flag(slot, words.lower().split()) is True

    def _turned(self, slot: Slot, value: bool, text: str) -> Part:
        return renewed(slot.name, slot.old, value, text, f"{slot.label}: {'yes' if value else 'no'}", sure=True)

    def _names_flag(self, slot: Slot, words: Sequence[str]) -> bool | None:
        """True where the words name it, False where they name its contrary."""
        label = re.sub(r"^(?:is|with|has|use) ", "", slot.label).split()
        contrary = {other for word in label for other in _ANTONYMS.get(word, ())}
        if words and "".join(words) == Words(slot.label).text.replace(" ", ""):
            return True
        alike = {_stem(other) for word in label for other in (word, *_ALIKE.get(word, ()))}
        if len(words) == 1 and words[0] in contrary:
            return False
        return True if words and all(_stem(word) in alike for word in words) else None

    def listed(self, text: str, slots: Sequence[Slot] | None = None) -> Part | None:
        """A list made longer, shorter, or another."""
        for slot in slots or self.slots:
            if slot.kind != "list":
                continue
            old = list(slot.old) if isinstance(slot.old, (list, tuple)) else []
            change, only = change_of(text) or ListChange(), _ONLY.fullmatch(text)
            if change.out and not change.put:
                gone = self._items(slot, change.out, old)
                if gone and all(item in old for item in gone):
                    left = [item for item in old if item not in gone]
                    return edit(slot.name, left, text, f"without {change.out}", sure=True)
                continue
            if only and (items := self._items(slot, only[1] or only[2], old)):
                return edit(slot.name, items, text, f"only {text!r}", sure=True)
            adding = self._adds(slot, text)
            if change.put and not change.out and (items := self._items(slot, change.put, old, adding=adding)):
                more = self.ordered(slot, [*old, *(item for item in items if item not in old)])
                return edit(slot.name, more, text, f"{text!r} besides", sure=True) if more != old else None
            if (items := self._items(slot, text, old)) and items != old:
                return edit(slot.name, items, text, f"{text!r} is the {slot.label}", sure=True)
        return None

    def _adds(self, slot: Slot, text: str) -> bool:
        """Whether words that are new can be put into a list: where it is the only one, and nothing else is named."""
        lists = [other for other in self.slots if other.kind == "list"]
        return len(lists) == 1 and not segments(text)[0] and not self.member(text) and slot.old is not None

    def _items(self, slot: Slot, text: str, old: list[Any], *, adding: bool = False) -> list[Any]:
        schema = slot.schema.get("items") or {}
        if "enum" in schema:
            values, rest = self.members(text, schema)
            several = self.said.read(text, {"type": "array", "items": schema}).values  # "weekdays", "Monday to Friday"
            if several and len(several[0]) > len(values):
                return list(several[0])
            if {"is", "was", "are", "my"} & set(rest):
                return []
            return values if self._idle([word for word in rest if word not in ("and", "every", "each")], slot) else []
        words = [re.sub(r"(?i)^(?:the|an?|some|any) ", "", item.strip()) for item in re.split(r",| and | & ", text)]
        same = [
            next((item for item in old if str(item).lower() in (word.lower(), f"{word.lower()}s")), None)
            for word in words
        ]
        if all(item is not None for item in same):
            return same
        new = [item or word for item, word in zip(same, words, strict=True)]
        asked = f" {' '.join(bare_words(self.said.request))} "
        heard = all(f" {' '.join(bare_words(str(item)))} " in asked for item in new)
        return new if adding and (heard or len(text.split()) <= 3) and all(map(texts.namelike, new)) else []

    @staticmethod
    def ordered(slot: Slot, values: list[Any]) -> list[Any]:
        """The values of a list in the order of the members, where all are members."""
        order = (slot.schema.get("items") or {}).get("enum")
        return sorted(values, key=order.index) if order and all(value in order for value in values) else values


def _stem(word: str) -> str:
    return re.sub(r"(?:ping|ped|ing|ed|ly|s)$", "", word.lower())[:6]
