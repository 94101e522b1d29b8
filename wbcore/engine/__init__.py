"""Physics engine: bodies, geoms, joints, motors, contacts and rays over ODE, stepped natively.

It knows nothing of Webots nodes; ``docs/engine.md`` describes it for those who build worlds with it.

Exceptions, all derived from ``RuntimeError``::

    EngineError           the engine cannot do this now (stepping in another thread, world full, ODE failed)
     +- HandleError       the handle's object was removed, or belongs to another world
     +- PhysicsError      a step left bodies in an impossible state; ``problems`` lists them

Invalid arguments raise ``ValueError``.
"""

from wbcore.engine._engine import (
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
)

__all__ = [
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
]
