"""Texts that templates have generated, kept between runs in the user's cache folder.

A template's text depends only on the template, the values it received, and the code in `templates`. There
is one file per template, named by a digest of the template and that code; its entries are named by digests
of the values. So an entry is never out of date. Files can be deleted at any time; a damaged one is ignored
and replaced.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from wbridge.hal.folders import optional_cache_folder, replacement
from wbridge.wbcore.scene.templates.model import Rendered

_CODE = (".py", ".js", ".lua")
_ENGINES = ("_quickjs", "lupa")
"""The packages that run templates."""
MOST_CHARS = 2_000_000
"""Maximum size of a file; the least recently used entries are dropped."""
MOST_FILES = 1500
"""Maximum number of files, over twice that of bundled models; those written longest ago are deleted."""


class TemplateResults:
    """The results of one template."""

    def __init__(self, place: Path | None) -> None:
        """Read the file, if it exists; without a place nothing is kept."""
        self._place = place
        self._entries = _read(place) if place is not None else {}
        self._used: dict[str, object] = {}
        self._is_changed = False

    def get(self, values: str) -> Rendered | None:
        """Return the result for these values (in any exact notation), or None."""
        key = _digest(values.encode("utf-8", "surrogatepass"))
        found = self._entries.get(key)
        if found is None:
            return None
        self._used[key] = found
        text, output, errors, spans = found
        return Rendered(text, tuple(output), tuple(errors), tuple(map(tuple, spans)))

    def put(self, values: str, made: Rendered) -> None:
        """Add a result."""
        if len(made.text) < MOST_CHARS and self._place is not None:
            key = _digest(values.encode("utf-8", "surrogatepass"))
            self._used[key] = self._entries[key] = [made.text, made.output, made.errors_output, made.spans]
            self._is_changed = True

    def save(self) -> None:
        """Write the file if there are new results. Without space or rights nothing is kept."""
        if self._is_changed and self._place is not None:
            self._is_changed = False
            with contextlib.suppress(OSError):
                _write(self._place, {**self._used, **self._entries})


def results_of(name: str, template: str) -> TemplateResults:
    """Return the kept results of a PROTO's template.

    Args:
        name: the PROTO's name.
        template: everything that the text depends on, besides the values and our code.
    """
    folder = None if sys.platform == "emscripten" else optional_cache_folder()  # a page keeps no files
    if folder is None:
        return TemplateResults(None)
    digest = _digest(_code(), template.encode("utf-8", "surrogatepass"))
    return TemplateResults(folder / "templates" / f"{name[:60]}-{digest}.json")


@cache
def _code() -> bytes:
    """Return a digest of the code that runs templates, and of the versions of its engines."""
    files = sorted(file for file in (Path(__file__).parent / "templates").rglob("*") if file.suffix in _CODE)
    parts = [file.read_bytes() for file in files]
    for name in _ENGINES:
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            state = os.stat(spec.origin)
            parts.append(f"{spec.origin} {state.st_size} {state.st_mtime_ns}".encode())
    return _digest(*parts).encode()


def _digest(*parts: bytes) -> str:
    made = hashlib.blake2b(digest_size=16)
    for part in parts:
        made.update(len(part).to_bytes(8, "big") + part)
    return made.hexdigest()


def _read(place: Path) -> dict[str, Any]:
    """Return the entries of a file; none if it does not exist or is damaged."""
    try:
        digest, _, text = place.read_bytes().partition(b"\n")
    except OSError:
        return {}
    if digest != _digest(text).encode():
        return {}
    entries: dict[str, object] = json.loads(text)
    return entries


def _write(place: Path, entries: dict[str, object]) -> None:
    """Replace a file in one step, so that other processes see it complete."""
    texts, size = [], 0
    for key, entry in entries.items():
        text = f'"{key}":{json.dumps(entry)}'
        if size + len(text) <= MOST_CHARS:
            texts.append(text)
            size += len(text)
    data = f"{{{','.join(texts)}}}".encode()
    place.parent.mkdir(parents=True, exist_ok=True)
    if not place.exists():
        _make_room(place.parent)
    with replacement(place) as draft:
        draft.write_bytes(_digest(data).encode() + b"\n" + data)


def _make_room(folder: Path) -> None:
    """Delete the oldest files if there are too many, and some more, so that few calls look at all of them."""
    if len(os.listdir(folder)) < MOST_FILES:
        return
    files = sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime_ns)
    for file in files[: len(files) + 1 - MOST_FILES * 7 // 8]:
        file.unlink(missing_ok=True)
