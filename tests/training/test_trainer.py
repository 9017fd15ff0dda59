"""Training on a toy: it learns, goes on where it was killed, and its export runs on the numpy engine. Needs torch."""

import copy
import json
from functools import partial

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from toolmend.models.builtin.engine import Cache  # noqa: E402
from toolmend.models.builtin.preset import Preset  # noqa: E402
from toolmend.training import trainer  # noqa: E402
from toolmend.training.corpus import Source, batches, encode_dialogue, pad  # noqa: E402
from toolmend.training.exam import Result, exam  # noqa: E402
from toolmend.training.export import write_preset  # noqa: E402
from toolmend.training.net import Net, Shape, export  # noqa: E402
from toolmend.training.simulate import simulate  # noqa: E402

pytestmark = pytest.mark.slow
SHAPE = Shape(vocabulary=512, width=32, inner=48, layers=2, heads=4)
TALK = [("user", "Add a lunch with Anna on May 3 at noon"), ("assistant", "Sure!"), ("user", "No")]


def calendar_source() -> Source:
    return Source(lambda number, held_out: simulate(number, held_out=held_out))


class NoExam:
    def summary(self):
        return {"exam": "left out"}


@pytest.fixture(scope="module", autouse=True)
def small_and_quick():
    """No exam, little data at a time (so that several chunks of it are needed), one thread."""
    threads = torch.get_num_threads()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trainer, "exam", lambda net, tokens, source, dialogues: NoExam())
        patch.setattr(trainer, "batches", partial(batches, chunk=32))
        patch.setattr(trainer.os, "cpu_count", lambda: 1)
        torch.set_num_threads(1)
        yield
    torch.set_num_threads(threads)


def recipe(**values):
    toy = {
        "shape": SHAPE,
        "tokens": 20 * 1536,
        "tokens_per_batch": 1536,
        "warm_up": 3,
        "compile": False,
        "save_every": 6,
    }
    return trainer.Recipe(**{**toy, **values})


def weights(net):
    return {name: tensor.detach().clone() for name, tensor in net.state_dict().items()}


def same(one, other):
    return all(torch.equal(one[name], other[name]) for name in one)


@pytest.fixture(scope="module")
def toy(tokens, dialogues):
    """A batch of dialogues to learn by heart."""
    rows = [encode_dialogue(talk, tokens)[:2] for talk in dialogues]
    return pad([row for row in rows if len(row[0]) <= 256][:8], 256)


@pytest.mark.parametrize("muon", [0.02, 0.0], ids=["muon", "adam alone"])
def test_it_learns_by_heart_in_30_steps(toy, muon):
    net = Net(SHAPE, seed=1)
    optimizers = trainer._optimizers(net, recipe(muon_rate=muon))
    losses = [trainer._step(net, optimizers, toy) for _ in range(30)]
    assert losses[0] > 4.5
    assert losses[-1] < 0.7 * losses[0]


def test_it_sees_as_many_positions_as_told_and_says_so(tokens, tmp_path):
    rows = []
    trainer.train(recipe(tokens=55 * 1536, save_every=99), tokens, tmp_path, rows.append, calendar_source())
    assert rows[0]["step"] == 50 and rows[0]["of"] == 55 * 1536
    assert rows[-1]["exam"] == "left out" and 55 <= rows[-1]["step"] < 70
    assert 55 * 1536 <= rows[-1]["tokens"] < 56 * 1536
    logged = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    assert logged == rows


class Killed(BaseException):
    pass


def killed_at(monkeypatch, steps):
    """Let `steps` updates pass, then die."""
    step, left = trainer._step, [steps]

    def counted(*arguments):
        if not left[0]:
            raise Killed
        left[0] -= 1
        return step(*arguments)

    monkeypatch.setattr(trainer, "_step", counted)


@pytest.fixture(scope="module")
def whole(tokens, tmp_path_factory):
    """The weights of a run that nobody killed."""
    return weights(trainer.train(recipe(), tokens, tmp_path_factory.mktemp("whole"), print, calendar_source()))


@pytest.mark.parametrize(
    "killed_after", [4, 6, 9, 17], ids=["before a save", "at a save", "after a save", "in the decay"]
)
def test_a_killed_run_goes_on_to_the_same_weights(whole, tokens, tmp_path, monkeypatch, killed_after):
    with monkeypatch.context() as patch:
        killed_at(patch, killed_after)
        with pytest.raises(Killed):
            trainer.train(recipe(), tokens, tmp_path, print, calendar_source())
    assert same(whole, weights(trainer.train(recipe(), tokens, tmp_path, print, calendar_source())))


def test_a_finished_run_is_left_as_it_is(tokens, tmp_path):
    first = weights(trainer.train(recipe(), tokens, tmp_path, print, calendar_source()))
    rows = []
    again = trainer.train(recipe(), tokens, tmp_path, rows.append, calendar_source())
    assert same(first, weights(again)) and rows == []


def test_the_next_stage_begins_with_its_own_data_and_rates(tokens, tmp_path):
    trainer.train(recipe(tokens=8 * 1536, decay=0.0, seed=1), tokens, tmp_path, print, calendar_source())
    second = recipe(tokens=12 * 1536, decay=0.0, seed=2, muon_rate=0.004, adam_rate=0.0007)
    trainer.train(second, tokens, tmp_path, print, calendar_source())
    state = torch.load(tmp_path / "state.pt", weights_only=True)
    rates = [group["lr"] for optimizer in state["optimizers"] for group in optimizer["param_groups"]]
    assert rates == [0.004, 0.0007]


@pytest.fixture(scope="module")
def trained(toy):
    net = Net(SHAPE, seed=3)
    optimizers = trainer._optimizers(net, recipe())
    for _ in range(40):
        trainer._step(net, optimizers, toy)
    return net


def test_the_same_seed_makes_the_same_net():
    assert same(weights(Net(SHAPE, 5)), weights(Net(SHAPE, 5)))
    assert not same(weights(Net(SHAPE, 5)), weights(Net(SHAPE, 6)))


def test_what_is_exported_runs_on_the_engine_with_equal_logits(trained, tokens, tmp_path):
    write_preset(tmp_path, trained, tokens, toolboxes=["calendar"], window=256, about={"name": "toy"}, card="# toy\n")
    preset = Preset.read(tmp_path)
    engine, read = preset.load()
    ids = read.prompt(TALK)
    assert ids == tokens.prompt(TALK)
    ours = engine.logits(ids, Cache(engine.sizes, 256), every=True)
    as_stored = copy.deepcopy(trained).half().float()
    with torch.no_grad():
        exact, rounded = (net(torch.tensor([ids]), torch.arange(len(ids))).numpy() for net in (trained, as_stored))
    np.testing.assert_allclose(ours, rounded, rtol=0, atol=1e-4)
    assert np.abs(ours - exact).mean() < 1e-2
    assert (ours.argmax(-1) == exact.argmax(-1)).mean() > 0.95
    assert (preset.toolboxes, preset.window, preset.about["name"]) == (("calendar",), 256, "toy")
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == "# toy\n"


def test_weights_are_exported_in_half_precision(trained):
    assert {str(weight.dtype) for weight in export(trained).values()} == {"float16"}


def test_the_exam_counts_whole_replies_of_both_distributions(trained, tokens):
    result = exam(trained, tokens, calendar_source(), dialogues=4)
    assert {part for part, _ in result.total} == {"same", "held_out"}
    assert sum(result.exact.values()) + len(result.missed) == sum(result.total.values()) > 10
    assert result.summary()["n"] == sum(count for (part, _), count in result.total.items() if part == "held_out")


def test_a_share_is_of_one_distribution_and_kind():
    result = Result()
    result.exact.update({("same", "add"): 3, ("held_out", "add"): 1, ("held_out", "fix 2"): 0})
    result.total.update({("same", "add"): 4, ("held_out", "add"): 2, ("held_out", "fix 2"): 2})
    assert (result.share("same"), result.share("held_out"), result.share("held_out", "add")) == (0.75, 0.25, 0.5)
    assert result.summary()["by_op"] == {"add": "1/2", "fix 2": "0/2"}
