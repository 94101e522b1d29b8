"""The file of an animation's changes (.json), complete at any time, however the run ends.

Source: WbAnimationRecorder.cpp for the finished file. While the animation is recorded, the first frame has
the values of all nodes instead of those that change, and the numbers of the labels follow the frames.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from time import monotonic

from wbridge.hal.folders import replacement

PAUSE_S = 0.5
"""Longest real time after which a frame is in the file."""


class AnimationFile:
    """Frames of JSON, added one by one."""

    def __init__(self, path: Path, step_ms: int, first: str, labels: Iterable[int] = ()) -> None:
        """Write a file with one frame.

        Args:
            path: the file.
            step_ms: time between two frames.
            first: the first frame.
            labels: the numbers of the labels in it.

        Raises:
            OSError: the file cannot be written.
        """
        self._path = path
        self._head = f'{{\n "basicTimeStep":{step_ms},\n'
        start = f'{self._head} "frames":[\n{first}'.encode()
        self._file = path.open("w+b", buffering=0)
        self._labels = set(labels)
        self._file.write(start + _end(self._labels))
        self._second = self._size = len(start)
        """Where the first frame ends, and where the last one does."""
        self._waiting: list[str] = []
        self._next = monotonic() + PAUSE_S

    def add(self, frame: str, labels: Iterable[int]) -> None:
        """Add a frame, and the numbers of the labels in it.

        Raises:
            OSError: the file cannot be written.
        """
        self._waiting.append(frame)
        self._labels.update(labels)
        if monotonic() >= self._next:
            self._flush()

    def _flush(self) -> None:
        """Write the frames that are due."""
        data = "".join(f",\n{answer}" for answer in self._waiting).encode()
        self._file.seek(self._size)
        self._file.write(data + _end(self._labels))
        self._size += len(data)
        self._waiting.clear()
        self._next = monotonic() + PAUSE_S

    def finish(self, first: str) -> None:
        """Close the file, with another first frame and the numbers of the labels at the start, as in Webots.

        Raises:
            OSError: the file cannot be written; it stays as it was.
        """
        with self._file:
            self._flush()
            self._file.seek(self._second)
            frames = self._file.read(self._size - self._second)
        start = f'{self._head} "labelsIds":"{_joined(self._labels)}",\n "frames":[\n{first}'
        with replacement(self._path) as draft:  # Windows replaces only files that nobody has open
            draft.write_bytes(start.encode() + frames + b"\n ]\n}\n")


def _joined(labels: Iterable[int]) -> str:
    return ";".join(map(str, sorted(labels)))


def _end(labels: Iterable[int]) -> bytes:
    return f'\n ],\n "labelsIds":"{_joined(labels)}"\n}}\n'.encode()
