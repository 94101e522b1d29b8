"""Where Webots has the models of which this project has its own: addresses that both understand.

The folders are facts of Webots' releases from R2022b on, as declared in public worlds.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

__all__ = ["declared_url"]

_FILE = Path(__file__).with_suffix(".json")
"""Names of models by folder."""


@lru_cache(maxsize=1)
def _folders() -> dict[str, str]:
    folders: dict[str, str] = json.loads(_FILE.read_text(encoding="utf-8"))
    return {name: folder for folder, names in folders.items() for name in names.split()}


def declared_url(name: str) -> str:
    """Return the URL by which a world declares a bundled model, so that Webots finds it as well.

    Args:
        name: of the model, without ".proto".

    Returns:
        an address with the prefix `webots://`, or only the file's name if Webots is not known to have it.
    """
    folder = _folders().get(name)
    return f"{name}.proto" if folder is None else f"webots://{folder}/{name}.proto"
