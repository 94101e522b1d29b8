"""A hook of MkDocs: links of pages to files outside of docs/ lead to copies of these files in the site.

In the repository such links lead to the files themselves, so pages can be read in both places.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

ROOT = Path(__file__).resolve().parent.parent
COPIES = "source"
"""The folder of the site with the copies."""
_OUTSIDE = re.compile(r"\]\(\.\./([^)#\s]+)")
_INSIDE = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the files outside of docs/ to which pages link."""
    from mkdocs.structure.files import File, InclusionLevel  # start-up: only the site needs it

    pages = [Path(config.docs_dir, file.src_uri) for file in files.documentation_pages()]
    hidden = InclusionLevel.NOT_IN_NAV
    for target in linked_files(pages):
        place = str(ROOT / target)
        files.append(File.generated(config, f"{COPIES}/{target}", abs_src_path=place, inclusion=hidden))
    return files


def linked_files(pages: list[Path]) -> list[str]:
    """Return the files outside of docs/ to which pages link, and those to which these link in turn."""
    waiting = [target for page in pages for target in _OUTSIDE.findall(page.read_text(encoding="utf-8"))]
    targets: set[str] = set()
    while waiting:
        target = waiting.pop()
        if target in targets or target.startswith("docs/") or not (ROOT / target).is_file():
            continue
        targets.add(target)
        if target.endswith(".md"):
            links = _INSIDE.findall((ROOT / target).read_text(encoding="utf-8"))
            waiting += [os.path.normpath(os.path.join(os.path.dirname(target), link)) for link in links]
    return sorted(targets)


def on_page_markdown(markdown: str, page: Any, config: MkDocsConfig, files: Files) -> str:
    """Let links to files outside of docs/ lead to their copies."""
    uri: str = page.file.src_uri
    if not uri.startswith(f"{COPIES}/"):
        return _OUTSIDE.sub(rf"]({COPIES}/\1", markdown)
    # A copied page links to what lies beside its original.
    origin = os.path.dirname(uri.removeprefix(f"{COPIES}/"))
    return _INSIDE.sub(lambda match: f"]({_of_copy(match[1], origin, uri)}", markdown)


def _of_copy(link: str, origin: str, uri: str) -> str:
    target = os.path.normpath(os.path.join(origin, link))
    is_page = target.startswith("docs/")
    place = target.removeprefix("docs/") if is_page else f"{COPIES}/{target}"
    return os.path.relpath(place, os.path.dirname(uri))
