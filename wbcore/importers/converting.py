"""Converts a robot description to a PROTO: reads it, checks it, writes the files."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from wbridge.wbcore.importers.asset_files import Assets
from wbridge.wbcore.importers.mesh_writer import MeshFiles
from wbridge.wbcore.importers.mjcf import read_mjcf
from wbridge.wbcore.importers.options import ConvertOptions
from wbridge.wbcore.importers.proto_parts import Parts
from wbridge.wbcore.importers.proto_writer import MARK, proto_text
from wbridge.wbcore.importers.reading import Reader
from wbridge.wbcore.importers.robot_model import Robot
from wbridge.wbcore.importers.structure import arrange, place_joints
from wbridge.wbcore.importers.urdf import read_urdf
from wbridge.wbcore.importers.world_writer import world_text
from wbridge.wbcore.importers.xacro_files import expand_xacro, is_xacro
from wbridge.wbcore.importers.xml_tree import MAX_BYTES, Element, XmlError, parse_xml
from wbridge.wbcore.scene.diagnostics import ERROR, Diagnostic, Report, printable, shown
from wbridge.wbcore.scene.schema import schema

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass
class Converted:
    """The result: the files that were written, PROTO, world and others; none if there are errors."""

    report: Report
    robot: Robot | None = None
    files: list[Path] = field(default_factory=list)


def convert(path: Path, options: ConvertOptions | None = None) -> Converted:
    """Convert a URDF or MJCF file; all findings are in the report of the result.

    Raises:
        OSError: a file cannot be read or written.
        XacroError: a xacro file cannot be expanded.
    """
    options = options or ConvertOptions()
    report = Report()
    reader = Reader(report)
    robot = read_robot(path, options, reader)
    result = Converted(report, robot)
    if robot is None or not arrange(robot, reader, options.static_base, options.tool_slot):
        return result
    place_joints(robot, options.positions, options.named_positions, reader)
    if options.tool_slot:
        reader.find(robot.place, "link", options.tool_slot, robot.links)
    proto = _proto_path(robot, options, reader)
    for target in filter(None, (proto, options.world)):
        _must_be_ours(target, options, reader)
    if not report.errors and proto is not None:
        result.files = _write(path, robot, proto, options)
    return result


def read_robot(path: Path, options: ConvertOptions, reader: Reader) -> Robot | None:
    """Return the robot in a file; None if the file has errors, which are reported.

    Raises:
        OSError: the file cannot be read.
        XacroError: a xacro file cannot be expanded.
    """
    root = _root(path, options, reader)
    if root is None:
        return None
    assets = Assets(path.absolute().parent, options, reader)
    if root.tag == "robot":
        return read_urdf(root, reader, assets)
    if root.tag == "mujoco":
        return read_mjcf(root, reader, assets, options.body, options.keyframe)
    text = f"the root element is <{root.tag}>; expected <robot> (URDF) or <mujoco> (MJCF)"
    if root.tag == "sdf":
        text += "; convert SDF to URDF first"
    reader.error(root, "format", text)
    return None


def _root(path: Path, options: ConvertOptions, reader: Reader) -> Element | None:
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    name = str(path)
    if is_xacro(path, data):
        data = expand_xacro(path, options.xacro_arguments)
        name = f"{path} (expanded)"
    try:
        return parse_xml(data, name)
    except XmlError as problem:
        message = printable(str(problem))
        reader.report.add(Diagnostic(ERROR, "xml", name, problem.line, problem.column, message))
        return None


def _proto_path(robot: Robot, options: ConvertOptions, reader: Reader) -> Path | None:
    """Return the PROTO's file; report a name that a PROTO cannot have."""
    output = options.output or Path()
    if output.suffix == ".proto":
        if not _NAME.fullmatch(output.stem) or output.stem in schema().names():
            text = (
                f"a PROTO cannot be named {shown(output.stem)}; its name consists of letters, digits and '_'"
            )
            reader.error(robot.place, "name", f"{text}, does not begin with a digit, and is no base node's")
            return None
        return output
    return output / f"{proto_name(robot.name)}.proto"


def proto_name(name: str) -> str:
    """Return the name of a PROTO for a robot: "my_robot" becomes "MyRobot"."""
    words = re.split(r"[^A-Za-z0-9]+", name)
    text = "".join(word[:1].upper() + word[1:] for word in words)[:80] or "Robot"
    text = text if not text[0].isdigit() else f"Robot{text}"
    return f"{text}Model" if text in schema().names() else text


def _must_be_ours(path: Path, options: ConvertOptions, reader: Reader) -> None:
    """Report a file that exists and was not written by a conversion."""
    if options.overwrite or not path.exists():
        return
    place = Element("", {}, str(path), 0, 0)
    if path.is_dir():
        reader.error(place, "exists", "this is a folder; name a file")
    elif MARK.encode() not in path.read_bytes()[:400]:
        text = "this file exists and was not written by wbridge convert; use --overwrite to replace it"
        reader.error(place, "exists", text)


def _write(path: Path, robot: Robot, proto: Path, options: ConvertOptions) -> list[Path]:
    files = MeshFiles(proto, options.copy_meshes)
    parts = Parts(files, options.box_collision)
    source = printable(path.name)
    text = proto_text(robot, proto.stem, source, options, parts)
    written = [proto]
    proto.parent.mkdir(parents=True, exist_ok=True)
    proto.write_text(text, encoding="utf-8", newline="\n")
    if options.world is not None:
        mark = f"{MARK} {source} by wbridge convert"
        world = world_text(robot, proto, options.world, options.translation, options.rotation, mark)
        options.world.parent.mkdir(parents=True, exist_ok=True)
        options.world.write_text(world, encoding="utf-8", newline="\n")
        written.append(options.world)
    return written + files.write()
