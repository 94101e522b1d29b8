"""Opening of motion files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbridge.hal.client.arguments import needs
from wbridge.hal.client.session import current

if TYPE_CHECKING:
    from wbridge.hal.client._native import Motion


@needs("filename")
def wbu_motion_new(filename: str) -> Motion | None:
    """Open a motion file; None, with an error message, if that fails.

    Args:
        filename: path, relative to the controller's folder.
    """
    return current().open_motion(filename)
