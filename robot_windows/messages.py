"""The messages between the server and its pages, each declared once.

A message of the server is an object in JSON with the fields of a class below, in camel case; fields that are
None may be missing. A request of a page has the name of its class in `do`, in lower case, and its fields; the
annotations say how they are checked. `robot_windows/messages.d.ts` has the same types for editors
(scripts/generate_page_messages.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Annotated, Any, get_type_hints

from wbridge.robot_windows import checks
from wbridge.robot_windows.checks import LONGEST_TEXT, MOST_NODES, MOST_NUMBER, Check

LONGEST_PERIOD_MS = 100_000
LONGEST_SOURCE, MOST_BREAKPOINTS = 200_000, 100
LONGEST_PATH, LONGEST_PART = 1000, 60_000
LONGEST_NAME, LONGEST_CHANNEL, LONGEST_KEY = 100, 60, 20

Robot = Annotated[int, checks.whole(MOST_NUMBER)]
Device = Annotated[int, checks.whole(MOST_NUMBER)]
Node = Annotated[int, checks.whole(MOST_NODES)]
Flag = Annotated[bool, checks.flag]
Vector = Annotated[list[float], checks.numbers(3)]
Name = Annotated[str, checks.Text(LONGEST_NAME)]
Channel = Annotated[str, checks.Text(LONGEST_CHANNEL)]


# From the server.


@dataclass(frozen=True)
class PageRobot:
    """A robot of the run; what does not change."""

    number: int
    name: str
    type: str
    window: str
    """Name of its own window; "": it has none."""
    table: Mapping[str, object]
    """Its device table."""
    shape: Mapping[str, object]
    """Outline and poses of sensors, for drawings."""


@dataclass(frozen=True)
class Hello:
    """What a page is built from: the first message, and again when robots or the world change."""

    version: int
    page: int
    """The number of the page."""
    title: str
    is_real: bool
    """True for a robot on a wire instead of a simulation."""
    has_pictures: bool
    has_scene: bool
    """Whether there is a 3D view."""
    nearest: Sequence[str]
    """Names of robots, those first that resemble the name in the page's address."""
    shape: Mapping[str, object]
    """Outlines of the solids, for the drawing from above."""
    robots: Sequence[Annotated[Mapping[str, object], PageRobot]]


@dataclass(frozen=True)
class Failure:
    """The end of a controller by an error."""

    robot: int
    """Its number."""
    controller: str
    text: str
    """How it ended."""
    time: float
    """Simulated s."""


@dataclass(frozen=True)
class RunState:
    """The run as a whole."""

    time: float
    """Simulated s."""
    step: float
    """Basic step in s; 0 for a real robot."""
    mode: int
    """0: paused; otherwise it runs."""
    speed: float | None
    """Wanted simulated seconds per second; null: as fast as possible."""
    factor: float
    """Measured simulated seconds per second."""
    steps: int
    labels: Sequence[Sequence[object]]
    """Labels of supervisors: text, x, y, size, color."""
    drivers: Mapping[int, int]
    """The number of the page that drives a robot now, by the robot's number."""
    silent: bool | None = None
    """Whether a real robot does not answer."""
    failures: Sequence[Annotated[Mapping[str, object], Failure]] | None = None
    """Controllers that have failed."""


@dataclass(frozen=True)
class RobotState:
    """The state of a watched robot."""

    number: int
    values: Mapping[int, object]
    """Readings of sensors by tag."""
    acts: Mapping[int, object]
    """States of actuators by tag."""
    periods: Mapping[int, int]
    """Sampling periods in ms of the devices that are on, by tag."""
    own: Sequence[int]
    """Tags of the devices that only windows have switched on."""
    driver: str
    """Who drives it: window, controller or nobody."""
    controller: str
    battery: float | None
    """J; null: it has no battery."""
    custom_data: str
    pictures: Mapping[str, str] | None = None
    """New pictures as data URLs, by tag."""


@dataclass(frozen=True)
class SceneNews:
    """What has changed in the scene that the 3D view shows."""

    number: int
    """Another number: another scene."""
    file: str
    """Address of its description."""
    messages: Mapping[str, object]


@dataclass(frozen=True)
class Line:
    """A line that a controller or the run has printed."""

    text: str
    kind: str
    robot: str
    """Its name; "": the run itself."""


@dataclass(frozen=True)
class News:
    """An update. Poses of the scene follow as binary messages."""

    run: Annotated[Mapping[str, object], RunState] | None = None
    robots: Mapping[int, Annotated[Mapping[str, object], RobotState]] | None = None
    """By number, those that the page watches."""
    places: Mapping[str, object] | None = None
    """Poses of all objects, for the drawing from above."""
    scene: Annotated[Mapping[str, object], SceneNews] | None = None
    lines: Sequence[Annotated[Mapping[str, object], Line]] | None = None
    lost: int | None = None
    """Lines that were dropped because the page was too slow."""


SERVED = (Hello, PageRobot, News, RunState, Failure, RobotState, SceneNews, Line)
"""The messages of the server, and their parts."""


# Requests that the session of a page answers.


@dataclass(frozen=True)
class Watch:
    """What the page wants to see from now on."""

    robots: list[int]
    places: bool
    scene: bool
    drawings: list[str]
    """Kinds of optional drawings in the 3D view."""


@dataclass(frozen=True)
class Seen:
    """The page has shown so many updates."""

    news: int


SESSION_REQUESTS = (Watch, Seen)


# Requests to the run.


@dataclass(frozen=True)
class Pause:
    """Pause the run."""


@dataclass(frozen=True)
class Play:
    """Run on."""

    speed: Annotated[float | None, checks.speed]
    """Simulated seconds per second; null: as fast as possible."""


@dataclass(frozen=True)
class Step:
    """Make one step."""


@dataclass(frozen=True)
class Reset:
    """Start the simulation again."""


@dataclass(frozen=True)
class Restart:
    """Start the controller of a robot again."""

    robot: Robot


@dataclass(frozen=True)
class Control:
    """Take a robot from its controller, or give it back."""

    robot: Robot
    on: Flag


@dataclass(frozen=True)
class Stop:
    """Take a robot from its controller, and stop its motors."""

    robot: Robot


@dataclass(frozen=True)
class Hold:
    """Keep a robot that the page drives, or the keyboard (-1)."""

    robot: Annotated[int, checks.driven]


@dataclass(frozen=True)
class Let:
    """Give back what the page drives."""


@dataclass(frozen=True)
class Enable:
    """Switch a sensor on (period in ms) or off (0)."""

    robot: Robot
    device: Device
    channel: Channel
    period: Annotated[int, checks.whole(LONGEST_PERIOD_MS)]


@dataclass(frozen=True)
class Set:
    """Set a channel of an actuator."""

    robot: Robot
    device: Device
    channel: Channel
    value: Annotated[float | bool | None, checks.value]
    """null: infinite, such as the target of a motor in velocity control."""


@dataclass(frozen=True)
class Custom:
    """Set the field customData."""

    robot: Robot
    text: Annotated[str, checks.Text(LONGEST_TEXT)]


@dataclass(frozen=True)
class Key:
    """A key of the simulated keyboard goes down or up."""

    key: Annotated[str, checks.Text(LONGEST_KEY)]
    down: Flag
    shift: Flag
    control: Flag
    alt: Flag


@dataclass(frozen=True)
class Release:
    """Release all keys."""


@dataclass(frozen=True)
class Pick:
    """Select what a ray of the 3D view hits."""

    origin: Vector
    toward: Vector
    part: Flag
    """True: the part of a robot, not the whole."""
    more: Flag
    """Keep what is selected already."""


@dataclass(frozen=True)
class Select:
    """Select a node."""

    node: Node
    more: Flag
    """Keep what is selected already."""


@dataclass(frozen=True)
class Pull:
    """Pull at a solid with a force or a torque."""

    kind: Annotated[str, checks.choice("force", "torque")]
    node: Node
    point: Vector
    end: Vector


@dataclass(frozen=True)
class Move:
    """Move, turn and scale a solid, or all that is selected, from where it was when the move began."""

    node: Node
    begins: Flag
    way: Vector
    """m, in the axes of the world."""
    turn: Vector
    """Axis in the world, as long as the angle (rad)."""
    factor: Annotated[float, checks.number]
    """Of its scale."""


@dataclass(frozen=True)
class Drop:
    """End of pulling or moving a solid."""

    node: Node


@dataclass(frozen=True)
class Tree:
    """Send the scene tree."""


@dataclass(frozen=True)
class Edit:
    """Change a field of a node."""

    node: Node
    field: Name
    item: Annotated[int, checks.item]
    """Place in a list, or -1."""
    value: Annotated[list[float] | float | str | bool, checks.field_value]
    id: Node
    """Number of the request; the reply repeats it."""


@dataclass(frozen=True)
class Shelf:
    """Send what can be added to the world."""


@dataclass(frozen=True)
class Preview:
    """Write a file that shows an entry of the shelf, see wbcore/windows/previews.py."""

    number: Node
    """Its place in the list of all entries."""
    id: Node


@dataclass(frozen=True)
class Add:
    """Add something of the shelf."""

    model: Name
    point: Vector
    """Where it stands (m, world)."""
    node: Node
    """The solid of which it becomes a part; 0: none."""
    id: Node


@dataclass(frozen=True)
class Bring:
    """Send a part of a file of the user's computer."""

    name: Annotated[str, checks.Text(LONGEST_PATH)]
    """Of the file, with its folders."""
    part: Annotated[str, checks.Text(LONGEST_PART)]
    """Base64."""
    begins: Flag
    """Whether it is the first part."""
    id: Node


@dataclass(frozen=True)
class Put:
    """Put the model into the world that the files are which the page has sent."""

    point: Vector
    """Where it stands (m, world)."""
    id: Node


@dataclass(frozen=True)
class Copy:
    """Add a copy of a node beside it; of all that is selected if the node is."""

    node: Node
    id: Node


@dataclass(frozen=True)
class Remove:
    """Remove a node, or all that is selected if the node is."""

    node: Node
    id: Node


@dataclass(frozen=True)
class Group:
    """Make a node, and all that is selected if the node is, the children of one Group."""

    node: Node
    id: Node


@dataclass(frozen=True)
class Ungroup:
    """Put the children of the Group that a node is, or is in, into its place."""

    node: Node
    id: Node


@dataclass(frozen=True)
class Members:
    """Select all children of the Group that a node is, or is in."""

    node: Node
    id: Node


@dataclass(frozen=True)
class Undo:
    """Take the last change back."""

    id: Node


@dataclass(frozen=True)
class Redo:
    """Make the change again that was taken back last."""

    id: Node


@dataclass(frozen=True)
class Look:
    """Show an earlier moment of the run."""

    moment: Annotated[float | None, checks.moment]
    """Simulated s; null: the present."""
    id: Node


@dataclass(frozen=True)
class Branch:
    """Go on from an earlier moment of the run."""

    moment: Annotated[float, checks.number]
    """Simulated s."""
    id: Node


@dataclass(frozen=True)
class Code:
    """Send the controllers' sources."""


@dataclass(frozen=True)
class Write:
    """Write a controller's source, and start its controllers again."""

    name: Name
    """Of the file, as it was sent."""
    text: Annotated[str, checks.Text(LONGEST_SOURCE)]
    known: Name
    """Digest of what was sent."""
    id: Node


@dataclass(frozen=True)
class Begin:
    """Give a robot a controller of the project, or a new one."""

    robot: Robot
    name: Name
    id: Node


@dataclass(frozen=True)
class Breakpoints:
    """Set the lines of a controller's file at which programs pause."""

    name: Name
    lines: Annotated[list[int], checks.wholes(MOST_BREAKPOINTS, MOST_NUMBER)]
    id: Node


@dataclass(frozen=True)
class Debug:
    """Start a robot's controller with breakpoints, or tell it how to go on."""

    robot: Robot
    command: Annotated[str, checks.choice("start", "continue", "over", "into", "out", "pause", "stop")]
    id: Node


@dataclass(frozen=True)
class Save:
    """Write the world to a file."""

    name: Name
    replace: Flag
    id: Node


REQUESTS = (
    *(Pause, Play, Step, Reset, Restart, Control, Stop, Hold, Let, Enable, Set, Custom, Key, Release),
    *(Pick, Select, Pull, Move, Drop, Tree, Edit, Save, Shelf, Preview, Add),
    *(Bring, Put, Copy, Remove, Group, Ungroup, Members, Undo, Redo, Look, Branch),
    *(Code, Write, Begin, Breakpoints, Debug),
)
"""The requests to the run."""


def request_name(kind: type) -> str:
    """Return the value of `do` for a request."""
    return kind.__name__.lower()


@cache
def checks_of(kind: type) -> dict[str, Check]:
    """Return the check of each value of a request."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items()}


def camel(name: str) -> str:
    """Return a field's name in a message: `isReal` for `is_real`."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def plain(message: Any) -> dict[str, object]:
    """Return a message of the server as an object for JSON, without the fields that are None."""
    values = ((camel(entry.name), getattr(message, entry.name)) for entry in fields(message))
    return {name: value for name, value in values if value is not None}
