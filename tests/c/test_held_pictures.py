"""Pictures keep their content between step_begin and step_end, while the simulator writes the next one.

A simulator without physics maps a file; the controller itself overwrites it, so that no clock decides.
"""

from __future__ import annotations

from pathlib import Path

from tests.c.calling import run_against
from wbridge.hal import api
from wbridge.hal.client import native, session
from wbridge.hal.protocol.loopback import Loopback, Peer
from wbridge.libcontroller.compiling import compile_controller

HERE = Path(__file__).parent
SIZE = 4 * 4 * 2


def world(file: Path) -> Loopback:
    """A robot with a camera of 4 x 2 pixels whose pictures are in a file; each byte is 5."""
    file.write_bytes(bytes([5]) * SIZE)
    camera = Peer("Camera", "camera", {"width": 4, "height": 2, "fov": 0.8, "near": 0.1, "planar": 1})
    loop = Loopback([camera])
    camera.send("image_file", SIZE, str(file))
    return loop


def test_pictures_in_c(c_home: Path, tmp_path: Path):
    program = compile_controller(HERE / "controllers" / "held_picture")
    assert program is not None
    file = tmp_path / "picture"
    assert run_against([str(program), str(file)], world(file)).results == ["5 5 5 9 1"]


def test_pictures_in_python(tmp_path: Path):
    file = tmp_path / "picture"
    try:
        native.attach(world(file))
        api.wb_camera_enable(1, 32)
        api.wb_robot_step(32)
        assert api.wb_camera_get_image(1) == bytes([5]) * SIZE
        api.wb_robot_step_begin(32)
        with file.open("r+b") as picture:
            picture.write(bytes([9]) * SIZE)
        assert api.wb_camera_get_image(1) == bytes([5]) * SIZE
        api.wb_robot_step_end()
        assert api.wb_camera_get_image(1) == bytes([9]) * SIZE
    finally:
        session.cleanup()
