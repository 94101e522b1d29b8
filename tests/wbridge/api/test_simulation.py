"""`wbridge.load`: step, run, reset, states, fields and nodes; controllers of robots that the script does not
drive."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import wbridge
from tests.wbridge.api.worlds import BOX, TURNTABLE, TWO_WHEELS, robot
from wbridge.wbcore.physics.errors import SimulationError, StateError, WorldError
from wbridge.wbcore.recordings.page_parts import parts_of

G = 9.81
SUPERVISED = """
from controller import Supervisor
robot = Supervisor()
box = robot.getFromDef("BOX")
steps = 0
while robot.step(16) != -1:
    steps += 1
    box.getField("customData").setSFString(str(steps))
    if robot.getCustomData() == "quit":
        robot.simulationQuit(3)
    if robot.getCustomData() == "leave":
        break
"""


def supervised(folder: Path, **options: object) -> wbridge.Simulation:
    """A world whose supervisor counts steps in a field of a box."""
    file = folder / "controllers" / "judge" / "judge.py"
    file.parent.mkdir(parents=True)
    file.write_text(SUPERVISED, encoding="utf-8")
    text = BOX + robot("", "supervisor TRUE", "judge").replace('"<none>"', '"judge"')
    text = text.replace('name "box"', 'name "box" ').replace("DEF BOX Solid", "DEF BOX Robot")
    text = text.replace('name "box" ', 'name "box" controller "<extern>" ')
    return wbridge.from_text(text, path=folder / "worlds" / "test.wbt", **options)


def test_importing_the_package_loads_no_simulator():
    heavy = {"wbridge.wbcore", "numpy", "wbridge.wbfleet"}
    code = f"import sys, wbridge; assert not {heavy} & set(sys.modules); wbridge.load"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_public_name_exists():
    for name in wbridge.__all__:
        assert getattr(wbridge, name) is not None
    assert set(wbridge.__all__) <= set(dir(wbridge))
    with pytest.raises(AttributeError, match="no attribute 'lod'"):
        wbridge.lod  # noqa: B018


def test_a_body_falls():
    """Judge: ODE's step is v += g h, then z += v h, so that z falls by g h^2 n (n + 1) / 2."""
    with wbridge.from_text(BOX) as sim:
        assert sim.step_ms == 16 and sim.time == 0
        sim.step()
        sim.step(32)
        sim.run(0.112)
        n = 10
        assert sim.time == pytest.approx(0.016 * n, abs=1e-12)
        assert sim["BOX.translation"][2] == pytest.approx(2 - G * 0.016**2 * n * (n + 1) / 2, abs=1e-9)
        assert sim.node("BOX").velocity[2] == pytest.approx(-G * 0.016 * n, abs=1e-9)


@pytest.mark.parametrize("wrong", [10, -16, math.nan, math.inf])
def test_other_times_than_whole_steps_are_refused(wrong: float):
    sim = wbridge.from_text(BOX)
    with pytest.raises(ValueError, match="multiple of the basic time step of 16 ms"):
        sim.step(wrong)
    with pytest.raises(ValueError, match="duration must be 0 or more"):
        sim.run(-1.0)


def test_a_reset_repeats_the_run_bit_by_bit():
    sim = wbridge.from_text(TURNTABLE)
    arm = sim.robot("robot")
    noisy = arm.sensor("ds")
    seen = []
    for _ in range(2):
        arm.motor("motor").velocity = 2
        sim.run(0.1)
        seen.append((sim.hash(), noisy.value))
        sim.reset()
        assert sim.time == 0 and math.isnan(noisy.value) and arm.motor("motor").actual_position == 0
    assert seen[0] == seen[1]
    sim.reset(seed=7)
    sim.run(0.1)
    assert noisy.value != seen[0][1]


def test_a_state_continues_bit_by_bit():
    sim = wbridge.from_text(TURNTABLE)
    arm = sim.robot("robot")
    arm.sensor("ds"), arm.sensor("gps", 24)
    arm.motor("motor").position = 1
    sim.run(0.05)
    state, before = sim.save(), arm.sensors.numbers.copy()
    assert np.array_equal(arm.sensors.numbers, before, equal_nan=True)
    sim.run(0.2)
    after = sim.hash(), arm.sensors.numbers.copy()
    other = wbridge.from_text(TURNTABLE)
    others_arm = other.robot("robot")
    others_arm.drive()
    for each, driven in ((sim, arm), (other, others_arm)):
        each.load(state)
        assert np.array_equal(driven.sensors.numbers, before, equal_nan=True)
        assert each.save() == state
        each.run(0.2)
        assert each.hash() == after[0]
        assert np.array_equal(driven.sensors.numbers, after[1], equal_nan=True)


def test_a_state_of_another_world_is_refused():
    with pytest.raises(StateError):
        wbridge.from_text(BOX).load(wbridge.from_text(TURNTABLE).save())


def test_the_worlds_errors_are_raised():
    with pytest.raises(WorldError, match="Sold"):
        wbridge.from_text("Sold { }")
    with pytest.raises(WorldError, match=r"no\.wbt"):
        wbridge.load("no.wbt")
    with pytest.raises(ValueError, match='"processes", "inline", "none", not True'):
        wbridge.from_text(BOX, controllers=True)  # type: ignore[arg-type]


# Fields.


def test_fields_are_read_and_set():
    sim = wbridge.from_text(BOX)
    sim["BOX.translation"] = 1, 2, 3
    assert sim["BOX.translation"].tolist() == [1, 2, 3]
    assert sim.node("BOX").position.tolist() == [1, 2, 3]
    sim["BOX.translation[1]"] = np.float32(0.5)
    assert sim["BOX.translation"].tolist() == [1, 0.5, 3]
    assert sim["box.translation[2]"] == 3
    sim["BOX.physics.mass"] = 5
    assert sim.node("BOX").mass == 5
    assert sim["WorldInfo.basicTimeStep"] == 16
    assert sim["BOX.name"] == "box" and sim["BOX.locked"] is False
    sim["WorldInfo.info"] = ["one", "two"]
    assert sim["WorldInfo.info"] == ["one", "two"] and sim["WorldInfo.info[1]"] == "two"


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ("BOX.translation", (1, 2), "expected 3 numbers, not 2"),
        ("BOX.translation", (1, 2, math.inf), "expected finite numbers"),
        ("BOX.translation", "012", "BOX.translation: expected 3 numbers, not '012'"),
        ("BOX.translation", 1, "expected 3 numbers, not 1"),
        ("BOX.translation[0]", "left", "BOX.translation.0.: expected a number, not the text 'left'"),
        ("BOX.physics.mass", -2, "allowed: "),
        ("BOX.physics", None, "contains nodes"),
        ("BOX.name", 3, "expected a text"),
        ("BOX.locked", 1, "expected True or False"),
        ("WorldInfo.info", "one", "expected a list"),
        ("WorldInfo.randomSeed", 1.5, "expected a whole number"),
    ],
)
def test_values_that_do_not_fit_are_refused(place: str, value: object, message: str):
    sim = wbridge.from_text(BOX)
    before = sim.hash()
    with pytest.raises(wbridge.FieldError, match=message):
        sim[place] = value
    assert sim.hash() == before


def test_what_a_world_has_in_vain_is_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    text = BOX.replace("mass 2", "mass 2 colour 3").replace("basicTimeStep", "basicTimeStp")
    for _ in range(2):
        wbridge.from_text(text, path=tmp_path / "worlds" / "box.wbt")
    where = tmp_path / "worlds" / "box.wbt"
    assert caplog.messages == [
        f"{where}:3:13: warning: WorldInfo has no field 'basicTimeStp'; ignored; "
        "did you mean 'basicTimeStep'?",
        f"{where}:9:48: warning: Physics has no field 'colour'; ignored",
    ]


def test_the_nearest_of_the_worlds_beside_is_named(tmp_path: Path):
    for name in ("arena.wbt", "maze.wbt"):
        (tmp_path / name).write_text(f"#VRML_SIM R2025a utf8{BOX}")
    with pytest.raises(WorldError, match=r"arna\.wbt: .* did you mean '.*arena\.wbt'\?"):
        wbridge.load(tmp_path / "arna.wbt")


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("BOXX.translation", "did you mean 'BOX'"),
        ("BOX.translatoin", "did you mean 'translation'"),
        ("BOX.translation[3]", "allowed: 0 to 2"),
        ("BOX", "is not NODE.FIELD"),
    ],
)
def test_unknown_places_name_the_nearest(place: str, message: str):
    sim = wbridge.from_text(BOX)
    for access in (lambda: sim[place], lambda: sim.__setitem__(place, 1)):
        with pytest.raises(wbridge.UnknownNameError, match=message) as info:
            access()
        assert not str(info.value).startswith("'"), "the message is a sentence, not a quoted key"
    with pytest.raises(KeyError):
        sim.node("BOXX")


def test_places_follow_changes_of_the_tree():
    sim = wbridge.from_text(BOX)
    assert sim["BOX.name"] == "box" and sim.node("box").mass == 2
    sim["BOX.name"] = "crate"
    assert sim.node("crate").name == "crate"
    with pytest.raises(wbridge.UnknownNameError):
        sim.node("box")
    sim["WorldInfo.info"] = ["a", "b"]
    assert sim["WorldInfo.info[1]"] == "b"
    sim["WorldInfo.info"] = ["a"]
    with pytest.raises(wbridge.UnknownNameError, match="allowed: 0 to 0"):
        sim["WorldInfo.info[1]"]


def test_lookups_take_the_same_time_in_large_worlds():
    """The first one searches the tree, the others do not."""
    sim = wbridge.from_text(BOX)
    node = sim.node("BOX")
    assert sim["BOX.name"] == "box"
    sim.core.world.nodes.clear()  # nothing to search in
    assert sim.node("BOX") is node and sim["BOX.name"] == "box"


def test_fields_can_be_replaced_while_loading():
    sim = wbridge.from_text(BOX, fields={"BOX.translation": (0, 0, 5), "WorldInfo.gravity": 0})
    sim.run(0.1)
    assert sim["BOX.translation"].tolist() == [0, 0, 5]
    with pytest.raises(wbridge.UnknownNameError, match="gravity"):
        wbridge.from_text(BOX, fields={"WorldInfo.gravitation": 0})


# Nodes.


def test_forces_move_bodies():
    """Judge: m a = F. A force of m g keeps the body where it is."""
    sim = wbridge.from_text(BOX)
    box = sim.node("BOX")
    for _ in range(10):
        box.add_force((0, 0, 2 * G))
        sim.step()
    assert box.position[2] == pytest.approx(2, abs=1e-9)
    box.set_velocity((0, 0, 0), (0, 0, 0))
    box.add_force((4, 0, 0))
    sim.step()
    assert box.linear_velocity[0] == pytest.approx(4 / 2 * 0.016)
    box.add_torque((0, 0, 1))
    sim.step()
    assert box.angular_velocity[2] == pytest.approx(0.016 / (2 * (0.2**2 + 0.2**2) / 12), rel=1e-6)
    for wrong in ((0, 1), (0, 0, math.nan)):
        with pytest.raises(ValueError, match="force: expected 3 finite numbers"):
            box.add_force(wrong)
    still = wbridge.from_text("Solid { } ").node("Solid")
    with pytest.raises(ValueError, match="no Physics node"):
        still.add_force((1, 0, 0))
    assert still.mass == 0


# Controllers of other robots.


def test_robots_that_the_script_does_not_drive_have_their_controllers(tmp_path: Path):
    with supervised(tmp_path) as sim:
        sim.step(48)
        # What the controller writes after a step acts in the next one.
        assert sim["BOX.customData"] == "2"
        with pytest.raises(RuntimeError, match='driven by its controller "judge" since the first step'):
            sim.robot("judge").drive()
        sim["JUDGE.customData"] = "leave"
        sim.run(1.0)
        assert sim.time == pytest.approx(0.048 + 62 * 0.016)
        sim.robot("judge").drive()  # its controller has ended


def test_a_script_replaces_the_controller_of_a_robot_that_it_drives(tmp_path: Path):
    with supervised(tmp_path) as sim:
        sim.robot("judge").drive()
        sim.step(48)
        assert sim["BOX.customData"] == ""


def test_controllers_can_be_left_out(tmp_path: Path):
    with supervised(tmp_path, controllers="none") as sim:
        sim.step(48)
        assert sim["BOX.customData"] == ""


def test_controllers_start_again_after_a_reset(tmp_path: Path):
    with supervised(tmp_path, controllers="inline") as sim:
        sim.step(48)
        sim.reset()
        sim.step(32)
        assert sim["BOX.customData"] == "1"


def test_a_supervisor_ends_the_simulation(tmp_path: Path):
    with supervised(tmp_path, controllers="inline") as sim:
        sim["JUDGE.customData"] = "quit"
        with pytest.raises(SimulationError, match="a supervisor has ended the simulation"):
            sim.run(1.0)


# Several simulations.


def test_threads_step_their_own_worlds():
    alone = wbridge.load(TWO_WHEELS)
    alone.robot().motors.velocity = (3, 2)
    alone.run(0.5)
    sims = [wbridge.load(TWO_WHEELS) for _ in range(3)]

    def work(sim: wbridge.Simulation) -> None:
        sim.robot().motors.velocity = (3, 2)
        sim.run(0.5)

    threads = [threading.Thread(target=work, args=(one,)) for one in sims]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert {one.hash() for one in sims} == {alone.hash()}


def test_the_core_may_be_changed_at_any_time():
    """Steps made natively, and one by one, have the same result."""
    text = TURNTABLE
    sims = wbridge.from_text(text), wbridge.from_text(text)
    core = sims[1].core
    for one in sims:
        one.robot().motor("motor").velocity = 1
        one.robot().sensor("angle")
        one.run(0.1)
    core.set_field(core.world.find("ROBOT"), "translation", (0.0, 0.0, 1.0))
    sims[0]["ROBOT.translation"] = 0, 0, 1
    for one in sims:
        one.run(0.1)
    assert sims[0].hash() == sims[1].hash()
    assert sims[0].robot().sensor("angle").value == sims[1].robot().sensor("angle").value


# Views.


def test_notebooks_show_the_world():
    sim = wbridge.from_text(BOX)
    page = sim._repr_html_()
    assert page.startswith("<iframe") and sim.time == 0
    view = sim.view(0.16, height=300)
    assert sim.time == pytest.approx(0.16) and "height: 300px" in view._repr_html_()


def test_recorded_steps_plot_sensors_that_are_enabled_for_it(tmp_path: Path):
    """The recording's curve is what the sensor measured."""
    sim = wbridge.from_text(TURNTABLE)
    robot = sim.robot()
    robot.motor("motor").velocity = 1
    with sim.record(tmp_path / "run.html", plot=[f"{robot.name}.angle"]):
        sim.run(0.1)
    assert robot.sensors["angle"].period and robot.sensors["angle"].value > 0.05
    head = next(part for part in parts_of(tmp_path / "run.html") if part.kind == "head")
    assert json.loads(head.content())["signals"] == [f"{robot.name}.angle"]
    plot = [f"{robot.name}.angel"]
    with pytest.raises(ValueError, match=r"angel.*angle"), sim.record(tmp_path / "run.html", plot):
        pass


def test_steps_are_recorded_and_sampled(tmp_path: Path):
    sim = wbridge.from_text(TURNTABLE)
    angle = sim.robot().sensor("angle")
    sim.robot().motor("motor").velocity = 1
    with sim.record(tmp_path / "run.html"):
        sim.run(0.1)
    assert angle.value > 0.05
    assert (tmp_path / "run.html").stat().st_size > 10000
    sim.run(0.1)
    with pytest.raises(OSError, match="missing"), sim.record(tmp_path / "missing" / "run.html"):
        pass
