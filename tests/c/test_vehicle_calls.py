"""Each vehicle library returns, prints and sends what is recorded, for cars of all kinds."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.c.answers import check, compare, recorded_calls
from tests.c.calling import Function, Implementation, Outcome, functions
from tests.vehicle.figures import FRONT, REAR, TEXT, WHEELS, devices
from wbridge.hal import api
from wbridge.hal.protocol.loopback import Loopback, Peer

STEP = ["wbu_driver_step", ""]
OLD = " is deprecated; use "
VEHICLE = {name: one for name, one in functions().items() if name.startswith(("wbu_car_", "wbu_driver_"))}
CALLED = [one for one in VEHICLE.values() if not one.name.endswith(("_init", "_cleanup", "_step"))]
ANGLES = [0.0, 0.1, -0.3, 0.5, -1e-9, 1.6, float("nan"), float("inf")]
SPEEDS = [0.0, 30.0, 120.5, -5.0, 1e300, float("nan"), float("-inf")]
SHARES = [0.0, -0.0, 0.4, 1.0, 1.5, -3.0, float("nan")]
PERIODS = [0.34, 1.0, 0.001, 1e-310, 0.0, -1.0, float("nan"), float("inf")]
WHOLE = [-7, -1, 0, 1, 2, 3, 4, 99]
EXTRAS = (
    "right_wiper_motor left_wiper_motor steering_wheel_motor rpm_needle_motor speed_needle_motor "
    "indicator_lever_motor"
).split()
CARS = {
    "combustion, four driven wheels": (
        TEXT.replace("none", "sounds/engine.wav").replace(" 4 4 ", " 4 17 "),
        WHEELS,
    ),
    "electric, driven behind": (TEXT.replace(" C ", " E "), REAR),
    "hybrid, driven in front": (
        TEXT.replace(" C ", " P ").replace("none", "hum.wav").replace(" 4 4 ", " 4 7 "),
        FRONT,
    ),
    "split hybrid": (TEXT.replace(" C ", " S ").replace("none", "s").replace(" 4 4 ", " 4 1 "), WHEELS),
    "wheels of unknown size": (TEXT.replace("0.35 0.4", "-1 -1"), WHEELS),
    "figures without sense": (
        "0 -1 0 0 1e-300 -5 0 S 1e300 0 0 0 0 0 1e300 -3 -1 0 3 4 1 0 -1e9 loud",
        WHEELS,
    ),
}


def world(text: str, driven: tuple[str, ...], extras: bool) -> Callable[[], Loopback]:
    """A car whose wheels turn at random."""

    def make() -> Loopback:
        rng = random.Random(3)
        made = Loopback(devices(driven) + (more() if extras else []), name="car")
        made.info = made.info._replace(custom_data=text)
        places = dict.fromkeys([f"{wheel}_sensor" for wheel in WHEELS], 0.0)

        def turn(loop: Loopback) -> None:
            for name in places:
                places[name] += rng.choice((0.0, 0.5, 0.75, -0.25)) * rng.random()
                loop[name].send("value", places[name])
            for side in ("right", "left"):
                loop[f"{side}_steer_sensor"].send("value", rng.uniform(-0.5, 0.5))
            if extras:
                loop["wiper_sensor"].send("value", rng.choice((-1.0, 0.25, 1.0)))

        made.before_answer = turn
        return made

    return make


def more() -> list[Peer]:
    """Devices that a car may have, and a second one of a name, which is another kind of device."""
    limits = {"min_position": -1.0, "max_position": 1.0, "max_velocity": 100.0}
    peers = [Peer("RotationalMotor", name, limits) for name in EXTRAS]
    lamps = [Peer("LED", f"interior_{side}_indicators") for side in ("right", "left")]
    return [*peers, *lamps, Peer("PositionSensor", "wiper_sensor"), Peer("GPS", "antifog_lights")]


def argument(function: Function, type_: str, rng: random.Random) -> Any:
    """An argument, sensible or not."""
    if type_ == "bool":
        return rng.random() < 0.5
    if type_ != "double":
        return rng.choice(WHOLE)
    for word, values in (("angle", ANGLES), ("speed", SPEEDS), ("period", PERIODS)):
        if word in function.name:
            return rng.choice(values)
    return rng.choice(SHARES)


def random_drive(seed: int, rounds: int) -> list[list[Any]]:
    """All functions of a driver, in any order, with steps between them."""
    rng = random.Random(seed)
    calls: list[list[Any]] = [["wbu_driver_init", ""], STEP]
    for _ in range(rounds):
        rng.shuffle(CALLED)
        for one in CALLED:
            calls.append([one.name, "", *(argument(one, type_, rng) for type_ in one.parameters)])
            calls += [STEP] * rng.choice((0, 0, 1, 1, 2))
    return calls


def plain(outcome: Outcome) -> Outcome:
    """Without what is said of old spellings, which Python tells in a way of its own."""
    return outcome._replace(
        said=[line for line in outcome.said if OLD not in line and not line.startswith(" ")]
    )


def record_name(car: str, extras: bool) -> str:
    """The record of a drive."""
    return "_".join(["drive", *car.replace(",", "").split(), "with_extras" if extras else "plain"])


def test_all_functions_are_called():
    assert VEHICLE.keys() == {name for name in api.__all__ if name.startswith(("wbu_car_", "wbu_driver_"))}
    assert len(CALLED) == len(VEHICLE) - 5  # how it begins, steps and ends


@pytest.mark.parametrize(
    "extras",
    [pytest.param(False, id="plain", marks=pytest.mark.slow), pytest.param(True, id="with extras")],
)
@pytest.mark.parametrize("car", CARS)
def test_drives(implementation: Implementation, tmp_path: Path, car: str, extras: bool):
    name = record_name(car, extras)
    calls = recorded_calls(name, lambda: random_drive(len(car), 8))
    outcome = implementation.call(calls, tmp_path, world(*CARS[car], extras))
    compare(name, implementation, calls, plain(outcome), tmp_path)


def test_old_spellings_are_told_once_in_the_same_words(implementation: Implementation, tmp_path: Path):
    made = world(*CARS["electric, driven behind"], extras=True)
    old = {"brake": "brake_intensity", "wipers_mode": "wiper_mode"}
    calls: list[list[Any]] = [["wbu_driver_init", ""]]
    for name in old:
        calls += [[f"wbu_driver_set_{name}", "", 1], [f"wbu_driver_get_{name}", ""]] * 2
    outcome = implementation.call(calls, tmp_path, made)
    assert [one[1] for one in outcome.results[1:]] == [None, 1.0] * 4
    expected = [
        f"wbu_driver_{verb}_{name} is deprecated; use wbu_driver_{verb}_{new}"
        for name, new in old.items()
        for verb in ("set", "get")
    ]
    said = [line.rpartition("Warning: ")[2].replace("()", "") for line in outcome.said if OLD in line]
    assert said == expected


OTHERS = {
    "no figures": (
        "a robot 'of' mine\twith a tab and no end of words, so that its text is cut off somewhere here",
        WHEELS,
    ),
    "no text": ("", WHEELS),
    "a word": (TEXT.replace("250", "many"), WHEELS),
    "gears": (TEXT.replace(" 4 4 ", " 12 4 "), WHEELS),
    "no motors": (TEXT, ()),
    "one motor": (TEXT, WHEELS[:1]),
}


@pytest.mark.parametrize("begin", ["wbu_driver_init", "wbu_car_init"])
@pytest.mark.parametrize("car", OTHERS)
def test_what_is_no_car_is_told_in_the_same_words(
    implementation: Implementation, tmp_path: Path, car: str, begin: str
):
    made = world(*OTHERS[car], extras=False)
    calls = [["wbu_driver_initialization_is_possible", ""], [begin, ""]]
    outcome = implementation.call(calls, tmp_path, made, code=1)
    # Python ends with a traceback, whose last line is the message.
    said = [line.rpartition("Error: ")[2] for line in outcome.said[-1:]]
    name = f"no_car_{car.replace(' ', '_')}_{begin}"
    compare(name, implementation, calls, outcome._replace(said=said), tmp_path)
    assert outcome.results == [[calls[0][0], float("motor" in car)]]
    assert outcome.requests[-1] == bytes(4)  # it takes its leave


@pytest.mark.parametrize(("call", "begin"), [("wbu_driver_step", "driver"), ("wbu_car_get_type", "car")])
def test_functions_need_a_beginning(implementation: Implementation, tmp_path: Path, call: str, begin: str):
    made = world(TEXT, WHEELS, extras=False)
    outcome = implementation.call([["wb_robot_init", ""], [call, ""]], tmp_path, made, code=1)
    line = f"there is no {begin} yet: call wbu_{begin}_init()"
    # Python ends with a traceback, whose last line names its classes, too.
    assert (
        outcome.said == [f"Error: {line} first"] if implementation.name == "c" else line in outcome.said[-1]
    )


def test_a_car_is_begun_once(implementation: Implementation, tmp_path: Path):
    calls = [["wbu_car_init", ""], ["wbu_driver_init", ""], ["wbu_driver_set_throttle", "", 0.5], STEP]
    calls += [["wbu_car_init", ""], ["wbu_driver_init", ""], ["wbu_driver_get_throttle", ""]]
    outcome = check("car_twice", implementation, calls, tmp_path, world(TEXT, WHEELS, extras=True))
    assert outcome.results[-1] == ["wbu_driver_get_throttle", 0.5]
