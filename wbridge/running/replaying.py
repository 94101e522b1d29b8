"""Turn animations of Webots into pages."""

from __future__ import annotations

from pathlib import Path

from wbridge.failures import InputError

__all__ = ["is_recording", "write_animation"]

MARK = b'data-part="head"'


def is_recording(path: Path) -> bool:
    """Return True for a page that `wbridge run --record` has written.

    Raises:
        InputError: the file cannot be read.
    """
    if path.suffix.lower() != ".html":
        return False
    try:
        with path.open("rb") as file:
            return any(MARK in line for line in file)
    except OSError as problem:
        raise InputError(f"cannot read {path}: {problem.strerror}") from None


def write_animation(path: Path, page: Path) -> None:
    """Write an animation of Webots as a page.

    Raises:
        InputError: it cannot be read, or the page cannot be written.
    """
    from robot_windows.recording_page import page_start
    from wbcore.recordings.page_file import PageFile
    from wbcore.recordings.page_recorder import PageRecorder
    from wbridge.running.webots_animation import Animation, SceneError, files_of

    try:
        scene, changes = files_of(path)
        animation = Animation(scene, changes)
        info = animation.world.first("WorldInfo")
        title = str(info.get("title")) if info is not None and info.get("title") else scene.stem
        recorder = PageRecorder(animation, animation, PageFile(page, page_start(title)), _head(title, scene))
        with recorder:
            for _ in range(len(animation)):
                animation.advance()
                recorder.take()
            recorder.finish({"reason": "an animation of Webots", "status": 0})
    except SceneError as problem:
        raise InputError(f"cannot show {path}: {problem}") from None
    except OSError as problem:
        raise InputError(f"cannot show {path}: {problem.filename or page}: {problem.strerror}") from None


def _head(title: str, scene: Path) -> dict[str, str]:
    return {"title": title, "world": scene.name}
