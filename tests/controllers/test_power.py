"""The controller of a robot whose battery is empty goes on, as in Webots (WbRobot::setCurrentEnergy)."""

from __future__ import annotations

import pytest

from tests.controllers.project import Project, robot, steps


@pytest.mark.parametrize("energy", [0, 1])
def test_a_controller_outlasts_its_battery(project: Project, energy: int):
    # 1 J lasts for 0.1 s.
    battery = f"battery [ {energy} 10 1 ] cpuConsumption 10"
    project.write(robot("a", "count", battery), count=steps(60, after="print('60 steps', flush=True)"))
    assert "60 steps" in project.printed()
