"""Units a value can be wanted in or said in: their kind, their size, the words for them. A table; it reads no text."""

from __future__ import annotations

from fractions import Fraction

# (unit, kind, size in the first unit of its kind, words). Temperatures have an offset, too: see OFFSETS.
_TABLE: tuple[tuple[str, str, str, str], ...] = (
    ("seconds", "duration", "1", "second seconds s"),
    ("minutes", "duration", "60", "minute minutes m"),
    ("hours", "duration", "3600", "hour hours h"),
    ("days", "duration", "86400", "day days d"),
    ("weeks", "duration", "604800", "week weeks w"),
    ("EUR", "money", "1", "eur euro euros €"),
    ("USD", "money", "1", "usd dollar dollars buck bucks $"),
    ("GBP", "money", "1", "gbp pound pounds sterling quid £"),
    ("CHF", "money", "1", "chf franc francs"),
    ("JPY", "money", "1", "jpy yen ¥"),
    ("CAD", "money", "1", "cad canadian"),
    ("AUD", "money", "1", "aud australian aussie"),
    ("percent", "percent", "1", "percent percents pct %"),
    ("celsius", "temperature", "1", "celsius centigrade c °c"),
    ("fahrenheit", "temperature", "5/9", "fahrenheit f °f"),
    ("kelvin", "temperature", "1", "kelvin kelvins k"),
    ("kilograms", "mass", "1000", "kilogram kilograms kilogramme kilogrammes kg kgs kilo kilos"),
    ("grams", "mass", "1", "gram grams gramme grammes g gr"),
    ("milligrams", "mass", "1/1000", "milligram milligrams mg"),
    ("tonnes", "mass", "1000000", "tonne tonnes t"),
    ("pounds", "mass", "45359237/100000", "pound pounds lb lbs"),
    ("stone", "mass", "635029318/100000", "stone stones st"),
    ("ounces", "mass", "28349523125/1000000000", "ounce ounces oz"),
    ("litres", "volume", "1", "litre litres liter liters l"),
    ("centilitres", "volume", "1/100", "centilitre centilitres centiliter centiliters cl"),
    ("millilitres", "volume", "1/1000", "millilitre millilitres milliliter milliliters ml mil mils"),
    ("kilometres", "length", "1000", "kilometre kilometres kilometer kilometers km kms k"),
    ("metres", "length", "1", "metre metres meter meters m"),
    ("centimetres", "length", "1/100", "centimetre centimetres centimeter centimeters cm"),
    ("millimetres", "length", "1/1000", "millimetre millimetres millimeter millimeters mm mil mils"),
    ("miles", "length", "1609344/1000", "mile miles mi"),
    ("yards", "length", "9144/10000", "yard yards yd yds"),
    ("feet", "length", "3048/10000", "foot feet ft"),
    ("inches", "length", "254/10000", "inch inches in"),
    ("kilometres_per_hour", "speed", "1", "kph kmh"),
    ("miles_per_hour", "speed", "1609344/1000000", "mph"),
)
SIZES = {unit: Fraction(size) for unit, _, size, _ in _TABLE}
KINDS = {unit: kind for unit, kind, _, _ in _TABLE}
# Kelvin at zero of the scale, in degrees Celsius.
OFFSETS = {"celsius": Fraction("273.15"), "fahrenheit": Fraction("273.15") - 32 * Fraction(5, 9), "kelvin": Fraction(0)}
# Other spellings a schema may use.
_ALIASES = {
    **{unit[:-1]: unit for unit in SIZES if unit[-1] == "s" and unit != "celsius"},
    **{unit.replace("tre", "ter"): unit for unit in SIZES if "tre" in unit},
    **{short: unit for unit, _, _, words in _TABLE for short in words.split() if len(short) > 1 and short.isalpha()},
    "%": "percent",
    "°C": "celsius",
    "°F": "fahrenheit",
    "h": "hours",
    "g": "grams",
    "l": "litres",
}
UNITS = {**{alias: _ALIASES[alias] for alias in _ALIASES}, **{unit: unit for unit in SIZES}}
UNITS["pounds"] = "pounds"
# Words by kind: what a word means where that kind is wanted.
WORDS: dict[str, dict[str, str]] = {}
for _unit, _kind, _, _words in _TABLE:
    for _word in _words.split():
        WORDS.setdefault(_kind, {})[_word] = _unit


for _word in ("canadian", "australian", "aussie"):
    WORDS["money"] |= {f"{_word} {dollar}": WORDS["money"][_word] for dollar in ("dollar", "dollars")}
WORDS["money"] |= {"swiss franc": "CHF", "swiss francs": "CHF"}
DOLLARS = frozenset(("USD", "CAD", "AUD"))
for _hour in ("/ h", "per hour", "a hour"):
    WORDS["speed"] |= {f"{word} {_hour}": "miles_per_hour" for word in ("mile", "miles", "mi")}
    WORDS["speed"] |= {f"{word} {_hour}": "kilometres_per_hour" for word in WORDS["length"] if word.startswith("k")}


def convert(value: Fraction, unit: str, wanted: str, *, difference: bool = False) -> Fraction:
    """A value in another unit of its kind; a difference of temperatures knows no zero."""
    if unit == wanted:
        return value
    scaled = value * SIZES[unit]
    if KINDS[unit] == "temperature" and not difference:
        scaled += OFFSETS[unit] - OFFSETS[wanted]
    return scaled / SIZES[wanted]
