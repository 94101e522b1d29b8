"""Describe the models (PROTO files) that come with wbridge: what they are, and their fields."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from wbridge.text_table import columns
from wbridge.topics.fields import field_rows
from wbridge.wbcore.scene.builtin import builtin_directory
from wbridge.wbcore.scene.load import LoadOptions, load_proto

__all__ = ["description", "model_files", "model_text"]

HEADER_LINES = 2
"""Those of the format and of the license, before the description."""


def model_files() -> dict[str, Path]:
    """Return the files of the models, by their names."""
    return _files(builtin_directory())


@lru_cache(maxsize=1)
def _files(folder: Path) -> dict[str, Path]:
    """Return the files of the models in a folder, which is searched once."""
    return {path.stem: path for path in sorted(folder.glob("protos/**/*.proto"))}


def description(text: str) -> tuple[str, str]:
    """Return what a model is and how it differs from Webots' own, by the comment under its license line.

    Args:
        text: of its file.
    """
    words: list[str] = []
    for line in text.splitlines()[HEADER_LINES:]:
        if not line.startswith("#") or line.startswith("# template language"):
            break
        words.append(line[1:].strip())
    what, _, difference = " ".join(" ".join(words).split()).partition("Difference: ")
    return what.strip(), difference.strip().rstrip(".")


def model_text(name: str) -> str:
    """Return what a model is, and its fields with types and defaults; "" for an unknown name."""
    path = model_files().get(name)
    if path is None:
        return ""
    what, difference = description(path.read_text(encoding="utf-8"))
    model = load_proto(path, LoadOptions(expand=False)).nodes[0]
    rows = columns([["field", "type", "default", "values"], *map(list, field_rows(model.spec))])
    parts = [f"{name} (a model that comes with wbridge)", "", what]
    parts += [f"Unlike Webots' own: {difference}."] if difference else []
    return "\n".join([*parts, "", *rows])
