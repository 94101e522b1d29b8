"""A run ends the controller of a robot whose battery is empty; the others go on."""

from __future__ import annotations

from tests.controllers.project import LOOP, Project, robot, steps


def test_an_empty_battery_ends_the_controller(project: Project):
    cleaning = LOOP + "print(robot.getName(), 'has ended', flush=True)\n"
    project.write(
        robot("a", "loop", "battery [ 1 10 1 ] cpuConsumption 10"),
        robot("b", "short"),
        loop=cleaning,
        short=steps(60),
    )
    outcome = project.run()
    assert outcome.status == 0
    # 1 J lasts for 0.1 s: the other robot makes its 60 steps without it.
    assert outcome.steps == 60
    assert "a has ended" in project.printed()
