"""Messages about pictures that change. Judge: a viewer that follows them has the pixels themselves."""

from __future__ import annotations

import io
from base64 import b64decode
from collections.abc import Mapping
from typing import Any

import numpy as np
from PIL import Image

from wbridge.wbcore.view.files import Files
from wbridge.wbcore.view.live_pictures import LivePictures
from wbridge.wbcore.visual.live_textures import LiveTexture

WIDTH, HEIGHT = 48, 32


class Viewer:
    """Shows one picture by messages."""

    def __init__(self, files: Files, pixels: np.ndarray) -> None:
        self.files, self.pixels = files, pixels.copy()

    def take(self, message: Mapping[str, Any]) -> None:
        if "file" in message:
            data = self.files.known[message["file"]]
            self.pixels = np.array(Image.open(io.BytesIO(data)))
            return
        left, top, width, height = message["patch"]
        part = np.frombuffer(b64decode(message["pixels"]), np.uint8).reshape(height, width, 4)
        self.pixels[top : top + height, left : left + width] = part


def picture() -> LiveTexture:
    return LiveTexture(np.zeros((HEIGHT, WIDTH, 4), np.uint8))


def test_patches_show_what_whole_pictures_show():
    random = np.random.default_rng(1)
    files, live = Files(), picture()
    pictures = LivePictures(files, has_patches=True)
    key = pictures.key(live)
    viewer, kinds = Viewer(files, live.pixels), set()
    for _ in range(200):
        x, y = random.integers(0, WIDTH), random.integers(0, HEIGHT)
        wide, high = random.integers(1, 40, 2)
        live.pixels[y : y + high, x : x + wide] = random.integers(0, 256, 4)
        live.version += 1
        for changed, message in pictures.changes().items():
            assert changed == key
            kinds.add("file" in message)
            viewer.take(message)
        assert (viewer.pixels == live.pixels).all()
    assert kinds == {True, False}, "large changes are whole pictures, small ones patches"
    late = Viewer(files, live.pixels)
    late.take(pictures.whole(key))
    assert (late.pixels == live.pixels).all()


def test_a_patch_is_as_small_as_the_change():
    live = picture()
    pictures = LivePictures(Files(), has_patches=True)
    key = pictures.key(live)
    live.pixels[10:13, 20:25] = 255
    live.version += 1
    assert pictures.changes()[key]["patch"] == [20, 10, 5, 3]
    live.version += 1
    assert pictures.changes() == {}, "nothing is different"


def test_without_patches_each_message_is_a_whole_picture():
    live = picture()
    pictures = LivePictures(Files(), has_patches=False)
    key = pictures.key(live)
    live.pixels[0, 0] = 255
    live.version += 1
    assert list(pictures.changes()[key]) == ["file"]
    assert pictures.changes() == {}
