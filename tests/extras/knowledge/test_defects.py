"""The faults of the published collector, each with lines of our own; the numbers are those of docs/knowledge.md."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date

from toolmend.extras.knowledge import Source, Trust, canonical, chunks_of, judge, source_id, tags_of
from toolmend.extras.knowledge.chunks import TOKENS, tokens_in
from toolmend.extras.knowledge.collect import Item
from toolmend.extras.knowledge.collect.finish import finished
from toolmend.extras.knowledge.encoding import decode
from toolmend.extras.knowledge.trust.checks import Check

Made = Callable[..., Source]
AS_OF = date(2026, 11, 20)

ABSTRACT = "We measured promoter methylation in tumours, " + "and compared it with expression in the same samples. " * 5


def check(trust: Trust, name: str) -> Check:
    return next(each.check for each in trust.checks if each.name == name)


def topics(source: Source) -> set[str]:
    return {tag.topic for tag in tags_of(source)}


def test_01_promoter_is_not_promotion(written: Made) -> None:
    paper = written(ABSTRACT, "https://pubmed.ncbi.nlm.nih.gov/1", form="pubmed")
    assert check(judge(paper, AS_OF), "language").verdict == "pass"


def test_02_localhost_colon_is_no_gut(written: Made) -> None:
    spoken = written("go to http colon slash slash localhost colon 8888 and open the Jupyter notebook", title="Jupyter")
    assert topics(spoken) == {"software"}


def test_03_a_brain_is_no_therapy_and_weights_are_no_diet(written: Made) -> None:
    net = written("The brain of a neural network are its weights; training changes each weight by gradient descent.")
    assert topics(net) == {"neural_networks"}


def test_04_ids_of_videos_keep_their_case() -> None:
    small, large = "https://www.youtube.com/watch?v=abcdefghijk", "https://www.youtube.com/watch?v=ABCDEFGHIJK"
    assert source_id(small) != source_id(large)


def test_04_one_video_has_one_id() -> None:
    same = ("https://youtu.be/abcDEF_-123?si=x", "http://m.youtube.com/watch?feature=share&v=abcDEF_-123&t=7s")
    assert {canonical(each) for each in same} == {"https://www.youtube.com/watch?v=abcDEF_-123"}


def test_05_a_date_is_read_from_the_address(source: Made) -> None:
    made = source("a.md", "A model for dialogue.", "https://lab.example.edu/blog/2023/04/03/wombat/")
    assert [(each.value, each.where) for each in made.published] == [("2023-04-03", "url")]


def test_07_names_below_the_title_are_authors(source: Made) -> None:
    names = "Ada Ames\nadaames\nFollow\nBen Bo\nbb97\nFollow\n"
    text = f"Can models label?\nPublished\nJune 12, 2023\n{names}Since then much happened."
    made = source("a.txt", text)
    assert [each.value for each in made.authors] == ["Ada Ames", "Ben Bo"]
    assert ("2023-06-12", "page") in [(each.value, each.where) for each in made.published]


def test_08_no_author_is_worse_than_a_handle_and_that_than_a_name(written: Made) -> None:
    scores = [judge(written("x " * 40, authors=each), AS_OF).score for each in ((), "handle99", "Ann Lee")]
    assert scores == sorted(set(scores))


def test_09_a_consortium_signs_a_paper(written: Made) -> None:
    paper = written(ABSTRACT, authors="Consortium", form="pubmed")
    assert check(judge(paper, AS_OF), "author").value == 1.0


def test_10_a_reference_counts_once_and_code_never(source: Made) -> None:
    cited = "As Lee et al. (2020) [1] and again [1] show, x[0] is set."
    text = f"{cited}\n\n## References\n\n[1] Lee et al. (2020) On x. Reference: 9.\n"
    assert check(judge(source("a.md", text), AS_OF), "references").says == "refers to 1 other works"


def test_10_references_out_are_not_citations_in(written: Made) -> None:
    paper = written(ABSTRACT, form="pubmed", reference_count=44)
    trust = judge(paper, AS_OF)
    assert (check(trust, "references").value, check(trust, "cited").verdict) == (1.0, "unknown")


def test_11_links_are_kept(source: Made) -> None:
    made = source("a.md", "See [the paper](https://arxiv.org/abs/2304.03442) and more.")
    assert next((link.url, link.text) for link in made.links) == ("https://arxiv.org/abs/2304.03442", "the paper")


def test_12_utf8_is_never_read_as_latin_1() -> None:
    text, encoding = decode("Meta’s model".encode(), "text/html; charset=ISO-8859-1")
    assert (text, encoding) == ("Meta’s model", "utf-8")


def test_12_what_was_lost_before_is_not_guessed(source: Made) -> None:
    text = "Metaâs model, Stanfordâs model, and Googleâs."
    assert source("a.txt", text).text == text


def test_13_a_slogan_is_not_used_to_judge(written: Made) -> None:
    plain = written("x " * 40, description="")
    assert judge(replace(plain, description="The best blog"), AS_OF) == judge(plain, AS_OF)


def test_14_dates_have_one_form(written: Made) -> None:
    from toolmend.extras.knowledge.dates import iso

    assert [iso(each) for each in ("2012-Jul-18", "June 12, 2023", "2017-10-05T08:00Z", "20230403")] == [
        "2012-07-18",
        "2023-06-12",
        "2017-10-05",
        "2023-04-03",
    ]


def test_15_nobody_is_asked_for_a_disclaimer(written: Made) -> None:
    plain = written("A matrix is a table. " * 10)
    told = replace(plain, text=plain.text + "Disclaimer: this is not medical advice.")
    assert judge(told, AS_OF).score == judge(plain, AS_OF).score


def test_16_topics_age_at_their_own_pace(written: Made) -> None:
    old = {"published": "2012-01-01", "authors": "Ann Lee"}
    proof = written("The theorem of linear algebra, with its proof by induction.", **old)
    model = written("Prompt engineering for a language model and its chatbot.", **old)
    values = [check(judge(each, AS_OF), "current").value for each in (proof, model)]
    assert values[0] == 1.0
    assert values[1] is not None and values[1] < 0.01


def test_17_a_score_says_by_which_rules_and_of_which_day(written: Made) -> None:
    found = judge(written("x"), AS_OF).as_dict()
    assert (found["rules"], found["as_of"]) == ("toolmend-1", "2026-11-20")
    assert judge(written("x"), AS_OF) == judge(written("x"), AS_OF)


def test_18_chunks_have_ids_offsets_headings_and_fit_the_embedder(source: Made) -> None:
    made = source("a.md", "# One\n\n" + "A short sentence here. " * 300 + "\n\n## Two\n\nAnother sentence.\n")
    chunks = chunks_of(made)
    assert chunks[-1].heading == "One › Two"
    assert [(chunk.source, chunk.position) for chunk in chunks[:2]] == [(made.id, 0), (made.id, 1)]
    assert all(tokens_in(made.text[chunk.start : chunk.end]) <= TOKENS for chunk in chunks)


def test_19_the_whole_text_is_kept(source: Made) -> None:
    assert len(source("a.txt", "word " * 2000).text) == 9999


def test_20_transcripts_keep_their_times(source: Made) -> None:
    made = source("a.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nhello\n\n01:00:03.500 --> 01:00:05.000\nagain\n")
    assert [(made.text[cue.start :].split("\n")[0], cue.seconds) for cue in made.cues] == [
        ("hello", 1.0),
        ("again", 3603.5),
    ]


def test_21_who_int_is_who_int(written: Made) -> None:
    who = written("Guidelines for malaria.", "https://www.who.int/guidelines")
    assert (who.kind, check(judge(who, AS_OF), "standing").verdict) == ("official", "pass")


def test_22_a_text_of_1998_has_a_date_and_is_older_than_one_of_2017(written: Made) -> None:
    scores = [
        judge(written("Install the API.", published=each), AS_OF) for each in ("1998-05-01", "2017-05-01", "2026-05-01")
    ]
    assert [check(each, "dated").verdict for each in scores] == ["pass"] * 3
    assert scores[0].score <= scores[1].score < scores[2].score


def test_23_no_title_inside_a_name(written: Made) -> None:
    names = ("Alexandr Ivanov", "Gene Amdahl", "Marta Labarca")
    assert {check(judge(written("x", authors=each), AS_OF), "affiliation").verdict for each in names} == {"unknown"}


def test_24_honest_prose_is_no_advertising(written: Made) -> None:
    text = "The discount factor is guaranteed to converge. She is affiliated with a sponsored chair. "
    trust = judge(written(text * 3), AS_OF)
    assert (check(trust, "language").verdict, check(trust, "interests").verdict) == ("pass", "unknown")


def test_25_half_of_the_weight_lies_outside_the_page(written: Made) -> None:
    boast = "Disclaimer: peer-reviewed, trusted by experts, award-winning, independent and honest. " * 5
    trust = judge(written(boast, authors="Ann Lee", published="2026-01-01"), AS_OF)
    assert trust.outside == 0.0
    assert trust.high - trust.low >= 0.5
    assert sum(each.weight for each in trust.checks if each.half == "lateral") >= 0.499


def test_finishing_twice_changes_nothing(source: Made) -> None:
    text = "# Wombat\n\nBy Ada Ames\n\nPublished: 3 April 2023\n\n## References\n\n[1] Lee (2020) On x, a study."
    made = source("a.md", text, "https://lab.example.edu/blog/2023/04/03/wombat/")
    assert replace(finished(made, Item(b"", "a", made.url)), kind=made.kind, kind_from=made.kind_from) == made
