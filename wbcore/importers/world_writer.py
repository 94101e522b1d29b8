"""A world around a converted robot: floor, light, and a view of the robot."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from wbridge.wbcore.importers.proto_parts import bounds_of
from wbridge.wbcore.importers.proto_text import NodeText, Value, lines_of
from wbridge.wbcore.importers.robot_model import Geometry, Robot
from wbridge.wbcore.importers.structure import ENVIRONMENT, in_order, start_pose
from wbridge.wbcore.physics.pose import Pose, Vec3, axis_angle, matrix, multiply, to_axis_angle
from wbridge.wbcore.scene.values import string_text

_CLEARANCE = 1e-3
"""Space in m between the floor and the robot, so that it does not start inside the floor."""


def world_text(
    robot: Robot, proto: Path, world: Path, at: Vec3, rotation: tuple[float, float, float, float], mark: str
) -> str:
    """Return the text of a world with the robot on the floor.

    Args:
        robot: the robot.
        proto: its PROTO.
        world: the world's file.
        at: the translation that the user chose; with z = 0, the robot is raised to stand on the floor,
            unless its root is the environment.
        rotation: axis and angle that the user chose.
        mark: the comment line at the beginning.
    """
    frame = Pose(at, axis_angle((rotation[0], rotation[1], rotation[2]), rotation[3]))
    low, high = _bounds(robot, frame)
    lift = 0.0 if at[2] or robot.root == ENVIRONMENT else max(_CLEARANCE - low[2], 0.0)
    where = (at[0], at[1], at[2] + lift)
    url = Path(os.path.relpath(proto.absolute(), world.absolute().parent)).as_posix()
    size = max(float(np.linalg.norm(high - low)), 0.2)
    middle = (low + high) / 2 + np.array((0, 0, lift))
    eye = middle + np.array((1.6, -0.85, 0.75)) * size
    # A colon would make the name a path of solids.
    follow = "" if ":" in robot.name else robot.name
    view: dict[str, Value] = {
        "orientation": _look(middle - eye),
        "position": _vector(eye),
        "near": size / 100,
        "follow": follow,
    }
    info: dict[str, Value] = {"basicTimeStep": 8.0, "title": robot.name}
    if robot.gravity is not None:
        info["gravity"] = robot.gravity
    nodes = [
        NodeText("WorldInfo", info),
        NodeText("Viewpoint", view),
        NodeText("Background", {"skyColor": [(0.6, 0.75, 0.9)]}),
        NodeText("DirectionalLight", {"direction": (-0.5, 0.4, -1.0), "intensity": 2.0, "castShadows": True}),
        _floor(max(10.0, 10 * size)),
        NodeText(proto.stem, {"translation": where, "rotation": rotation, "controller": "void"}),
    ]
    head = ["#VRML_SIM R2025a utf8", mark, "", f"EXTERNPROTO {string_text(url)}", ""]
    return "\n".join([*head, *(line for node in nodes for line in lines_of(node)), ""])


def _floor(size: float) -> NodeText:
    plane = NodeText("Plane", {"size": (size, size)})
    look = NodeText("PBRAppearance", {"baseColor": (0.55, 0.57, 0.6), "roughness": 1.0, "metalness": 0.0})
    shape = NodeText("Shape", {"appearance": look, "geometry": plane})
    bounding = NodeText("Plane", {"size": (size, size)})
    fields: dict[str, Value] = {"children": [shape], "name": "floor", "boundingObject": bounding}
    return NodeText("Solid", fields)


def _look(direction: np.ndarray) -> tuple[float, float, float, float]:
    """Return the orientation of a view along a direction: its x axis forward, z up."""
    x, y, z = direction / np.linalg.norm(direction)
    yaw = axis_angle((0.0, 0.0, 1.0), float(np.arctan2(y, x)))
    pitch = axis_angle((0.0, 1.0, 0.0), float(-np.arcsin(z)))
    return to_axis_angle(multiply(yaw, pitch))


def _bounds(robot: Robot, frame: Pose) -> tuple[np.ndarray, np.ndarray]:
    """Return the lowest and highest coordinates of the robot at the start: of its collisions, or shapes."""
    poses = {robot.root: frame}
    for joint in in_order(robot):
        poses[joint.child] = poses[joint.parent] @ start_pose(joint)
    solid = [(poses[name], collision) for name, link in robot.links.items() for collision in link.collisions]
    seen = [(poses[name], visual.geometry) for name, link in robot.links.items() for visual in link.visuals]
    points = [_corners(pose @ pair.offset, pair) for pose, pair in solid or seen]
    corners = np.concatenate(points) if points else np.zeros((1, 3))
    return corners.min(axis=0), corners.max(axis=0)


def _corners(pose: Pose, geometry: Geometry) -> np.ndarray:
    if geometry.mesh is not None:
        return geometry.mesh.placed(_frame(pose)).vertices
    low, high = bounds_of(geometry)
    places = ((x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2]))
    return np.array([pose.point((float(x), float(y), float(z))) for x, y, z in places])


def _frame(pose: Pose) -> np.ndarray:
    made = np.eye(4)
    made[:3, :3], made[:3, 3] = matrix(pose.orientation), pose.position
    return made


def _vector(a: np.ndarray) -> Vec3:
    return (float(a[0]), float(a[1]), float(a[2]))
