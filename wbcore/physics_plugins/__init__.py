"""Physics plugins (manual, chapter 6): functions for those in Python, with the names of the C functions.

    from wbridge.wbcore.physics_plugins import dWebotsGetBodyFromDEF

    def webots_physics_init():
        global robot
        robot = dWebotsGetBodyFromDEF("ROBOT")

    def webots_physics_step():
        robot.add_force((0, 0, 9.81 * robot.mass))

    def webots_physics_cleanup():
        pass

They can be called from the functions of a plugin, not while its module is loaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbridge.wbcore.physics_plugins import calls
from wbridge.wbcore.physics_plugins.calls import Body, Calls, Geom

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

__all__ = [
    "Body",
    "Geom",
    "dWebotsConsolePrintf",
    "dWebotsGetBodyFromDEF",
    "dWebotsGetGeomFromDEF",
    "dWebotsGetTime",
    "dWebotsReceive",
    "dWebotsSend",
    "draw_lines",
    "draw_points",
    "draw_triangles",
]


def _calls() -> Calls:
    if calls.current is None:
        raise RuntimeError("call this from a function of a physics plugin, such as webots_physics_init")
    return calls.current


def dWebotsGetBodyFromDEF(def_name: str) -> Body | None:
    """Return the body of a solid; None if there is no such solid, or it has no Physics.

    Args:
        def_name: DEF name; "A.B" is B inside A.
    """
    return _calls().body(def_name)


def dWebotsGetGeomFromDEF(def_name: str) -> Geom | None:
    """Return the geometry of a solid; None if there is no such solid, or it has no boundingObject.

    Args:
        def_name: DEF name; "A.B" is B inside A.
    """
    return _calls().geom(def_name)


def dWebotsSend(channel: int, data: bytes) -> None:
    """Send a packet to the receivers on a channel; -1: to all receivers."""
    _calls().host.send(channel, data)


def dWebotsReceive() -> bytes:
    """Return the packets that emitters sent on channel 0 since they were last read, one after the other."""
    return _calls().received()


def dWebotsGetTime() -> float:
    """Return the simulated time at the start of the step, in ms."""
    return _calls().time_ms


def dWebotsConsolePrintf(text: str) -> None:
    """Print a line, with the plugin's name in front."""
    _calls().host.print(text)


def draw_points(
    vertices: ArrayLike, color: Sequence[float] = (1, 1, 1), size: float = 5, in_front: bool = False
) -> None:
    """Draw points in a view. Call it in webots_physics_draw.

    Args:
        vertices: (n, 3) places in the world, in m.
        color: red, green, blue, and optionally opacity; 0 to 1.
        size: in pixels.
        in_front: pictures show them also where something hides them.
    """
    _calls().draw(1, vertices, color, size, in_front)


def draw_lines(vertices: ArrayLike, color: Sequence[float] = (1, 1, 1), in_front: bool = False) -> None:
    """Draw lines in a view, each from one vertex to the next: two vertices per line.

    Args:
        vertices: (2 n, 3) places in the world, in m.
        color: see `draw_points`.
        in_front: see `draw_points`.
    """
    _calls().draw(2, vertices, color, 1, in_front)


def draw_triangles(vertices: ArrayLike, color: Sequence[float] = (1, 1, 1), in_front: bool = False) -> None:
    """Draw triangles in a view: three vertices per triangle.

    Args:
        vertices: (3 n, 3) places in the world, in m.
        color: see `draw_points`.
        in_front: see `draw_points`.
    """
    _calls().draw(3, vertices, color, 1, in_front)
