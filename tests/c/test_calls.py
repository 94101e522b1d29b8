"""Each implementation of the API returns, prints and sends what is recorded, in wrong calls, too.

The records are in `answers/`; see `answers.py`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.c.answers import check, compare, recorded_calls
from tests.c.calling import Function, Implementation, functions
from wbridge.hal import api
from wbridge.hal.protocol.devices.display import PIXEL_SIZES
from wbridge.hal.protocol.dialect import DIALECTS
from wbridge.hal.protocol.loopback import Loopback, Peer

FUNCTIONS = functions()
OPTICS = {"fov": 0.8, "near": 0.1, "planar": 1}
PEERS = [
    ("Accelerometer", {"lookup_table": [(0.0, 0.0, 0.1), (1.0, 2.0, 0.1)]}, [("values", (0.1, 0.2, 9.81))]),
    ("Altimeter", {}, [("value", 1.25)]),
    ("Brake", {"type": 1}, []),
    ("Camera", {"width": 4, "height": 2, **OPTICS, "min_fov": 0.1, "max_fov": 1.5, "recognition": True}, []),
    ("Compass", {}, [("values", (1.0, 0.0, 0.0))]),
    ("Connector", {"locked": True}, [("presence", -1)]),
    ("Display", {"width": 8, "height": 8}, []),
    ("DistanceSensor", {"type": 2, "min_value": 0.5, "max_value": 9.0}, [("value", 4.5)]),
    ("Emitter", {"buffer_size": 40, "bytes_per_ms": -1.0, "max_range": 7.5, "allowed_channels": [1, 4]}, []),
    ("GPS", {"coordinate_system": 1}, [("values", (1.0, 2.0, 3.0), 4.0, (5.0, 6.0, 7.0))]),
    ("Gyro", {}, [("values", (0.5, -0.5, 0.25))]),
    ("InertialUnit", {"noise": 0.01, "coordinate_system": "ENU"}, [("quaternion", (0.1, 0.2, 0.3, 0.9))]),
    ("LED", {}, []),
    ("Lidar", {"layers": 2, "horizontal_resolution": 3.0, "min_frequency": 1.0, "max_frequency": 9.0}, []),
    ("LightSensor", {}, [("value", 200.0)]),
    ("LinearMotor", {"type": 1, "max_velocity": 3.0, "max_force": 8.0}, [("feedback", 2.5)]),
    ("RotationalMotor", {"max_velocity": 5.0, "max_force": 6.0, "couplings": [16]}, [("feedback", -2.5)]),
    ("Pen", {}, []),
    ("PositionSensor", {"type": 1}, [("value", 0.75)]),
    ("Radar", {"max_range": 50.0, "horizontal_fov": 0.5}, [("targets", [(1.0, 2.0, 3.0, 4.0)])]),
    ("RangeFinder", {"width": 4, "height": 2, **OPTICS, "max_range": 5.0}, []),
    ("Receiver", {"buffer_size": 20, "channel": 1}, [("packet", 1, (0.0, 1.0, 0.0), 0.25, b"hello\0you")]),
    ("Skin", {"bones": ["hip", "knee"]}, []),
    ("Speaker", {}, []),
    ("TouchSensor", {"type": 1}, [("value", 1.5)]),
    ("VacuumGripper", {"on": True}, [("presence", True)]),
    ("Microphone", {"aperture": 0.5}, [("samples", b"la\0la")]),
    ("Radio", {"address": "me", "frequency": 2.4e9, "channel": 3}, [("packet", 0.5, "you", b"hi")]),
]  # fmt: skip
WRONG = 99
RESET_AT = 4
"""The request after which a simulation is reset, the first one being that of wb_robot_init."""
NUMBERS = [0.0, -1.0, 0.5, 2.0, 1e9, 0.1 + 0.2, float("nan"), float("inf")]
WHOLE = [0, 1, 2, 5, -1, -7, 70000]
TEXTS = ["a", "pico", "en-US", "hip", "no such thing"]
ELSEWHERE = (
    "wbu_motion_",
    "save_image",
    "image_load",
    "image_save",
    "play_sound",
    "wb_robot_",
    "wb_supervisor_",
    "wb_servo_",
)
ELSEWHERE += ("convert_to_degrees", "image_paste", "image_delete", "image_copy", "save_segmentation")
ELSEWHERE += ("attach_camera", "device_get_type", "wbu_car_", "wbu_driver_")
SMALL = (
    "wb_joystick",
    "wb_display_set_font",
    "wb_display_image_copy",
    "wb_display_draw_",
    "wb_display_fill_",
)


def world(tcp: bool = False, dialect: str = "R2025a") -> Callable[[], Loopback]:
    """A robot with a device of each kind, whose sensors answer in each step."""

    def make() -> Loopback:
        known = [one for one in PEERS if one[0] in DIALECTS[dialect].numbers]
        peers = [Peer(kind, kind.lower(), constants) for kind, constants, _ in known]
        made = Loopback(peers, supervisor=True, tcp=tcp, dialect=DIALECTS[dialect])
        made.info = made.info._replace(simulation_mode=1, world_path="a.wbt", custom_data="data")

        def sample(loop: Loopback) -> None:
            for peer, (_, _, messages) in zip(peers, known, strict=True):
                for name, *values in messages:
                    peer.send(name, *values)
            loop.tell("keys", [65, 66])
            loop.tell("battery", 12.5)
            loop.tell("from_window", b"one\0two words\0")
            loop.tell("joystick_state", [1, 2], [3, -4], [5])

        made.before_answer = sample
        return made

    return make


def tag_of(kind: str) -> int:
    """The tag of the device of a kind."""
    return [name for name, *_ in PEERS].index(kind) + 1


def device_tag(function: str) -> list[int]:
    """Tags for a function: of its kind, of another one, and of none."""
    kinds = [kind for kind, _, _ in PEERS]
    own = [k for k, kind in enumerate(kinds, 1) if function.startswith(f"wb_{_key(kind)}_")]
    own += [k for k, kind in enumerate(kinds, 1) if kind.endswith("Motor")] * function.startswith("wb_motor_")
    return [*(own or [1]), (own or [1])[0] % len(kinds) + 1, WRONG]


def _key(kind: str) -> str:
    if kind.isupper():
        return kind.lower()
    return "".join("_" + c.lower() if c.isupper() else c for c in kind).lstrip("_")


def values(function: Function, type_: str, rng: random.Random) -> Any:
    """An argument of a type."""
    if type_ == "WbDeviceTag":
        return rng.choice(device_tag(function.name))
    if type_ == "double":
        return rng.choice(NUMBERS)
    if type_ == "bool":
        return rng.random() < 0.5
    if type_ == "const char *":
        return rng.choice(TEXTS)
    if type_.startswith("const double"):
        return [rng.choice(NUMBERS[:6]) for _ in range(int(type_[-2]))]
    return rng.choice(WHOLE[:4] if function.name.startswith(SMALL) else WHOLE)


def random_calls(seed: int, rounds: int) -> list[list[Any]]:
    """Calls of all functions of devices, in any order, with steps between them."""
    rng = random.Random(seed)
    chosen = [
        one
        for name, one in FUNCTIONS.items()
        if name in api.__all__ and not any(e in name for e in ELSEWHERE)
    ]
    chosen = [one for one in chosen if one.returns not in ("WbImageRef", "WbNodeRef", "WbFieldRef")]
    calls: list[list[Any]] = [["wb_robot_init", ""]]
    for _ in range(rounds):
        rng.shuffle(chosen)
        for one in chosen:
            calls.append([one.name, "", *(values(one, type_, rng) for type_ in one.parameters)])
            if rng.random() < 0.1:
                calls.append(["wb_robot_step", "", 32])
    return calls


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("tcp", [False, True])
def test_calls_of_devices(implementation: Implementation, tmp_path: Path, seed: int, tcp: bool):
    name = f"devices_{seed}"
    calls = recorded_calls(name, lambda: random_calls(seed, 6))
    check(name, implementation, calls, tmp_path, world(tcp))


def test_a_rounded_full_turn_is_a_field_of_view(implementation: Implementation, tmp_path: Path):
    """An angle beyond a multiple of pi/2 by less than 1e-4 is that multiple."""

    def wide() -> Loopback:
        optics = {"fov": 0.8, "near": 0.1, "planar": 0, "min_fov": 0.1, "max_fov": 2 * math.pi}
        return Loopback([Peer("Camera", "c", {"width": 4, "height": 2, **optics})])

    angles = [6.2832, 2 * math.pi, 6.2834, 0.05]
    calls: list[list[Any]] = [["wb_robot_init", ""]]
    for fov in angles:
        calls += [["wb_camera_set_fov", "", 1, 0.8], ["wb_camera_set_fov", "", 1, fov]]
        calls += [["wb_camera_get_fov", "", 1]]
    outcome = check("full_turn", implementation, calls, tmp_path, wide)
    assert [result for _, result in outcome.results[3::3]] == [
        2 * math.pi if abs(fov - 2 * math.pi) < 1e-4 else 0.8 for fov in angles
    ]


def test_the_recorded_calls_reach_most_of_the_api():
    """Each function of devices with simple arguments is among them: remove records after one was added."""
    recorded = {name for seed in range(4) for name, *_ in recorded_calls(f"devices_{seed}", list)}
    assert recorded >= {name for name, *_ in random_calls(0, 1)}
    assert len(recorded) > 240
    assert set(PIXEL_SIZES) == {3, 4, 5, 6, 7}


MOTION = """#WEBOTS_MOTION,V1.0,LinearMotor,rotationalmotor,linearmotr
0,Pose1,0,0.5,1
100,Pose2,1,*,2
00:00:250,Pose3,-1,2.5,*
1:00:300,Pose4,0.5,1,0
"""
BROKEN = """#WEBOTS_MOTION,V1.0,linearmotor
0,Pose1,0
0,Pose2,1
x,Pose3,1
10,Pose4,1,2
20,Pose5
"""


def test_motions_are_played(implementation: Implementation, tmp_path: Path):
    files = {
        "good": MOTION.replace("LinearMotor", "linearmotor"),
        "broken": BROKEN,
        "other": "x,y\n1,2\n",
        "none": None,
    }
    for name, text in files.items():
        if text is not None:
            (tmp_path / name).write_text(text)
    calls: list[list[Any]] = [["wb_robot_init", ""]]
    calls += [
        ["wbu_motion_new", "motion", str(tmp_path / name)] for name in ("good", "good", "other", "none")
    ]
    first, second = {"motion": 0}, {"motion": 1}
    step = ["wb_robot_step", "", 32]
    calls += [["wbu_motion_get_duration", "", first], ["wbu_motion_play", "", first], *[step] * 12]
    calls += [["wbu_motion_get_time", "", first], ["wbu_motion_is_over", "", first]]
    calls += [["wbu_motion_set_reverse", "", first, True], *[step] * 4, ["wbu_motion_get_time", "", first]]
    calls += [["wbu_motion_set_time", "", second, 60_200], ["wbu_motion_set_loop", "", second, True]]
    calls += [["wbu_motion_play", "", second], *[step] * 6, ["wbu_motion_get_time", "", second]]
    calls += [["wbu_motion_stop", "", first], step, ["wbu_motion_delete", "", second], step]
    check("motions", implementation, calls, tmp_path, world())


ENDINGS = {
    "commas": MOTION.replace("\n", ",\n"),
    "blanks": MOTION.replace("\n", " ,, \t\n"),
    "windows": "\ufeff" + MOTION.replace("\n", " \r\n"),
    "all": "\ufeff" + MOTION.replace("\n", ", ,\r\n"),
    "returns": "\ufeff" + MOTION.replace("\n", ", \r"),
    "extra": MOTION.replace("2.5,*", "2.5,*,,7"),
}


def test_motions_may_have_commas_and_blanks_at_line_ends(implementation: Implementation, tmp_path: Path):
    """The files that come with NAO end their lines with commas."""
    calls: list[list[Any]] = [["wb_robot_init", ""]]
    for name, text in ENDINGS.items():
        (tmp_path / name).write_text(text, newline="")
        calls.append(["wbu_motion_new", "motion", str(tmp_path / name)])
    calls += [["wbu_motion_get_duration", "", {"motion": place}] for place in range(5)]
    outcome = check("motion_endings", implementation, calls, tmp_path, world())
    assert [result[1] for result in outcome.results[1:]] == ["motion"] * 5 + [None] + [60_300.0] * 5


def test_a_motion_has_bounds(implementation: Implementation, tmp_path: Path):
    """What is refused: files that would fill the memory, or the screen with problems."""
    head = MOTION.partition(",")[0] + ",V1.0"
    (tmp_path / "motors").write_text(head + ",m" * 1001 + "\n")
    (tmp_path / "problems").write_text(f"{head},linearmotor\n" + "x\n" * 200)
    with (tmp_path / "large").open("wb") as file:
        file.truncate(2**24 + 1)
    names = "motors", "problems", "large"
    calls = [["wb_robot_init", ""], *(["wbu_motion_new", "motion", str(tmp_path / name)] for name in names)]
    outcome = implementation.call(calls, tmp_path, world())
    assert [result[1] for result in outcome.results[1:]] == [None] * 3
    text = "\n".join(outcome.said)
    assert text.count('found "x"; expected a time such as 00:01:500') == 100
    for said in (
        "motors:1: found more than 1000 motors",
        "problems: gave up after 100 problems",
        "large has more than 16777216 bytes",
    ):
        assert f"could not read the motion: {tmp_path / said}" in text


def test_a_broken_motion_is_told_line_by_line(implementation: Implementation, tmp_path: Path):
    (tmp_path / "broken").write_text(BROKEN)
    calls = [["wb_robot_init", ""], ["wbu_motion_new", "motion", str(tmp_path / "broken")]]
    outcome = implementation.call(calls, tmp_path, world())
    # Python prints these lines as a warning of its own, with the path before them.
    said = [line.partition("could not read the motion: ")[2] or line for line in outcome.said]
    compare("broken_motion", implementation, calls, outcome._replace(said=said), tmp_path)
    assert outcome.results[-1] == ["wbu_motion_new", None]


def test_robots_tell_of_themselves(implementation: Implementation, tmp_path: Path):
    names = "name model basic_time_step project_path world_path controller_name supervisor synchronization"
    calls: list[list[Any]] = [
        ["wb_robot_init", ""],
        *([f"wb_robot_get_{name}", ""] for name in names.split()),
    ]
    calls += [
        [f"wb_robot_get_{name}", ""] for name in ("custom_data", "number_of_devices", "time", "mode", "type")
    ]
    calls += [
        ["wb_robot_get_device", "", name] for name in ("gps", "gpx", "", "distance sensor", "motor", "zzz")
    ]
    calls += [["wb_robot_get_device_by_index", "", k] for k in (0, 25, 26, -1)]
    calls += [
        [f"wb_device_get_{what}", "", tag] for what in ("name", "model", "node_type") for tag in (0, 1, 99)
    ]
    calls += [
        ["wb_robot_set_custom_data", "", "new"],
        ["wb_robot_get_custom_data", ""],
        ["wb_robot_step_end", ""],
    ]
    calls += [["wb_robot_step", "", -1], ["wb_robot_step_begin", "", 32], ["wb_robot_step_begin", "", 32]]
    calls += [
        ["wb_motor_get_brake", "", 17],
        ["wb_robot_step_end", ""],
        ["wb_robot_battery_sensor_enable", "", 64],
    ]
    calls += [
        ["wb_robot_battery_sensor_enable", "", -5],
        ["wb_robot_step", "", 32],
        ["wb_keyboard_get_key", ""],
    ]
    calls += [["wb_robot_battery_sensor_get_value", ""], ["wb_robot_battery_sensor_get_sampling_period", ""]]
    calls += [["wb_robot_pin_to_static_environment", "", True], ["wb_console_print", "", "hello", 1]]
    calls += [
        ["wb_robot_set_mode", "", 1, ""],
        ["wb_robot_keyboard_get_key", ""],
        ["wb_robot_get_urdf", "", "pre"],
    ]
    calls += [["wb_robot_step", "", 32], *[["wb_robot_wwi_receive_text", ""]] * 5]
    calls += [["wb_servo_set_position", "", 17, 1.0], ["wb_servo_set_control_p", "", 17, 5.0]]
    calls += [
        ["wb_servo_get_type", "", 17],
        ["wb_servo_enable_position", "", 17, 32],
        ["wb_robot_step", "", 32],
    ]
    calls += [
        ["wb_speaker_play_sound", "", 24, 24, "none.wav", volume, 1.0, 0.0, True] for volume in (0.5, 2.0)
    ]
    calls += [
        ["wb_speaker_play_sound", "", 24, 24, "b.wav", 0.5, 1.5, -0.5, False],
        ["wb_robot_step", "", 32],
    ]
    calls += [["wb_speaker_is_sound_playing", "", 24, "b.wav"], ["wb_speaker_stop", "", 24, "b.wav"]]
    calls += [["wb_speaker_is_sound_playing", "", 24, "b.wav"], ["wb_robot_step", "", 32]]
    check("robot", implementation, calls, tmp_path, world())


def test_degrees_become_minutes_and_seconds(implementation: Implementation, tmp_path: Path):
    degrees = [0.0, 46.51, -6.56, 179.9999, 12.0]
    calls = [["wb_robot_init", ""]]
    calls += [["wb_gps_convert_to_degrees_minutes_seconds", "", angle] for angle in degrees]
    check("degrees", implementation, calls, tmp_path, world())


def test_the_end_of_the_simulation_is_told_once(implementation: Implementation, tmp_path: Path):
    def ending() -> Loopback:
        made = world()()
        made.quit_at = 0.064
        return made

    calls = [["wb_robot_init", ""], *[["wb_robot_step", "", 32]] * 3]
    outcome = check("end", implementation, calls, tmp_path, ending)
    assert outcome.results[1:] == [["wb_robot_step", 0.0], ["wb_robot_step", -1.0]]


def test_waiting_for_no_event_is_requested(implementation: Implementation, tmp_path: Path):
    def answering() -> Loopback:
        made = world()()
        made.on["wait_for_event"] = lambda events, timeout: [("event", (events,))]
        return made

    waits = [["wb_robot_wait_for_user_input_event", "", events, 20] for events in (0, 4, -1, 64)]
    calls = [["wb_robot_init", ""], *waits]
    outcome = check("events", implementation, calls, tmp_path, answering)
    assert [result[1] for result in outcome.results[1:]] == [0, 4, 0, 0]
    assert len(outcome.said) == 2


def test_queues_are_empty_after_a_reset(implementation: Implementation, tmp_path: Path):
    """The clock goes back when the simulation is reset; packets of the former run are gone."""

    def resetting() -> Loopback:
        made = world()()
        sample = made.before_answer

        def reset(loop: Loopback) -> None:
            assert sample is not None
            sample(loop)
            if len(loop.requests) == RESET_AT:
                loop.time = 0.016

        made.before_answer = reset
        return made

    step, length = ["wb_robot_step", "", 32], ["wb_receiver_get_queue_length", "", tag_of("Receiver")]
    calls: list[list[Any]] = [["wb_robot_init", ""], ["wb_receiver_enable", "", tag_of("Receiver"), 32]]
    for _ in range(RESET_AT):
        calls += [step, length]
    outcome = check("reset", implementation, calls, tmp_path, resetting)
    lengths = [result for _, result in outcome.results[3::2]]
    assert lengths == [1, 2, 2, 1]  # the buffer has room for two packets


def test_the_quality_counts_only_for_jpeg(implementation: Implementation, tmp_path: Path):
    """Manual, wb_camera_save_image: 1 to 100 for JPEG; it is ignored for PNG."""
    folder = tmp_path / ("f" * (150 - len(str(tmp_path))))  # requests hold the length of paths
    folder.mkdir()
    picture = folder / "picture"
    picture.write_bytes(bytes(4 * 4 * 2))

    def seeing() -> Loopback:
        made = world()()
        made["camera"].send("image_file", 4 * 4 * 2, str(picture))
        return made

    camera = tag_of("Camera")
    cases = {("a.png", 0): 0, ("b.PNG", 101): 0, ("c.png", -5): 0, ("d.jpg", 0): -1, ("e.jpeg", 101): -1}
    cases |= {("f.jpg", 1): 0, ("g.jpg", 100): 0}
    saves = [["wb_camera_save_image", "", camera, str(folder / name), q] for name, q in cases]
    exports = [["wb_supervisor_export_image", "", str(folder / name), q] for name, q in cases]
    calls = [["wb_robot_init", ""], ["wb_camera_enable", "", camera, 32], ["wb_robot_step", "", 32]]
    outcome = check("quality", implementation, [*calls, *saves, *exports], folder, seeing)
    assert [result[1] for result in outcome.results[3 : 3 + len(cases)]] == list(cases.values())
    assert len(outcome.said) == 4
