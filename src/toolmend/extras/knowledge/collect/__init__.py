"""Files to sources, one module per form. Which one reads a file is told by its bytes first, by its ending second.

Works on saved files, always offline. Whatever the bytes are, the answer is a source or a named outcome.
"""

from toolmend.extras.knowledge.collect.apart import read_apart
from toolmend.extras.knowledge.collect.item import Item, files_in, items_at
from toolmend.extras.knowledge.collect.reading import read

__all__ = ["Item", "files_in", "items_at", "read", "read_apart"]
