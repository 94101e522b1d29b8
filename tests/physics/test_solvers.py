"""The solver of a simulation: the chosen one, otherwise that of WBRIDGE_SOLVER, otherwise the sparse one.

Judges: docs/engine.md, "The sparse solver", and the text of `wbridge run --solver` in docs/cli.md.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from benchmarks.driven import driven
from tests.physics.worlds import NEW, simulation
from wbridge.main import main
from wbridge.wbcore.physics.solvers import VARIABLE
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.load import load_world

SAMPLES = sorted((Path(__file__).parents[2] / "worlds").glob("*.wbt"))


@pytest.mark.parametrize(
    ("variable", "chosen", "expected"),
    [("", None, "sparse"), ("dense", None, "dense"), ("dense", "sparse", "sparse"), ("", "dense", "dense")],
)
def test_a_simulation_takes_its_solver(
    monkeypatch: pytest.MonkeyPatch, variable: str, chosen: str | None, expected: str
):
    monkeypatch.setenv(VARIABLE, variable)
    s = simulation("WorldInfo { }", solver=chosen)
    assert s.physics.engine.solver == expected
    s.physics.build_again()
    assert s.physics.engine.solver == expected


def test_unknown_names_are_errors(monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(ValueError, match="solver must be sparse or dense, not 'fast'"):
        simulation("WorldInfo { }", solver="fast")
    monkeypatch.setenv(VARIABLE, "quick")
    with pytest.raises(ValueError, match="WBRIDGE_SOLVER must be sparse or dense, not 'quick'"):
        simulation("WorldInfo { }")


@pytest.mark.parametrize("how", [["--no-controllers"], ["--inline"]])
def test_a_run_with_another_solver_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], how: list[str]
):
    path = tmp_path / "a.wbt"
    path.write_text(NEW + 'WorldInfo { }\nRobot { controller "<none>" }\n', encoding="utf-8")
    seen: set[str] = set()
    step = PhysicsWorld.step

    def note(physics: PhysicsWorld, *args: int) -> None:
        seen.add(physics.engine.solver)
        step(physics, *args)

    monkeypatch.setattr(PhysicsWorld, "step", note)
    said = []
    for options in ([], ["--solver", "dense"]):
        assert main(["run", str(path), "--duration", "0.1", *how, *options]) == 0
        said.append("dense solver, " in capsys.readouterr().err)
    monkeypatch.setenv(VARIABLE, "dense")
    assert main(["run", str(path), "--duration", "0.1", *how]) == 0
    said.append("dense solver, " in capsys.readouterr().err)
    assert said == [False, True, True]
    assert seen == {"sparse", "dense"}


def test_the_result_of_a_run_has_its_solver_and_its_fallbacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "a.wbt"
    path.write_text(NEW + "WorldInfo { }\n", encoding="utf-8")
    solvers = []
    for options in ([], ["--solver", "dense"]):
        assert main(["run", str(path), "--steps", "2", "--no-controllers", "--json", *options]) == 0
        data = json.loads(capsys.readouterr().out)
        solvers.append((data["solver"], data["fallbacks"]))
    assert solvers == [("sparse", 0), ("dense", 0)]


def test_a_run_refuses_an_unknown_solver(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as caught:
        main(["run", str(tmp_path / "a.wbt"), "--solver", "quick"])
    assert caught.value.code == 2
    assert "argument --solver: quick is neither sparse nor dense" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("law", ["webots", "precise"])
@pytest.mark.parametrize("world", SAMPLES, ids=lambda file: file.stem)
def test_no_step_of_a_sample_world_is_left_to_another_solver(world: Path, law: str):
    """Their motors run: the NAO falls over and hits itself."""
    engine = driven(partial(load_world, world), law)
    engine.step(400)
    assert engine.fallbacks == 0
