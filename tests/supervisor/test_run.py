"""The run: quit, mode, worlds, controllers, labels, exports, and what is not possible."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.supervisor.bench import ARM, BALL
from wbridge.wbcore.scene.load import load_text, load_world


def test_wishes_reach_the_host(bench, tmp_path: Path):
    b = bench(ARM)
    other = tmp_path / "other.wbt"
    other.write_text("#VRML_SIM R2023b utf8\n", encoding="utf-8")
    b.api.simulationQuit(3)
    b.api.worldReload()
    b.api.worldLoad(str(other))
    b.api.getFromDef("ARM").restartController()
    arm = b.simulation.robots.find("arm")
    assert b.host.requests == [
        *(("quit", 3), ("reload", None), ("load_world", str(other)), ("restart_controller", arm))
    ]


@pytest.mark.parametrize("path", ["no/such.wbt", "", "a\x00b.wbt", "x" * 5000 + ".wbt", "test.txt"])
def test_a_world_that_is_not_there_is_told(bench, path):
    b = bench()
    b.queue(51, path)
    b.api.step(0)
    assert b.host.requests == []
    assert len(b.warnings) == 1


def test_only_robots_have_controllers(bench):
    b = bench(BALL)
    b.api.getFromDef("BALL").restartController()
    assert b.host.requests == []
    assert any("not a Robot" in one for one in b.warnings)


def test_the_mode_is_told_to_all_robots(bench):
    b = bench(ARM.replace('"<none>"', '"<extern>" supervisor TRUE'))
    arm = b.connect("arm")
    b.api.simulationSetMode(b.api.SIMULATION_MODE_REAL_TIME)
    b.step()
    assert b.simulation.mode == 1
    assert (b.api.simulationGetMode(), arm.scene.run.simulation_get_mode()) == (1, 1)
    b.queue(56, 77)
    b.api.step(0)
    assert b.simulation.mode == 1


def test_labels_are_kept(bench):
    b = bench()
    b.api.setLabel(2, "second", 0.5, 0.25, 0.1, 0x00FF00, 0.5, "Georgia")
    b.api.setLabel(1, "first", 0, 0, 0.1, 0xFF0000)
    first, second = b.simulation.labels
    assert (first.text, second.text) == ("first", "second")
    assert (second.x, second.y, second.size, second.font) == (0.5, 0.25, 0.1, "Georgia")
    assert second.color == 127 << 24 | 0x00FF00
    b.api.setLabel(1, "", 0, 0, 0.1, 0)
    assert [one.text for one in b.simulation.labels] == ["second"]
    b.queue(53, 5, math.nan, 0.0, 0.0, 0, "x", "Arial")
    b.api.step(0)
    assert len(b.simulation.labels) == 1


def test_nodes_are_hidden(bench):
    b = bench(BALL)
    ball, view = b.api.getFromDef("BALL"), b.api.getFromDef("VIEW")
    ball.setVisibility(view, False)
    assert b.simulation.hidden.of(b.node("VIEW")) == {b.node("BALL")}
    ball.setVisibility(view, True)
    assert b.simulation.hidden.of(b.node("VIEW")) == set()
    ball.setVisibility(ball, False)
    assert any("is not a viewer" in one for one in b.warnings)


def test_the_viewpoint_looks_at_a_node(bench):
    b = bench(BALL)
    b.get("VIEW", "position").setSFVec3f([-10, 2, 3])
    b.tick()
    b.get("VIEW", "orientation").setSFRotation([0, 0, 1, math.pi / 2])
    b.tick()
    distance = math.dist(b.api.getFromDef("BALL").getPosition(), [-10, 2, 3])
    b.api.getFromDef("BALL").moveViewpoint()
    x, y, z = b.node("VIEW").get("position")
    ball = b.api.getFromDef("BALL").getPosition()
    assert (x, y, z) == pytest.approx((ball[0], ball[1] - distance, ball[2]))


def test_an_exported_node_reads_back(bench):
    b = bench(BALL)
    b.tick(10)
    text = b.api.getFromDef("BALL").exportString()
    (node,) = load_text("#VRML_SIM R2023b utf8\n" + text).nodes
    assert node.def_name == "BALL"
    assert node.get("translation")[2] < 3
    b.api.getRoot().getField("children").importMFNodeFromString(-1, text.replace("DEF BALL", "DEF TWIN"))
    assert b.api.getFromDef("TWIN").getPosition() == pytest.approx(b.api.getFromDef("BALL").getPosition())


def test_the_world_is_saved_with_what_was_added(bench, tmp_path: Path):
    b = bench(BALL)
    b.api.getRoot().getField("children").importMFNodeFromString(-1, "DEF MORE Pose { translation 1 1 1 }")
    b.tick(10)
    path = tmp_path / "saved.wbt"
    assert b.api.worldSave(str(path)) is True
    saved = load_world(path)
    assert saved.report.errors == []
    assert saved.find("MORE").get("translation") == (1, 1, 1)
    assert saved.find("BALL").get("translation")[2] < 3


@pytest.mark.parametrize("name", ["missing/folder/a.wbt", "a.txt", "", "x" * 5000 + ".wbt"])
def test_a_world_that_cannot_be_saved_is_told(bench, name, tmp_path: Path):
    b = bench(path=tmp_path / "test.wbt")
    b.queue(b.cable.codec.command_codes["save_world"], name)
    b.api.step(0)
    assert len(b.warnings) == 1
    assert (f"no folder {tmp_path}/missing/folder" in b.warnings[0]) == name.startswith("missing")
    assert ".part" not in b.warnings[0]
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_possible_is_said_once(bench):
    b = bench()
    for _ in range(2):
        assert b.api.animationStartRecording("a.mp4") is False
    b.api.movieStopRecording()
    assert b.api.animationStopRecording() is False
    assert b.api.virtualRealityHeadsetIsUsed() is False
    assert len(b.warnings) == 3
