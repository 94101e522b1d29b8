"""How the images of devices reach the controller: through files that both share, or in the answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class PictureTransfer:
    """The way of images to the controller of a robot."""

    folder: Path | None = None
    """The folder of image files; None: the system's temporary folder."""
    is_in_answers: bool = False
    """Whether images are sent in the answers (over TCP) instead of through files."""
    waiting: list[tuple[int, int, bytes]] = field(default_factory=list)
    """Images for the next answer: tag, code, pixels."""

    def put(self, tag: int, code: int, pixels: bytes) -> None:
        """Send an image with the next answer in place of an earlier one that still waits."""
        self.waiting = [picture for picture in self.waiting if picture[:2] != (tag, code)]
        self.waiting.append((tag, code, pixels))

    def take(self) -> list[tuple[int, int, bytes]]:
        """Return the images that wait, which then do not wait any more."""
        pictures, self.waiting = self.waiting, []
        return pictures
