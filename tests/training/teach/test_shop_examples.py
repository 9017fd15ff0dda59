"""The shop's examples are no copy of the suite that tests what was learned from them."""

from pathlib import Path

import pytest

from toolmend.evals.suites.suite import load_suite
from toolmend.tools import Toolbox
from toolmend.training.datasets.leakage import Prompts
from toolmend.training.teach.examples import read_examples
from toolmend.training.teach.requests import Requests

FILE = Path(__file__).parents[3] / "examples" / "shop_examples.txt"


@pytest.fixture(scope="module")
def requests() -> Requests:
    shop = Toolbox.load("shop")
    return Requests(shop.specs, read_examples(FILE, shop))


def test_no_example_is_like_a_prompt_of_the_suite() -> None:
    suite = load_suite("shop")
    prompts = Prompts(step.say for case in suite.cases().values() for step in case.steps)
    shop = Toolbox.load("shop")
    near = {each.said: prompts.nearest(each.said) for each in read_examples(FILE, shop)}
    assert len(prompts) > 40
    assert {said: bleu for said, bleu in near.items() if bleu > 0.2} == {}


def test_every_call_made_of_them_is_one_that_the_shop_takes(requests: Requests) -> None:
    from random import Random

    shop = Toolbox.load("shop")
    for seed in range(400):
        for call in requests.one(Random(seed), held_out=seed % 2 == 0).calls:
            assert shop.tool(call.tool).validate(call.arguments)[1] == ()
