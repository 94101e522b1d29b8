"""Where the templates of firmware lie, and what is offered there: a folder is a board or a driver."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

__all__ = ["api_names", "board_folders", "board_names", "driver_names", "flavor_names", "read_toml"]
__all__ += ["templates_path"]

_PARENT = Path(__file__).resolve().parent.parent


def templates_path() -> Path:
    """The folder `firmware_templates`: of a checkout, or as the installed package has it.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    for folder in (_PARENT / "wbridge" / "share" / "firmware_templates", _PARENT / "firmware_templates"):
        if (folder / "boards").is_dir():
            return folder
    raise FileNotFoundError(
        "the templates of firmware that come with wbridge were not found; install again with: "
        "pip install --force-reinstall 'wbridge[firmware]'"
    )


def board_folders(near: Path | None = None) -> dict[str, Path]:
    """The folders of all boards by name, sorted.

    Args:
        near: where the user's hardware map lies. Boards in `firmware_templates/boards` beside it are known,
            too, and go before those of the same name that come with wbridge.
    """
    places = [templates_path(), *([near.resolve() / "firmware_templates"] if near is not None else [])]
    found: dict[str, Path] = {}
    for place in places:
        found |= {file.parent.name: file.parent for file in (place / "boards").glob("*/board.toml")}
    return dict(sorted(found.items()))


def board_names(near: Path | None = None) -> list[str]:
    """Names of all boards, sorted (see `board_folders`)."""
    return list(board_folders(near))


def driver_names() -> list[str]:
    """Names of all drivers, sorted."""
    return sorted(file.parent.name for file in (templates_path() / "drivers").glob("*/driver.toml"))


def flavor_names() -> list[str]:
    """Names of all flavors: slave, which needs nothing of the user, then the others, sorted."""
    names = sorted(file.parent.name for file in (templates_path() / "flavors").glob("*/flavor.toml"))
    return sorted(names, key=lambda name: name != "slave")


def api_names() -> list[str]:
    """Names of all parts of the controller's functions, sorted."""
    return sorted(file.parent.name for file in (templates_path() / "api").glob("*/kind.toml"))


def read_toml(text: str) -> dict[str, Any]:
    """The content of a TOML text.

    Raises:
        ValueError: it is none; the message tells line and column.
    """
    found: dict[str, Any] = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli").loads(text)
    return found
