"""The library, the models and the physics together: a car goes as fast, turns and stops as formulas say."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.samples.runs import run
from tests.vehicle.road import STEP, drive

RADIUS, BASE, MASS, WHEEL = 0.36, 2.94, 1888.6, 10.4
"""Of the Tesla Model 3: radius of its wheels and wheelbase in m, masses of all and of a wheel in kg."""
DAMPING = 4 * 3.0 / RADIUS**2
"""Of four rolling wheels, in N s/m: 3 N m s/rad each."""
INERT = MASS + 4 * 0.5 * WHEEL
"""In kg: a rolling cylinder weighs half as much again."""
RAMP = 100 / 3.6 / 17.5
"""Of the Citroen C-Zero, from 0 to 100 km/h in 17.5 s, in m/s^2: far less than the grip of its wheels."""
SETTLED = 0.3
"""After this time, in s, the motors' velocity control has caught up with the ramp."""


def test_the_cruising_speed_is_reached_as_fast_as_the_model_says(tmp_path: Path):
    target = 20 / 3.6
    code = "car.setCruisingSpeed(20)\nwhile car.step() != -1:\n    print(car.getCurrentSpeed())"
    told = drive(tmp_path, code, 5, "CitroenCZero")
    speeds = [one.speed for one in told.states]
    for time in (1.0, 2.0):
        assert speeds[round(time / STEP)] == pytest.approx(RAMP * time, rel=0.05)
    reached = target / RAMP
    assert max(speeds[: round((reached - SETTLED) / STEP)]) < target
    assert speeds[round((reached + SETTLED) / STEP) :] == pytest.approx(
        [target] * (500 - round((reached + SETTLED) / STEP) + 1), rel=0.01
    )
    # The sensors of the wheels see w h per step.
    assert told.lines[-1][0] == pytest.approx(20, rel=0.002)


def test_braking_stops_the_car_in_its_time_and_holds_it(tmp_path: Path):
    code = """
    car.setCruisingSpeed(50)
    while car.step() != -1:
        if car.getTime() > 4 and not car.getBrakeIntensity():
            car.setThrottle(0)
            car.setBrakeIntensity(0.4)
            print(car.getTime())
    """
    told = drive(tmp_path, code, 8)
    ((start,),) = told.lines
    speed = told.states[round(start / STEP)].speed
    force = 4 * 0.4 * 2000 / RADIUS
    # m v' = -(force + damping v), so v is 0 after m / damping * ln(1 + damping v / force)
    expected = INERT / DAMPING * math.log(1 + DAMPING * speed / force)
    stopped = next(k for k, one in enumerate(told.states) if k * STEP > start and one.speed < 0.05)
    assert stopped * STEP - start == pytest.approx(expected, rel=0.05)
    later = told.states[stopped + 20 :]
    assert max(one.speed for one in later) < 0.02
    assert abs(later[-1].x - later[0].x) < 0.01


def test_throttle_accelerates_by_the_torque_of_the_engine(tmp_path: Path):
    code = """
    car.setGear(1)
    car.setThrottle(0.2)
    while car.step() != -1:
        print(car.getRpm(), car.getGear())
    """
    told = drive(tmp_path, code, 3)
    force = 0.2 * 639 * 9 / RADIUS
    for time in (1.0, 2.0, 2.9):
        expected = force / DAMPING * (1 - math.exp(-DAMPING * time / INERT))
        assert told.states[round(time / STEP)].speed == pytest.approx(expected, rel=0.04)
    rpm = told.states[-1].speed / RADIUS * 9 * 60 / (2 * math.pi)
    assert told.lines[-1] == [pytest.approx(rpm, rel=0.02), 1]


@pytest.mark.parametrize("angle", [-0.35, 0.2])
@pytest.mark.parametrize("model", ["TeslaModel3", "BmwX5"])
def test_in_a_curve_the_car_turns_about_its_center(tmp_path: Path, angle: float, model: str):
    code = f"car.setCruisingSpeed(8)\ncar.setSteeringAngle({angle})\nwhile car.step() != -1:\n    pass"
    told = drive(tmp_path, code, 6, model)
    # The speed is that of the driven axle: the rear one moves slower than the front one by the cosine.
    base, share = {"TeslaModel3": (BASE, 1), "BmwX5": (2.995, math.cos(angle))}[model]
    last = told.states[-200:]
    for one in last[::50]:  # the origin lies in the middle of the rear axle; to the right is negative
        assert one.yaw_rate == pytest.approx(-one.speed * math.tan(angle) / base, rel=0.05)
        assert one.speed == pytest.approx(share * 8 / 3.6, rel=0.05)


@pytest.mark.parametrize("model", ["Bus", "MercedesBenzSprinter", "Truck"])
def test_heavy_vehicles_reach_their_speed(tmp_path: Path, model: str):
    code = "car.setCruisingSpeed(20)\nwhile car.step() != -1:\n    pass"
    told = drive(tmp_path, code, 10, model)
    assert [one.vx for one in told.states[-100::20]] == pytest.approx([20 / 3.6] * 5, rel=0.02)
    assert abs(told.states[-1].y) < 0.1


def test_a_car_drives_backward_with_its_lamps_on(tmp_path: Path):
    code = """
    car.setCruisingSpeed(-10)
    while car.step() != -1:
        print(car.getCurrentSpeed(), car.getBackwardsLights())
    """.replace("car.getBackwardsLights()", "int(car.getBackwardsLights())")
    told = drive(tmp_path, code, 2)
    assert told.states[-1].vx == pytest.approx(-10 / 3.6, rel=0.01)
    assert told.lines[-1] == [pytest.approx(-10, rel=0.01), 1]


def test_two_cars_in_one_program_do_not_know_of_each_other(tmp_path: Path):
    other = 'DEF OTHER TeslaModel3 {\n  translation 0 20 0.3\n  name "other"\n  controller "drive"\n}\n'
    code = """
    car.setCruisingSpeed({"vehicle": 20, "other": -10}[car.getName()])
    car.setHazardFlashers(car.getName() == "other")
    while car.step() != -1:
        pass
    print(car.target_cruising_speed, int(car.hazard_flashers))
    """
    speeds: list[float] = []
    told = drive(
        tmp_path, code, 3, look=lambda one: speeds.append(one.node("OTHER").velocity[0]), others=other
    )
    assert told.states[-1].vx == pytest.approx(20 / 3.6, rel=0.01)
    assert speeds[-1] == pytest.approx(-10 / 3.6, rel=0.01)
    assert sorted(told.lines) == [[-10, 1], [20, 0]]


def test_brake_lights_of_old_releases_light_although_misspelled(tmp_path: Path):
    """Webots' VehicleLights names them brake_ligths in R2019a and R2020a, brake_lights in R2021b."""
    drive(tmp_path, "pass", 0.01)
    world = tmp_path / "worlds" / "road.wbt"
    lines = world.read_text().replace("R2025a", "R2020a").splitlines()
    world.write_text("\n".join(line for line in lines if not line.startswith("EXTERNPROTO")))
    (tmp_path / "controllers" / "drive" / "drive.py").write_text(
        "from vehicle import Car\ncar = Car()\ncar.setBrakeIntensity(1)\ncar.step()\n"
        "print(int(car.getBrakeLights()), car.getDevice('brake_ligths').get())\n"
    )
    done = run(world, 0.05, lambda simulation: None)
    assert done.lines == ["1 1"]
