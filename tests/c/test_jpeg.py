"""JPEG files of the C library, against Pillow's decoder and encoder."""

from __future__ import annotations

import io
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

SOURCES = Path(__file__).parents[2] / "libcontroller" / "src"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The writer as a program."""
    made = tmp_path_factory.mktemp("jpeg") / "writer"
    files = [Path(__file__).with_name("jpeg_writer.c"), SOURCES / "image_jpeg.c", SOURCES / "bytes.c"]
    command = ["cc", "-std=c11", "-O1", "-fsanitize=undefined", "-fno-sanitize-recover", f"-I{SOURCES}"]
    subprocess.run([*command, *map(str, files), "-lm", "-o", str(made)], check=True, capture_output=True)
    return made


def written(program: Path, pixels: np.ndarray, quality: int) -> bytes:
    height, width, channels = pixels.shape
    head = struct.pack("4i", width, height, channels, quality)
    done = subprocess.run([program], input=head + pixels.tobytes(), capture_output=True, check=True)
    return done.stdout


def scene(width: int, height: int) -> np.ndarray:
    """Smooth colors, an edge and some noise: blue, green, red, alpha."""
    y, x = np.mgrid[0:height, 0:width]
    parts = [128 + 100 * np.sin(x / 9), 255 * y / height, np.where(x > width / 2, 220, 30), 0 * x + 255]
    noise = np.random.default_rng(1).normal(0, 4, (height, width, 4))
    return np.clip(np.stack(parts, axis=-1) + noise, 0, 255).astype(np.uint8)


def error(data: bytes, colors: np.ndarray) -> float:
    """Root of the mean square difference."""
    with Image.open(io.BytesIO(data)) as image:
        found = np.asarray(image).astype(float)
    return float(np.sqrt(np.mean((found - colors) ** 2)))


@pytest.mark.parametrize("size", [(64, 48), (37, 41), (1, 1), (8, 3)])
@pytest.mark.parametrize("quality", [1, 25, 50, 75, 100])
def test_as_good_as_pillow(program: Path, size: tuple[int, int], quality: int):
    """Both use the tables of Annex K and the scaling of the Independent JPEG Group."""
    pixels = scene(*size)
    colors = np.ascontiguousarray(pixels[..., 2::-1])
    theirs = io.BytesIO()
    Image.fromarray(colors).save(theirs, "JPEG", quality=quality, subsampling=0)
    ours = written(program, pixels, quality)
    assert error(ours, colors) <= error(theirs.getvalue(), colors) * 1.05 + 0.5
    assert len(ours) <= len(theirs.getvalue()) * 1.1 + 100


def test_gray(program: Path):
    pixels = scene(40, 30)[..., :1]
    with Image.open(io.BytesIO(written(program, np.ascontiguousarray(pixels), 90))) as image:
        assert image.mode == "L"
        assert np.abs(np.asarray(image).astype(int) - pixels[..., 0]).mean() < 4


def test_extreme_values(program: Path):
    """Black and white in a checkerboard use the largest coefficients."""
    pixels = np.zeros((32, 32, 4), dtype=np.uint8)
    pixels[(np.indices((32, 32)).sum(axis=0) % 2).astype(bool)] = 255
    assert error(written(program, pixels, 100), pixels[..., :3].astype(float)) < 2
