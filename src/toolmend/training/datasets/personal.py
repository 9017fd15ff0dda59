"""Personal data in texts: e-mail and IP addresses, telephone and card numbers, IBANs, keys. By form and check digits.

Finds what has a form; a name, a street or a date of birth has none and is not found.
"""

from __future__ import annotations

import re
from ipaddress import ip_address

_PATTERNS = {
    "key": re.compile(
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----"
        r"|\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9]{20,}|\bgh[oprsu]_[A-Za-z0-9]{36,}"
        r"|\bgithub_pat_\w{22,}|\bxox[abprs]-[A-Za-z0-9-]{10,}|\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{35}|\bhf_[A-Za-z0-9]{30,}"
        r"|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}",
    ),
    "e-mail": re.compile(r"[\w.+%'-]+@(?:[\w-]+\.)+[^\W\d_]{2,}"),
    "IBAN": re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,4}){3,8}\b"),
    "card": re.compile(r"(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w-])"),
    "IP": re.compile(
        r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7})(?![\w:])(?!\.\d)"
    ),
    "phone": re.compile(
        r"(?<![\w.-])(?:\+\d{1,3}[ ./-]?(?:\(0?\d+\)[ ./-]?)?\d(?:[ ./-]?\d){5,12}"
        r"|\(\d{3,5}\)[ ./-]?\d{3,4}[ ./-]?\d{2,5}|\d{3}[ .-]\d{3}[ .-]\d{4}|0\d{2,4}[ /]\d{5,8})(?![\w-])"
    ),
}


def kinds_in(text: str) -> list[str]:
    """The kinds of what was found."""
    return [kind for kind, pattern in _PATTERNS.items() if any(_checked(kind, m[0]) for m in pattern.finditer(text))]


def _checked(kind: str, words: str) -> bool:
    """Whether check digits, or the form as a whole, are right."""
    if kind == "card":
        return _luhn(re.sub(r"\D", "", words))
    if kind == "IP":
        return _address(words)
    return kind != "IBAN" or _iban(words.replace(" ", ""))


def _luhn(digits: str) -> bool:
    """ISO/IEC 7812-1, annex B."""
    twice = [int(digit) * 2 if place % 2 else int(digit) for place, digit in enumerate(reversed(digits))]
    return len(set(digits)) > 1 and sum(value - 9 if value > 9 else value for value in twice) % 10 == 0


def _iban(words: str) -> bool:
    """ISO 13616: the number of its letters and digits, the first four put last, is 1 modulo 97."""
    moved = words[4:] + words[:4]
    return 15 <= len(words) <= 34 and int("".join(str(int(letter, 36)) for letter in moved)) % 97 == 1


def _address(words: str) -> bool:
    """An address of a machine that others reach; 127.0.0.1 and 0.0.0.0 are nobody's, a time is none."""
    try:
        found = ip_address(words)
    except ValueError:
        return False
    return not (found.is_loopback or found.is_unspecified)
