"""Steps, the end of the simulation, immediate questions, windows, and peers that break the protocol."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wbridge.hal import api
from wbridge.hal.client import session
from wbridge.hal.client.native import NativeRobot
from wbridge.hal.protocol.dialect import DIALECTS, Dialect
from wbridge.hal.protocol.loopback import Loopback, Peer
from wbridge.hal.protocol.packet import write_answer

Attach = Callable[[Loopback], NativeRobot]


def test_the_first_request_asks_for_nothing(attach: Attach):
    world = Loopback()
    attach(world)
    assert world.requests[0].duration == 0
    assert [(tag, data) for tag, data in world.requests[0].blocks] == [(0, b"\x23\0\0")]


@pytest.mark.parametrize("tcp", [False, True])
@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=str)
def test_a_robot_in_each_dialect(attach: Attach, dialect: Dialect, tcp: bool):
    world = Loopback(
        [Peer("LED", "led"), Peer("GPS", "gps")], dialect=dialect, tcp=tcp, name="r2", time_step=8.0
    )
    robot = attach(world)
    assert (robot.get_name(), robot.get_number_of_devices()) == ("r2", 2)
    assert (api.wb_device_get_name(2), api.wb_device_get_node_type(2)) == ("gps", api.WB_NODE_GPS)
    assert (api.wb_robot_step(8), api.wb_robot_get_time()) == (0, 0.008)


def test_an_empty_step_is_an_empty_request(attach: Attach):
    world = Loopback([Peer("LED", "led")])
    attach(world)
    api.wb_robot_step(32)
    assert world.requests[-1] == (32, [])


def test_the_end_is_told_once_and_then_ends_the_program(attach: Attach):
    world = Loopback()
    attach(world)
    world.quit_at = 0.05
    assert [api.wb_robot_step(32), api.wb_robot_step(32)] == [0, -1]
    with pytest.raises(SystemExit) as end:
        api.wb_robot_step(32)
    assert end.value.code == 0
    assert world.closed


def test_leaving_is_said_and_waited_for(attach: Attach):
    world = Loopback()
    attach(world)
    session.cleanup()
    assert world.last("leave") == ()
    assert world.closed


def test_a_controller_that_is_interrupted_leaves_without_a_word(
    attach: Attach, monkeypatch: pytest.MonkeyPatch
):
    """Ctrl-C comes while it waits: a farewell would be a request before the last one was answered."""
    world = Loopback()
    attach(world)

    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(world, "receive", interrupt)
    with pytest.raises(KeyboardInterrupt):
        api.wb_robot_step(32)
    session.cleanup()
    assert world.last("leave") is None
    assert world.closed


def test_between_begin_and_end_of_a_step_nothing_is_asked(attach: Attach, capsys: pytest.CaptureFixture[str]):
    world = Loopback()
    world.on["get_urdf"] = lambda prefix: [("urdf", (f"<{prefix}>",))]
    attach(world)
    assert api.wb_robot_get_urdf("a") == "<a>"
    assert api.wb_robot_step_begin(32) == 0
    assert api.wb_robot_get_urdf("b") == ""
    assert "between step_begin and step_end" in capsys.readouterr().err
    assert api.wb_robot_step_end() == 0


def test_a_late_step_returns_its_delay(attach: Attach):
    """Judge: manual, wb_robot_step: an asynchronous robot gets dt; 0 if it was as fast as others."""
    world = Loopback()
    attach(world)
    world._ready.append(write_answer(48, b""))
    assert (api.wb_robot_step(32), api.wb_robot_step(32)) == (48, 0)


def test_a_packet_that_nobody_asked_for_is_taken_on_the_way(attach: Attach):
    world = Loopback()
    robot = attach(world)
    message = bytes.fromhex("0000 51 03000000") + b"hi\0"
    world._ready.append(write_answer(-1, message))
    assert api.wb_robot_step(32) == 0
    assert (api.wb_robot_wwi_receive_text(), api.wb_robot_wwi_receive_text()) == ("hi", None)
    assert robot.get_time() == 0.032


def test_the_event_comes_in_a_second_packet(attach: Attach):
    world = Loopback()
    attach(world)
    event = bytes.fromhex("0000 50 04000000")

    def later(events: int, timeout: int) -> list:
        world._ready.appendleft(write_answer(0, b""))
        return [("event", (events,))]

    world.on["wait_for_event"] = later
    assert api.wb_robot_wait_for_user_input_event(4, 1000) == int.from_bytes(event[3:], "little")


@pytest.mark.parametrize(
    "data", [b"\0", b"\0\0\x63", b"\x01\0\x01", b"\0\0\x04\0", b"\x07\0\x01", b"\0\0\x0b" + b"x" * 9]
)
def test_broken_answers_end_the_controller_with_a_message(
    attach: Attach, data: bytes, capsys: pytest.CaptureFixture[str]
):
    world = Loopback([Peer("LED", "led")])
    attach(world)
    world._ready.append(write_answer(0, data))
    with pytest.raises(SystemExit) as end:
        api.wb_robot_step(32)
    assert end.value.code == 1
    assert "Lost the simulator" in capsys.readouterr().err


def test_without_a_robot_the_api_says_what_to_do():
    session.activate(None)
    with pytest.raises(session.NoRobot, match="wb_robot_init"):
        api.wb_robot_get_time()


def test_custom_data_and_console(attach: Attach):
    world = Loopback()
    attach(world)
    api.wb_robot_set_custom_data("x")
    api.wb_console_print("hello", api.WB_STDERR)
    world.tell("custom_data", "y")
    api.wb_robot_step(32)
    assert (world.last("set_custom_data"), world.last("console")) == (("x",), (2, "hello"))
    assert api.wb_robot_get_custom_data() == "y"


MOTION = "#WEBOTS_MOTION,V1.0,a,b\n00:00:000,Pose1,0,*\n00:00:064,Pose2,1.0,0.5\n"


def test_a_motion_moves_motors_between_its_poses(attach: Attach, tmp_path):
    file = tmp_path / "wave.motion"
    file.write_text(MOTION)
    world = Loopback([Peer("RotationalMotor", "a"), Peer("RotationalMotor", "b")])
    attach(world)
    motion = api.wbu_motion_new(str(file))
    api.wbu_motion_play(motion)
    targets = []
    for _ in range(4):
        api.wb_robot_step(32)
        targets.append((world["a"].last("set_position"), world["b"].last("set_position")))
    assert targets == [((0.0,), None), ((0.5,), None), ((1.0,), (0.5,)), ((1.0,), (0.5,))]
    assert (api.wbu_motion_is_over(motion), api.wbu_motion_get_duration(motion)) == (True, 64)
