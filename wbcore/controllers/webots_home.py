"""The folder that Python controllers find in WEBOTS_HOME if Webots is not installed.

Controllers append `lib/controller/python` of this folder to their module path, as Webots' manual advises for
controllers started outside of it. Here that folder contains links to wbridge's packages. Makefiles get
another folder, with headers and libraries (`wbridge.libcontroller.compiling.home_path`).
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from functools import cache
from pathlib import Path

from wbridge.hal.folders import cache_folder, import_folder

__all__ = ["webots_home"]

PACKAGES = import_folder()
LINKS = ("controller", "vehicle", "wbridge")
"""The packages that controllers import, and the one that these need."""


@cache
def webots_home() -> Path | None:
    """The folder, created on first use; None if neither the cache folder nor the temporary one can be
    written."""
    # Each installation has a folder of its own.
    digest = hashlib.sha256(os.fsencode(PACKAGES)).hexdigest()[:16]
    try:
        home = cache_folder() / f"home-{digest}"
        modules = home / "lib" / "controller" / "python"
        modules.mkdir(parents=True, exist_ok=True)
        for name in LINKS:
            with suppress(FileExistsError):
                (modules / name).symlink_to(PACKAGES / name)
    except OSError:
        return None
    return home
