"""Pictures of textures: read once, again after a change, and told about when they are no pictures."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PIL import Image

from wbridge.wbcore.visual.images import ImageError, read_image


@pytest.mark.parametrize(
    ("mode", "color", "expected"),
    [
        ("RGB", (1, 2, 3), [1, 2, 3, 255]),
        ("RGBA", (1, 2, 3, 4), [1, 2, 3, 4]),
        ("L", 7, [7, 7, 7, 255]),
        ("1", 1, [255, 255, 255, 255]),
        ("P", 0, [0, 0, 0, 255]),
    ],
)
def test_all_kinds_of_png(tmp_path: Path, mode: str, color: object, expected: list[int]):
    path = tmp_path / "a.png"
    Image.new(mode, (3, 2), color).save(path)
    pixels = read_image(path)
    assert pixels.shape == (2, 3, 4)
    assert pixels[1, 2].tolist() == expected


def test_jpeg(tmp_path: Path):
    path = tmp_path / "a.jpg"
    Image.new("RGB", (8, 8), (200, 100, 50)).save(path, quality=100)
    assert read_image(path)[4, 4].tolist() == pytest.approx([200, 100, 50, 255], abs=2)


@pytest.mark.parametrize("mode", ["RGB", "L", "P", "1"])
def test_bmp(tmp_path: Path, mode: str):
    """The judge is Pillow's own picture before it was written."""
    picture = Image.linear_gradient("L").resize((5, 3)).convert(mode)
    picture.save(tmp_path / "a.bmp")
    assert read_image(tmp_path / "a.bmp").tobytes() == picture.convert("RGBA").tobytes()


def test_a_changed_file_is_read_again(tmp_path: Path):
    path = tmp_path / "a.png"
    Image.new("L", (1, 1), 1).save(path)
    assert read_image(path) is read_image(path)
    Image.new("L", (1, 1), 2).save(path)
    os.utime(path, ns=(1, 1))
    assert read_image(path)[0, 0, 0] == 2


@pytest.mark.parametrize("content", [b"", b"GIF89a", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0 broken"])
def test_what_is_no_picture_is_told(tmp_path: Path, content: bytes):
    path = tmp_path / "a.png"
    path.write_bytes(content)
    with pytest.raises(ImageError, match=r"a\.png: not a readable PNG, JPEG or BMP image"):
        read_image(path)


def test_a_cut_picture_is_told(tmp_path: Path):
    path = tmp_path / "a.png"
    Image.effect_noise((64, 64), 50).save(path)
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(ImageError):
        read_image(path)


def test_a_file_that_is_not_there_is_told(tmp_path: Path):
    with pytest.raises(ImageError, match="No such file"):
        read_image(tmp_path / "none.png")
