"""Mending: from a person's correction to the right call, by what is surest first, a model only where words do not do.

The new values in the sentence itself; else the rest is held and what is blamed is asked anew; else the readings there
are; else one question to the person. Without I/O, like a strategy. Knows no session and asks no model by name.
"""

from toolmend.session.mend.asking import asks_person, assents
from toolmend.session.mend.case import Edits, MendCase
from toolmend.session.mend.complaints import is_complaint, tool_asked
from toolmend.session.mend.mender import Mender, MenderState

__all__ = ["Edits", "MendCase", "Mender", "MenderState", "asks_person", "assents", "is_complaint", "tool_asked"]
