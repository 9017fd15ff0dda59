"""`toolmend know`: files in, scores with reasons out; one line and the right exit code for what goes wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Invoke = Callable[..., Result]
HEADER = "---\ntitle: Soup\nauthor: Ann Lee\ndate: 2026-01-05\nurl: https://soup.example/one\n---\n"
SOUP = HEADER + "# Soup\n\nSoup is hot. Buy now.\n"
SOUP_ID = "e50dab903d6e"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "soup.md"
    path.write_text(SOUP, encoding="utf-8")
    return path


def test_add_twice(invoke: Invoke, file: Path) -> None:
    assert invoke("know", "add", file).stdout == f"added              {SOUP_ID}  {file}  Soup\n"
    assert invoke("know", "add", file).stdout == f"unchanged          {SOUP_ID}  {file}\n"


def test_add_as_json(invoke: Invoke, file: Path) -> None:
    outcomes = json.loads(invoke("know", "add", file, "https://localhost/x", "--format", "json").stdout)["outcomes"]
    assert [(each["name"], each["source"]) for each in outcomes] == [("added", SOUP_ID), ("not_fetched", "")]


def test_nothing_kept_is_exit_code_2(invoke: Invoke, tmp_path: Path) -> None:
    done = invoke("know", "add", tmp_path / "no.md")
    assert (done.exit_code, done.stdout.split()[0]) == (2, "unreadable")


def test_url_names_where_a_file_is_from(invoke: Invoke, file: Path, tmp_path: Path) -> None:
    other = tmp_path / "bare.txt"
    other.write_text("Bare text.")
    invoke("know", "add", other, "--url", "https://bare.example/x?utm_source=a")
    (row,) = json.loads(invoke("know", "list", "--format", "json").stdout)["sources"]
    assert row["url"] == "https://bare.example/x"
    assert invoke("know", "add", file, other, "--url", "https://x.example").exit_code == 2


def test_list_show_and_forget(invoke: Invoke, file: Path) -> None:
    invoke("know", "add", file)
    assert invoke("know", "list").stdout == f"{SOUP_ID}  page          2026-01-05  Soup\n"
    shown = invoke("know", "show", SOUP_ID[:4]).stdout
    assert "author       Ann Lee  (front matter)" in shown
    assert invoke("know", "show", SOUP_ID, "--text").stdout == "Soup\n\nSoup is hot. Buy now.\n"
    assert invoke("know", "forget", SOUP_ID[:5]).stdout == f"forgotten  {SOUP_ID}\n"
    gone = invoke("know", "show", SOUP_ID)
    assert (gone.exit_code, gone.stderr.startswith(f"toolmend: unknown source '{SOUP_ID}'")) == (2, True)


def test_trust_of_all(invoke: Invoke, file: Path) -> None:
    invoke("know", "add", file)
    (row,) = json.loads(invoke("know", "trust", "--format", "json").stdout)["sources"]
    assert (row["id"], row["rules"]) == (SOUP_ID, "toolmend-1")
    assert row["low"] <= row["trust_score"] <= row["high"]
    assert "checks" not in row


def test_trust_explained(invoke: Invoke, file: Path) -> None:
    invoke("know", "add", file)
    (row,) = json.loads(invoke("know", "trust", SOUP_ID, "--explain", "--format", "json").stdout)["sources"]
    (interests,) = [each for each in row["checks"] if each["check"] == "interests"]
    assert (interests["verdict"], interests["evidence"][0]["quote"], interests["evidence"][0]["start"]) == (
        "fail",
        "Buy now",
        19,
    )
    assert "“Buy now”  (text 19–26)" in invoke("know", "trust", SOUP_ID, "--explain").stdout


def test_facts_from_outside_count(invoke: Invoke, file: Path, tmp_path: Path) -> None:
    facts = tmp_path / "facts.json"
    facts.write_text(
        '{"outside": [{"about": "soup.example", "says": "unreliable", "by": "a list", "date": "2026-02-01"}]}'
    )
    invoke("know", "add", file, facts)
    line = invoke("know", "trust").stdout
    assert line.startswith(f"{SOUP_ID}  0.30  ")
    assert line.rstrip().endswith("[listed_unreliable]")


def test_ask_quotes_and_says_where(invoke: Invoke, file: Path) -> None:
    invoke("know", "add", file)
    done = invoke("know", "ask", "Is soup hot?", "--format", "json")
    said = json.loads(done.stdout)["answer"]
    assert (done.exit_code, said["found"]) == (0, True)
    [cited] = said["quotes"]
    assert (cited["quote"]["text"], cited["quote"]["source"], cited["verified"]) == ("Soup is hot.", SOUP_ID, True)
    assert f"    {SOUP_ID}  6–18  https://soup.example/one" in invoke("know", "ask", "Is soup hot?").stdout


def test_not_in_memory_is_an_answer(invoke: Invoke, file: Path) -> None:
    invoke("know", "add", file)
    done = invoke("know", "ask", "How many tonnes of steel does the bridge weigh?")
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, "not in memory")


@pytest.mark.parametrize("words", [["list"], ["show", "ab"], ["trust"], ["ask", "Is soup hot?"], ["forget", "ab"]])
def test_a_slip_in_the_store_s_name_is_told_and_makes_no_file(invoke: Invoke, tmp_path: Path, words: list[str]) -> None:
    done = invoke("know", *words, "--store", tmp_path / "slip.db")
    assert (done.exit_code, "slip.db: no such store" in done.stderr) == (2, True)
    assert not (tmp_path / "slip.db").exists()


def test_an_empty_library_says_so(invoke: Invoke, file: Path) -> None:
    invoke("know", "add", file)
    invoke("know", "forget", SOUP_ID)
    for words in (["list"], ["trust"], ["ask", "Is soup hot?"]):
        assert "no source is kept here yet" in invoke("know", *words).stderr


@pytest.mark.parametrize("question", ["", " ", "???"])
def test_a_question_without_words(invoke: Invoke, file: Path, question: str) -> None:
    invoke("know", "add", file)
    done = invoke("know", "ask", question)
    assert (done.exit_code, done.stderr) == (2, f"toolmend: {question!r} asks nothing\n")


def test_trust_by_the_published_collector_s_rules(invoke: Invoke, tmp_path: Path) -> None:
    entry = {"source_url": "https://soup.example/two", "title": "Soup", "author": "Ann Lee", "trust_score": 0.48}
    entry |= {"published_date": "2026-01-05", "scraped_at": "2026-02-05T00:00:00", "topic_tags": ["soup", "salt"]}
    file = tmp_path / "sources.txt"
    file.write_text(json.dumps({"count": 1, "sources": [{**entry, "content_chunks": ["Soup is hot."]}]}))
    assert invoke("know", "add", file).stdout.split()[0] == "added"
    lines = invoke("know", "trust", "--rules", "seed", "--explain").stdout.splitlines()
    assert lines[0][14:] == "0.46  published 0.48  Soup"
    assert lines[1] == "  author_credibility  0.60"
    assert lines[-3:] == [
        "  id, chunks there    17134bcef629, 1",
        "  tags there          soup, salt",
        "  low-authority domain. no visible citations. recent content.",
    ]
    [row] = json.loads(invoke("know", "trust", "--rules", "seed", "--format", "json").stdout)["sources"]
    assert (row["rules"], row["published_score"], "components" in row) == ("seed", 0.48, False)


def test_a_video_has_another_id_there(invoke: Invoke, tmp_path: Path) -> None:
    """The collector wrote addresses in small letters, where ids of videos are told apart by them."""
    entry = {"source_url": "https://www.youtube.com/watch?v=AAAAAAAAAAA", "title": "Soup", "trust_score": 0.2}
    (tmp_path / "a.json").write_text(json.dumps({"sources": [{**entry, "content_chunks": ["Soup is hot."]}]}))
    invoke("know", "add", tmp_path / "a.json")
    [line] = invoke("know", "trust", "--rules", "seed").stdout.splitlines()
    assert line == "c2a2009c8a51  0.40  published 0.20 as d34a5c801af8  Soup"
