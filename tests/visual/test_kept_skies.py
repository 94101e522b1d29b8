"""Skies that are kept between runs: the same faces, whatever happened to the files.

Judge: the faces that are made without a cache folder.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from wbridge.wbcore.visual import kept_skies, skies

NAME = "mountains"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder."""
    monkeypatch.setattr(kept_skies, "optional_cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache" / "skies"


@pytest.fixture
def makings(monkeypatch: pytest.MonkeyPatch) -> list[skies.Sky]:
    """The skies that were really made."""
    seen: list[skies.Sky] = []
    real = skies._faces_of

    def counted(sky: skies.Sky) -> tuple[np.ndarray, ...]:
        seen.append(sky)
        return real(sky)

    monkeypatch.setattr(skies, "_faces_of", counted)
    return seen


def faces() -> tuple[np.ndarray, ...]:
    """The faces as another run gets them."""
    return skies.sky_faces.__wrapped__(NAME)


def test_a_second_run_reads_the_faces_of_the_first(folder: Path, makings: list[skies.Sky]) -> None:
    first, second = faces(), faces()
    assert len(makings) == 1 and len(list(folder.iterdir())) == 1
    assert np.array_equal(first, second) and np.shape(second) == (6, skies.SIZE, skies.SIZE, 3)


@pytest.mark.parametrize("harm", ["empty", "cut", "flip", "delete", "folder"])
def test_damaged_and_lost_files_are_made_again(folder: Path, makings: list[skies.Sky], harm: str) -> None:
    first = faces()
    (file,) = folder.iterdir()
    data = file.read_bytes()
    file.unlink()
    if harm == "folder":
        file.mkdir()
    elif harm != "delete":
        file.write_bytes({"empty": b"", "cut": data[:-1], "flip": data[:-1] + bytes([data[-1] ^ 1])}[harm])
    assert np.array_equal(first, faces()) and len(makings) == 2
    assert harm == "folder" or file.read_bytes() == data


def test_other_code_makes_them_again_and_removes_the_former(
    folder: Path, makings: list[skies.Sky], monkeypatch: pytest.MonkeyPatch
) -> None:
    faces()
    monkeypatch.setattr(kept_skies, "_code", lambda source: 7)
    faces()
    assert len(makings) == 2 and [path.name for path in folder.iterdir()] == [f"{NAME}-00000007"]


def test_without_a_usable_folder_they_are_made(
    tmp_path: Path, makings: list[skies.Sky], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    for folder in (None, tmp_path / "file"):
        monkeypatch.setattr(kept_skies, "optional_cache_folder", lambda folder=folder: folder)
        assert len(faces()) == 6
    assert len(makings) == 2
