"""Loads worlds and PROTO files: from a path to an expanded tree with all findings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from wbridge.wbcore.scene import files, hidden
from wbridge.wbcore.scene.context import Context
from wbridge.wbcore.scene.diagnostics import Report, did_you_mean
from wbridge.wbcore.scene.expand import Expander
from wbridge.wbcore.scene.header import Header, read_source
from wbridge.wbcore.scene.library import Missing
from wbridge.wbcore.scene.missing import report_ignored, report_importable, report_plugin
from wbridge.wbcore.scene.node import Node, walk
from wbridge.wbcore.scene.parser import Parser
from wbridge.wbcore.scene.schema import schema
from wbridge.wbcore.scene.source import SourceFile
from wbridge.wbcore.scene.world import LoadOptions, World

__all__ = ["LoadOptions", "World", "load_proto", "load_text", "load_world"]

_NAMED = 200
"""Maximum number of missing models that are named in a message."""


def load_world(path: str | Path, options: LoadOptions | None = None) -> World:
    """Load a `.wbt` file. Problems in the file are reported in the world's `report`, not raised."""
    return _load(Path(path), options or LoadOptions())


def load_proto(path: str | Path, options: LoadOptions | None = None) -> World:
    """Load a `.proto` file as a world with one instance with default parameters."""
    path = Path(path)
    report = Report()
    source = SourceFile(path, "\n")
    world = World(source, Header(source.version), report, options or LoadOptions())
    definition = world.library.open(path)
    if definition is not None:
        world.nodes.append(Node(definition.spec, definition.source, definition.body_start, proto=definition))
    _expand(world, options or LoadOptions())
    return world


def load_text(text: str, path: str = "world.wbt", options: LoadOptions | None = None) -> World:
    """Load a world from text; `path` is its assumed location, for messages and the search for models."""
    options = options or LoadOptions()
    report = Report()
    source, header = read_source(path, text, report)
    world = World(source, header, report, options)
    parser = Parser(source, report, schema(source.version), world.library.resolve)
    world.nodes, _ = parser.nodes(header.end)
    _expand(world, options)
    if options.fields and not report.errors:
        _set_fields(world, options.fields)
    return world


def _set_fields(world: World, values: Mapping[str, str]) -> None:
    from wbridge.wbcore.scene.overrides import OverrideError, set_fields  # start-up: few runs set fields

    try:
        set_fields(world, values)
    except OverrideError as problem:
        for line in str(problem).splitlines():
            world.report.error("field-place", line, world.source)


def _load(path: Path, options: LoadOptions) -> World:
    try:
        text, remark = files.read_text(path)
    except files.UnreadableError as problem:
        report = Report()
        source = SourceFile(path, "\n")
        report.error("unreadable", f"{problem}{_nearest(path)}", source)
        return World(source, Header(source.version), report, options)
    world = load_text(text, str(path), options)
    if remark:
        world.report.warning("encoding", remark, world.source)
    return world


def _nearest(path: Path) -> str:
    """Return the world beside a missing file whose name is nearest, as the end of a message."""
    return "" if path.exists() else did_you_mean(str(path), map(str, sorted(path.parent.glob("*.wbt"))))


def _expand(world: World, options: LoadOptions) -> None:
    if options.expand:
        context = Context(
            world=os.path.abspath(world.path),
            project_path=str(world.project),
            webots_home=str(world.builtin or ""),
            coordinate_system=world.coordinate_system,
            release=world.source.version,
        )
        world.expander = Expander(world.library, world.report, context, options.allow_missing)
        world.expander.expand(world.nodes)
        world.expander.save()
        for node in world.nodes:
            for instance in walk(node, into_protos=False):
                if instance.proto is not None and instance.use_of is None:
                    hidden.apply_hidden(instance, world.report)
        report_plugin(world, options.allow_missing)
        report_ignored(world)
        report_importable(world)
    _report_missing(world, options)


def _report_missing(world: World, options: LoadOptions) -> None:
    _report_undrawn(world)
    missing = list(world.library.missing.values())
    if not missing:
        return
    names = ", ".join(_missing_text(other, world) for other in missing[:_NAMED])
    names += f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
    count = "1 model is" if len(missing) == 1 else f"{len(missing)} models are"
    first = missing[0]
    if options.allow_missing:
        text = f"{count} missing and replaced by placeholders (pose, name and children only): {names}"
        world.report.warning("missing-model", text, first.source, first.offset)
        return
    folder = world.project / "protos"
    if not os.path.isabs(world.path):
        folder = Path(os.path.relpath(folder))
    text = (
        f"{count} missing: {names}; put the .proto files into {folder}, "
        f"or use {'' if options.fetch else '--fetch to download them, or '}"
        "--allow-missing to continue with placeholders"
    )
    world.report.error("missing-model", text, first.source, first.offset)


def _report_undrawn(world: World) -> None:
    """Name the models of Webots that only draw something and are not here."""
    undrawn = list(world.library.undrawn.values())
    if undrawn:
        names = ", ".join(model.name for model in undrawn[:_NAMED]) + (", ..." if undrawn[_NAMED:] else "")
        text = f"not drawn, because wbridge has no shapes for them: {names}; the physics does not need them"
        world.report.warning("not-drawn", text, undrawn[0].source, undrawn[0].offset)


def _missing_text(missing: Missing, world: World) -> str:
    line, _ = missing.source.place(missing.offset)
    where = f"line {line}" if missing.source is world.source else f"{missing.source.path}:{line}"
    hint = world.library.suggestion(missing.name) if len(world.library.missing) < _NAMED else ""
    return f"{missing.name[:_NAMED]} ({where}{hint})"
