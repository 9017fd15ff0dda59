"""Adapters that ship: named, derived once for their content, asked for words, else refused. The net is random."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import platformdirs
import pytest

from tiny_llama import write_base, write_peft
from toolmend import Session, load_model
from toolmend.base.errors import BadFile, BadOption, ModelError, UnknownName
from toolmend.base.messages import Message, Options, Reply, Request
from toolmend.models import smol
from toolmend.models.gguf import load as load_gguf
from toolmend.models.gguf.peft import halves
from toolmend.models.smol.preset import SmolPreset, export_adapter

Ask = Callable[..., Reply]
SHORT = Request((Message("user", "Lunch with Ada"),), options=Options(max_tokens=12))


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's cache, empty."""
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda app: tmp_path / "cache" / app)
    return tmp_path / "cache" / "toolmend"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_base(tmp_path_factory.mktemp("base") / "tiny.gguf")


def test_the_adapter_changes_the_reply(base: Path, tmp_path: Path, ask: Ask) -> None:
    folder = write_peft(tmp_path / "mine", base)
    taught = ask(load_model(f"smol/{folder}?threads=1&num_ctx=512&parallel=1"), SHORT)
    assert taught.text != ask(load_gguf(f"{base}?threads=1&num_ctx=512&parallel=1"), SHORT).text


def test_it_is_asked_for_words_unless_somebody_says_otherwise(base: Path, tmp_path: Path) -> None:
    name = f"smol/{write_peft(tmp_path / 'mine', base)}?threads=1"
    assert Session(name, "calendar").strategy.name == "spoken"
    assert Session(name, "calendar", "oneline").strategy.name == "oneline"
    assert load_model(name).abilities.toolboxes == ("calendar",)


def test_many_adapters_share_one_base(base: Path, tmp_path: Path) -> None:
    one, two = (load_model(f"smol/{write_peft(tmp_path / name, base)}?threads=1") for name in ("one", "two"))
    assert one is not two
    assert one.engine is two.engine  # type: ignore[attr-defined]


def test_the_same_adapter_by_its_file_is_asked_for_words_too(base: Path, tmp_path: Path) -> None:
    derived = SmolPreset.read(write_peft(tmp_path / "mine", base)).derived(base)
    assert load_gguf(f"{base}?adapter={derived}").abilities.strategy == "spoken"
    assert load_gguf(str(base)).abilities.strategy == "oneline"


def test_it_is_derived_once_for_its_content(base: Path, tmp_path: Path, cache: Path) -> None:
    folder = write_peft(tmp_path / "mine", base)
    first = SmolPreset.read(folder).derived(base)
    written = first.stat().st_mtime_ns
    assert SmolPreset.read(folder).derived(base) == first
    assert first.stat().st_mtime_ns == written
    config = folder / "adapter_config.json"
    config.write_text(config.read_text().replace('"lora_alpha": 4', '"lora_alpha": 8'))
    other = SmolPreset.read(folder).derived(base)
    assert sorted(path.name for path in (cache / "adapters").iterdir()) == sorted([first.name, other.name])


def test_another_notation_is_refused(base: Path, tmp_path: Path) -> None:
    folder = write_peft(tmp_path / "mine", base, notation=2)
    with pytest.raises(BadFile, match=r"was taught version 2 of the spoken notation, and this toolmend speaks 1"):
        load_model(f"smol/{folder}")


def test_another_notation_in_the_file_alone_is_refused(base: Path, tmp_path: Path) -> None:
    derived = SmolPreset.about(write_peft(tmp_path / "mine", base, 1)).derived(base)
    other = tmp_path / "other.gguf"
    at = (data := bytearray(derived.read_bytes())).index(b"toolmend.notation") + len("toolmend.notation") + 4
    data[at] = 9
    other.write_bytes(data)
    with pytest.raises(BadFile, match="version 9"):
        load_gguf(f"{base}?adapter={other}")


def test_without_the_base_the_command_is_named(tmp_path: Path) -> None:
    folder = write_peft(tmp_path / "mine", Path("smollm2"))
    with pytest.raises(ModelError, match="toolmend models get smollm2"):
        load_model(f"smol/{folder}")


def test_a_foreign_matrix_is_named(base: Path, tmp_path: Path) -> None:
    import numpy as np
    from safetensors.numpy import save_file

    folder = write_peft(tmp_path / "mine", base)
    save_file({"lm_head.lora_A.weight": np.zeros((2, 2), "f2")}, folder / "adapter_model.safetensors")
    with pytest.raises(BadFile, match="lm_head"):
        load_model(f"smol/{folder}")


def test_a_folder_may_be_one_of_the_users_home(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    write_peft(tmp_path / "mine", base)
    assert load_model("smol/~/mine?threads=1").abilities.toolboxes == ("calendar",)


def test_its_adapter_is_its_own(base: Path, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="its own adapter"):
        load_model(f"smol/{write_peft(tmp_path / 'mine', base)}?adapter=x.gguf")


def test_an_unknown_name_lists_what_ships() -> None:
    with pytest.raises(UnknownName, match="calendar"):
        load_model("smol/calender")


def test_what_ships_says_what_it_is() -> None:
    assert [SmolPreset.about(smol.SHELF / name).toolbox for name in smol.names()] == ["calendar", ""]


def test_other_programs_load_the_same_adapter(base: Path, tmp_path: Path) -> None:
    folder = write_peft(tmp_path / "mine", base)
    export_adapter(str(folder), "hf", tmp_path / "hf")
    assert load_model(f"smol/{tmp_path / 'hf'}").abilities.toolboxes == ("calendar",)
    assert sorted(export_adapter(str(folder), "gguf", tmp_path / "gguf")) == ["Modelfile", "adapter.gguf"]
    assert (tmp_path / "gguf" / "Modelfile").read_text().startswith(f"FROM {base}\nADAPTER ./adapter.gguf\n")
    assert load_gguf(f"{base}?adapter={tmp_path / 'gguf' / 'adapter.gguf'}").abilities.strategy == "spoken"


def test_eight_bits_are_within_half_a_step_of_what_they_stand_for(base: Path, tmp_path: Path) -> None:
    folder = write_peft(tmp_path / "mine", base)
    export_adapter(str(folder), "int8", tmp_path / "small")
    export_adapter(f"{tmp_path / 'small'}", "hf", tmp_path / "back")
    assert load_model(f"smol/{tmp_path / 'small'}").abilities.strategy == "spoken"
    exact, back = halves(folder), halves(tmp_path / "back")
    assert exact.keys() == back.keys()
    for key, values in exact.items():
        step = abs(values).max(axis=1 if ".lora_A." in key else 0, keepdims=True) / 127
        assert (abs(values.astype("f4") - back[key]) <= 0.51 * step + 1e-3 * abs(values)).all()


def test_an_export_is_never_written_over_another(base: Path, tmp_path: Path) -> None:
    folder = write_peft(tmp_path / "mine", base)
    with pytest.raises(BadOption, match="already there"):
        export_adapter(str(folder), "hf", folder)
