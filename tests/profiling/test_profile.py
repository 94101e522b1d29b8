"""Profiles of runs: every part of a step has its row, and nothing about the simulation changes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.controllers.project import Project, robot, steps
from wbridge.wbcore.profiling.profile import Profile, Report
from wbridge.wbcore.profiling.trace import Trace

STEPS = 20
GPS = 'GPS { name "gps" } Compass { name "compass" } Camera { name "camera" width 4 height 4 }'
MEASURE = 'for name in "gps", "compass", "camera": robot.getDevice(name).enable(16)'
SEND = 'robot.getDevice("emitter").send(b"x")'


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def profiled(project: Project, trace: Trace | None = None, **options: object) -> tuple[Report, str]:
    with project.runner(**options) as runner:
        profile = Profile(trace=trace)
        profile.watch(runner)
        before = time.perf_counter_ns()
        runner.run()
        elapsed_ns = time.perf_counter_ns() - before
        report = profile.finish()
        assert report.elapsed_ns <= elapsed_ns
        assert runner.elapsed_s * 1e9 <= elapsed_ns
        return report, runner.simulation.hash()


def calls(report: Report) -> Mapping[str, int]:
    return {one.name: one.calls for one in report.rows}


@pytest.mark.parametrize("inline", [False, True])
def test_a_profile_does_not_change_the_simulation(project: Project, inline: bool):
    project.write(
        robot("a", "measure", children=GPS),
        robot("b", "measure", children=GPS),
        measure=steps(STEPS, before=MEASURE),
    )
    with project.runner(inline=inline) as runner:
        runner.run()
        expected = runner.simulation.hash()
    report, found = profiled(project, inline=inline)
    assert found == expected
    assert report.steps == runner.steps


def test_rows_add_up_and_name_engine_devices_and_controllers(project: Project):
    project.write(
        robot("measurer", "measure", children=GPS),
        robot("sender", "send", children='Emitter { name "emitter" }'),
        measure=steps(STEPS, before=MEASURE),
        send=steps(STEPS, before=SEND),
    )
    report, _ = profiled(project, inline=True)
    found = calls(report)
    assert report.elapsed_ns == sum(one.time_ns for one in report.rows)
    assert report.rows == sorted(report.rows, key=lambda one: -one.time_ns)
    assert found["engine"] == found["simulation step"] == report.steps >= STEPS
    # A period of 16 ms is due in each step; the engine samples GPS and Compass, Python the camera.
    assert found["pictures: Camera"] >= STEPS - 1
    assert found["devices: GPS"] == found["devices: Compass"] == found["pictures: Camera"]
    assert {"controller: measurer", "controller: sender", "packets", "sampling", "rest"} <= found.keys()
    assert found["controller: measurer"] >= STEPS
    assert report.processes == []


def test_each_step_of_a_single_inline_controller_is_seen(project: Project):
    """Without a profile it would make them alone, in calls of the engine."""
    project.write(robot("a", "walk"), walk=steps(STEPS))
    report, _ = profiled(project, inline=True)
    assert calls(report)["engine"] == report.steps >= STEPS


def test_processes_compute_beside_the_simulator(project: Project):
    project.write(
        robot("slow", "think"), think=steps(1, before="import time\nrobot.step(16)\ntime.sleep(0.05)")
    )
    report, _ = profiled(project)
    (slow,) = report.processes
    assert slow.name == "slow"
    assert slow.time_ns >= 50e6, "it slept after its first answer"
    waiting = next(one for one in report.rows if one.name == "waiting for controllers")
    assert waiting.time_ns >= 50e6


def test_spans_nest_on_the_simulators_track_and_processes_have_their_own(project: Project):
    project.write(
        robot("a", "walk", children=GPS),
        robot("b", "walk", children=GPS),
        walk=steps(STEPS, before=MEASURE),
    )
    trace = Trace()
    profiled(project, trace)
    events = list(trace.events())
    tracks = {one["args"]["name"]: one["tid"] for one in events if one["name"] == "thread_name"}
    assert tracks.keys() == {"simulator", "controller: a", "controller: b"}
    assert {"engine", "sampling", "devices: GPS", "pictures: Camera", "packets"} <= {
        one["name"] for one in events if one.get("tid") == tracks["simulator"]
    }
    for track in tracks.values():
        spans = [  # in ns; sums of microseconds are rounded
            (round(1000 * one["ts"]), round(1000 * (one["ts"] + one["dur"])))
            for one in events
            if one["ph"] == "X" and one["tid"] == track
        ]
        assert spans and all(begin <= end for begin, end in spans)
        open_ends: list[int] = []
        for begin, end in sorted(spans, key=lambda one: (one[0], -one[1])):
            while open_ends and open_ends[-1] <= begin:
                open_ends.pop()
            assert not open_ends or end <= open_ends[-1]
            open_ends.append(end)


def test_robots_and_worlds_that_come_later_are_measured(project: Project):
    """A supervisor adds a robot with a sensor, and its controller then runs."""
    new = robot("late", "measure", children=GPS).replace('"', '\\"').strip()
    add = f'robot.getRoot().getField("children").importMFNodeFromString(-1, "{new}")'
    begin = f"from controller import Supervisor as Robot\nrobot = Robot()\n{add}\n"
    project.write(
        robot("boss", "boss", "supervisor TRUE"),
        boss=begin + f"for _ in range({STEPS}): robot.step(16)\n",
        measure=steps(STEPS, before=MEASURE),
    )
    report, _ = profiled(project, inline=True)
    found = calls(report)
    assert found["controller: late"] > 1
    assert found["pictures: Camera"] > 1
    assert found["robots: Supervisor"] >= STEPS


def test_a_world_that_a_supervisor_loads_is_measured(project: Project):
    load = f"robot.worldLoad({str(project.folder / 'worlds' / 'next.wbt')!r})"
    code = (
        f"from controller import Supervisor\nrobot = Supervisor()\nrobot.step(16)\n{load}\nrobot.step(16)\n"
    )
    project.write(robot("a", "walk"), walk=steps(STEPS))
    project.world.rename(project.world.with_name("next.wbt"))
    project.write(robot("boss", "boss", "supervisor TRUE"), boss=code)
    report, _ = profiled(project, inline=True)
    found = calls(report)
    assert found["engine"] == report.steps >= STEPS + 1
    assert found["controller: a"] >= STEPS
