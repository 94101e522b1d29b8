"""Reads datasets of LeRobot, episode by episode."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wbridge.learning.datasets.layout import IMAGES, INFO, VERSION, DatasetError, Description, parquet
from wbridge.learning.datasets.tables import arrays_in
from wbridge.learning.datasets.videos import pictures_of
from wbridge.wbcore.scene.diagnostics import did_you_mean

__all__ = ["Dataset", "Episode", "read_dataset"]


class Clip(NamedTuple):
    """Where the pictures of a camera in an episode are."""

    path: Path
    start_s: float
    frames: int
    fps: float
    size: tuple[int, int]
    """Height and width (pixels)."""


class Episode(Mapping[str, "NDArray[np.generic]"]):
    """An episode: `episode["action"]` is an array with a row for each frame."""

    def __init__(
        self, index: int, task: str, columns: dict[str, NDArray[np.generic]], clips: dict[str, Clip]
    ) -> None:
        """
        Args:
            index: number of the episode.
            task: what the robot should do, in words.
            columns: numbers by name.
            clips: pictures by name of the camera.
        """
        self.index, self.task = index, task
        self._columns, self._clips = columns, clips

    @property
    def frames(self) -> int:
        """Number of frames."""
        return len(self._columns["frame_index"])

    def pictures(self, camera: str) -> NDArray[np.uint8]:
        """Return all pictures of a camera: (frames, height, width, 3) red, green, blue.

        Raises:
            DatasetError: there is no such camera, or its file cannot be read.
            MovieError: there is no ffmpeg.
        """
        if camera not in self._clips:
            known = list(self._clips)
            raise DatasetError(f'no camera "{camera}"{did_you_mean(camera, known)}; cameras: {known}')
        return pictures_of(*self._clips[camera])

    def __getitem__(self, name: str) -> NDArray[np.generic]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<Episode {self.index}: {self.frames} frames, {self.task!r}>"


class Row(NamedTuple):
    """Where an episode is."""

    episode: int
    frames: int
    task: str
    data: Path
    clips: dict[str, Clip]


class Dataset:
    """A dataset: `dataset[3]` is an episode. Make it with `read_dataset`."""

    def __init__(self, folder: Path, info: Description, rows: list[Row]) -> None:
        """
        Args:
            folder: of the dataset.
            info: its description.
            rows: where its episodes are.
        """
        self.folder = folder
        self.info = info
        """What meta/info.json says."""
        self._rows = rows

    @property
    def fps(self) -> float:
        """Frames per second."""
        return float(self.info["fps"])

    @property
    def frames(self) -> int:
        """Frames of all episodes."""
        return sum(row.frames for row in self._rows)

    @property
    def cameras(self) -> list[str]:
        """Names of the cameras."""
        return [name.removeprefix(IMAGES) for name in _videos(self.info)]

    @property
    def tasks(self) -> list[str]:
        """What the robot should do, in words, in the order of the episodes."""
        return list(dict.fromkeys(row.task for row in self._rows))

    def names(self, column: str) -> list[str]:
        """Return the names of the numbers of a column, such as "action"; [] if it has none.

        Raises:
            DatasetError: there is no such column.
        """
        features = self.info["features"]
        if column not in features:
            raise DatasetError(f'no column "{column}"{did_you_mean(column, list(features))}')
        names = features[column].get("names") or []
        if isinstance(names, dict):  # older programs name the kind of the numbers, too
            names = [name for group in names.values() for name in group]
        return [str(name) for name in names]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Episode]:
        return (self[index] for index in range(len(self)))

    def __getitem__(self, index: int) -> Episode:
        row = self._rows[index]
        columns = arrays_in(row.data, row.episode)
        count = len(columns["frame_index"])
        if count != row.frames:
            raise DatasetError(f"{row.data}: episode {row.episode} has {count} of {row.frames} frames")
        return Episode(row.episode, row.task, columns, row.clips)

    def __repr__(self) -> str:
        return f"<Dataset {self.folder}: {len(self)} episodes, {self.frames} frames at {self.fps:g} Hz>"


def _videos(info: Description) -> list[str]:
    return [name for name, feature in info["features"].items() if feature["dtype"] == "video"]


def _rows_in(file: Path, folder: Path, info: Description) -> Iterator[Row]:
    """Yield what a file of descriptions says about episodes."""
    tables = parquet()
    names = [name for name in tables.read_schema(file).names if not name.startswith("stats/")]
    for row in tables.read_table(file, columns=names).to_pylist():
        frames, clips = int(row["length"]), {}
        place = info["data_path"].format(
            chunk_index=row["data/chunk_index"], file_index=row["data/file_index"]
        )
        for key in _videos(info):
            about, shape = f"videos/{key}", info["features"][key]["shape"]
            path = str(info["video_path"]).format(
                video_key=key, chunk_index=row[f"{about}/chunk_index"], file_index=row[f"{about}/file_index"]
            )
            start, size = float(row[f"{about}/from_timestamp"]), (shape[0], shape[1])
            clips[key.removeprefix(IMAGES)] = Clip(folder / path, start, frames, float(info["fps"]), size)
        task = "; ".join(map(str, row.get("tasks") or []))
        yield Row(int(row["episode_index"]), frames, task, folder / place, clips)


def read_dataset(folder: str | Path) -> Dataset:
    """Open a dataset.

    Raises:
        ImportError: pyarrow is not installed.
        DatasetError: the folder is none, or one of another version.
    """
    path = Path(folder) / INFO
    parquet()  # missing packages come first
    try:
        info = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise DatasetError(f"{folder} is not a dataset: {path}: {problem.strerror}") from None
    except ValueError as problem:
        raise DatasetError(f"{path} is damaged: {problem}") from None
    version = info.get("codebase_version") if isinstance(info, dict) else None
    if version != VERSION:
        raise DatasetError(f"{folder} is a dataset of version {version}; only {VERSION} can be read")
    root = Path(folder)
    files = sorted(root.glob("meta/episodes/*/*.parquet"))
    rows = [row for file in files for row in _rows_in(file, root, info)]
    rows = sorted(row for row in rows if row.episode < info["total_episodes"])
    return Dataset(root, info, rows)
