"""A hook of MkDocs: screen readers get what the theme leaves out."""

from __future__ import annotations

import re
from collections import Counter

_SEARCH = re.compile(r'(<div class="md-search"[^>]*role="dialog")>')
_PART = re.compile(r'(<nav class="md-nav"[^>]* aria-label=")([^"]*)(")')
_EMPTY_HEADER = re.compile(r"<th([^>]*)></th>")


def on_post_template(output_content: str, **_: object) -> str:
    """Do the same for the page for wrong addresses, which is no page to MkDocs."""
    return on_post_page(output_content)


def on_post_page(output: str, **_: object) -> str:
    """Name the search, give parts of the contents names of their own, leave out empty headers of tables."""
    seen: Counter[str] = Counter()

    def numbered(match: re.Match[str]) -> str:
        seen[match[2]] += 1
        count = seen[match[2]]
        # Sections of the navigation have such names, too.
        number = "" if count == 1 else f" {count}"
        return f"{match[1]}{match[2]}{number}, on this page{match[3]}"

    named = _SEARCH.sub(r'\1 aria-label="Search">', output)
    return _EMPTY_HEADER.sub(r"<td\1></td>", _PART.sub(numbered, named))
