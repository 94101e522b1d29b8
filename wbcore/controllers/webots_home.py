"""The folder that Python controllers find in WEBOTS_HOME if Webots is not installed.

Controllers append `lib/controller/python` of this folder to their module path, as Webots' manual advises for
controllers started outside of it. Here that folder contains links to wbridge's packages; on Windows, where
links need rights that few users have, packages in their place import those, and the libraries of controllers
in C lie where Windows finds them (`lib/controller`). Makefiles get another folder, with headers and libraries
(`wbridge.libcontroller.compiling.home_path`).
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

from wbridge.hal.folders import cache_folder, import_folder, replacement

__all__ = ["link_package", "put_library", "stand_in", "webots_home"]

PACKAGES = import_folder()
LINKS = ("controller", "vehicle", "wbridge")
"""The packages that controllers import, and the one that these need."""
STAND_IN = """import sys
from importlib.util import module_from_spec, spec_from_file_location

_spec = spec_from_file_location(__name__, {file!r}, submodule_search_locations=[{folder!r}])
sys.modules[__name__] = module_from_spec(_spec)
_spec.loader.exec_module(sys.modules[__name__])
"""
"""The text of a package that puts another one into its own place."""
LIBRARIES = PACKAGES / "wbridge" / "libcontroller" / "windows"
"""Only in a wheel for Windows."""


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
            link_package(modules / name, PACKAGES / name)
        for library in LIBRARIES.glob("*.dll"):
            put_library(library, modules.parent)
    except OSError:
        return None
    return home


def link_package(place: Path, package: Path, platform: str = sys.platform) -> None:
    """Let a package be found at another place, unless it is there.

    Args:
        place: where it is to be found.
        package: its folder.
        platform: the system, as `sys.platform` names it.

    Raises:
        OSError: the place cannot be written.
    """
    if platform == "win32":
        stand_in(place, package)
        return
    with suppress(FileExistsError):
        place.symlink_to(package)


def stand_in(place: Path, package: Path) -> None:
    """Write a package that Python replaces by another one when it imports it.

    Args:
        place: the new folder.
        package: that of the other one.

    Raises:
        OSError: the place cannot be written.
    """
    place.mkdir(exist_ok=True)
    text = STAND_IN.format(file=str(package / "__init__.py"), folder=str(package))
    file = place / "__init__.py"
    if not file.is_file() or file.read_text(encoding="utf-8") != text:
        with replacement(file) as draft:
            draft.write_text(text, encoding="utf-8")


def put_library(library: Path, folder: Path) -> None:
    """Copy a library into a folder, unless the same one is there.

    Args:
        library: the file.
        folder: where controllers look for it; a former library that a controller uses stays.

    Raises:
        OSError: the folder cannot be written.
    """
    copy = folder / library.name
    if copy.is_file() and copy.read_bytes() == library.read_bytes():
        return
    with suppress(PermissionError), replacement(copy) as draft:
        shutil.copyfile(library, draft)
