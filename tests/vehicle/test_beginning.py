"""How the vehicle library begins: with a car it finds it, with another robot it says what is missing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.project.files import CHECKOUT
from tests.vehicle.conftest import Attach
from tests.vehicle.figures import TEXT, WHEELS, devices, loopback
from vehicle import Car, Driver
from wbridge.hal import api
from wbridge.hal.client import native, session
from wbridge.hal.client.errors import VehicleError
from wbridge.hal.protocol.loopback import Loopback, Peer


def other(peers: list[Peer]) -> Loopback:
    there = Loopback(peers, name="car")
    there.info = there.info._replace(custom_data=TEXT)
    return there


def test_the_figures_come_from_the_model(attach: Attach):
    car = attach(loopback(TEXT.replace(" C ", " P ")))
    assert (car.wheelbase, car.track_front, car.track_rear) == (3, 1.6, 1.5)
    assert (car.front_wheel_radius, car.getRearWheelRadius()) == (0.35, 0.4)
    assert (car.engine_type, api.wbu_car_get_engine_type()) == (Car.PARALLEL_HYBRID_ENGINE,) * 2
    assert api.wbu_car_get_type() == api.WBU_CAR_FOUR_BY_FOUR == Car.FOUR_BY_FOUR


def test_functions_and_objects_are_one_car(attach: Attach):
    car = attach(loopback())
    api.wbu_driver_init()
    api.wbu_driver_set_cruising_speed(30.0)
    api.wbu_driver_set_indicator(api.LEFT)
    assert (car.target_cruising_speed, car.indicator) == (30.0, Driver.INDICATOR_LEFT)
    assert api.wbu_driver_step() == 0
    assert car.getTime() == pytest.approx(0.032)


def test_without_figures_it_is_no_car(attach: Attach):
    there = loopback("a robot")
    with pytest.raises(VehicleError, match="customData lacks the 20 values of a car: 'a robot'"):
        attach(there)
    assert Driver.isInitialisationPossible() is False


def test_a_car_can_be_asked_for(attach: Attach):
    native.attach(loopback())
    assert Driver.isInitialisationPossible() is api.wbu_driver_initialization_is_possible() is True


def test_all_missing_devices_are_told_with_the_nearest_name(attach: Attach):
    peers = [one for one in devices() if one.entry.name not in ("left_steer", "right_rear_brake")]
    with pytest.raises(VehicleError) as failure:
        attach(other([*peers, Peer("RotationalMotor", "left_ster")]))
    assert '"car" lacks devices of a car: "left_steer"; did you mean "left_ster"?' in str(failure.value)
    assert '"right_rear_brake"' in str(failure.value)


@pytest.mark.parametrize("driven", [(), WHEELS[:1], WHEELS[1:3]])
def test_an_axle_needs_both_motors(attach: Attach, driven: tuple[str, ...]):
    with pytest.raises(VehicleError) as failure:
        attach(loopback(driven=driven))
    absent = [wheel for wheel in WHEELS if wheel not in driven]
    assert [f'"{wheel}_wheel"' in str(failure.value) for wheel in absent] == [True] * len(absent)


def test_functions_need_a_beginning(attach: Attach):
    native.attach(loopback())
    with pytest.raises(session.NoRobot, match="call wbu_driver_init"):
        api.wbu_driver_step()
    with pytest.raises(session.NoRobot, match="call wbu_car_init"):
        api.wbu_car_get_type()


@pytest.mark.parametrize(
    ("old", "new"), [("set_brake", "set_brake_intensity"), ("set_wipers_mode", "set_wiper_mode")]
)
def test_old_spellings_work_and_warn(attach: Attach, capsys: pytest.CaptureFixture[str], old: str, new: str):
    attach(loopback())
    getattr(api, f"wbu_driver_{old}")(0)
    assert f"wbu_driver_{old}() is deprecated; use wbu_driver_{new}" in capsys.readouterr().err


def test_the_package_has_two_names():
    code = "from vehicle import *; print(Car.__mro__[2].__name__, Driver.__name__)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=CHECKOUT, check=True, capture_output=True, text=True
    )
    assert done.stdout.split() == ["Driver", "Driver"]
