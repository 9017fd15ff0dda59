"""Ask a Hugging Face folder by transformers, in float32: ask_transformers.py FOLDER. Run by the peers' Python.

Standard input: a JSON list of conversations. Standard output: for each the prompt's ids, its last logits, the reply.
"""

from __future__ import annotations

import json
import sys

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer


def main(folder: str) -> None:
    """One answer a conversation."""
    torch.set_num_threads(1)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    answers = []
    for talk in json.load(sys.stdin):
        asked = tokenizer.apply_chat_template(talk, add_generation_prompt=True, return_tensors="pt", return_dict=True)
        ids = asked["input_ids"][0].tolist()
        with torch.no_grad():
            logits = model(**asked).logits[0, -1].tolist()
            made = model.generate(**asked, max_new_tokens=200)[0][len(ids) :]
        answers.append({"ids": ids, "logits": logits, "text": tokenizer.decode(made, skip_special_tokens=True)})
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
