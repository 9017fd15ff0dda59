"""Sources from the web, where somebody asked for it: addresses checked, robots asked, pages paced, limited and kept.

`Web(Manners()).add(library, url)` fetches and keeps; each outcome has a name. docs/knowledge.md.
"""

from toolmend.extras.knowledge.fetch.cache import Cache, Fetched
from toolmend.extras.knowledge.fetch.pages import Manners
from toolmend.extras.knowledge.fetch.web import Web

__all__ = ["Cache", "Fetched", "Manners", "Web"]
