"""Writes episodes into a dataset of LeRobot."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wbridge.hal.closing import Closing
from wbridge.learning.datasets import statistics
from wbridge.learning.datasets.layout import (
    ACTION,
    DONE,
    IMAGES,
    INDICES,
    INFO,
    REWARD,
    STATE,
    STATS,
    TASKS,
    DatasetError,
    data_file,
    episode_file,
    features_of,
    info_of,
    parquet,
    place_of,
    replaced,
    replaced_json,
    video_file,
)
from wbridge.learning.datasets.tables import episodes_in, fixed_rows, task_table
from wbridge.learning.datasets.videos import Video

__all__ = ["DatasetWriter"]

Statistics = statistics.Statistics


class DatasetWriter(Closing):
    """Writes frames, episode by episode: `add`, `add`, ..., `end_episode`.

    An episode that has ended is complete on the disk, whatever happens later. A folder with a dataset of the
    same columns is continued.
    """

    def __init__(
        self,
        folder: str | Path,
        fps: float,
        state: Sequence[str],
        action: Sequence[str],
        pictures: Mapping[str, tuple[int, int]] | None = None,
        robot: str = "",
        has_rewards: bool = False,
    ) -> None:
        """
        Args:
            folder: of the dataset.
            fps: frames per second.
            state: names of the numbers of an observation.
            action: names of the numbers of an action.
            pictures: height and width (pixels) of the pictures of each camera.
            robot: the kind of robot.
            has_rewards: frames have rewards and ends.

        Raises:
            ImportError: pyarrow is not installed.
            DatasetError: the folder has a dataset of other columns, or something else.
            OSError: the folder cannot be written.
        """
        self._parquet = parquet()
        self._folder, self._fps, self._has_rewards = Path(folder), _whole(fps), has_rewards
        self._sizes = dict(pictures or {})
        self._widths = {STATE: len(state), ACTION: len(action)}
        features = features_of(state, action, self._sizes, self._fps, has_rewards)
        self._info = info_of(features, self._fps, robot)
        self._tasks: list[str] = []
        self._statistics: dict[str, Statistics] = {}
        if self._folder.is_dir() and any(self._folder.iterdir()):
            self._continue()
        self._rows: dict[str, list[NDArray[np.float32]]] = {}
        self._worth: list[tuple[float, bool]] = []
        self._videos: dict[str, Video] = {}
        self._begin()

    @property
    def episodes(self) -> int:
        """Number of complete episodes."""
        return int(self._info["total_episodes"])

    @property
    def frames(self) -> int:
        """Number of frames of the episode that is being written."""
        return len(self._rows[STATE])

    def _continue(self) -> None:
        path = self._folder / INFO
        if not path.is_file():
            raise DatasetError(f"{self._folder} is not empty, and has no {INFO}; choose a new folder")
        info = json.loads(path.read_text(encoding="utf-8"))
        wanted = dict(self._info)
        for key in ("codebase_version", "fps", "features"):
            if info.get(key) != wanted[key]:
                raise DatasetError(f"{self._folder} is a dataset of another kind: its {key} differs")
        self._info = info
        table = self._parquet.read_table(self._folder / TASKS).to_pydict()
        pairs = zip(table["task_index"], table["task"], strict=True)
        self._tasks = [task for _, task in sorted(pairs)]
        data = json.loads((self._folder / STATS).read_text(encoding="utf-8"))
        self._statistics = {name: Statistics.from_data(part) for name, part in data.items()}

    def _begin(self) -> None:
        self._rows = {STATE: [], ACTION: []}
        self._worth, self._videos = [], {}

    def add(
        self,
        state: ArrayLike,
        action: ArrayLike,
        pictures: Mapping[str, NDArray[np.uint8]] | None = None,
        reward: float = 0.0,
        is_over: bool = False,
    ) -> None:
        """Add a frame.

        Args:
            state: what was observed.
            action: what the robot did then.
            pictures: (height, width, 3) red, green, blue of each camera.
            reward: what that was worth.
            is_over: True if it ended the episode.

        Raises:
            DatasetError: numbers or pictures are missing, or have another shape.
            MovieError: pictures cannot be encoded.
        """
        for key, values in ((STATE, state), (ACTION, action)):
            numbers = np.asarray(values, np.float32).reshape(-1)
            if len(numbers) != self._widths[key]:
                raise DatasetError(f"{key}: expected {self._widths[key]} numbers, not {len(numbers)}")
            self._rows[key].append(numbers)
        by_camera = dict(pictures or {})
        if set(by_camera) != set(self._sizes):
            raise DatasetError(f"expected pictures of {sorted(self._sizes)}, not of {sorted(by_camera)}")
        for name, picture in by_camera.items():
            self._video(name).add(picture)
        self._worth.append((reward, is_over))

    def _video(self, name: str) -> Video:
        if name not in self._videos:
            path = self._folder / video_file(self.episodes, IMAGES + name)
            self._videos[name] = Video(path, *self._sizes[name], self._fps)
        return self._videos[name]

    def end_episode(self, task: str) -> None:
        """Complete the episode; one without frames is left out.

        Args:
            task: what the robot should do, in words.

        Raises:
            OSError, MovieError: files cannot be written.
        """
        if not self.frames:
            return
        for video in self._videos.values():
            video.finish()
        if task not in self._tasks:
            self._tasks.append(task)
        columns = self._columns(self._tasks.index(task))
        parts = {name: statistics.of_rows(rows) for name, rows in columns.items()}
        for name, video in self._videos.items():
            parts[IMAGES + name] = statistics.of_pictures(video.samples)
        for name, part in parts.items():
            known = self._statistics.get(name)
            self._statistics[name] = part if known is None else statistics.joined(known, part)
        self._write(task, columns, parts)
        self._begin()

    def _columns(self, task: int) -> dict[str, NDArray[np.generic]]:
        count = self.frames
        columns: dict[str, NDArray[np.generic]] = {
            key: np.stack(self._rows[key]) for key in (STATE, ACTION) if self._widths[key]
        }
        if self._has_rewards:
            columns[REWARD] = np.array([reward for reward, _ in self._worth], np.float32)
            columns[DONE] = np.array([is_over for _, is_over in self._worth], np.bool_)
        frames = np.arange(count)
        columns["timestamp"] = (frames / self._fps).astype(np.float32)
        first = int(self._info["total_frames"])
        numbers = (frames, np.full(count, self.episodes), first + frames, np.full(count, task))
        return columns | dict(zip(INDICES, numbers, strict=True))

    def _write(
        self, task: str, columns: Mapping[str, NDArray[np.generic]], parts: Mapping[str, Statistics]
    ) -> None:
        """Write the description of the dataset last, which makes the episode a part of it."""
        info, folder, episode, count = self._info, self._folder, self.episodes, self.frames
        first = int(info["total_frames"])
        row: dict[str, object] = {"episode_index": episode, "tasks": [task], "length": count}
        row |= {"dataset_from_index": first, "dataset_to_index": first + count}
        kinds = ["data", "meta/episodes", *(f"videos/{IMAGES}{name}" for name in self._sizes)]
        for kind in kinds:
            row[f"{kind}/chunk_index"], row[f"{kind}/file_index"] = place_of(episode)
        for name in self._sizes:
            row[f"videos/{IMAGES}{name}/from_timestamp"] = 0.0
            row[f"videos/{IMAGES}{name}/to_timestamp"] = count / self._fps
        for name, part in parts.items():
            row |= {f"stats/{name}/{key}": value for key, value in part.to_data().items()}
        tables = {
            data_file(episode): fixed_rows(columns),
            episode_file(episode): episodes_in([row]),
            TASKS: task_table(self._tasks),
        }
        for name, table in tables.items():
            replaced(folder / name, partial(self._parquet.write_table, table))
        replaced_json(folder / STATS, {name: part.to_data() for name, part in self._statistics.items()})
        info["total_episodes"], info["total_frames"] = episode + 1, first + count
        info["total_tasks"], info["splits"] = len(self._tasks), {"train": f"0:{episode + 1}"}
        replaced_json(folder / INFO, info)

    def cancel_episode(self) -> None:
        """Forget the frames since the last complete episode."""
        for video in self._videos.values():
            video.cancel()
        self._begin()

    def close(self) -> None:
        """Forget the frames since the last complete episode, and end."""
        self.cancel_episode()


def _whole(fps: float) -> float:
    """Return the rate, as a whole number if it is one.

    Raises:
        ValueError: it is not positive.
    """
    if not 0 < fps < math.inf:
        raise ValueError(f"fps: expected a positive number, not {fps}")
    return int(fps) if float(fps).is_integer() else fps
