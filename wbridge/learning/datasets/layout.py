"""Where a dataset of LeRobot keeps what, and how its columns are declared.

A dataset is a folder: meta/info.json declares the columns, meta/tasks.parquet and meta/episodes name tasks
and episodes, data has the numbers, and videos the pictures of each camera. Source: LeRobot's documentation
of its format 3.0.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TypedDict

from wbridge.hal.folders import replacement
from wbridge.hal.installation import extra_command

__all__ = [
    "ACTION",
    "DONE",
    "Description",
    "Feature",
    "IMAGES",
    "INFO",
    "REWARD",
    "STATE",
    "STATS",
    "TASKS",
    "VERSION",
]
__all__ += ["DatasetError", "data_file", "episode_file", "features_of", "info_of", "parquet", "replaced"]
__all__ += ["place_of", "replaced_json", "video_file"]

VERSION = "v3.0"
STATE, ACTION, REWARD, DONE = "observation.state", "action", "next.reward", "next.done"
IMAGES = "observation.images."
"""Beginning of the names of cameras."""
INFO, STATS, TASKS = "meta/info.json", "meta/stats.json", "meta/tasks.parquet"
DATA_PATH = "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"
VIDEO_PATH = "videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4"
CHUNK = 1000
"""Files of a folder."""
INDICES = ("frame_index", "episode_index", "index", "task_index")


class DatasetError(ValueError):
    """A folder is not a usable dataset, or one of another kind; the message says why."""


class Feature(TypedDict, total=False):
    """The declaration of a column."""

    dtype: str
    shape: list[int]
    names: list[str] | dict[str, list[str]] | None
    info: dict[str, object]


class Description(TypedDict):
    """What meta/info.json has."""

    codebase_version: str
    robot_type: str | None
    total_episodes: int
    total_frames: int
    total_tasks: int
    chunks_size: int
    data_files_size_in_mb: int
    video_files_size_in_mb: int
    fps: float
    splits: dict[str, str]
    data_path: str
    video_path: str | None
    features: dict[str, Feature]


def parquet() -> ModuleType:
    """Return the module that reads and writes Parquet.

    Raises:
        ImportError: it is not installed; the message says what to install.
    """
    try:
        return import_module("pyarrow.parquet")
    except ImportError:
        raise ImportError(f"datasets need pyarrow: {extra_command('tables')}") from None


def place_of(episode: int) -> tuple[int, int]:
    """Return the numbers of an episode's folder and file."""
    return divmod(episode, CHUNK)


def data_file(episode: int) -> str:
    """Return where the numbers of an episode are."""
    chunk, file = place_of(episode)
    return DATA_PATH.format(chunk_index=chunk, file_index=file)


def video_file(episode: int, key: str) -> str:
    """Return where the pictures of a camera in an episode are."""
    chunk, file = place_of(episode)
    return VIDEO_PATH.format(video_key=key, chunk_index=chunk, file_index=file)


def episode_file(episode: int) -> str:
    """Return where an episode is described."""
    return "meta/episodes/" + data_file(episode).removeprefix("data/")


def features_of(
    state: Sequence[str],
    action: Sequence[str],
    pictures: Mapping[str, tuple[int, int]],
    fps: float,
    has_rewards: bool,
) -> dict[str, Feature]:
    """Return the declarations of all columns, by name.

    Args:
        state: names of the numbers of an observation.
        action: names of the numbers of an action.
        pictures: height and width (pixels) by camera.
        fps: frames per second.
        has_rewards: there are columns of rewards and ends.
    """
    features: dict[str, Feature] = {}
    for key, names in ((STATE, state), (ACTION, action)):
        if names:
            features[key] = {"dtype": "float32", "shape": [len(names)], "names": list(names)}
    for name, size in pictures.items():
        features[IMAGES + name] = _camera(*size, fps)
    if has_rewards:
        features[REWARD] = _number("float32")
        features[DONE] = _number("bool")
    features["timestamp"] = _number("float32")
    return features | {name: _number("int64") for name in INDICES}


def _number(dtype: str) -> Feature:
    return {"dtype": dtype, "shape": [1], "names": None}


def _camera(height: int, width: int, fps: float) -> Feature:
    """Return the declaration of a camera. Videos have even sides."""
    height, width = height + height % 2, width + width % 2
    about: dict[str, object] = {
        "video.height": height,
        "video.width": width,
        "video.codec": "h264",
        "video.pix_fmt": "yuv420p",
        "video.is_depth_map": False,
        "video.fps": fps,
        "video.channels": 3,
        "has_audio": False,
    }
    names = ["height", "width", "channels"]
    return {"dtype": "video", "shape": [height, width, 3], "names": names, "info": about}


def info_of(features: Mapping[str, Feature], fps: float, robot: str) -> Description:
    """Return the description of a dataset without episodes."""
    has_videos = any(feature["dtype"] == "video" for feature in features.values())
    return {
        "codebase_version": VERSION,
        "robot_type": robot or None,
        "total_episodes": 0,
        "total_frames": 0,
        "total_tasks": 0,
        "chunks_size": CHUNK,
        "data_files_size_in_mb": 100,
        "video_files_size_in_mb": 200,
        "fps": fps,
        "splits": {"train": "0:0"},
        "data_path": DATA_PATH,
        "video_path": VIDEO_PATH if has_videos else None,
        "features": dict(features),
    }


def replaced(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file whole or not at all: `write` gets the path of a draft.

    Raises:
        OSError: the file cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacement(path) as draft:
        write(draft)


def replaced_json(path: Path, data: object) -> None:
    """Write a JSON file whole or not at all.

    Raises:
        OSError: the file cannot be written.
    """
    replaced(path, lambda draft: draft.write_text(json.dumps(data, indent=4), encoding="utf-8"))
