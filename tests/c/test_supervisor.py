"""A supervisor sees and changes a running simulation as recorded, in each implementation of the API."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.c.answers import compare
from tests.c.calling import IN_PYTHON, Implementation, Outcome, run
from tests.peers.serving import serve
from wbridge.wbcore.simulation import Simulation

WORLD = Path(__file__).parents[1] / "peers" / "all_devices.wbt"
STEP = ["wb_robot_step", "", 16]
NODE, FIELD = "wb_supervisor_node_", "wb_supervisor_field_"


class Script:
    """Calls; nodes and fields are known by the names they get."""

    def __init__(self) -> None:
        self.calls: list[list[Any]] = [["wb_robot_init", ""]]
        self._names: dict[str, dict[str, int]] = {"node": {}, "field": {}, "proto": {}}

    def keep(self, kind: str, name: str, function: str, *given: Any) -> None:
        """Call a function that returns a node or field, and name that."""
        self._names[kind][name] = sum(one[1] == kind for one in self.calls)
        self.calls.append([function, kind, *given])

    def of(self, kind: str, name: str) -> dict[str, int]:
        """A node or field as an argument."""
        return {kind: self._names[kind][name]}

    def node(self, function: str, name: str, *given: Any) -> None:
        """Call a function of a node."""
        self.calls.append([NODE + function, "", self.of("node", name), *given])

    def field(self, function: str, name: str, *given: Any) -> None:
        """Call a function of a field."""
        self.calls.append([FIELD + function, "", self.of("field", name), *given])

    def step(self, count: int = 1) -> None:
        """Let the simulation run."""
        self.calls += [STEP] * count


def find(script: Script) -> None:
    """Find nodes and fields, known ones and others, and ask what they are."""
    for name in ("BALL", "WALL", "ROBOT", "FLOOR", "NOBODY", ""):
        script.keep("node", name, NODE + "get_from_def", name)
    script.keep("node", "root", NODE + "get_root")
    script.keep("node", "self", NODE + "get_self")
    script.keep("node", "left", NODE + "get_from_device", 1)
    script.keep("node", "parent", NODE + "get_parent_node", script.of("node", "BALL"))
    script.keep("node", "none", NODE + "get_from_id", 99999)
    for name in ("BALL", "WALL", "root", "self", "left"):
        for function in ("get_id", "get_type", "get_type_name", "get_base_type_name", "get_def", "is_proto"):
            script.node(function, name)
        script.node("get_number_of_fields", name)
        script.node("get_number_of_base_node_fields", name)
    script.keep("proto", "none", NODE + "get_proto", script.of("node", "BALL"))
    fields = [("BALL", "translation"), ("BALL", "name"), ("BALL", "physics"), ("BALL", "children")]
    fields += [("ROBOT", "battery"), ("ROBOT", "supervisor"), ("root", "children"), ("BALL", "nothing")]
    fields += [("BALL", "rotation"), ("ROBOT", "customData"), ("left", "maxTorque")]
    for node, field in fields:
        script.keep("field", f"{node}.{field}", NODE + "get_field", script.of("node", node), field)
    for index in (0, 1, 5, 500, -1):
        place = script.of("node", "BALL")
        script.keep("field", f"BALL[{index}]", NODE + "get_field_by_index", place, index)
    for name in ("BALL.translation", "BALL.children", "ROBOT.battery", "root.children", "BALL[1]"):
        for function in ("get_name", "get_type", "get_type_name", "get_count"):
            script.field(function, name)


def read_and_write(script: Script) -> None:
    """Read and set values; wrong types and indices, too."""
    script.field("get_sf_vec3f", "BALL.translation")
    script.field("get_sf_float", "BALL.translation")
    script.field("get_sf_string", "BALL.name")
    script.field("get_sf_bool", "ROBOT.supervisor")
    for index in (0, 1, 2, 3, -1, -4):
        script.field("get_mf_float", "ROBOT.battery", index)
    script.field("set_sf_vec3f", "BALL.translation", [0.0, 0.7, 0.9])
    script.field("get_sf_vec3f", "BALL.translation")
    script.node("get_position", "BALL")
    script.step()
    script.node("get_position", "BALL")
    script.field("get_sf_vec3f", "BALL.translation")
    script.field("set_sf_rotation", "BALL.rotation", [0.0, 1.0, 0.0, 0.5])
    script.field("set_sf_float", "left.maxTorque", 0.25)
    script.field("set_sf_string", "ROBOT.customData", "told")
    script.field("set_sf_int32", "BALL.rotation", 4)
    script.field("set_mf_float", "ROBOT.battery", 0, 900.0)
    script.field("set_mf_float", "ROBOT.battery", 7, 900.0)
    script.step()
    for function, name in (("get_sf_rotation", "BALL.rotation"), ("get_sf_string", "ROBOT.customData")):
        script.field(function, name)
    script.calls.append(["wb_robot_get_custom_data", ""])
    script.field("insert_mf_float", "ROBOT.battery", -1, 1.5)
    script.field("get_count", "ROBOT.battery")
    script.field("remove_mf", "ROBOT.battery", 3)
    script.field("get_count", "ROBOT.battery")
    script.field("remove_mf", "BALL.name", 0)


def change(script: Script) -> None:
    """Add and remove nodes."""
    text = 'DEF NEW Solid { translation 2 2 1 name "new" physics Physics { } boundingObject Sphere { } }'
    script.field("import_mf_node_from_string", "root.children", -1, text)
    script.field("get_count", "root.children")
    script.keep("node", "NEW", NODE + "get_from_def", "NEW")
    script.keep("node", "last", FIELD + "get_mf_node", script.of("field", "root.children"), -1)
    script.node("get_def", "last")
    script.step(3)
    script.node("get_position", "NEW")
    script.node("get_velocity", "NEW")
    script.node("remove", "NEW")
    script.node("get_position", "WALL")
    script.node("get_def", "WALL")
    script.keep("node", "physics", FIELD + "get_sf_node", script.of("field", "BALL.physics"))
    script.node("get_type_name", "physics")
    script.field("get_count", "root.children")


def center(script: Script) -> None:
    """Read and set a field that was a single vector in the manual of 8.3.1 and is a list now."""
    script.keep("node", "physics", FIELD + "get_sf_node", script.of("field", "BALL.physics"))
    script.keep("field", "center", NODE + "get_field", script.of("node", "physics"), "centerOfMass")
    script.keep("field", "inertia", NODE + "get_field", script.of("node", "physics"), "inertiaMatrix")
    script.field("get_sf_vec3f", "center")
    for x in (0.01, 0.02):
        script.field("set_sf_vec3f", "center", [x, 0.0, 0.0])
        for function in ("get_sf_vec3f", "get_count"):
            script.field(function, "center")
        script.field("get_mf_vec3f", "center", 0)
        script.step()
        script.node("get_center_of_mass", "BALL")
    script.field("get_sf_vec3f", "inertia")
    script.field("set_sf_vec3f", "inertia", [1.0, 1.0, 1.0])
    script.field("get_sf_vec2f", "center")


def move(script: Script) -> None:
    """Look where nodes are, push them, track them."""
    ball, robot = script.of("node", "BALL"), script.of("node", "ROBOT")
    script.node("enable_pose_tracking", "BALL", 16, robot)
    script.node("enable_pose_tracking", "BALL", 0, robot)
    script.node("enable_contact_points_tracking", "ROBOT", 16, True)
    script.field("enable_sf_tracking", "BALL.translation", 16)
    for k in range(4):
        script.node("add_force", "BALL", [0.1 * k, 0.0, 0.2], k % 2 == 0)
        script.node("add_force_with_offset", "BALL", [0.0, 0.1, 0.0], [0.0, 0.0, 0.01], False)
        script.node("add_torque", "BALL", [0.0, 0.0, 0.001], True)
        script.step()
        script.calls.append([NODE + "get_pose", "", ball, robot])
        script.calls.append([NODE + "get_pose", "", robot, ball])
        for function in ("get_position", "get_orientation", "get_velocity", "get_center_of_mass"):
            script.node(function, "BALL")
        script.field("get_sf_vec3f", "BALL.translation")
        script.node("get_static_balance", "ROBOT")
    script.node("get_position", "root")
    script.node("set_velocity", "BALL", [1.0, 0.0, 0.0, 0.0, 0.0, 2.0])
    script.node("save_state", "BALL", "here")
    script.step(2)
    script.node("load_state", "BALL", "here")
    script.node("get_velocity", "BALL")
    script.node("reset_physics", "BALL")
    script.node("get_velocity", "BALL")
    script.node("disable_pose_tracking", "BALL", robot)
    script.node("disable_contact_points_tracking", "ROBOT")
    script.field("disable_sf_tracking", "BALL.translation")
    script.node("set_joint_position", "BALL", 0.5, 4)


def run_it(script: Script) -> None:
    """Labels, modes, reset."""
    prefix = "wb_supervisor_"
    script.calls += [
        [prefix + "set_label", "", 1, "text", 0.1, 0.1, 0.1, 0xFF0000, 0.5, "Arial"],
        [prefix + "set_label", "", 100, "text", 0.1, 0.1, 0.1, 0xFF0000, 0.5, "Arial"],
        [prefix + "set_label", "", 1, "text", 0.1, 0.1, 2.0, 0xFF0000, 0.5, "Arial"],
        [prefix + "simulation_get_mode", ""],
        [prefix + "simulation_set_mode", "", 7],
        [prefix + "simulation_reset_physics", ""],
        [prefix + "world_save", "", "world.txt"],
        [prefix + "movie_is_ready", ""],
        [prefix + "movie_start_recording", "", "a.mp4", 10, 10, 0, 300, 1, False],
        [prefix + "virtual_reality_headset_is_used", ""],
        ["wb_robot_step_begin", "", 16],
    ]
    script.node("get_position", "BALL")
    script.calls += [
        ["wb_robot_step_end", ""],
        [prefix + "simulation_reset", ""],
        STEP,
        ["wb_robot_get_time", ""],
    ]
    script.node("get_position", "BALL")


def ask_in_vain(script: Script) -> None:
    """Ask for what does not exist: indices out of range, nodes without a pose, removed nodes."""
    script.node("get_number_of_contact_points", "BALL", False)
    for name in ("BALL", "WALL", "root"):
        for index in (0, -1, 99):
            script.node("get_contact_point", name, index)
        for function in ("get_pose", "get_position", "get_orientation", "get_velocity", "get_center_of_mass"):
            given = [script.of("node", "BALL")] if function == "get_pose" else []
            script.node(function, name, *given)
    for function in ("get_field_by_index", "get_base_node_field_by_index"):
        for index in (16, 17, 18, 25, -1):
            name = f"{function}[{index}]"
            script.keep("field", name, NODE + function, script.of("node", "BALL"), index)
    script.node("enable_pose_tracking", "BALL", 16, script.of("node", "ROBOT"))
    script.step(2)
    script.node("remove", "BALL")
    for function in ("get_position", "get_orientation", "get_velocity", "get_center_of_mass"):
        script.node(function, "BALL")
    script.calls.append([NODE + "get_pose", "", script.of("node", "BALL"), script.of("node", "ROBOT")])
    script.node("get_contact_point", "BALL", 0)


def play(script: Script, implementation: Implementation, folder: Path, dialect: str) -> Outcome:
    """Run the calls with a simulation."""
    command = implementation.command(script.calls, folder)
    with serve(Simulation(WORLD), dialect) as port:
        results, said = run(command, {"WEBOTS_CONTROLLER_URL": f"ipc://{port}/robot"})
    return Outcome(results, said, [])


@pytest.mark.parametrize("dialect", ["R2025a", "R2023b"])
@pytest.mark.parametrize("part", [read_and_write, change, center, move, run_it, ask_in_vain])
def test_a_supervisor(implementation: Implementation, tmp_path: Path, part: Any, dialect: str):
    script = Script()
    find(script)
    part(script)
    outcome = play(script, implementation, tmp_path, dialect)
    compare(f"supervisor_{part.__name__}_{dialect}", implementation, script.calls, outcome, tmp_path)


def test_what_does_not_exist_is_nan_or_null(tmp_path: Path):
    """Manual: NaN for contact points out of range and for nodes without a pose; NULL from the field count on.

    The pose of an invalid node is 16 NaN, as in Webots' own library.
    """
    script = Script()
    find(script)
    ask_in_vain(script)
    answers: dict[str, list[Any]] = {}
    for name, value in play(script, IN_PYTHON, tmp_path, "R2025a").results:
        answers.setdefault(name.removeprefix(NODE), []).append(value)
    assert answers["get_contact_point"][-4:] == [["nan"] * 3] * 4
    assert answers["get_pose"][-1] == ["nan"] * 16
    assert answers["get_position"][-1] == ["nan"] * 3
    assert answers["get_velocity"][-1] == ["nan"] * 6
    count = int(answers["get_number_of_fields"][0])
    assert answers["get_base_node_field_by_index"] == [
        "field" if 0 <= index < count else None for index in (16, 17, 18, 25, -1)
    ]
