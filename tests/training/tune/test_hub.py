"""KerasHub presets as bases: tiny random Llama 3 and Gemma, with adapters and without, and folders that are refused."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("jax")
keras_hub = pytest.importorskip("keras_hub")

from toolmend.errors import BadFile, BadOption  # noqa: E402
from toolmend.messages import Call, ToolSpec  # noqa: E402
from toolmend.models.builtin.tokens import Tokens  # noqa: E402
from toolmend.models.keras import templates  # noqa: E402
from toolmend.models.keras.chat import TemplateChat  # noqa: E402
from toolmend.training.datasets.lines import Said  # noqa: E402
from toolmend.training.tune.chat_form import ChatForm  # noqa: E402
from toolmend.training.tune.hub import open_base  # noqa: E402
from toolmend.training.tune.recipe import Recipe  # noqa: E402
from toolmend.training.tune.tuning import Asked, tune  # noqa: E402

from .conftest import llama3, save  # noqa: E402

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("compiled_once"),
    pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning"),  # Keras 3.15 under numpy 2.4
]
TALK = [
    Said("system", "Be good."),
    Said("user", "Add <|eot_id|> Tom"),
    Said("assistant", "no", learn=False),
    Said("user", "It is wrong."),
    Said("assistant", "yes"),
]


def gemma(folder: Path, _tokens: Tokens) -> Path:
    import sentencepiece

    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["Add a lunch with Anna Tom Olga Fred", 'add("Tom") wrong'] * 5), model_writer=out,
        vocab_size=330, model_type="bpe", byte_fallback=True, hard_vocab_limit=False, minloglevel=2,
        user_defined_symbols=["<start_of_turn>", "<end_of_turn>"], pad_id=0, eos_id=1, bos_id=2, unk_id=3,
        pad_piece="<pad>", eos_piece="<eos>", bos_piece="<bos>",
    )  # fmt: skip
    tokenizer = keras_hub.tokenizers.GemmaTokenizer(proto=out.getvalue())
    backbone = keras_hub.models.GemmaBackbone(
        vocabulary_size=tokenizer.vocabulary_size(), num_layers=1, num_query_heads=4, num_key_value_heads=1,
        hidden_dim=16, intermediate_dim=48, head_dim=8,
    )  # fmt: skip
    return save(folder, keras_hub.models.GemmaCausalLM, backbone, keras_hub.models.GemmaCausalLMPreprocessor(tokenizer))


MAKERS: dict[str, Callable[[Path, Tokens], Path]] = {
    "llama3": lambda folder, tokens: llama3(folder, tokens, tied=False),
    "llama3 tied": lambda folder, tokens: llama3(folder, tokens, tied=True),
    "gemma": gemma,
}


@pytest.fixture(scope="module")
def bases(tokens: Tokens, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("hub")
    return {name: make(folder / name.replace(" ", "_"), tokens) for name, make in MAKERS.items()}


def held_out(asked: Asked) -> float:
    """The held-out loss of a base that is not trained."""
    again = replace(asked, out=asked.out.with_name("again"), work=asked.out.with_name("again.work"))
    figures = tune(replace(again, recipe=replace(asked.recipe, rank=0, tokens=1)), print, print)
    return float(figures["before"]["held_out_loss"])


@pytest.mark.parametrize("rank", [0, 4])
@pytest.mark.parametrize("name", list(MAKERS))
def test_it_learns_and_its_product_is_what_was_learned(
    bases: dict[str, Path], data: Path, name: str, rank: int
) -> None:
    recipe = Recipe(rate=0.02, batch=1024, every=8, epochs=4.0, rank=rank, alpha=8.0)
    asked = Asked(str(bases[name]), data, data.parent / "out", data.parent / "work", recipe)
    figures = tune(asked, lambda row: None, lambda line: None)
    after = figures["after"]["held_out_loss"]
    assert after < figures["before"]["held_out_loss"] - 0.1
    assert held_out(replace(asked, base=str(asked.out))) == pytest.approx(after, abs=1e-4)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_tied_product_loads_in_kerashub_alone(bases: dict[str, Path], data: Path) -> None:
    out = data.parent / "out"
    tune(Asked(str(bases["llama3 tied"]), data, out, data.parent / "w", Recipe(tokens=1)), print, print)
    lm = keras_hub.models.CausalLM.from_preset(str(out))
    assert lm.backbone.tie_word_embeddings
    assert lm.preprocessor.tokenizer.vocabulary_size() == lm.backbone.vocabulary_size


def test_the_mask_of_llama3_is_the_right_reply_and_its_end(bases: dict[str, Path]) -> None:
    base = open_base(str(bases["llama3"]))
    row = base.form().row(TALK, ())
    tokens = base._chat.tokens  # type: ignore[attr-defined]
    learned = [each for each, learn in zip(row.ids, row.learn, strict=True) if learn]
    assert (tokens.decode(learned), learned[-1]) == ("yes", tokens.specials["<|eot_id|>"])
    assert sum(each == tokens.specials["<|eot_id|>"] for each in row.ids) == 5  # none that a person wrote


def test_the_mask_of_gemma_is_the_right_reply_and_its_end(bases: dict[str, Path]) -> None:
    base = open_base(str(bases["gemma"]))
    row = base.form().row(TALK, ())
    tokens = base._chat.tokens  # type: ignore[attr-defined]
    learned = [each for each, learn in zip(row.ids, row.learn, strict=True) if learn]
    assert (tokens.decode(learned).strip(), learned[-1]) == ("yes", tokens.specials["<end_of_turn>"])


ADD = ToolSpec("add", "", {"type": "object", "properties": {"title": {"type": "string"}}})
CALLED = [Said("user", "Add Tom"), Said("assistant", "", (Call("add", {"title": "Tom"}),))]


def test_native_calls_are_learned_as_the_template_writes_them(bases: dict[str, Path]) -> None:
    tokens = open_base(str(bases["llama3"]))._chat.tokens  # type: ignore[attr-defined]
    row = ChatForm(TemplateChat(templates.find("llama3.1"), tokens, bases["llama3"])).row(CALLED, (ADD,))
    learned = [each for each, learn in zip(row.ids, row.learn, strict=True) if learn]
    assert tokens.decode(learned) == '{"name": "add", "parameters": {"title": "Tom"}}'


def test_a_template_without_calls_says_so(bases: dict[str, Path]) -> None:
    with pytest.raises(BadOption, match="writes no tool calls; build the data with --as oneline"):
        open_base(str(bases["llama3"])).form().row(CALLED, (ADD,))


def test_what_is_missing_or_must_not_be_there_is_named(bases: dict[str, Path], tmp_path: Path) -> None:
    import shutil

    copy = Path(shutil.copytree(bases["llama3"], tmp_path / "copy"))
    (copy / "pytorch_model.bin").write_bytes(b"")
    with pytest.raises(BadFile, match=r"pytorch_model.bin: pickled weights are never loaded"):
        open_base(str(copy))
    (copy / "pytorch_model.bin").unlink()
    (copy / "model.weights.h5").unlink()
    with pytest.raises(BadFile, match=r"model\.weights"):
        open_base(str(copy))
