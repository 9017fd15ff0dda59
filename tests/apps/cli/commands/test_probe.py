"""`toolmend probe`: a table per model, JSON on request, and an exit code."""

import json

from fakes import FakeServer, hosted


def test_what_a_model_honours_is_printed(invoke):
    with hosted(FakeServer()) as server:
        result = invoke("probe", f"openai/fake?base_url={server.url}/v1", f"ollama/fake?base_url={server.url}")
    assert result.exit_code == 0
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert lines.count("a plain reply honoured said 'Hello from the fake server.', 5 tokens counted") == 2
    assert lines.count("usage in the stream honoured 11 tokens in, 5 out") == 2


def test_findings_as_json(invoke):
    result = invoke("probe", "scripted/echo", "--format", "json")
    found = json.loads(result.stdout)
    assert found["schema"] == 1
    assert [row["model"] for row in found["models"]] == ["scripted/echo"]
    assert found["models"][0]["findings"][0] == {
        "asked": "a plain reply",
        "verdict": "honoured",
        "evidence": "said 'Say hello.', 2 tokens counted",
    }


def test_a_model_that_does_not_answer_is_a_row_and_an_exit_code(invoke):
    result = invoke("probe", "scripted/idle", "scripted/echo")
    assert result.exit_code == 1
    assert "unclear" in result.stdout and "honoured" in result.stdout


def test_a_name_that_nobody_knows_is_one_line(invoke):
    result = invoke("probe", "nobody/model")
    assert result.exit_code == 2
    assert result.stderr.startswith("toolmend: unknown model 'nobody'")
