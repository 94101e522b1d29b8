"""Reports what a world uses and wbridge lacks: missing robot models and physics plugins, ignored fields."""

from __future__ import annotations

from typing import NamedTuple

from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbcore.scene.node import Node, walk
from wbridge.wbcore.scene.plugin_files import NO_PLUGIN, physics_folders, plugin_files
from wbridge.wbcore.scene.webots_models import is_look
from wbridge.wbcore.scene.world import World

NO_CONTROLLER = ("", "<none>", "none", "void", "<generic>")
MOST_NAMED = 20
IGNORED = {
    ("WorldInfo", "fast2d"): "fast 2D physics plugins are not supported; the normal physics is used",
    ("Physics", "orientation"): "centerOfMass and inertiaMatrix use the axes of the solid",
    ("Radio", "protocol"): "all radios use the same protocol, through free space",
    ("Radio", "txPowerMin"): "a controller may set any txPower",
    ("Radio", "txPowerMax"): "a controller may set any txPower",
}
"""Fields that have an effect in Webots but none here, with the actual behavior."""


class MissingRobot(NamedTuple):
    """A robot whose model is missing: a placeholder replaces it, and its controller does not run."""

    name: str
    model: str
    controller: str


def missing_robots(world: World) -> list[MissingRobot]:
    """Return the robots replaced by placeholders, in scene-tree order: missing models with a controller."""
    found = []
    for node in walk(world.nodes):
        controller = _given(node, "controller")
        if node.is_placeholder and node.use_of is None and controller not in NO_CONTROLLER:
            found.append(MissingRobot(_given(node, "name") or node.type, node.type, controller))
    return found


def _given(node: Node, name: str) -> str:
    field = node.fields.get(name)
    return field.value if field is not None and isinstance(field.value, str) else ""


def report_plugin(world: World, allowed: bool) -> None:
    """Find the physics plugin (manual, 3.74.2: WorldInfo.physics); report a missing one, which would change
    the simulation.

    Args:
        world: the expanded world.
        allowed: simulate the world without a missing plugin, with a warning instead of an error.
    """
    info = world.first("WorldInfo")
    name = _given(info, "physics") if info is not None else ""
    if info is None or name in NO_PLUGIN:
        return
    folders = physics_folders(world)
    world.plugin = plugin_files(name, folders)
    world.may_lack_plugin = allowed
    if world.plugin is not None:
        return
    field = info.fields["physics"]
    source, offset = (field.source, field.offset) if field.source is not None else (info.source, info.offset)
    known = sorted({file.name for folder in folders if folder.is_dir() for file in folder.iterdir()})
    searched = ", ".join(str(folder / name) for folder in folders)
    text = f"the physics plugin '{name}' was not found; searched: {searched}{did_you_mean(name, known)}"
    if allowed:
        world.report.warning("no-plugin", f"{text}; the simulation runs without it", source, offset)
        return
    text += "; --allow-missing runs the world without it"
    world.report.error("no-plugin", text, source, offset)


def report_importable(world: World) -> None:
    """Report declared models (IMPORTABLE EXTERNPROTO) that a supervisor cannot import."""
    wanted = [
        extern
        for extern in world.header.externs
        if extern.importable and not is_look(extern.name) and extern.name not in world.library.missing
    ]
    missing = [extern for extern in wanted if not world.library.has(extern.name, world.source)]
    if missing:
        what = "1 model that a supervisor may import is" if len(missing) == 1 else ""
        what = what or f"{len(missing)} models that supervisors may import are"
        names = ", ".join(extern.name for extern in missing[:MOST_NAMED]) + (
            ", ..." if missing[MOST_NAMED:] else ""
        )
        text = f"{what} missing: {names}; importing them will fail; --fetch downloads them"
        world.report.warning("missing-importable", text, world.source, missing[0].offset)


def report_ignored(world: World) -> None:
    """Report each field of `IGNORED` that a node sets to another value than its default."""
    wanted: dict[str, list[tuple[str, str]]] = {}
    for (kind, name), text in IGNORED.items():
        wanted.setdefault(kind, []).append((name, text))
    told = set()
    for node in world.walk():
        for name, text in wanted.get(node.type, ()) if node.use_of is None else ():
            field = node.fields.get(name)
            if field is None or (node.type, name) in told or field.value == node.spec.fields[name].default:
                continue
            told.add((node.type, name))
            line = f"{node.type}.{name} is ignored: {text}"
            source = field.source or node.source
            world.report.warning("ignored-field", line, source, field.offset if field.source else node.offset)
