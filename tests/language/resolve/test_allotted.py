"""Numbers, lists and names of a sentence go to the arguments that they belong to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.allotted import alike, allotted, first_number


def tool(required=(), **properties):
    return ToolSpec("t", parameters={"type": "object", "properties": properties, "required": list(required)})


INTEREST = tool(
    ("principal", "annual_rate", "years"),
    principal={"type": "integer", "description": "The amount invested."},
    annual_rate={"type": "number", "description": "The interest rate."},
    years={"type": "integer", "description": "How long it is invested."},
)


def test_each_number_goes_where_the_words_around_it_belong():
    sentence = "What does an investment of $10,000 come to at an annual interest rate of 5% over 3 years?"
    words = {"principal": "?", "annual_rate": "5%", "years": "?"}
    assert allotted(INTEREST, words, sentence) == {"principal": "10000", "annual_rate": "5%", "years": "3"}


def test_what_was_copied_well_stays():
    words = {"principal": "5000", "annual_rate": "3%", "years": "2"}
    assert allotted(INTEREST, words, "Invest 5000 at 3% for 2 years; my sister took 7.") == words


def test_two_numbers_that_changed_places_change_back():
    spec = tool(("year", "bottles"), year={"type": "integer"}, bottles={"type": "integer"})
    mixed = {"year": "12", "bottles": "2017"}
    assert allotted(spec, mixed, "12 bottles of the 2017 are here") == {"year": "2017", "bottles": "12"}
    right = {"year": "2017", "bottles": "2018"}
    assert allotted(spec, right, "the 2017, and 2018 of them") == right


def test_a_number_that_is_said_once_is_not_taken_twice():
    spec = tool(("a", "b"), a={"type": "integer"}, b={"type": "integer"})
    assert allotted(spec, {"a": "1", "b": "1"}, "with a = 1 and b = -3") == {"a": "1", "b": "-3"}


def test_numbers_in_names_are_nobodys():
    spec = tool(("where", "packs"), where={"type": "string"}, packs={"type": "integer"})
    assert allotted(spec, {"where": "flat 2B", "packs": "?"}, "leave them at flat 2B")["packs"] == "?"
    assert allotted(spec, {"where": "lab 13", "packs": "?"}, "to lab 13")["packs"] == "?"


def test_what_need_not_be_given_is_given_where_its_name_stands_beside_a_number():
    spec = tool(("plant",), plant={"type": "string"}, rows={"type": "integer"})
    assert allotted(spec, {"plant": "peas"}, "three rows of peas") == {"plant": "peas", "rows": "3"}
    assert allotted(spec, {"plant": "peas"}, "peas at 3") == {"plant": "peas"}


def test_a_price_is_said_in_two_numbers():
    spec = tool(("euros",), euros={"type": "number"}, hours={"type": "number"})
    assert allotted(spec, {"euros": "seven fifty"}, "charge Carla seven fifty") == {"euros": "7.50"}
    assert allotted(spec, {"euros": "forty-five ninety"}, "it is forty-five ninety") == {"euros": "45.90"}


def test_a_list_of_numbers_is_found_in_words():
    spec = tool(("years",), years={"type": "array", "items": {"type": "integer"}})
    words = {"years": "the past 5 years from 2015 to 2021"}
    assert allotted(spec, words, words["years"]) == {"years": ["2015", "2021"]}


def test_lists_go_in_their_order():
    numbers = {"type": "array", "items": {"type": "integer"}}
    spec = tool(("group1", "group2"), group1=numbers, group2=numbers)
    words = {"group1": "?", "group2": "?"}
    sentence = "Compare group A [3,4,5] with group B [7,8,9]"
    assert allotted(spec, words, sentence) == {"group1": ["3", "4", "5"], "group2": ["7", "8", "9"]}


def test_a_list_has_all_that_is_joined():
    spec = tool(("foods",), foods={"type": "array", "items": {"type": "string"}})
    assert allotted(spec, {"foods": "rice"}, "Order rice, beans and corn")["foods"] == "rice, beans and corn"


def test_a_formula_is_written_as_python_writes_it():
    spec = tool(("function", "x"), function={"type": "string"}, x={"type": "integer"})
    given_ = allotted(spec, {"function": "?", "x": "1"}, "Derive 3x^2 + 2x - 1 at x = 1")
    assert given_["function"] == "3x**2 + 2x - 1"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("two gear housings", {"model": "gear housings", "copies": "two"}),
        ("3 vases", {"model": "vases", "copies": "3"}),
        ("Two Towers", {"model": "Two Towers"}),
        ("three hours of rain", {"model": "three hours of rain"}),
    ],
)
def test_a_count_before_a_text_is_how_many_of_it(text, words):
    spec = tool(("model",), model={"type": "string"}, copies={"type": "integer", "default": 1})
    assert allotted(spec, {"model": text}, f"print {text}") == words


def test_days_are_no_numbers():
    spec = tool(("adults",), adults={"type": "integer"})
    assert allotted(spec, {}, "A room for two adults from April 4th to 8 April 2023")["adults"] == "2"


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("10 m^3", "10"),
        ("the year 2010", "2010"),
        ("1e-9", "1e-9"),
        ("12,000 miles", "12000"),
        ("5 or 6", ""),
        ("x", ""),
    ],
)
def test_the_number_in_words(words, number):
    assert first_number(words) == number


@given(st.text(max_size=120), st.text(max_size=20))
def test_nothing_that_is_said_raises(sentence, text):
    allotted(INTEREST, {"principal": text, "years": "?"}, sentence)


def test_numbers_in_words_go_to_what_they_are_counted_in():
    spec = tool(("machine", "minutes"), machine={"type": "integer"}, minutes={"type": "integer"})
    mixed = {"machine": "nine", "minutes": "nine"}
    assert allotted(spec, mixed, "dryer nine for forty-five minutes") == {"machine": "9", "minutes": "45"}


@pytest.mark.parametrize(
    ("sentence", "hours", "rate"),
    [
        ("15 an hour for Jonas this time, he stayed 3 hours", "3", "15"),
        ("3 hours of Jonas, €15 per hour", "3", "15"),
        ("Jonas did 3 hours a day", "3", None),
    ],
)
def test_what_is_paid_an_hour_is_no_number_of_hours(sentence: str, hours: str, rate: str | None) -> None:
    properties = {"sitter": {"type": "string"}, "hours": {"type": "number"}, "rate": {"type": "number"}}
    spec = ToolSpec("work", parameters={"type": "object", "properties": properties, "required": ["sitter", "hours"]})
    words = {"sitter": "Jonas", "hours": "15", "rate": "3"} if rate else {"sitter": "Jonas", "hours": "3"}
    heard = allotted(spec, words, sentence)
    assert (heard["hours"], heard.get("rate")) == (hours, rate)


def test_words_that_mean_a_number_by_themselves_stay():
    spec = tool(("count",), count={"type": "integer"})
    assert allotted(spec, {"count": "a dozen"}, "print fifty for fig and a dozen for cedar") == {"count": "a dozen"}


def test_a_quantity_is_not_changed_with_a_count():
    spec = tool(("balls", "weight"), balls={"type": "integer"}, weight={"type": "number"})
    words = {"balls": "6", "weight": "250 g"}
    assert allotted(spec, words, "6 pizzas, 250 g a ball") == words


def test_thousands_in_a_list_stay_whole():
    spec = tool(("flows",), flows={"type": "array", "items": {"type": "number"}})
    sentence = "we get 15,000, 20,000, 28,000 and 30,000 back"
    assert allotted(spec, {"flows": "?"}, sentence) == {"flows": ["15000", "20000", "28000", "30000"]}


def test_a_word_with_an_ending_is_known_by_five_letters():
    assert alike("print", ["printed"])
    assert not alike("prin", ["printed"])
