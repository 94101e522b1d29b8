"""Locates the files that come with wbridge: models and sample worlds."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from wbridge.hal.archives import SUFFIX, unpacked
from wbridge.hal.installation import update_command

_PARTS = Path(__file__).resolve().parents[2]
ARCHIVE = f"share{SUFFIX}"
"""The folders in an installed wheel, which CMakeLists.txt packs."""


@lru_cache(maxsize=1)
def builtin_directory() -> Path:
    """The folder with `protos/`, `worlds/` and `controllers/`, a Webots project.

    In a checkout, also an editable install, this is the checkout itself. An installed package has an archive,
    which is unpacked into the user's cache folder when it is first needed.

    Raises:
        FileNotFoundError: neither the archive nor the folder `protos` exists: an incomplete installation.
        OSError: neither the user's cache folder nor the temporary one is writable.
    """
    archive = _PARTS / ARCHIVE
    if archive.is_file():
        return unpacked(archive, "share")
    if (_PARTS / "protos").is_dir():
        return _PARTS
    raise FileNotFoundError(
        f"the models that come with wbridge were not found: neither {archive} nor "
        f"{_PARTS / 'protos'} exists; install again with: {update_command()}"
    )
