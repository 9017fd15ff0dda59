"""KerasHub presets and Hugging Face folders as a base: their own tokenizer, chat template and form on disk.

Found and checked by models/keras before weights are loaded; what comes out is a folder of the same kind.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from toolmend.errors import BadFile, BadOption
from toolmend.models.builtin.preset import PICKLED, file_hash, refuse_pickles
from toolmend.models.keras.chat import TemplateChat, read_chat
from toolmend.models.keras.folder import Folder, heads, locate, read_json
from toolmend.models.keras.loading import load_lm, preset_handle, read_tokens
from toolmend.training.tune.chat_form import ChatForm

_LONGEST = 4096
_WEIGHTS = ("*.safetensors", "*.safetensors.index.json", "*.weights.h5", "*.weights.json")
_OURS = ("README.md", "training.json", "loss.svg", ".part-*")


def open_base(name: str) -> HubBase:
    """The base `keras/NAME` or `./FOLDER`, checked before any weight is loaded. Raises BadFile, BadOption."""
    if Path(name).suffix.lower() in PICKLED:
        raise BadFile(name, "pickled weights are never loaded; convert them to safetensors")
    family, _, rest = name.partition("/")
    if family == "builtin" or (Path(name).expanduser() / "toolmend.json").exists():
        raise BadOption(f"{name} is not trained any more: `toolmend train adapter` teaches SmolLM2 (docs/decisions.md)")
    if family == "keras" and rest:
        return HubBase(name, rest)
    if not name.startswith((".", "/", "~")):
        raise BadOption(f"base {name!r} is neither a folder ./FOLDER nor keras/NAME of KerasHub")
    return HubBase(name, name)


class HubBase:
    """A model of KerasHub's as a base; `rest` is the name behind `keras/`, or a folder. `identity` is a hash that
    changes with its weights; `window` counts tokens."""

    license = "as the base's"

    def __init__(self, name: str, rest: str) -> None:
        path = locate(rest, preset_handle, download=False)
        self.name, self._folder = name, Folder.read(path)
        refuse_pickles(path)
        tokens = read_tokens(self._folder)
        self._chat: TemplateChat = read_chat(self._folder, tokens, "", name)
        self.window = int(self._folder.config.get("max_position_embeddings", _LONGEST))
        self.pad = tokens.specials.get("<pad>", 0)
        files = [path / "config.json", *(sorted(path.glob("*.safetensors")) or sorted(path.glob("*.weights.h5")))]
        self.identity = hashlib.sha256("".join(map(file_hash, files)).encode()).hexdigest()

    def form(self) -> ChatForm:
        """Its chat template."""
        return ChatForm(self._chat)

    def load(self) -> Any:
        """The model in float32. Raises BadFile, and BadOption where the trained weights could not be written."""
        lm = load_lm(self._folder, "float32")
        if not self._folder.is_keras:
            self._writable(lm.backbone)
        return lm

    def write(self, lm: Any, folder: Path, about: Mapping[str, Any], card: str) -> None:
        """Write a folder of the base's own kind, with its tokenizer, and with training.json and README.md."""
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder, prefix=".part-") as name:
            made = Path(name)
            shutil.copytree(
                self._folder.path, made, ignore=shutil.ignore_patterns(*_WEIGHTS, *_OURS), dirs_exist_ok=True
            )
            self._write_weights(lm, made)
            text = json.dumps(dict(about), indent=2, ensure_ascii=False) + "\n"
            (made / "training.json").write_text(text, encoding="utf-8")
            (made / "README.md").write_text(card, encoding="utf-8")
            for path in sorted(made.iterdir()):
                if path.is_dir():
                    shutil.copytree(path, folder / path.name, dirs_exist_ok=True)
                else:
                    path.replace(folder / path.name)

    def _write_weights(self, lm: Any, folder: Path) -> None:
        """The weights; of the other files the base's stay."""
        if self._folder.is_keras:
            lm.backbone.save_to_preset(str(folder))
            _say_tied(folder, getattr(lm.backbone, "tie_word_embeddings", None))
            return
        from keras_hub.src.utils.transformers.export.hf_exporter import export_backbone

        config = (folder / "config.json").read_bytes()
        export_backbone(lm.backbone, str(folder), include_lm_head=self._has_head())
        (folder / "config.json").write_bytes(config)

    def _has_head(self) -> bool:
        return any("lm_head.weight" in heads(file) for file in self._folder.weight_files())

    def _writable(self, backbone: Any) -> None:
        """Raise BadOption where KerasHub's exporter does not know every weight of this folder."""
        from keras_hub.src.utils.transformers.export.hf_exporter import MODEL_EXPORTERS

        export = MODEL_EXPORTERS.get(type(backbone).__name__)
        known = set(export(backbone, include_lm_head=self._has_head())) if export else set()
        wanted = {name for file in self._folder.weight_files() for name in heads(file)}
        if lost := sorted(wanted - known):
            what = f"{len(lost)} weights such as {lost[0]}"
            raise BadOption(f"{self.name}: KerasHub cannot write {what} back to Hugging Face's format; use its preset")


def _say_tied(folder: Path, tied: bool | None) -> None:
    """Write into both configurations of a Llama what KerasHub 0.32 leaves out; it cannot load a tied one without."""
    if tied is None:
        return
    for name, keys in (("config.json", ()), ("task.json", ("config", "backbone"))):
        if not (folder / name).is_file():
            continue
        data = read_json(folder / name)
        inner = data
        for key in keys:
            inner = inner[key]
        inner["config"]["tie_word_embeddings"] = tied
        (folder / name).write_text(json.dumps(data, indent=4) + "\n", encoding="utf-8")
