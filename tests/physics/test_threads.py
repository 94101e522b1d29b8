"""The number of threads of a step: WorldInfo.optimalThreadCount, or the number chosen for the run.

Judges: docs/engine.md, "Threads", and the text of `wbridge run --threads` in docs/cli.md.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.physics.worlds import NEW, simulation
from wbridge.hal.protocol.low_latency import processors
from wbridge.main import main
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.simulation import Simulation

PROCESSORS = processors()


def set_info(s: Simulation, field: str, value: object) -> None:
    """As a supervisor does during a run."""
    info = s.world.first("WorldInfo")
    assert info is not None
    info.set(field, value)
    s.physics.changed(info, field)


def test_the_world_sets_the_number_during_a_run():
    s = simulation("WorldInfo { }")
    assert s.physics.engine.threads == 1
    set_info(s, "optimalThreadCount", 64)
    assert s.physics.engine.threads == PROCESSORS


def test_the_number_chosen_for_the_run_stays():
    s = simulation("WorldInfo { }")
    s.physics.use_threads(3)
    set_info(s, "optimalThreadCount", 1)
    assert s.physics.engine.threads == 3
    set_info(s, "gravity", 3.7)
    assert s.physics.engine.threads == 3
    s.physics.build_again()
    assert s.physics.engine.threads == 3


@pytest.mark.parametrize("how", [[], ["--inline"]])
@pytest.mark.parametrize(("options", "expected"), [(["--threads", "3"], 3), ([], 1)])
def test_the_option_reaches_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: list[str], options: list[str], expected: int
):
    path = tmp_path / "a.wbt"
    robot = 'Robot { controller "<none>" }\n' if how else ""
    path.write_text(NEW + "WorldInfo { }\n" + robot, encoding="utf-8")
    seen: list[int] = []
    step = PhysicsWorld.step

    def note(physics: PhysicsWorld, *args: int) -> None:
        seen.append(physics.engine.threads)
        step(physics, *args)

    monkeypatch.setattr(PhysicsWorld, "step", note)
    assert main(["run", str(path), "--duration", "0.1", *how, *options]) == 0
    assert set(seen) == {expected}
