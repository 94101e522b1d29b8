"""Nodes from a supervisor's text: parsed, checked and expanded, ready for insertion into the tree."""

from __future__ import annotations

from wbridge.wbcore.scene import hidden
from wbridge.wbcore.scene.diagnostics import Report, shown
from wbridge.wbcore.scene.header import Header, read_source
from wbridge.wbcore.scene.lexer import normalized
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node, walk
from wbridge.wbcore.scene.parser import Parser
from wbridge.wbcore.scene.resets import reset_nodes
from wbridge.wbcore.scene.schema import schema
from wbridge.wbcore.scene.source import SourceFile

TOLD = 10
"""Maximum number of findings in one message."""
LONGEST_TEXT = 16 * 2**20
MOST_NODES = 1000
"""Maximum number of top-level nodes in one text."""


class TextError(ValueError):
    """A text without usable nodes; the message lists all findings with their places."""


def read_nodes(world: World, text: str, robot: str) -> tuple[list[Node], list[str]]:
    """Read nodes, using the EXTERNPROTO declarations of the world and of the text.

    Args:
        world: the world that receives the nodes.
        text: nodes as in a world file, with or without its first line.
        robot: name of the robot that sent the text, for messages.

    Returns:
        the nodes, with the bodies of PROTO instances, and warnings.

    Raises:
        TextError: the text has an error, a model is missing, or the text contains no node.
    """
    if len(text) > LONGEST_TEXT:
        raise TextError(f"the text has {len(text)} characters; allowed: at most {LONGEST_TEXT}")
    report = Report()
    source, header = _source(world, text, robot, report)
    world.library.declare(source, [*world.header.externs, *header.externs])
    before = len(world.report)
    world.library.missing.clear()
    nodes, report = _parsed(world, source, header, report)
    if world.expander is not None and not report.errors and not world.library.missing:
        world.expander.begin()
        world.expander.expand(nodes)
        for node in walk(nodes, into_protos=False):
            if node.proto is not None and node.use_of is None:
                hidden.apply_hidden(node, report)
        reset_nodes(nodes)
    found = [*report, *list(world.report)[before:]]
    refused = _not_importable(world, nodes, source, header)
    _check(world, nodes, [*refused, *(str(finding) for finding in found if finding.severity == "error")])
    return nodes, [str(finding) for finding in found[:TOLD]]


def _not_importable(world: World, nodes: list[Node], source: SourceFile, header: Header) -> list[str]:
    """Return errors about models that the world does not declare as IMPORTABLE, which R2022b and newer
    releases require (manual of the supervisor, WbNodeOperations::importNode)."""
    if not world.source.dialect.has_externproto:
        return []
    allowed = {extern.name for extern in world.header.externs if extern.importable}
    allowed |= {extern.name for extern in header.externs}
    instances = (node for node in walk(nodes, into_protos=False) if node.proto is not None)
    here = (
        instance
        for instance in instances
        if instance.source is not None and instance.source.path == source.path
    )
    plain = {extern.name: extern.url for extern in world.header.externs}
    return [
        f"the PROTO {name} cannot be imported: the world does not declare it as importable; add the line "
        f'IMPORTABLE EXTERNPROTO "{plain.get(name, f"{name}.proto")}" to it'
        for name in dict.fromkeys(instance.type for instance in here)
        if name not in allowed
    ]


def _parsed(world: World, source: SourceFile, header: Header, report: Report) -> tuple[list[Node], Report]:
    """Return the nodes of the text, and a report; as in Webots, one surplus closing bracket is ignored."""
    nodes, _ = Parser(source, report, schema(source.version), world.library.resolve).nodes(header.end)
    end = len(source.text.rstrip()) - 1
    if not report.errors or not source.text.startswith("}", end):
        return nodes, report
    shorter, again = SourceFile(source.path, source.text[:end], source.version), Report()
    fewer, _ = Parser(shorter, again, schema(source.version), world.library.resolve).nodes(header.end)
    if again.errors or not fewer:
        return nodes, report
    again.warning("surplus-bracket", "ignored a surplus '}'", source, end)
    return fewer, again


def _source(world: World, text: str, robot: str, report: Report) -> tuple[SourceFile, Header]:
    """Return the text as a file next to the world, so that relative URLs resolve in the same way."""
    place = f"{world.path} (text from {robot.replace('/', '_') or 'a robot'})"
    if text.lstrip().startswith(("#VRML_SIM", "#X3D", "#VRML")):
        return read_source(place, text + "\n", report, world.version)
    return SourceFile(place, normalized(text + "\n"), world.version), Header(world.version)


def _check(world: World, nodes: list[Node], errors: list[str]) -> None:
    for missing in list(world.library.missing.values())[:TOLD]:
        line, _ = missing.source.place(missing.offset)
        hint = world.library.suggestion(missing.name)
        what = f"the model {shown(missing.name)} is missing ({missing.url})" if missing.url else ""
        what = what or f"no node type {shown(missing.name)}{hint}"
        errors.append(f"{missing.source.path}:{line}: error: {what}")
    world.library.missing.clear()
    instances = [node for node in walk(nodes) if node.proto is not None and node.use_of is None]
    without = [instance for instance in instances if instance.body is None]
    if not errors and without:
        errors.append(f"the PROTO {without[0].type} could not be instantiated")
    if not errors and not nodes:
        errors.append("the text contains no node")
    if len(nodes) > MOST_NODES:
        errors.append(f"the text contains {len(nodes)} nodes; allowed: at most {MOST_NODES}")
    if errors:
        more = f" (and {len(errors) - TOLD} more)" if len(errors) > TOLD else ""
        raise TextError("; ".join(errors[:TOLD]) + more)
