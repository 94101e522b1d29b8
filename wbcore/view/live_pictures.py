"""Messages about the pictures of displays and pens that shapes show, and that change during a run."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from wbridge.wbcore.view.files import Files
from wbridge.wbcore.visual.live_textures import LiveTexture

if TYPE_CHECKING:
    from numpy.typing import NDArray

LARGEST_PATCH = 4
"""A change of more than this part of a picture (one fourth) is sent as a whole picture."""
Pixels: TypeAlias = "NDArray[np.uint8]"


class LivePictures:
    """The pictures that a description names, and what has changed in them."""

    def __init__(self, files: Files, has_patches: bool) -> None:
        """
        Args:
            files: takes the pictures.
            has_patches: whether messages tell only what has changed since the last one.
        """
        self._files, self._has_patches = files, has_patches
        self._shown: dict[LiveTexture, tuple[int, str]] = {}
        """The version that was sent, and the message's key."""
        self._sent: dict[str, Pixels] = {}
        """What was sent, for patches."""

    def clear(self) -> None:
        """Forget all: there is another description."""
        self._shown.clear()
        self._sent.clear()

    def key(self, live: LiveTexture) -> str:
        """Return the key of messages about a picture, which a new description shows as it is now."""
        if live not in self._shown:
            self._shown[live] = (live.version, f"texture {len(self._shown)}")
            if self._has_patches:
                self._sent[self._shown[live][1]] = live.pixels.copy()
        return self._shown[live][1]

    def changes(self) -> dict[str, Any]:
        """Return messages about changes since the last call."""
        found = {}
        for live, (version, key) in list(self._shown.items()):
            if live.version == version:
                continue
            self._shown[live] = (live.version, key)
            message = self._change(key, live.pixels) if self._has_patches else self._whole(live.pixels)
            if message is not None:
                found[key] = message
        return found

    def whole(self, key: str) -> Mapping[str, Any]:
        """Return a message with all that messages have told about a picture so far."""
        return self._whole(self._sent[key])

    def _whole(self, pixels: Pixels) -> dict[str, object]:
        return {"file": self._files.pixels(pixels)}

    def _change(self, key: str, pixels: Pixels) -> dict[str, Any] | None:
        """Return a message about the smallest rectangle with all changes; None without any."""
        before, self._sent[key] = self._sent[key], pixels.copy()
        if before.shape != pixels.shape:
            return self._whole(pixels)
        differs = (before != pixels).any(axis=2)
        rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
        if not rows.size:
            return None
        top, bottom, left, right = rows[0], rows[-1] + 1, columns[0], columns[-1] + 1
        if LARGEST_PATCH * (bottom - top) * (right - left) > differs.size:
            return self._whole(pixels)
        part = pixels[top:bottom, left:right].tobytes()
        place = [int(edge) for edge in (left, top, right - left, bottom - top)]
        return {"patch": place, "pixels": b64encode(part).decode()}
