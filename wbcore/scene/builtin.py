"""Locates the files that come with wbridge: models and sample worlds."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from hal.installation import update_command

_PACKAGE_PARENT = Path(__file__).resolve().parents[2]


@lru_cache(maxsize=1)
def builtin_directory() -> Path:
    """The folder with `protos/`, `worlds/` and `controllers/`, a Webots project.

    In a checkout, also an editable install, this is the checkout itself; in an installed package it is
    `wbridge/share/`.

    Raises:
        FileNotFoundError: neither place has a `protos` folder, so the installation is incomplete.
    """
    installed = _PACKAGE_PARENT / "wbridge" / "share"
    for candidate in (installed, _PACKAGE_PARENT):
        if (candidate / "protos").is_dir():
            return candidate
    raise FileNotFoundError(
        f"the models that come with wbridge were not found: neither {installed / 'protos'} nor "
        f"{_PACKAGE_PARENT / 'protos'} exists; install again with: {update_command()}"
    )
