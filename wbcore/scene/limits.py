"""The bounds of what files from strangers can ask for, in one place.

Worlds, meshes, pictures and wires contain numbers that decide how much memory and time the simulator needs.
`FIELDS` has the bounds of fields that are checked when a world is loaded. `NUMBERS` names the others: the
constants of the modules that keep them, `NATIVE` those in C. docs/limits.md is generated from all, and
tests/bombs has worlds that exceed them.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = [
    "FIELDS",
    "MOST_FILE_NODES",
    "MOST_GRID_POINTS",
    "MOST_LOOKUP_ROWS",
    "NATIVE",
    "NUMBERS",
    "FieldBound",
    "NativeBound",
    "NumberBound",
]

MOST_FILE_NODES = 500_000
"""Nodes in a file."""
MOST_GRID_POINTS = 2**22
"""Points of an ElevationGrid: 2048 x 2048."""
MOST_LOOKUP_ROWS = 100_000
"""Rows of a lookup table."""
LARGEST_SHORT = 2**16 - 1
"""Of what the controller protocol sends as 16 bits."""


class FieldBound(NamedTuple):
    """What a field may hold."""

    type: str
    """Of the node; types derived from it have the bound, too."""
    field: str
    low: float
    high: float
    unit: str


class NumberBound(NamedTuple):
    """A constant that bounds what a file or a peer can ask for."""

    what: str
    module: str
    name: str
    """Of the constant; of a class with a point, "Limits.steps"."""
    unit: str


class NativeBound(NamedTuple):
    """A constant of the library for C, which serves controllers in Python, too."""

    what: str
    file: str
    """In the sources."""
    name: str
    unit: str


_TEMPLATES = "wbridge.wbcore.scene.templates.model"
_XACRO = "wbridge.wbcore.importers.xacro_worker"
_BROKER = "wbridge.hal.link.transports._broker"

FIELDS = (
    FieldBound("WorldInfo", "basicTimeStep", 0.001, 100_000.0, "ms"),
    *(
        FieldBound(kind, field, 0, LARGEST_SHORT, "pixels")
        for kind in ("Camera", "RangeFinder", "Display")
        for field in ("width", "height")
    ),
    FieldBound("Solid", "linearVelocity", -1e9, 1e9, "m/s"),
    FieldBound("Solid", "angularVelocity", -1e9, 1e9, "rad/s"),
)

NUMBERS = (
    # Files.
    NumberBound(
        "size of a world, PROTO or included file", "wbridge.wbcore.scene.files", "MAX_BYTES", "bytes"
    ),
    NumberBound("nodes in a file", "wbridge.wbcore.scene.limits", "MOST_FILE_NODES", "nodes"),
    NumberBound("depth of nodes in nodes", "wbridge.wbcore.scene.parser", "MAX_DEPTH", "nodes"),
    NumberBound(
        "nodes with those that USE repeats", "wbridge.wbcore.scene.parser", "MAX_USED_NODES", "nodes"
    ),
    NumberBound("nodes of PROTOs", "wbridge.wbcore.scene.expand", "MAX_NODES", "nodes"),
    NumberBound("depth of PROTOs in PROTOs", "wbridge.wbcore.scene.expand", "MAX_PROTO_DEPTH", "PROTOs"),
    NumberBound("text of a template's result", _TEMPLATES, "Limits.output_chars", "characters"),
    NumberBound("steps of a template", _TEMPLATES, "Limits.steps", "steps"),
    NumberBound("processor time of a template", _TEMPLATES, "Limits.seconds", "s"),
    NumberBound("memory of a template", _TEMPLATES, "Limits.memory_mb", "MB"),
    NumberBound("lights of a world", "wbridge.wbcore.visual.lights", "MOST_LIGHTS", "lights"),
    NumberBound("a download", "wbridge.wbcore.scene.downloading", "MOST_BYTES", "bytes"),
    NumberBound("duration of a download", "wbridge.wbcore.scene.downloading", "LONGEST_S", "s"),
    NumberBound("redirects of a download", "wbridge.wbcore.scene.downloading", "MOST_REDIRECTS", "redirects"),
    NumberBound("downloads of a world", "wbridge.wbcore.scene.cache", "MOST_BYTES", "bytes"),
    NumberBound("duration of a world's downloads", "wbridge.wbcore.scene.cache", "LONGEST_S", "s"),
    NumberBound("points of an ElevationGrid", "wbridge.wbcore.scene.limits", "MOST_GRID_POINTS", "points"),
    NumberBound("rows of a lookup table", "wbridge.wbcore.scene.limits", "MOST_LOOKUP_ROWS", "rows"),
    # Pictures, sounds and fonts.
    NumberBound("a picture of a texture", "wbridge.wbcore.visual.images", "MOST_PIXELS", "pixels"),
    NumberBound("a picture of the sky's light", "wbridge.wbcore.visual.radiance", "MOST_PIXELS", "pixels"),
    NumberBound("pictures of a Display", "wbridge.wbcore.devices.display_images", "MOST_PIXELS", "pixels"),
    NumberBound(
        "number of a Display's pictures", "wbridge.wbcore.devices.display_images", "MOST_IMAGES", "pictures"
    ),
    NumberBound("a sound", "wbridge.wbcore.devices.sounds", "MOST_BYTES", "bytes"),
    NumberBound("a font", "wbridge.wbcore.drawing.fonts", "LARGEST_FILE", "bytes"),
    # Meshes.
    NumberBound("size of a mesh file", "wbridge.wbcore.physics.meshes", "MAX_BYTES", "bytes"),
    NumberBound(
        "vertices, or corners of faces, of a mesh",
        "wbridge.wbcore.physics.meshes._corners",
        "MOST",
        "corners",
    ),
    NumberBound("nodes of a COLLADA file", "wbridge.wbcore.physics.meshes.dae", "MOST_NODES", "nodes"),
    NumberBound("parts of a CadShape", "wbridge.wbcore.visual.cad_parts", "MOST_PARTS", "parts"),
    NumberBound("records of an FBX file", "wbridge.wbcore.visual.fbx", "MOST_RECORDS", "records"),
    NumberBound("numbers of an FBX file", "wbridge.wbcore.visual.fbx", "MOST_NUMBERS", "numbers"),
    NumberBound("links of a URDF or MJCF file", "wbridge.wbcore.importers.structure", "MAX_LINKS", "links"),
    NumberBound("elements of such a file", "wbridge.wbcore.importers.xml_tree", "MAX_ELEMENTS", "elements"),
    NumberBound("depth of such elements", "wbridge.wbcore.importers.xml_tree", "MAX_DEPTH", "elements"),
    NumberBound(
        "size of such a file, and of what it includes",
        "wbridge.wbcore.importers.xml_tree",
        "MAX_BYTES",
        "bytes",
    ),
    NumberBound("links in a chain", "wbridge.wbcore.importers.structure", "MAX_DEPTH", "links"),
    NumberBound(
        "files that an MJCF file includes", "wbridge.wbcore.importers.mjcf_document", "MAX_INCLUDES", "files"
    ),
    NumberBound("time of a xacro file", _XACRO, "LONGEST_S", "s"),
    NumberBound("memory of a xacro file, with Python's own", _XACRO, "MOST_MEMORY", "bytes"),
    NumberBound("what a xacro file expands to", _XACRO, "MOST_BYTES", "bytes"),
    # Devices.
    NumberBound(
        "a record or chunk of a robot's recording",
        "wbridge.wbcore.recordings.device_log_reader",
        "LONGEST_RECORD",
        "bytes",
    ),
    NumberBound(
        "numbers of a robot's recording, and 3 for each byte of its file",
        "wbridge.wbcore.recordings.device_log_reader",
        "MOST_NUMBERS",
        "numbers",
    ),
    NumberBound("a part of a recording", "wbridge.wbcore.recordings.page_parts", "MOST_BYTES", "bytes"),
    NumberBound("pixels of a Display", "wbridge.wbcore.devices.display", "MOST_PIXELS", "pixels"),
    NumberBound("rays of a RangeFinder or Lidar", "wbridge.wbcore.devices.range_device", "MOST_RAYS", "rays"),
    NumberBound("rays of a DistanceSensor", "wbridge.wbcore.devices.fan", "MOST_RAYS", "rays"),
    NumberBound("packets that an Emitter keeps", "wbridge.wbcore.devices.emitter", "MOST_WAITING", "bytes"),
    NumberBound("packets that a Receiver keeps", "wbridge.wbcore.devices.receiver", "MOST_WAITING", "bytes"),
    NumberBound("sounds of a Speaker", "wbridge.wbcore.devices.speaker", "MOST_SOUNDS", "sounds"),
    NumberBound("pieces of a Track that are drawn", "wbridge.wbcore.visual.belts", "MOST_PIECES", "pieces"),
    # Controllers.
    NumberBound(
        "bytes that wait for a controller", "wbridge.wbcore.controllers.server", "MOST_WAITING", "bytes"
    ),
    NumberBound(
        "connections before the handshake",
        "wbridge.wbcore.controllers.server",
        "MOST_STRANGERS",
        "connections",
    ),
    NumberBound("a handshake", "wbridge.wbcore.controllers.handshake", "LONGEST", "bytes"),
    NumberBound("labels of a supervisor", "wbridge.wbcore.supervisor.view", "MOST_LABELS", "labels"),
    NumberBound("states of a simulation", "wbridge.wbcore.supervisor.states", "MOST_STATES", "states"),
    NumberBound("elements of a changed list", "wbridge.wbcore.supervisor.lists", "MOST_ELEMENTS", "elements"),
    NumberBound("nodes of an imported text", "wbridge.wbcore.supervisor.reading", "MOST_NODES", "nodes"),
    NumberBound("an imported text", "wbridge.wbcore.supervisor.reading", "LONGEST_TEXT", "characters"),
    NumberBound("a velocity or force of a supervisor", "wbridge.wbcore.supervisor.forces", "MOST", "SI"),
    NumberBound("a line of a controller", "wbridge.wbcore.controllers.output", "LONGEST_LINE", "bytes"),
    NumberBound("a runtime.ini", "wbridge.wbcore.controllers.runtime_ini", "MOST_BYTES", "bytes"),
    NumberBound(
        "vertices that a physics plugin draws at once",
        "wbridge.wbcore.physics_plugins.drawing",
        "MOST_VERTICES",
        "vertices",
    ),
    # Submissions.
    NumberBound("files of a submission", "wbridge.wbfleet.grading.submissions", "MOST_FILES", "files"),
    NumberBound("folders in folders of an archive", "wbridge.wbfleet.grading.archives", "DEEPEST", "folders"),
    # Pages in a browser.
    NumberBound("pages", "wbridge.robot_windows.server", "MOST_PAGES", "pages"),
    NumberBound("a message of a page", "wbridge.robot_windows.server", "LARGEST_MESSAGE", "bytes"),
    NumberBound("parts of a message", "wbridge.robot_windows.whole_messages", "MOST_PARTS", "parts"),
    NumberBound("bytes that wait for a page", "wbridge.robot_windows.server", "MOST_WAITING", "bytes"),
    NumberBound(
        "requests of pages that wait", "wbridge.robot_windows.subscribers", "MOST_COMMANDS", "requests"
    ),
    NumberBound("mistakes of a page", "wbridge.robot_windows.page_session", "MOST_MISTAKES", "mistakes"),
    NumberBound("text of a request", "wbridge.robot_windows.requests", "LONGEST", "characters"),
    # The robot link.
    NumberBound("a message of the robot link", "wbridge.hal.link.framing", "MAX_MESSAGE", "bytes"),
    NumberBound("a robot's table", "wbridge.hal.link.read_table", "LARGEST", "bytes"),
    NumberBound("connections to a robot", "wbridge.hal.link.server", "MAX_PIPES", "connections"),
    NumberBound("refusals of a connection", "wbridge.hal.link.server", "MAX_REFUSALS", "refusals"),
    NumberBound(
        "bytes that wait for a robot that does not answer", "wbridge.hal.link.outbox", "MOST_WAITING", "bytes"
    ),
    NumberBound("messages of a broker that nobody takes", _BROKER, "MAX_WAITING", "messages"),
    NumberBound("bytes of such messages", _BROKER, "MOST_BYTES", "bytes"),
    NumberBound("bytes of a robot's wire at a time", "wbridge.remote_controls.common.wire", "MOST", "bytes"),
    NumberBound("watchdog time", "wbridge.hal.link.messages", "LONGEST_WATCHDOG", "ms"),
    NumberBound("wrong tokens of an address", "wbridge.hal.link.guesses", "GUESSES_PER_SECOND", "per second"),
)

NATIVE = (
    # Files that controllers read.
    NativeBound("size of a motion file", "libcontroller/src/motion_file.c", "LARGEST_MOTION", "bytes"),
    NativeBound("motors of a motion file", "libcontroller/src/motion_file.c", "MOST_MOTORS", "motors"),
    NativeBound(
        "reported problems of a motion file",
        "libcontroller/src/motion_file.c",
        "MOST_PROBLEMS",
        "problems",
    ),
    NativeBound(
        "digits of a part of a motion's time", "libcontroller/src/motion_file.c", "LONGEST_TIME", "digits"
    ),
    NativeBound("size of a picture's file", "libcontroller/src/image_read.c", "LARGEST_FILE", "bytes"),
    NativeBound("pixels of a picture's file", "libcontroller/src/image_read.c", "MOST_PIXELS", "pixels"),
    NativeBound("size of a sound's file", "libcontroller/src/devices/speaker.c", "LARGEST_SOUND", "bytes"),
    NativeBound(
        "size of a file with nodes", "libcontroller/src/supervisor/field.c", "LARGEST_NODES", "bytes"
    ),
    # Arguments of calls.
    NativeBound("size of a font", "libcontroller/src/devices/display.c", "LARGEST_FONT", "pixels"),
    NativeBound("points of a polygon", "libcontroller/src/devices/display.c", "MOST_POINTS", "points"),
)
