"""Files that are replaced while a run writes them are closed then, as Windows demands (MoveFileEx)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from wbridge.wbcore.recordings.row_files import ArchiveFile, CsvFile
from wbridge.wbcore.visual.animation_file import AnimationFile

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Windows itself is the judge there")


def open_files() -> set[str]:
    """What this process has open."""
    places = Path("/proc/self/fd")
    return {os.readlink(place) for place in places.iterdir() if place.is_symlink()}


@pytest.fixture(autouse=True)
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse to replace what is open, or by what is open."""
    real = Path.replace

    def replace(self: Path, target: Path) -> Path:
        if opened := {str(self.resolve()), str(Path(target).resolve())} & open_files():
            raise PermissionError(13, "The process cannot access the file", *opened)
        return real(self, target)

    monkeypatch.setattr(Path, "replace", replace)


def test_what_is_open_is_not_replaced(tmp_path: Path):
    """The judge judges."""
    (tmp_path / "draft").write_text("new")
    with (tmp_path / "file").open("w"), pytest.raises(PermissionError):
        (tmp_path / "draft").replace(tmp_path / "file")
    (tmp_path / "draft").replace(tmp_path / "file")


def test_an_animation(tmp_path: Path):
    file = AnimationFile(tmp_path / "a.json", 32, "{}")
    file.add("{}", [1])
    file.finish("{}")
    assert '"labelsIds":"1"' in (tmp_path / "a.json").read_text("utf-8")


def test_a_table_with_a_new_column(tmp_path: Path):
    file = CsvFile(tmp_path / "a.csv", ["time"])
    file.add(["1"])
    file.add_columns(["more"])
    file.add(["2", "3"])
    file.add(["4", "5"])
    file.close()
    assert not file.problem
    assert (tmp_path / "a.csv").read_text("utf-8").split() == ["time,more", "1,", "2,3", "4,5"]


def test_an_archive(tmp_path: Path):
    file = ArchiveFile(tmp_path / "a.npz", dict)
    file.add()
    file.close()
    assert not file.problem
