"""Small files of every form, built by hand: what collectors are tried on."""

from __future__ import annotations

PAGE = """\
<!doctype html>
<html lang="en"><head><title>Locks | Notes</title>
<meta property="og:title" content="Locks, measured"><meta property="og:site_name" content="Notes">
<meta name="author" content="Ann Lee, Bo Wu">
<meta property="article:published_time" content="2024-03-05T10:00:00Z">
<meta name="citation_doi" content="10.1000/xyz.1">
<link rel="canonical" href="https://notes.example/locks?utm_source=feed">
<script type="application/ld+json">
{"@type": "NewsArticle", "author": {"name": "Ann Lee"}, "dateModified": "2024-04-01"}</script>
</head><body><nav><a href="/home">Home</a> <a href="/about">About us</a></nav><article>
<h1>Locks, measured</h1>
<p>We traced every lock that forty statements take, and wrote down how long each of them was held by whom.</p>
<p>The idea is from <a href="https://arxiv.org/pdf/2101.00001v2">an earlier paper</a>,
which measured something else.</p>
<h2>Method</h2>
<p>Each statement ran a hundred times on an idle machine, with nothing else going on, as far as we could tell.</p>
<h2>References</h2>
<ul><li>Lee and Wu, <a href="https://doi.org/10.1000/LOCK.9">On locks that nobody holds</a>, 2019</li>
<li>Manual of the database, chapter on explicit locking, 2023</li></ul>
</article><footer>Sign up for our letter</footer></body></html>
"""

SRT = "1\n00:00:01,000 --> 00:00:02,000\nhello <i>there</i>\n\n2\n00:00:02,500 --> 00:00:04,000\nagain &amp; again\n"


def pdf(*pages: str, info: str = "") -> bytes:
    """A PDF whose pages show these lines; `info` is the inside of its information dictionary."""
    kids = " ".join(f"{3 + 2 * number} 0 R" for number in range(len(pages)))
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>"]
    font = "<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
    for number, text in enumerate(pages):
        stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET" if text else ""
        shown = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources {font} /Contents {4 + 2 * number} 0 R >>"
        )
        objects += [shown, f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream"]
    objects.append(f"<< {info} >>")
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    tail = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    tail += (
        f"trailer << /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    )
    return out + tail.encode()
