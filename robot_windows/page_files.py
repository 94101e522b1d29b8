"""The folder with the pages."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from wbridge.hal.archives import packed_folder


@cache
def pages_folder() -> Path:
    """Return the folder `pages` of a checkout, or where the archive of the wheel was unpacked.

    Raises:
        OSError: neither the user's cache folder nor the temporary one is writable.
    """
    return packed_folder(Path(__file__).resolve().parent, "pages", "pages")
