"""What a notebook shows of a talk: a row for each turn, and nothing that it would run."""

from __future__ import annotations

from toolmend.models.scripted import Scripted
from toolmend.session import Session

LUNCH = 'action.add_calendar_entry("<b>Lunch</b>", date="2024-05-03", time="12:00")'


def test_a_talk_is_a_table_of_what_was_said_and_what_took_effect() -> None:
    chat = Session(Scripted([LUNCH, "Sorry?"]), "calendar", "oneline", mend=False)
    chat.request("Lunch <script>")
    chat.correct("It is dinner.")
    html = chat._repr_html_()
    assert html.count("<tr>") == 3
    assert "<td>Lunch &lt;script&gt;</td>" in html
    assert "<td>↳ It is dinner.</td><td>Sorry?</td><td></td>" in html
    assert "<b>" not in html
    assert "<script>" not in html
