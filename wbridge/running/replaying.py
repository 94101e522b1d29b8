"""Turn animations of Webots, and recordings of strangers, into pages of our own."""

from __future__ import annotations

import json
from pathlib import Path

from wbridge.failures import InputError
from wbridge.robot_windows.recording_page import page_start
from wbridge.wbcore.recordings.page_file import PageFile
from wbridge.wbcore.recordings.page_parts import Part, parts_of
from wbridge.wbcore.recordings.page_recorder import PageRecorder

MARK = b'data-part="head"'
LONGEST_TITLE = 200


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


def write_recording(path: Path, page: Path) -> None:
    """Write the data of a recording into a page of our own: scripts and links of its page are left out.

    Raises:
        InputError: it cannot be read, or the page cannot be written.
    """
    problem = ""
    try:
        if page.exists() and page.samefile(path):
            raise InputError(f"{page} is the recording itself; choose another --output")
        parts = parts_of(path)
        first = next(parts, None)
        if first is None or first.kind != "head":
            raise InputError(f"{path} is not a recording: it does not begin with a head")
        file = PageFile(page, page_start(_title(first, path), is_strict=True))
        try:
            file.add_part(first)
            for part in parts:
                file.add_part(part)
            problem = file.problem
        finally:
            file.close()
    except OSError as error:
        raise InputError(f"cannot show {path}: {error.filename or page}: {error.strerror}") from None
    except ValueError as error:
        raise InputError(f"cannot show {path}: {error}") from None
    if problem:
        raise InputError(f"cannot show {path}: {problem}")


def _title(head: Part, path: Path) -> str:
    """Return the title in the head of a recording, or the name of its file."""
    try:
        title = json.loads(head.content())["title"]
    except (ValueError, KeyError, TypeError):
        return path.stem
    return title[:LONGEST_TITLE] if isinstance(title, str) else path.stem


def write_animation(path: Path, page: Path) -> None:
    """Write an animation of Webots as a page.

    Raises:
        InputError: it cannot be read, or the page cannot be written.
    """
    from wbridge.running.webots_animation import Animation, SceneError, files_of

    try:
        scene, changes = files_of(path)
        animation = Animation(scene, changes)
        info = animation.world.first("WorldInfo")
        title = str(info.get("title")) if info is not None and info.get("title") else scene.stem
        recorder = PageRecorder(
            animation, animation, PageFile(page, page_start(title, is_strict=True)), _head(title, scene)
        )
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
