"""Pictures reach a controller in C by a shared file and by TCP; it saves and loads them as PNG."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.c.calling import Outcome, run_against
from tests.c.test_calls import world
from tests.image_files import read_image_file, write_image_file
from tests.pictures import read_float_file
from wbridge.hal.protocol.loopback import Loopback
from wbridge.hal.protocol.packet import Image
from wbridge.libcontroller.compiling import compile_controller

HERE = Path(__file__).parent
CAMERA, LIDAR, FINDER = 4, 14, 21
"""Tags."""
OBJECT = (7, (0.1, 0.2, 1.5), (0.0, 0.0, 1.0, 0.5), (1.0, 2.0), (3, 4), (5, 6), [(1.0, 0.5, 0.25)], "ball")


def pixels(step: int) -> bytes:
    """A picture of a camera, 4 x 2, B G R A."""
    return bytes((10 * step + k) % 256 for k in range(32))


def cloud() -> bytes:
    """Distances and points of a lidar with 2 layers of 3."""
    points = (struct.pack("<fffif", k, 2 * k, 3 * k, k // 3, k / 2) for k in range(6))
    return struct.pack("<6f", *range(6)) + b"".join(points)


DEPTHS = struct.pack("<8f", *(k / 2 for k in range(8)))


def by_tcp(loop: Loopback, step: int) -> None:
    """Send pictures in chunks."""
    contents = ((CAMERA, pixels(step)), (LIDAR, cloud()), (FINDER, DEPTHS))
    loop.images = [Image(tag, 0, content) for tag, content in contents]


def by_file(folder: Path) -> Callable[[Loopback, int], None]:
    """Write pictures into files that are announced once."""

    def share(loop: Loopback, step: int) -> None:
        for name, content in (("camera", pixels(step)), ("lidar", cloud()), ("rangefinder", DEPTHS)):
            file = folder / f"shared.{name}"
            with file.open("r+b" if file.exists() else "wb") as stream:
                stream.write(content)
            if step == 1:
                loop[name].send("image_file", len(content), str(file))

    return share


def look(folder: Path, share: Callable[[Loopback, int], None], tcp: bool) -> tuple[Outcome, Loopback]:
    """What the controller tells."""
    made = world(tcp)()
    taken = []

    def answer(loop: Loopback) -> None:
        taken.append(1)
        share(loop, len(taken))
        loop["camera"].send("objects", [OBJECT])

    made.before_answer = answer
    display = made["display"]
    plain = display.answer

    def answer_display(out: bytearray) -> None:
        if display.commands and display.commands[-1].name == "image_save":
            display.send("image", 0, 2, 1, 6, bytes([1, 2, 3, 4, 5, 6, 7, 8]))
        plain(out)

    display.answer = answer_display  # type: ignore[method-assign]
    program = compile_controller(HERE / "controllers" / "pictures")
    assert program is not None
    return run_against([str(program), str(folder)], made), made


@pytest.mark.parametrize("tcp", [False, True])
def test_pictures_of_all_kinds(c_home: Path, tmp_path: Path, tcp: bool):
    write_image_file(str(tmp_path / "given.png"), 3, 2, bytes(range(24)), 4)
    (tmp_path / "damaged.png").write_bytes((tmp_path / "given.png").read_bytes()[:50])
    outcome, made = look(tmp_path, by_tcp if tcp else by_file(tmp_path), tcp)
    lines = outcome.results
    assert lines[0] == "no picture"
    for step in (1, 2):
        assert [int(one.split(",")[0]) for one in lines[step].split()] == [
            10 * step + 18 + 4 * x for x in range(4)
        ]
        assert lines[step].split()[0] == ",".join(str(10 * step + 16 + k) for k in (2, 1, 0, 1))
    assert lines[3] == "2.5 3 5"
    assert lines[4] == "5 10 15 1 2.5"
    assert lines[5] == "ball 7 1.5 6 0.25"
    assert lines[6] == "0000-1"
    # Manual of 8.3.1, chapter Camera: functions of a camera of the type "range-finder".
    assert lines[7] == "r 64 4 2 1 1 2.5 0"
    assert (tmp_path / "former.png").read_bytes() == (tmp_path / "depths.png").read_bytes()
    width, height, rgba = read_image_file(str(tmp_path / "camera.png"))
    assert (width, height) == (4, 2)
    assert rgba[0:4] == bytes([22, 21, 20, 23])
    # range_finder.c of Webots: (distance - minimum range) / maximum range.
    near, most = (made["rangefinder"].constants[name] for name in ("near", "max_range"))
    shares = [max(0, (k / 2 - near) / most) for k in range(8)]
    assert read_image_file(str(tmp_path / "depths.png"))[2][::4] == bytes(int(255 * one) for one in shares)
    assert read_float_file(tmp_path / "depths.hdr") == pytest.approx(shares, rel=1 / 128)
    assert read_image_file(str(tmp_path / "display.png")) == (2, 1, bytes([3, 2, 1, 4, 7, 6, 5, 8]))
    assert made["display"].last("image_new") == (1, 3, 2, 4, bytes(range(24)))
    assert made["display"].last("image_paste") == (1, 1, 2, True)
    assert made["display"].last("draw_polygon") == ([0, 1, 2], [3, 4, 5], True)
    compressed = read_image_file(str(tmp_path / "camera.jpg"))
    assert compressed[:2] == (4, 2)
    assert list(compressed[2][0:3]) == pytest.approx(list(rgba[0:3]), abs=3)
    bitmap, unknown, damaged = outcome.said[-3:]
    assert bitmap.endswith("only PNG (.png) and JPEG (.jpg) can be written")
    assert (
        unknown
        == "Error: wb_display_image_paste() called with an image that does not belong to this display."
    )
    assert "damaged.png" in damaged


def png(width: int, height: int, color: int, rows: bytes, level: int, palette: bytes = b"") -> bytes:
    """A PNG file of rows that are filtered already."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, color, 0, 0, 0)
    parts = [(b"IHDR", head), (b"PLTE", palette), (b"IDAT", zlib.compress(rows, level)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*one) for one in parts if one[1] or one[0] == b"IEND")


@pytest.mark.parametrize("color", [0, 2, 3, 4, 6])
@pytest.mark.parametrize("level", [0, 1, 9])
def test_png_files_of_all_kinds_are_read(c_home: Path, tmp_path: Path, color: int, level: int):
    rng = random.Random(color)
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    width, height = 37, 41
    rows = b"".join(
        bytes([y % 5]) + bytes(rng.choice((0, 1, 2, 40)) for _ in range(width * channels))
        for y in range(height)
    )
    palette = rng.randbytes(768) if color == 3 else b""
    (tmp_path / "given.png").write_bytes(png(width, height, color, rows, level, palette))
    (tmp_path / "damaged.png").write_bytes(b"nonsense")
    _, made = look(tmp_path, by_tcp, True)
    new = made["display"].last("image_new")
    assert new is not None
    assert new[1:] == (width, height, 4, read_image_file(str(tmp_path / "given.png"))[2])
