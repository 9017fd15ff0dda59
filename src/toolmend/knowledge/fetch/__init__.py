"""Sources from the web, where somebody asked for it: addresses checked, robots asked, pages paced, limited and kept.

`Fetchers(Manners()).add(library, url)` fetches and keeps; each outcome has a name. Other packages bring fetchers of
their own under the entry point `toolmend.fetchers`. docs/knowledge.md.
"""

from __future__ import annotations

from toolmend.knowledge.fetch.cache import Cache
from toolmend.knowledge.fetch.fetched import Fetched
from toolmend.knowledge.fetch.fetchers import Fetcher, Fetchers
from toolmend.knowledge.fetch.guard import Guard
from toolmend.knowledge.fetch.manners import Manners
from toolmend.knowledge.fetch.web import Web

__all__ = ["Cache", "Fetched", "Fetcher", "Fetchers", "Guard", "Manners", "Web"]
