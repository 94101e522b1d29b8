"""Read WorldInfo: gravity and axes, solver, sleeping, damping, contact materials."""

from __future__ import annotations

from wbridge.hal.protocol.low_latency import processors
from wbridge.wbcore.physics.plan import ContactPlan, Settings
from wbridge.wbcore.physics.pose import Vec3, dot, scaled, sub, unit
from wbridge.wbcore.physics.seed import seed_of
from wbridge.wbcore.physics.tree import node_in, nodes_in, number
from wbridge.wbcore.scene.contact_law import LAWS, check_law, law_of
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node

DEFAULT_STEP_MS = 32.0
DEFAULT_ERP = 0.2
DEFAULT_CFM = 1e-5
_AXES: tuple[Vec3, Vec3, Vec3] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def read_settings(world: World) -> Settings:
    """Return the settings of a loaded world; without a WorldInfo, the defaults of its release."""
    north, up = directions(world.coordinate_system)
    info = world.first("WorldInfo")
    if info is None:
        return Settings(None, gravity=scaled(up, -9.81), up=up, north=north)
    gravity = info.get("gravity")
    # Up to R2020a gravity was a vector, and up is opposite to it; later it is a magnitude along the up axis
    # of coordinateSystem.
    if isinstance(gravity, tuple):
        up = unit(scaled(gravity, -1.0)) or up
        north = _level(info.get("northDirection"), up) or north
    else:
        gravity = scaled(up, -gravity)
    erp, cfm, step = (number(info, name) for name in ("ERP", "CFM", "basicTimeStep"))
    return Settings(
        info,
        dt=(step if step > 0 else DEFAULT_STEP_MS) / 1000,
        gravity=gravity,
        up=up,
        north=north,
        erp=erp if 0 <= erp <= 1 else DEFAULT_ERP,
        cfm=cfm if cfm > 0 else DEFAULT_CFM,
        disable_time=number(info, "physicsDisableTime"),
        disable_linear=number(info, "physicsDisableLinearThreshold"),
        disable_angular=number(info, "physicsDisableAngularThreshold"),
        damping=damping_of(node_in(info, "defaultDamping")) or (0.0, 0.0),
        random_seed=seed_of(int(info.get("randomSeed"))),
        threads=threads_of(int(info.get("optimalThreadCount"))),
        contact_law=_law_of(world, info),
        contacts=[_contact(node.root) for node in nodes_in(info, "contactProperties")],
    )


def _law_of(world: World, info: Node) -> str:
    try:
        check_law(world)
    except ValueError as problem:
        text = f'WorldInfo.info: {problem}; "{LAWS[0]}" is used'
        world.report.warning("contact-law", text, info.source, info.offset)
    return law_of(world)


def directions(coordinate_system: str) -> tuple[Vec3, Vec3]:
    """Return north and up of a system such as "ENU": letter k names axis k; z is up without axis letters."""
    found = dict(zip(coordinate_system, _AXES, strict=False))
    return found.get("N", _AXES[1]), found.get("U", _AXES[2])


def damping_of(node: Node | None) -> tuple[float, float] | None:
    """Return linear and angular damping of a Damping node; None without one."""
    if node is None:
        return None
    return (min(max(number(node, "linear"), 0.0), 1.0), min(max(number(node, "angular"), 0.0), 1.0))


def _level(direction: Vec3, up: Vec3) -> Vec3 | None:
    """Return the horizontal part of a direction as a unit vector."""
    return unit(sub(direction, scaled(up, dot(direction, up))))


def threads_of(wanted: int) -> int:
    """Return the number of threads to use: at least 1, at most the processors available to this process."""
    return min(max(wanted, 1), processors())


def _contact(node: Node) -> ContactPlan:
    return ContactPlan(
        node,
        str(node.get("material1")),
        str(node.get("material2")),
        [float(number) for number in node.get("coulombFriction")][:4] or [1.0],
        node.get("frictionRotation"),
        [float(number) for number in node.get("forceDependentSlip")][:4] or [0.0],
        node.get("rollingFriction"),
        number(node, "bounce"),
        number(node, "bounceVelocity"),
        number(node, "softErp" if "softErp" in node.fields else "softERP"),
        number(node, "softCfm" if "softCfm" in node.fields else "softCFM"),
        max(int(node.get("maxContactJoints")), 1),
    )
