"""Physics plugins (manual, chapter 6): functions for those in Python, with the names of the C functions.

    from wbcore.physics_plugins import dWebotsGetBodyFromDEF

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

from wbcore.physics_plugins import calls
from wbcore.physics_plugins.calls import Body, Calls, Geom

__all__ = [
    "Body",
    "Geom",
    "dWebotsConsolePrintf",
    "dWebotsGetBodyFromDEF",
    "dWebotsGetGeomFromDEF",
    "dWebotsGetTime",
    "dWebotsReceive",
    "dWebotsSend",
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
