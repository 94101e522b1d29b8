"""A camera at the computer as a camera of the robot, alone and beside the plugin of the wheels."""

from __future__ import annotations

import math
import time
from pathlib import Path

import PIL.Image
import pytest

from tests.remote.emulated import REMOTE, controlled, serving, tags, until
from tests.waiting import PATIENCE, wait_for
from wbridge.hal import api
from wbridge.hal.link.errors import AddressError
from wbridge.hal.protocol.loopback import Peer
from wbridge.hal.remote_plugins import PluginError, check_argument, check_plugin, create_plugin
from wbridge.remote_controls import camera
from wbridge.remote_controls.cameras.player import Player
from wbridge.remote_controls.emulators.epuck import Emulator

STEP = 16
EYE = {"width": 8, "height": 6}
WHEELS = ("left wheel motor", "right wheel motor")


def peers() -> list[Peer]:
    """Two wheels and a camera."""
    return [*(Peer("RotationalMotor", name, {"max_velocity": 6.28}) for name in WHEELS), eye()]


def eye(name: str = "eye") -> Peer:
    """A camera."""
    return Peer("Camera", name, EYE)


@pytest.fixture
def red(tmp_path: Path) -> str:
    """The address of a camera that sees only red."""
    PIL.Image.new("RGB", (64, 48), (250, 10, 10)).save(tmp_path / "red.png")
    return f"pictures://{tmp_path}"


def is_red(pixels: bytes | None) -> bool:
    """True if all pixels of an image are red."""
    return pixels is not None and all(
        pixels[at + 2] > 200 > 100 > pixels[at] for at in range(0, len(pixels), 4)
    )


def test_a_controller_sees_the_pictures(red: str):
    with controlled([eye()], "camera"):
        tag = tags()["eye"]
        api.wb_camera_enable(tag, STEP)
        api.wb_robot_set_mode(REMOTE, red)
        assert api.wb_robot_get_mode() == REMOTE
        until(lambda: is_red(api.wb_camera_get_image(tag)))
        assert len(api.wb_camera_get_image(tag)) == 4 * 8 * 6


def test_before_the_first_picture_the_image_is_black(red: str):
    with controlled([eye()], "camera"):
        tag = tags()["eye"]
        api.wb_camera_enable(tag, 10_000)
        api.wb_robot_set_mode(REMOTE, red)
        api.wb_robot_step(STEP)
        assert set(api.wb_camera_get_image(tag)) == {0, 255}


def test_wheels_and_camera_of_two_plugins_are_one_robot(red: str):
    """The e-puck's plugin drives the wheels and paces the steps; the camera adds the pictures."""
    robot = Emulator()
    with serving(robot, "pty://") as puck, controlled(peers(), "epuck+camera"):
        tag = tags()
        api.wb_robot_set_mode(REMOTE, f"{puck.url} {red}")
        assert api.wb_robot_get_mode() == REMOTE
        api.wb_camera_enable(tag["eye"], STEP)
        for name in WHEELS:
            api.wb_motor_set_position(tag[name], math.inf)
            api.wb_motor_set_velocity(tag[name], 2.0)
        until(lambda: is_red(api.wb_camera_get_image(tag["eye"])) and robot.speeds == [318, 318])
        begin = time.monotonic()
        for _ in range(20):
            api.wb_robot_step(STEP)
        assert 20 * STEP / 1000 * 0.9 < time.monotonic() - begin < PATIENCE
        api.wb_robot_set_mode(0, "")
        wait_for(lambda: robot.speeds == [0, 0])


def test_a_lost_camera_stops_the_robot(red: str, monkeypatch: pytest.MonkeyPatch, capfd):
    """Nobody shall drive by an old picture: after `patience` the robot is lost, as with a broken line."""
    player = Player()
    monkeypatch.setitem(camera.KERNELS, "pictures", lambda: player)
    robot = Emulator()
    with serving(robot, "pty://") as puck, controlled(peers(), "epuck+camera"):
        tag = tags()
        api.wb_robot_set_mode(REMOTE, f"{puck.url} {red}?patience=0.2")
        for name in WHEELS:
            api.wb_motor_set_position(tag[name], math.inf)
            api.wb_motor_set_velocity(tag[name], 2.0)
        until(lambda: robot.speeds == [318, 318])
        player.unplugged = True
        until(lambda: api.wb_robot_get_mode() == 0)
        wait_for(lambda: robot.speeds == [0, 0])  # the command is under way
    said = capfd.readouterr().err
    assert "the camera is unplugged; trying to reopen it" in said
    assert "has lost the robot; its motors are stopped" in said


def test_a_camera_that_is_plugged_in_again_goes_on(red: str, monkeypatch: pytest.MonkeyPatch, capfd):
    player = Player()
    monkeypatch.setitem(camera.KERNELS, "pictures", lambda: player)
    with controlled([eye()], "camera"):
        tag = tags()["eye"]
        api.wb_robot_set_mode(REMOTE, f"{red}?patience=20")
        player.unplugged = True
        until(lambda: "trying to reopen" in capfd.readouterr().err)
        player.unplugged = False
        api.wb_camera_enable(tag, STEP)
        until(lambda: is_red(api.wb_camera_get_image(tag)))


def test_damaged_pictures_are_no_pictures(tmp_path: Path, capfd):
    """One message; the camera is lost when nothing else comes."""
    PIL.Image.effect_noise((64, 48), 100).save(tmp_path / "picture.jpg")
    (tmp_path / "picture.jpg").write_bytes((tmp_path / "picture.jpg").read_bytes()[:-100])
    with controlled([eye()], "camera"):
        api.wb_camera_enable(tags()["eye"], STEP)
        api.wb_robot_set_mode(REMOTE, f"pictures://{tmp_path}?patience=0.3")
        until(lambda: api.wb_robot_get_mode() == 0)
    assert capfd.readouterr().err.count("a picture is not shown: the JPEG is damaged") == 1


def test_one_of_several_cameras_is_chosen_by_name(red: str, capfd):
    with controlled([eye("left"), eye("right")], "camera"):
        api.wb_robot_set_mode(REMOTE, red)
        assert api.wb_robot_get_mode() == 0
        assert "more than one camera; choose one with ?device=NAME: left, right" in capfd.readouterr().err
        api.wb_camera_enable(tags()["right"], STEP)
        api.wb_robot_set_mode(REMOTE, f"{red}?device=right")
        until(lambda: is_red(api.wb_camera_get_image(tags()["right"])))


@pytest.mark.parametrize(
    ("arg", "words"),
    [
        ("v4l2://", "expected for example v4l2:///dev/video0"),
        ("tcp://robot:1", "not the address of a camera"),
        ("pictures://here/there", "with the whole path of a folder"),
        ("v4l2:///dev/video0?size=0x480", "expected WIDTHxHEIGHT, each from 1 to 8192"),
        ("v4l2:///dev/video0?size=99999x1", "expected WIDTHxHEIGHT"),
        ("v4l2:///dev/video0?format=H264", "expected one of MJPG, JPEG, YUYV, GREY"),
        ("v4l2:///dev/video0?rate=0", "expected more than 0"),
        ("v4l2:///dev/video0?rat=5", 'unknown option "rat", did you mean "rate"?'),
        ("v4l2:///dev/video0?fit=zoom", "expected one of crop, stretch"),
    ],
)
def test_a_wrong_address_is_explained(arg: str, words: str):
    with pytest.raises(AddressError) as found:
        check_argument("camera", arg)
    assert words in str(found.value)


def test_combinations_are_checked():
    check_plugin("epuck+camera")
    with pytest.raises(PluginError, match='"camra", did you mean "camera"'):
        check_plugin("epuck+camra")
    with pytest.raises(PluginError, match='"epuck" cannot accompany another one'):
        create_plugin("camera+epuck")
    with pytest.raises(PluginError, match="needs 2 addresses separated by blanks"):
        check_argument("epuck+camera", "serial:///dev/ttyS0")


def test_a_combination_without_all_addresses_does_not_start(capsys: pytest.CaptureFixture[str]):
    """A robot's window has no controller that could catch an exception."""
    assert not create_plugin("epuck+camera").start("serial:///dev/ttyS0")
    assert "needs 2 addresses separated by blanks, the first for epuck; found 1" in capsys.readouterr().err
