"""Finding passages of a library and answering from them: full text and vectors, fused; exact quotes; or "not there".

Built on the library and kept beside it in the same database (docs/knowledge.md).
"""

from __future__ import annotations

from toolmend.extras.knowledge.search.answer import SURE, Cited, CitedAnswer, answer
from toolmend.extras.knowledge.search.embedder import Embedder
from toolmend.extras.knowledge.search.search import Search

__all__ = ["SURE", "Cited", "CitedAnswer", "Embedder", "Search", "answer"]
