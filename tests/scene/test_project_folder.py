"""Which folder is a world's project (WbProject.cpp of Webots: the parent of the world's folder)."""

from __future__ import annotations

from pathlib import Path

import pytest

from wbridge.wbcore.scene.load import load_proto, load_world
from wbridge.wbcore.scene.projects import world_project
from wbridge.wbcore.scene.tables.device_tables import robots

WORLD = '#VRML_SIM R2023b utf8\nRobot { controller "drive" }\n'


@pytest.mark.parametrize(
    ("world", "project"),
    [
        ("p/worlds/a.wbt", "p"),
        ("p/worlds/maze/a.wbt", "p"),
        ("worlds/p/worlds/a.wbt", "worlds/p"),
        ("p/mundos/a.wbt", "p"),
        ("p/protos/a.wbt", "p"),
        ("p/a.wbt", "."),
    ],
)
def test_the_project_is_the_parent_of_the_world_s_folder(tmp_path: Path, world: str, project: str):
    assert world_project(tmp_path / world) == tmp_path / project


def test_a_folder_that_alone_has_controllers_is_the_project(tmp_path: Path):
    (tmp_path / "p" / "controllers").mkdir(parents=True)
    assert world_project(tmp_path / "p" / "a.wbt") == tmp_path / "p"
    (tmp_path / "controllers").mkdir()
    assert world_project(tmp_path / "p" / "a.wbt") == tmp_path


def test_controllers_and_protos_beside_a_folder_of_another_name_are_found(tmp_path: Path):
    from wbridge.wbcore.controllers.search import controller_folders, find_program

    (tmp_path / "mundos").mkdir()
    (tmp_path / "controllers" / "drive").mkdir(parents=True)
    program = tmp_path / "controllers" / "drive" / "drive.py"
    program.write_text("")
    (tmp_path / "protos").mkdir()
    (tmp_path / "protos" / "Thing.proto").write_text("#VRML_SIM R2021b utf8\nPROTO Thing [ ] { Solid { } }\n")
    world = tmp_path / "mundos" / "a.wbt"
    world.write_text(WORLD.replace("R2023b", "R2021b") + "Thing { }\n")
    loaded = load_world(world)
    assert [one.message for one in loaded.report.errors] == []
    assert find_program("drive", controller_folders(loaded, next(robots(loaded.nodes)))).file == program


def test_the_project_of_a_model_is_the_parent_of_its_protos(tmp_path: Path):
    model = tmp_path / "protos" / "robots" / "Thing.proto"
    model.parent.mkdir(parents=True)
    model.write_text("#VRML_SIM R2023b utf8\nPROTO Thing [ ] { Solid { } }\n")
    assert load_proto(model).project == tmp_path
