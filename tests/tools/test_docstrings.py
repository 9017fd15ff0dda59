"""Reading Google-style docstrings."""

from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.tools.schema import Docs, read_docstring


def test_nothing_documented() -> None:
    assert read_docstring(None) == Docs()


def test_the_description_ends_at_the_first_section() -> None:
    docs = read_docstring("Ring the bell.\n\n    As often as told.\n\n    Returns:\n        nothing\n    ")
    assert docs.description == "Ring the bell.\nAs often as told."


def test_lines_of_a_paragraph_are_joined() -> None:
    assert read_docstring("Ring\nthe bell.").description == "Ring the bell."


def test_parameters_with_and_without_a_type() -> None:
    docs = read_docstring("X.\n\nArgs:\n    times (int): how often\n    tone (dict[str, int], optional): which: low\n")
    assert docs.parameters == {"times": "how often", "tone": "which: low"}


def test_a_continued_entry() -> None:
    docs = read_docstring("X.\n\nArgs:\n    times: how often,\n        one to nine\n    tone: which\n")
    assert docs.parameters == {"times": "how often, one to nine", "tone": "which"}


def test_a_colon_in_a_continuation_is_no_entry() -> None:
    docs = read_docstring("X.\n\nArgs:\n    times: one of\n        few: two\n")
    assert docs.parameters == {"times": "one of few: two"}


def test_text_on_the_next_line() -> None:
    assert read_docstring("X.\n\nArgs:\n    times:\n        how often\n").parameters == {"times": "how often"}


def test_the_section_ends_at_the_margin() -> None:
    docs = read_docstring("X.\n\nArgs:\n    times: how often\n\nRaises:\n    Broken: if it is\n")
    assert docs.parameters == {"times": "how often"}


@settings(deadline=None, max_examples=100)
@given(st.text(st.sampled_from("Args: \n\tx(*)é"), max_size=60))
def test_no_text_raises(text: str) -> None:
    read_docstring(text)


def test_the_fields_of_sphinx_are_read() -> None:
    docs = read_docstring(
        "Log a run.\n\n:param float distance_km: how far,\n    in kilometres\n:param kind: kind of run\n"
        ":type kind: str\n:returns: the run\n:raises ValueError: never\n"
    )
    assert docs == Docs("Log a run.", {"distance_km": "how far, in kilometres", "kind": "kind of run"})


def test_a_colon_makes_no_field() -> None:
    assert read_docstring("Ring it: once.\n\nAs :param says").description == "Ring it: once.\nAs :param says"
