"""wbridge: worlds, robots and their controllers, from scripts and from the command line.

    import wbridge

    sim = wbridge.load("worlds/two_wheels.wbt")
    sim.robot().motor("left wheel motor").velocity = 2
    sim.run(1.0)

docs/python.md shows how to drive everything from a script. The command line has one module per verb, in
`wbridge.commands`. `wbridge.__version__` is the version of the installed distribution, "unknown" for a source
folder that is not installed. Importing this package loads nothing else.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # start-up: typing takes 4 ms, also in controllers
if TYPE_CHECKING:
    from wbridge.api.batch import load_many
    from wbridge.api.fields import FieldError
    from wbridge.api.names import UnknownNameError
    from wbridge.api.nodes import Node
    from wbridge.api.remote_robot import RemoteRobot, connect
    from wbridge.api.robots import Robot
    from wbridge.api.simulation import Simulation, from_text, load
    from wbridge.api.sweeping import sweep

__all__ = [
    "FieldError",
    "Node",
    "RemoteRobot",
    "Robot",
    "Simulation",
    "UnknownNameError",
    "__version__",
    "connect",
    "from_text",
    "load",
    "load_many",
    "sweep",
]

_HERE = os.path.dirname(os.path.realpath(__file__))
if os.path.islink(f"{_HERE}/hal") or not os.path.isdir(f"{_HERE}/hal"):
    # A checkout, whose folders are the parts. They are not found by the links: tracebacks and debuggers name
    # the files that people open.
    __path__ = [os.path.dirname(_HERE), _HERE]

_PLACES = {
    "FieldError": "fields",
    "Node": "nodes",
    "RemoteRobot": "remote_robot",
    "Robot": "robots",
    "Simulation": "simulation",
    "UnknownNameError": "names",
    "connect": "remote_robot",
    "from_text": "simulation",
    "load": "simulation",
    "load_many": "batch",
    "sweep": "sweeping",
}
"""The module of `wbridge.api` that defines each public name."""


def __getattr__(name: str) -> object:
    """Load what is needed when it is first used: commands need none of it."""
    if name == "__version__":
        from wbridge.hal.installation import installation  # start-up: only where the version is read

        return installation().version
    if name not in _PLACES:
        # With the object, Python adds the nearest name to the message.
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message, name=name, obj=sys.modules[__name__])
    module = f"wbridge.api.{_PLACES[name]}"
    __import__(module)  # start-up: importlib takes 1 ms
    public = globals()[name] = getattr(sys.modules[module], name)
    return public


def __dir__() -> list[str]:
    return sorted(__all__)
