"""Folders of firmware templates: each board or driver is a folder."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from wbridge.hal.installation import update_command

OTHER_BOARDS = ("python_boards", "sketch_boards")
"""Folders of the boards that run controllers in Python, and of those built as Arduino sketches."""


@cache
def templates_path() -> Path:
    """Return the folder `firmware_templates` beside this package, in a checkout as in the archive of a wheel.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    folder = Path(__file__).resolve().parent.parent / "firmware_templates"
    if (folder / "boards").is_dir():
        return folder
    raise FileNotFoundError(
        f"the firmware templates of wbridge were not found; reinstall with: {update_command()}"
    )


def board_folders(near: Path | None = None) -> dict[str, Path]:
    """Return the folders of all boards with compiled programs by name, sorted.

    Args:
        near: folder of the user's hardware map. Boards in `firmware_templates/boards` beside it are included
            and override bundled ones of the same name.
    """
    places = [templates_path() / "boards", *([own_boards(near)] if near is not None else [])]
    folders: dict[str, Path] = {}
    for place in places:
        folders |= {file.parent.name: file.parent for file in place.glob("*/board.toml")}
    return dict(sorted(folders.items()))


def own_boards(near: Path) -> Path:
    """Return the folder for the user's own boards beside a hardware map in the folder `near`."""
    return near.resolve() / "firmware_templates" / "boards"


def all_board_folders(near: Path | None = None) -> dict[str, Path]:
    """Return the folders of all boards by name, sorted: those of `board_folders` and `OTHER_BOARDS`."""
    files = (file for name in OTHER_BOARDS for file in (templates_path() / name).glob("*/board.toml"))
    return dict(sorted(({file.parent.name: file.parent for file in files} | board_folders(near)).items()))


def board_names(near: Path | None = None) -> list[str]:
    """Return the names of all boards with compiled programs, sorted (see `board_folders`)."""
    return list(board_folders(near))


def driver_names() -> list[str]:
    """Return the names of all drivers, sorted."""
    return sorted(file.parent.name for file in (templates_path() / "drivers").glob("*/driver.toml"))


def flavor_names() -> list[str]:
    """Return the names of all flavors: slave, which needs no user code, then the others, sorted."""
    names = sorted(file.parent.name for file in (templates_path() / "flavors").glob("*/flavor.toml"))
    return sorted(names, key=lambda name: name != "slave")


def api_names() -> list[str]:
    """Return the names of all parts of the controller API, sorted."""
    return sorted(file.parent.name for file in (templates_path() / "api").glob("*/kind.toml"))


def read_toml(text: str) -> dict[str, Any]:
    """Return the content of a TOML text.

    Raises:
        ValueError: the text is not valid TOML; the message has line and column.
    """
    data: dict[str, object] = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli").loads(text)
    return data
