"""Pictures between a simulator and a controller in one process, as in a web page.

Judge: the same files as mapped memory, on this machine.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from wbridge.hal.protocol import picture_files


@pytest.mark.parametrize("is_page", [False, True])
def test_the_reader_sees_what_the_writer_writes_later(is_page: bool, tmp_path: Path, monkeypatch):
    monkeypatch.setattr(picture_files, "_is_page", is_page)
    path = tmp_path / "picture"
    path.write_bytes(bytes(8))
    with path.open("r+b") as mine, path.open("rb") as yours:
        writer = picture_files.writable(mine.fileno(), 8)
        reader = memoryview(picture_files.readable(yours.fileno(), 4))
    writer[:4] = b"abcd"
    assert bytes(reader) == b"abcd"
    assert reader.readonly
    picture_files.forget(str(path))
    path.unlink()
    writer[:4] = b"wxyz"
    assert bytes(reader) == b"wxyz"


def test_a_page_keeps_no_memory_of_removed_files(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(picture_files, "_is_page", True)
    path = tmp_path / "picture"
    path.write_bytes(bytes(8))
    with path.open("r+b") as file:
        picture_files.writable(file.fileno(), 8)
        picture_files.forget(str(path))
        with pytest.raises(KeyError):
            picture_files.readable(file.fileno(), 8)
