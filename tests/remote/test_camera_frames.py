"""Pictures as cameras send them: formats, damage, and the kernel's structures."""

from __future__ import annotations

import ctypes
import io
import shutil
import subprocess
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from wbridge.hal.link.errors import AddressError, ConnectionLost
from wbridge.remote_controls.cameras import videodev2
from wbridge.remote_controls.cameras.capture import Capture, Wanted
from wbridge.remote_controls.cameras.frame import Frame, FrameError, pixels
from wbridge.remote_controls.cameras.player import Player

HEADER = Path("/usr/include/linux/videodev2.h")
STRUCTURES = {
    "v4l2_capability": videodev2.Capability,
    "v4l2_format": videodev2.Format,
    "v4l2_requestbuffers": videodev2.RequestBuffers,
    "v4l2_buffer": videodev2.Buffer,
    "v4l2_streamparm": videodev2.StreamParm,
}


@pytest.mark.skipif(not HEADER.exists() or not shutil.which("cc"), reason="no compiler with Linux' headers")
def test_structures_and_requests_are_those_of_the_kernels_header(tmp_path: Path):
    """Sizes, places of all fields, and numbers, as a C compiler sees them."""
    mine, lines = {}, []
    for name, kind in STRUCTURES.items():
        mine[f"sizeof(struct {name})"] = ctypes.sizeof(kind)
        for field, *_ in kind._fields_:
            if not field.startswith("reserved") and field != "request_fd":
                mine[f"offsetof(struct {name}, {field})"] = getattr(kind, field).offset
    mine |= {f"VIDIOC_{name}": number for name, number in videodev2.REQUESTS.items()}
    mine["V4L2_PIX_FMT_MJPEG"] = videodev2.fourcc("MJPG")
    mine["V4L2_PIX_FMT_YUYV"] = videodev2.fourcc("YUYV")
    mine["V4L2_BUF_FLAG_ERROR"] = videodev2.BUF_FLAG_ERROR
    lines = [f'printf("%lu\\n", (unsigned long)({one}));' for one in mine]
    source = tmp_path / "sizes.c"
    source.write_text(
        "#include <stddef.h>\n#include <stdio.h>\n#include <linux/videodev2.h>\n"
        f"int main(void) {{ {' '.join(lines)} return 0; }}"
    )
    subprocess.run(["cc", str(source), "-o", str(tmp_path / "sizes")], check=True)
    said = subprocess.run([tmp_path / "sizes"], capture_output=True, text=True, check=True).stdout
    assert {one: int(value) for one, value in zip(mine, said.split(), strict=True)} == mine


def test_yuyv_pixels_follow_the_table_of_color_bars():
    """100 % bars of ITU-R BT.601 (Y, Cb, Cr) and their colors (red, green, blue)."""
    bars = {
        (235, 128, 128): (255, 255, 255),
        (210, 16, 146): (255, 255, 0),
        (170, 166, 16): (0, 255, 255),
        (145, 54, 34): (0, 255, 0),
        (106, 202, 222): (255, 0, 255),
        (81, 90, 240): (255, 0, 0),
        (41, 240, 110): (0, 0, 255),
        (16, 128, 128): (0, 0, 0),
    }
    data = b"".join(bytes([y, u, y, v]) for y, u, v in bars)
    got = np.frombuffer(pixels(Frame("YUYV", 16, 1, 32, data), 16, 1), np.uint8).reshape(16, 4)
    wanted = np.array([color for color in bars.values() for _ in range(2)])
    assert np.abs(got[:, 2::-1].astype(int) - wanted).max() <= 2
    assert (got[:, 3] == 255).all()


def test_rows_may_be_longer_than_their_pixels():
    row = bytes([81, 90, 81, 240]) + b"\xff" * 12
    got = pixels(Frame("YUYV", 2, 3, 16, row * 3), 2, 3)
    assert got == pixels(Frame("YUYV", 2, 3, 4, row[:4] * 3), 2, 3)


def picture(width: int, height: int) -> PIL.Image.Image:
    """Left third red, middle green, right blue."""
    colors = np.zeros((height, width, 3), np.uint8)
    for index in range(3):
        colors[:, index * width // 3 : (index + 1) * width // 3, index] = 255
    return PIL.Image.fromarray(colors)


def jpeg(width: int, height: int) -> bytes:
    out = io.BytesIO()
    picture(width, height).save(out, "JPEG", quality=95)
    return out.getvalue()


def without_tables(data: bytes) -> bytes:
    """A JPEG without its Huffman tables, as many USB cameras send it."""
    out, at = bytearray(data[:2]), 2
    while data[at + 1] != 0xDA:
        size = 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if data[at + 1] != 0xC4:
            out += data[at : at + size]
        at += size
    return bytes(out + data[at:])


def test_a_jpeg_without_huffman_tables_is_read():
    data = jpeg(96, 32)
    bare = without_tables(data)
    assert b"\xff\xc4" not in bare
    assert pixels(Frame("MJPG", 96, 32, 0, bare), 96, 32) == pixels(Frame("MJPG", 96, 32, 0, data), 96, 32)


def test_the_middle_is_shown_unless_the_picture_is_stretched():
    """A picture three times as wide as high: a square camera sees its green middle, or all colors."""
    frame = Frame("MJPG", 96, 32, 0, jpeg(96, 32))
    middle = np.frombuffer(pixels(frame, 16, 16), np.uint8).reshape(16, 16, 4)
    assert (middle[:, 2:-2, 1] > 200).all()
    whole = np.frombuffer(pixels(frame, 16, 16, stretch=True), np.uint8).reshape(16, 16, 4)
    assert whole[8, 1, 2] > 200
    assert whole[8, 8, 1] > 200
    assert whole[8, 14, 0] > 200


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (Frame("MJPG", 96, 32, 0, jpeg(96, 32)[:300]), "damaged"),
        (Frame("MJPG", 96, 32, 0, b"\xff\xd8" + bytes(50)), "damaged"),
        (Frame("MJPG", 96, 32, 0, b"nonsense"), "damaged"),
        (Frame("MJPG", 96, 32, 0, jpeg(3000, 2000)), "3000 x 2000 pixels instead of 96 x 32"),
        (Frame("YUYV", 96, 32, 192, bytes(192 * 31)), "5952 bytes instead of 6144"),
        (Frame("YUYV", 96, 32, 100, bytes(192 * 32)), "rows of 96 pixels cannot have 100 bytes"),
        (Frame("YUYV", 3, 1, 6, bytes(6)), "rows of 3 pixels"),
        (Frame("GREY", 4, 4, 4, bytes(15)), "15 bytes instead of 16"),
    ],
)
def test_a_damaged_picture_is_refused_in_words(frame: Frame, words: str):
    with pytest.raises(FrameError, match=words):
        pixels(frame, 8, 8)


# The camera, over a player in place of the kernel.


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three pictures of one color each."""
    for index, color in enumerate([(250, 10, 10), (10, 250, 10), (10, 10, 250)]):
        PIL.Image.new("RGB", (64, 48), color).save(tmp_path / f"{index}.png")
    return tmp_path


class Clock:
    """A clock that only waiting moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.mark.parametrize("format_", ["MJPG", "YUYV"])
def test_a_camera_captures_picture_after_picture(folder: Path, format_: str):
    clock = Clock()
    capture = Capture(str(folder), Wanted(format=format_), Player(10.0, clock=clock, sleep=clock.sleep))
    assert (capture.format.width, capture.format.height) == (64, 48)
    frames = [capture.read(1.0) for _ in range(4)]
    assert clock.now == pytest.approx(0.3)
    shown = [pixels(frame, 1, 1) for frame in frames if frame is not None]
    brightest = [max(range(3), key=one.__getitem__) for one in shown]
    assert brightest == [2, 1, 0, 2]  # red, green, blue, red in B, G, R order
    capture.close()


def test_without_a_format_the_camera_takes_the_first_that_both_know(folder: Path):
    for offered, chosen in ((("YUYV",), "YUYV"), (("YUYV", "MJPG"), "MJPG")):
        clock = Clock()
        capture = Capture(str(folder), Wanted(), Player(formats=offered, clock=clock, sleep=clock.sleep))
        assert videodev2.fourcc_name(capture.format.pixelformat) == chosen
        capture.close()


def test_a_rate_is_set(folder: Path):
    clock = Clock()
    capture = Capture(str(folder), Wanted(rate=2.5), Player(clock=clock, sleep=clock.sleep))
    for _ in range(3):
        capture.read(1.0)
    assert clock.now == pytest.approx(0.8)
    capture.close()


def test_what_is_no_camera_is_reported(folder: Path, tmp_path: Path):
    with pytest.raises(ConnectionLost, match="/nowhere: there is no such device"):
        Capture("/nowhere", Wanted(), Player())
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConnectionLost, match=r"no pictures \(.jpg, .jpeg, .png\)"):
        Capture(str(tmp_path / "empty"), Wanted(), Player())
    with pytest.raises(AddressError, match="the camera offers MJPG; allowed: YUYV"):
        Capture(str(folder), Wanted(format="YUYV"), Player(formats=("MJPG",)))


def test_an_unplugged_camera_is_reported(folder: Path):
    player = Player()
    capture = Capture(str(folder), Wanted(), player)
    player.unplugged = True
    with pytest.raises(ConnectionLost, match="the camera is unplugged"):
        capture.read(1.0)
    capture.close()
