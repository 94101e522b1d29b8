"""Physics engine: bodies, geoms, joints, motors, contacts and rays over ODE, stepped natively.

It does not depend on Webots nodes; ``docs/engine.md`` describes its API.

Exceptions, all derived from ``RuntimeError``::

    EngineError           not possible now (stepping in another thread, world full, ODE failed)
     +- HandleError       the handle's object was removed, or belongs to another world
     +- PhysicsError      a step left bodies in an invalid state; ``problems`` lists them

Invalid arguments raise ``ValueError``.
"""

from importlib.util import find_spec

if find_spec("wbridge.wbcore.engine._engine") is None:
    from wbridge.wbcore.engine.installed import folder_of_engine

    __path__.append(folder_of_engine())

try:
    from wbridge.wbcore.engine._engine import (
        BUILD_NOTE,
        HAS_OWN_ODE,
        ODE_VERSION,
        SIMD,
        Body,
        ContactList,
        ContactProperties,
        EngineError,
        Fluid,
        Geom,
        HandleError,
        Immersion,
        Joint,
        JointAxis,
        Mass,
        Mesh,
        Motor,
        PhysicsError,
        Propeller,
        Rays,
        Shape,
        Track,
        World,
        axis_angle,
        turned_inertia,
    )
except ImportError as problem:
    from wbridge.wbcore.engine.installed import unusable_engine

    raise unusable_engine(problem) from None

__all__ = [
    "HAS_OWN_ODE",
    "BUILD_NOTE",
    "ODE_VERSION",
    "SIMD",
    "Body",
    "ContactList",
    "ContactProperties",
    "EngineError",
    "Fluid",
    "Geom",
    "HandleError",
    "Immersion",
    "Joint",
    "JointAxis",
    "Mass",
    "Mesh",
    "Motor",
    "PhysicsError",
    "Propeller",
    "Rays",
    "Shape",
    "Track",
    "World",
    "axis_angle",
    "turned_inertia",
]
