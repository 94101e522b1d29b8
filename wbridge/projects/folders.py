"""Folders of the user's that commands write."""

from __future__ import annotations

import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wbridge.failures import InputError, RunError


@contextmanager
def written(folder: Path) -> Iterator[None]:
    """Write files into a folder within the block.

    Raises:
        InputError: the folder is part of Python's installed packages, which an update removes.
        RunError: it cannot be written.
    """
    place = folder.resolve()
    for packages in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}:
        if place.is_relative_to(Path(packages).resolve()):
            raise InputError(f"{folder} is in {packages}, the folder of installed packages; name another one")
    try:
        yield
    except OSError as problem:
        raise RunError(f"cannot write {problem.filename or folder}: {problem.strerror}") from None
