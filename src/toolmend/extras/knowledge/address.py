"""Web addresses: one form for each thing that has several, an id made of it, and which hosts are nobody's business.

Scheme and host are written in small letters and nothing else is: ids of videos keep their case. Fetches nothing.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
import socket
from urllib.parse import parse_qsl, unquote, urlencode, urljoin, urlsplit, urlunsplit

ID_LENGTH = 12
_TRACKING = re.compile(r"utm_\w+|fbclid|gclid|mc_cid|mc_eid|igshid|ref_src|spm", re.IGNORECASE)
_VIDEO = re.compile(r"[\w-]{11}")
_ARXIV = re.compile(r"/(?:abs|pdf|html)/((?:[\w.-]+/\d{7}|\d{4}\.\d{4,5}))(?:v\d+)?(?:\.pdf)?/?")
_PUBMED = re.compile(r"/(?:pubmed/)?(\d{1,9})/?")
_LOCAL = re.compile(r"localhost|.*\.(?:localhost|local|internal|intranet|lan|home|corp)", re.IGNORECASE)
_END = re.compile(r"[/\s]+$")


def canonical(url: str) -> str:
    """The one form of an address: https, small host, no port that goes without saying, no fragment, no tracking.

    Videos, PubMed records, arXiv papers and DOIs, which have many addresses, get one. What is no web address comes
    back as it is.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return url.strip()
    if parts.scheme not in ("http", "https") or not host or re.search(r"\s", host):
        return url.strip()
    if known := _known(host.removeprefix("www.").removeprefix("m."), parts.path, dict(parse_qsl(parts.query))):
        return known
    kept = [(name, value) for name, value in parse_qsl(parts.query, True) if not _TRACKING.fullmatch(name)]
    shown = f"[{host}]" if ":" in host else host
    place = f"{shown}:{port}" if port and port not in (80, 443) else shown
    return urlunsplit(("https", place, _END.sub("", parts.path), urlencode(kept, errors="surrogatepass"), ""))


def _known(host: str, path: str, query: dict[str, str]) -> str:
    """The address of a thing whose host writes it in several ways, "" for any other."""
    if host == "youtu.be" or host.removesuffix("-nocookie.com").removesuffix(".com") == "youtube":
        last = path.strip("/").split("/")
        told = query.get("v", "") if path.startswith("/watch") else last[-1]
        whole = host == "youtu.be" or path.startswith("/watch") or last[0] in ("embed", "shorts", "live", "v")
        return f"https://www.youtube.com/watch?v={told}" if whole and _VIDEO.fullmatch(told) else ""
    if host in ("pubmed.ncbi.nlm.nih.gov", "ncbi.nlm.nih.gov") and (found := _PUBMED.fullmatch(path)):
        return f"https://pubmed.ncbi.nlm.nih.gov/{found[1]}"
    if host.removeprefix("export.") == "arxiv.org" and (found := _ARXIV.fullmatch(path)):
        return f"https://arxiv.org/abs/{found[1]}"
    if host in ("doi.org", "dx.doi.org") and path.startswith("/10."):
        return f"https://doi.org/{unquote(path[1:]).lower()}"
    return ""


def source_id(url: str) -> str:
    """The id of whatever is at this address: 12 hexadecimal digits of the SHA-256 of its canonical form."""
    return hashlib.sha256(canonical(url).encode(errors="surrogatepass")).hexdigest()[:ID_LENGTH]


def absolute(base: str, target: str) -> str:
    """A link's target as an absolute web address without its fragment, "" for anything else (mail, scripts)."""
    try:
        joined = urljoin(base, target.strip())
        parts = urlsplit(joined)
    except ValueError:
        return ""
    return urlunsplit((*parts[:4], "")) if parts.scheme in ("http", "https") and parts.netloc else ""


def host_of(url: str) -> str:
    """The host without `www.`, "" if there is none."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def belongs_to(host: str, domain: str) -> bool:
    """Whether a host is `domain` or below it: `news.who.int` belongs to `who.int`, `notwho.int` does not."""
    return host == domain or host.endswith(f".{domain}")


def is_private(host: str) -> bool:
    """Whether a host's name or number is inside some network: loopback, link-local, one word, `.internal`.

    Numbers in any notation (2130706433, 0x7f.1) count as what they are. Names are not looked up: whoever fetches must
    ask again about the number it connects to.
    """
    bare = host.strip("[]").rstrip(".").partition("%")[0]
    try:
        return not ipaddress.ip_address(bare).is_global
    except ValueError:
        pass
    if re.fullmatch(r"[0-9a-fx.]+", bare, re.IGNORECASE):
        try:
            return not ipaddress.ip_address(socket.inet_ntoa(socket.inet_aton(bare))).is_global
        except (OSError, ValueError):
            return True
    return "." not in bare or bool(_LOCAL.fullmatch(bare))
