"""A net that begins as an embedded preset. Needs torch."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from safetensors.numpy import load_file  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402

from toolmend.models import load_model  # noqa: E402
from toolmend.models.builtin.tokens import Tokens  # noqa: E402
from toolmend.training.net import Net, export  # noqa: E402
from toolmend.training.teach.start import begin_as, shape_like  # noqa: E402


@pytest.fixture(scope="module")
def preset():
    return load_model("builtin/small").preset


def test_with_the_same_pieces_it_is_the_preset(preset):
    _, tokens = preset.load()
    net = Net(shape_like(preset, preset.sizes.vocabulary))
    assert begin_as(net, tokens, preset) == preset.sizes.vocabulary
    ours, theirs = export(net), load_file(preset.folder / "model.safetensors")
    assert all(np.array_equal(ours[name], theirs[name]) for name in ours)


def test_a_new_piece_begins_as_the_mean_of_its_parts(preset):
    _, tokens = preset.load()
    tokenizer = Tokenizer.from_str(tokens.tokenizer.to_str())
    tokenizer.add_tokens(["zqzq"])
    net = Net(shape_like(preset, preset.sizes.vocabulary + 1))
    assert begin_as(net, Tokens(tokenizer, tokens.spelling), preset) == preset.sizes.vocabulary
    letters = [net.embedding.weight[tokenizer.token_to_id(letter)] for letter in "zqzq"]
    made = net.embedding.weight[tokenizer.token_to_id("zqzq")]
    assert torch.allclose(made, torch.stack(letters).mean(0), atol=1e-3)
