"""The law of contact in environments, sweeps, and replays of recordings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.fleet.swing import swing
from wbridge.main import main
from wbridge.wbcore.scene.load import load_world
from wbridge.wbfleet.gym.env import RobotEnv
from wbridge.wbfleet.gym.task import Task, Verdict
from wbridge.wbfleet.sweeps.variations import VariationError, parse

WORLD = Path("worlds/two_wheels.wbt")


class Nothing(Task):
    """Every step is worth nothing."""

    def judge(self, simulation: Any, robot: str, action: Any) -> Verdict:
        return Verdict(0.0)


def test_an_environment_has_the_law_of_its_argument() -> None:
    for law in (None, "precise"):
        env = RobotEnv(WORLD, Nothing(), contacts=law)
        assert env.simulation.physics.engine.contact_law == (law or "webots")


def test_a_sweep_varies_the_law() -> None:
    world = load_world(WORLD)
    assert parse("contacts=webots,precise", world).choices == ("webots", "precise")
    with pytest.raises(VariationError, match='no law of contact "round"; allowed: webots, precise'):
        parse("contacts=webots,round", world)


def test_a_recording_is_replayed_with_its_law(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A simulated recording is replayed bit by bit, so every difference is 0."""
    pytest.importorskip("mcap")
    from wbridge.wbcore.recordings.device_log_reader import read_log

    path = tmp_path / "run.mcap"
    world = "worlds/epuck_arena.wbt"
    arguments = ["--contacts", "precise", "--duration", "0.3", "--record", str(path)]
    assert main(["run", world, *arguments]) == 0
    assert next(iter(read_log(path).values())).contacts == "precise"
    capsys.readouterr()
    assert main(["compare", str(path)]) == 0
    out = capsys.readouterr().out
    assert "0 of" in out
    assert "replayed with the law of contact precise" in out


def test_a_recording_with_the_default_law_is_replayed_with_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also in a world that names another law; `--set` chooses it nevertheless."""
    pytest.importorskip("mcap")
    world = swing(tmp_path)
    named = world.read_text().replace("WorldInfo {", 'WorldInfo { info [ "wbridge.contacts=precise" ]')
    world.write_text(named)
    path = tmp_path / "run.mcap"
    how = ["--duration", "0.3", "--inline", "--quiet", "--record", str(path)]
    assert main(["run", str(world), *how, "--contacts", "webots"]) == 0
    for more, law in (([], "webots"), (["--set", "contacts=precise"], "precise")):
        capsys.readouterr()
        assert main(["compare", str(path), "--json", *more]) == 0
        assert json.loads(capsys.readouterr().out)["contacts"] == law
