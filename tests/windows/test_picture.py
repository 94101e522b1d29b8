"""Pictures on their way to a page."""

from __future__ import annotations

import base64
import struct

import pytest

from wbridge.hal.table import DeviceTable
from wbridge.robot_windows.picture import LARGEST, address_of
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.scene.tables.device_tables import device_tables
from wbridge.wbcore.windows.remote_view import RemoteStep, RemoteView

SEES = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 8 }
Robot {
  name "eye"
  children [
    Camera { name "camera" width 3 height 2 }
    RangeFinder { name "depth" width 2 height 1 maxRange 4 }
  ]
}
"""
CAMERA, DEPTH = 1, 2


def _bmp(address: str) -> tuple[int, int, bytes]:
    """Width, height and pixels of the file in a data URL."""
    kind, _, text = address.partition(",")
    assert kind == "data:image/bmp;base64"
    data = base64.b64decode(text)
    mark, size, _, _, start, head, width, height, planes, bits = struct.unpack_from("<2sIHHIIiiHH", data)
    assert (mark, size, head, planes, bits) == (b"BM", len(data), 40, 1, 32)
    assert height < 0, "rows from the top"
    return width, -height, data[start:]


def test_a_picture_is_told_pixel_by_pixel():
    pixels = bytes(range(24))
    assert _bmp(address_of(3, 2, pixels)) == (3, 2, pixels)


def test_of_a_large_picture_a_part_of_the_pixels_is_told():
    width, height = 2 * LARGEST + 1, 3
    pixels = b"".join(struct.pack("<I", at) for at in range(width * height))
    small = _bmp(address_of(width, height, pixels))
    assert small[:2] == (-(-width // 3), 1)
    assert struct.unpack(f"<{small[0]}I", small[2]) == tuple(range(0, width, 3))


@pytest.mark.parametrize(("width", "height", "size"), [(0, 2, 0), (3, 2, 23), (3, -2, 24), (3, 2, 0)])
def test_what_is_no_picture_is_not_told(width: int, height: int, size: int):
    assert address_of(width, height, bytes(size)) == ""


@pytest.fixture
def table() -> DeviceTable:
    return device_tables(load_text(SEES))[0]


def test_what_a_robot_sees_is_told_once(table: DeviceTable):
    robot = RemoteView(table)
    robot.enable(CAMERA, "image", 32)
    robot.take(RemoteStep(8, readings=[(CAMERA, "image", bytes(range(24)))]))
    assert robot.values()["pictures"] == {CAMERA: (3, 2, bytes(range(24)))}
    assert robot.values()["pictures"] == {}


def test_distances_are_grays(table: DeviceTable):
    robot = RemoteView(table)
    robot.take(RemoteStep(8, readings=[(DEPTH, "rangeImage", [2.0, float("inf")])]))
    width, height, pixels = robot.values()["pictures"][DEPTH]
    assert (width, height) == (2, 1)
    assert pixels == bytes((128, 128, 128, 255, 255, 255, 255, 255))
