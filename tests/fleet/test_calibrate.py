"""`wbridge compare` and `wbridge calibrate`: a robot whose parameters are hidden, and its model."""

from __future__ import annotations

import csv
import json
import math
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("mcap")

from tests.bridge.conftest import Serving
from tests.fleet.swing import TEXT, swing
from tests.fleet.worlds import write
from wbridge.main import main
from wbridge.wbcore.scene.load import load_world
from wbridge.wbfleet.fitting.fit import Fitted, fit
from wbridge.wbfleet.fitting.parameters import parse
from wbridge.wbfleet.fitting.replay import Pair, Replay, replayed
from wbridge.wbfleet.sweeps.work import Work, carry_out_work

HIDDEN = {"HINGE.dampingConstant": 0.0237, "drive.acceleration": 3.31, "eye.lookupTable[1][1]": 1234.0}
RANGES = {
    "HINGE.dampingConstant": "0.001..0.1",
    "drive.acceleration": "1..8",
    "eye.lookupTable[1][1]": "500..2000",
}


def record(world: Path, seconds: float, *more: str, **hidden: float) -> Path:
    """Record the robot with its hidden parameters, which have noise of their own."""
    path = world.parent / "real.mcap"
    sets = [word for place, value in hidden.items() for word in ("--set", f"{place}={value}")]
    how = ["--duration", str(seconds), "--inline", "--quiet", "--seed", "77", "--record", str(path)]
    assert main(["run", str(world), *how, *sets, *more]) == 0
    return path


def calibrated(
    capsys: pytest.CaptureFixture[str], *arguments: str
) -> tuple[int, dict[str, dict[str, object]]]:
    capsys.readouterr()
    code = main(["calibrate", *arguments, "--json", "--jobs", "2"])
    return code, {one["place"]: one for one in json.loads(capsys.readouterr().out)["parameters"]}


def compared(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, dict[str, float]]:
    capsys.readouterr()
    assert main(["compare", *arguments, "--json"]) == 0
    return {one["name"]: one for one in json.loads(capsys.readouterr().out)["sensors"]}


@pytest.mark.slow
def test_three_hidden_parameters_are_found_within_two_percent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = record(swing(tmp_path), 60, **HIDDEN)
    fits = [word for place, bounds in RANGES.items() for word in ("--fit", f"{place}={bounds}")]
    fitted = tmp_path / "worlds" / "fitted.wbt"
    code, found = calibrated(capsys, str(log), *fits, "--write", str(fitted))
    assert code == 0
    for place, value in HIDDEN.items():
        one = found[place]
        assert one["known"] and not one["at_bound"]
        assert one["value"] == pytest.approx(value, rel=0.02)
        assert abs(one["value"] - value) < 4 * one["deviation"]
    differences = compared(capsys, str(log), "--world", str(fitted), "--tolerance", "10")
    assert [one["step"] for one in differences.values()] == [None] * 3


class Here:
    """Carries out replays in this process."""

    size = 1

    def submit(self, work: Work) -> Future[dict[str, Any]]:
        made: Future[dict[str, Any]] = Future()
        made.set_result(carry_out_work(work.to_data()))
        return made

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to end."""


def test_a_hidden_parameter_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = record(swing(tmp_path), 2, **{"drive.acceleration": 3.31})
    code, found = calibrated(capsys, str(log), "--fit", "drive.acceleration=1..8", "--sensor", "place")
    assert code == 0
    assert found["drive.acceleration"]["value"] == pytest.approx(3.31, rel=0.01)


def fitted(log: Path, sensor: str, *texts: str) -> dict[str, Fitted]:
    """Fit parameters to the readings of one sensor."""
    replay = Replay(str(log), "", "", {})
    pairs = [
        one if one.name == sensor else one._replace(real=one.real * math.nan) for one in replayed(replay)
    ]
    world = load_world(log.parent / "ball.wbt")
    found = fit(replay, pairs, [parse(one, world) for one in texts], Here())
    return {one.parameter.place: one for one in found.parameters}


def test_what_the_data_cannot_tell_is_said(tmp_path: Path) -> None:
    """A pendulum tells the ratio of damping and mass; the force of the motor is far from its limit."""
    log = record(swing(tmp_path), 2)
    texts = ("HINGE.dampingConstant=0.001..0.1", "BOB.physics.mass=0.1..2", "drive.maxForce=100..400")
    damping, mass, force = fitted(log, "angle.position", *texts).values()
    assert not damping.is_known and not mass.is_known and not force.is_known
    assert damping.mixed_with == ("BOB.physics.mass",)
    assert force.mixed_with == ()
    assert damping.value / mass.value == pytest.approx(0.01 / 0.5, rel=0.2)


def test_a_delay_is_found(tmp_path: Path) -> None:
    """Readings of a robot whose commands act 20 ms late."""
    log = record(swing(tmp_path), 2)
    replay = Replay(str(log), "", "", {"place.noise": "0"})

    def place(delay: float) -> Pair:
        found = replayed(replay._replace(command_delay_s=delay))
        return next(one for one in found if one.name == "place.position")

    early, half, late = (place(one).model for one in (0.016, 0.02, 0.024))
    assert half == pytest.approx((early + late) / 2, abs=1e-12)
    assert early[1:] == pytest.approx(place(0.0).model[:-1], abs=1e-9)
    world = load_world(log.parent / "ball.wbt")
    told = {"place.position": half}
    pairs = [
        one._replace(real=told.get(one.name, np.full_like(one.real, math.nan))) for one in replayed(replay)
    ]
    found = fit(replay, pairs, [parse("command-delay=0..0.1", world)], Here())
    assert found.parameters[0].value == pytest.approx(0.02, abs=1e-4)


def test_a_replay_of_a_run_is_the_same_bit_by_bit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also its noise, if the seed is that of the world."""
    world = swing(tmp_path)
    path = tmp_path / "run.mcap"
    assert main(["run", str(world), "--duration", "2", "--quiet", "--record", str(path)]) == 0
    same = compared(capsys, str(path), "--csv", str(tmp_path / "a.csv"))
    assert {one["max"] for one in same.values()} == {0.0} and len(same) == 3
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text().splitlines()))
    assert len(rows) == 3 * 125 and all(one["real"] == one["model"] for one in rows)


def test_the_step_is_named_in_which_they_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """While both carts accelerate they part by (a1 - a2) t^2 / 2; the robot reaches its speed after 0.3 s."""
    log = record(swing(tmp_path), 2, "--set", "place.noise=0", **{"drive.acceleration": 3.31})
    place = compared(capsys, str(log), "--set", "place.noise=0", "--tolerance", "2")["place.position"]
    expected = math.sqrt(2 * 0.02 * place["range"] / (3.31 - 2))
    assert 0.1 < expected < 0.3
    assert expected < place["time"] <= expected + 2 * 0.016
    main(["compare", str(log), "--tolerance", "0.01"])
    table = capsys.readouterr().out.splitlines()
    assert table[0].split() == [
        "sensor",
        "readings",
        "diverges",
        "at",
        "step",
        "at",
        "s",
        "rms",
        "max",
        "range",
    ]
    assert table[-1] == "3 of 3 sensors deviate by more than 0.01 % of their range"


def test_a_robot_on_the_link_is_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The robot is another process to its controller; its hinge is stiffer than that of the model."""
    body = TEXT.partition("\n")[2].partition("\n")[2]
    serving = Serving(body.replace("0.01 }", "0.01 springConstant 1 }", 1), {"swing": ["tcp://127.0.0.1"]})
    try:
        world, log = swing(tmp_path), tmp_path / "real.mcap"
        url = serving.bridge.robots[0].urls[0]
        arguments = ["remote", str(world), "--url", url, "--duration", "1.5", "--record", str(log)]
        assert main(arguments) == 0
    finally:
        serving.stop()
    found = compared(capsys, str(log))
    assert found["angle.position"]["step"] is not None and found["angle.position"]["readings"] > 50


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--fit", "HINGE.dampingConstant"], "is not NODE.FIELD=low..high"),
        (["--fit", "HINGE.dampingConstant=2..1"], "the first number must be less"),
        (["--fit", "HINGE.dampingConstan=0..1"], "did you mean 'dampingConstant'"),
        (["--fit", "ROBOT.translation=0..1"], "choose a component, for example ROBOT.translation[0]"),
        (["--fit", "delay=0..1"], "command-delay and reading-delay are allowed, too"),
        (["--fit", "command-delay=-1..1"], "a delay is 0 s or more"),
        (["--fit", "drive.maxForce=1..2", "--sensor", "plaze"], "did you mean 'place'"),
        (["--fit", "drive.maxForce=1..2", "--fit", "drive.maxForce=1..3"], "is fitted twice"),
    ],
)
def test_wrong_arguments_are_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    log = record(swing(tmp_path), 0.2)
    assert main(["calibrate", str(log), *arguments]) == 2
    assert words in capsys.readouterr().err


def test_a_model_of_another_robot_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = record(swing(tmp_path), 0.2)
    other = write(
        tmp_path / "other", TEXT.replace('DistanceSensor { name "eye"', 'DistanceSensor { name "ear"')
    )
    assert main(["compare", str(log), "--world", str(other)]) == 2
    assert 'device 4 is "ear" (DistanceSensor), but "eye"' in capsys.readouterr().err
    assert main(["compare", str(log), "--robot", "swung"]) == 2
    assert "did you mean 'swing'" in capsys.readouterr().err
