"""Archives that people open in a page: what is refused, and that nothing is written then.

Judge: APPNOTE.TXT of the zip format (4.4.17: names have no drive, and do not lead out of the folder).
"""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from pathlib import Path

import pytest

from wbridge.live import projects
from wbridge.live.projects import ProjectError, unpack, worlds_in, write_files


def packed(*names: str, content: bytes = b"#VRML_SIM R2025a utf8\n") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, content)
    return file.getvalue()


def refused(data: bytes, folder: Path) -> str:
    with pytest.raises(ProjectError) as problem:
        unpack(data, folder / "project")
    assert not list(folder.rglob("*.wbt"))
    return str(problem.value)


def test_a_project_is_unpacked_and_its_worlds_are_listed(tmp_path):
    unpack(
        packed("a/worlds/b.wbt", "a/worlds/.hidden.wbt", "a/controllers/c/c.py", "a/worlds/a.wbt"), tmp_path
    )
    assert worlds_in(tmp_path) == ["a/worlds/a.wbt", "a/worlds/b.wbt"]


@pytest.mark.parametrize(
    "name",
    ["../out.wbt", "a/../../out.wbt", "/out.wbt", "C:/out.wbt", "a/../b.wbt", "..", "a\\..\\..\\out.wbt"],
)
def test_names_that_lead_outside_are_refused(name, tmp_path):
    message = refused(packed("good.wbt", name), tmp_path)
    assert "outside of the project's folder" in message


def test_files_of_a_folder_are_written(tmp_path):
    write_files([("a/worlds/b.wbt", b"b"), ("a/controllers/c/c.py", b"c")], tmp_path)
    assert worlds_in(tmp_path) == ["a/worlds/b.wbt"]
    assert (tmp_path / "a" / "controllers" / "c" / "c.py").read_bytes() == b"c"


@pytest.mark.parametrize("name", ["../out.wbt", "/out.wbt", "a\\..\\out.wbt", ""])
def test_files_that_lead_outside_are_refused(name, tmp_path):
    with pytest.raises(ProjectError, match="outside of the project's folder"):
        write_files([("good.wbt", b""), (name, b"")], tmp_path / "project")
    assert not list(tmp_path.rglob("*.wbt"))


def test_a_folder_that_is_too_large_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(projects, "MOST_BYTES", 1000)
    with pytest.raises(ProjectError, match="allowed"):
        write_files([("a.wbt", bytes(600)), ("b.wbt", bytes(600))], tmp_path)


def test_links_are_refused(tmp_path):
    file = io.BytesIO()
    entry = zipfile.ZipInfo("link.wbt")
    entry.create_system, entry.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(entry, "/etc/passwd")
    assert "is a link" in refused(file.getvalue(), tmp_path)


@pytest.mark.parametrize("data", [b"", b"no archive", packed("a.wbt")[:-10], packed("a.wbt")[:40]])
def test_damaged_archives_are_refused(data, tmp_path):
    assert "not a complete zip archive" in refused(data, tmp_path)


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(projects, "MOST_BYTES", 1000)
    assert "allowed" in refused(packed("a.wbt", content=bytes(100_000)), tmp_path)


def test_a_bomb_that_declares_a_small_size_is_refused(tmp_path):
    data = bytearray(packed("a.wbt", content=bytes(100_000)))
    at = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, at + 24, 10)  # 4.4.9: uncompressed size in the central directory
    struct.pack_into("<I", data, 22, 10)
    assert refused(bytes(data), tmp_path)


def test_too_many_files_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(projects, "MOST_FILES", 2)
    assert "3 files; allowed: 2" in refused(packed("a.wbt", "b.wbt", "c.wbt"), tmp_path)


def test_an_encrypted_archive_is_refused(tmp_path):
    data = bytearray(packed("a.wbt"))
    for mark, offset in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        data[data.index(mark) + offset] |= 1  # 4.4.4: bit 0 of the flags
    assert "without a password" in refused(bytes(data), tmp_path)
