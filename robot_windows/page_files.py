"""The folder with the pages."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from wbridge.hal.archives import unpacked

__all__ = ["pages_folder"]

ARCHIVE = "pages.tar.xz"
"""The pages in an installed wheel, which CMakeLists.txt packs."""


@cache
def pages_folder() -> Path:
    """Return the folder `pages` of a checkout, or where the archive of the wheel was unpacked.

    Raises:
        OSError: neither the user's cache folder nor the temporary one is writable.
    """
    package = Path(__file__).resolve().parent
    archive = package / ARCHIVE
    return unpacked(archive, "pages").resolve() if archive.is_file() else package / "pages"
