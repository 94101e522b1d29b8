"""A simulation that a script drives: load, step, read, set, reset, save and restore."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wbridge.api.contacts import FARTHEST, Contacts, Hits, cast_rays, contacts_of
from wbridge.api.fields import Fields, Value, set_all
from wbridge.api.names import unknown
from wbridge.api.nodes import Node
from wbridge.api.robots import Robot
from wbridge.api.steps import CONTROLLERS, Steps
from wbridge.api.vectors import real, whole
from wbridge.hal.closing import Closing
from wbridge.wbcore.physics.errors import WorldError
from wbridge.wbcore.scene.checks import checked, load_checked
from wbridge.wbcore.scene.load import LoadOptions, World, load_text, load_world
from wbridge.wbcore.scene.places import instance_of
from wbridge.wbcore.simulation import Simulation as Core

if TYPE_CHECKING:
    from wbridge.wbcore.view.notebook import NotebookView

__all__ = ["Simulation", "from_text", "load"]

_LOG = logging.getLogger(__name__)


def load(
    path: str | Path,
    *,
    seed: int | None = None,
    fields: Mapping[str, Value] | None = None,
    controllers: str = "processes",
    allow_missing: bool = False,
) -> Simulation:
    """Load a world.

    Args:
        path: a `.wbt` file.
        seed: of everything that is random; None: WorldInfo.randomSeed.
        fields: values that replace those of fields, by place: {"WorldInfo.gravity": 3.7}.
        controllers: how controllers of robots run that the script does not drive, from the first step on: as
            "processes", "inline" (in this process, those in Python), or "none".
        allow_missing: replace missing models with placeholders.

    Raises:
        WorldError: the file has errors; the message lists them.
        UnknownNameError: `fields` has an unknown place.
        FieldError: a value does not fit its field.
        ValueError: another argument is not possible.
    """
    return _simulation(load_checked(path, LoadOptions(allow_missing)), seed, fields, controllers)


def load_copies(
    path: str | Path, seeds: Sequence[int | None], fields: Mapping[str, Value] | None, controllers: str
) -> list[Simulation]:
    """Load a world several times; its rules are checked once. For arguments and errors see `load`."""
    loaders = [load_checked, *[load_world] * (len(seeds) - 1)]
    return [
        _simulation(load_file(path, LoadOptions()), seed, fields, controllers)
        for load_file, seed in zip(loaders, seeds, strict=True)
    ]


def from_text(
    text: str,
    *,
    path: str | Path = "world.wbt",
    seed: int | None = None,
    fields: Mapping[str, Value] | None = None,
    controllers: str = "processes",
) -> Simulation:
    """Load a world from the text of a `.wbt` file; a missing header line is added.

    Args:
        text: nodes, as in a file.
        path: where the file would be, for relative paths in it, its controllers and models.
        seed: as for `load`.
        fields: as for `load`.
        controllers: as for `load`.

    Raises:
        WorldError: the text has errors; the message lists them.
    """
    if not isinstance(text, str):
        raise TypeError(f"expected the text of a world, not {text!r}; load a file with wbridge.load")
    complete = text if text.lstrip().startswith("#VRML_SIM") else f"{HEADER}\n{text}"
    return _simulation(checked(load_text(complete.lstrip(), os.fspath(path))), seed, fields, controllers)


HEADER = "#VRML_SIM R2025a utf8"


def _simulation(
    world: World, seed: int | None, fields: Mapping[str, Value] | None, controllers: str
) -> Simulation:
    if controllers not in CONTROLLERS:
        allowed = ", ".join(f'"{choice}"' for choice in CONTROLLERS)
        raise ValueError(f"controllers must be one of {allowed}, not {controllers!r}")
    if seed is not None:
        whole(seed, "seed")
    if world.report.errors:
        raise WorldError(world.path, world.report.errors)
    _warn(world)
    if fields:
        set_all(world, fields)
    return Simulation(Core(world, seed), controllers)


def _warn(world: World) -> None:
    """Log what is ignored or replaced in a world, such as fields with a mistyped name, once per process."""
    for each in world.report.warnings:
        if each.code != NO_VIEWPOINT and (text := str(each)) not in _said:
            _said.add(text)
            _LOG.warning("%s", text)


NO_VIEWPOINT = "missing-node"
"""The kind of warning about a world without Viewpoint or WorldInfo, which scripts need not have."""
_said: set[str] = set()


def duration(seconds: float) -> float:
    """Return a time that a script passed (s).

    Raises:
        ValueError: it is not possible.
    """
    return real(seconds, "duration", "0 or more seconds", lambda time: 0 <= time < float("inf"))


def _is_multiple(time: float, basic: float) -> bool:
    return 0 <= time < float("inf") and abs(round(time / basic) * basic - time) <= 1e-6


class Simulation(Closing):
    """A world that a script steps. Make one with `wbridge.load` or `wbridge.from_text`.

    `sim["BOX.translation"]` reads a field and sets it; `sim.core` is the simulator below, with everything
    else that it can do. Several simulations can be used at once, also in several threads (one each).
    """

    def __init__(self, core: Core, controllers: str = "processes") -> None:
        """
        Args:
            core: a simulation that was not stepped yet.
            controllers: how controllers of the world run, see `load`.
        """
        self._core = core
        self._fields = Fields(core)
        self.stepper = Steps(core, controllers, LoadOptions(core.world.allow_missing))
        """Makes the steps."""
        self._robots: list[Robot] | None = None
        self._by_name: dict[str, Robot] = {}
        self._nodes: dict[str, Node] = {}

    def __repr__(self) -> str:
        return f"<Simulation {self.path} at {self.time:g} s>"

    @property
    def core(self) -> Core:
        """The simulator below. Steps are slower from now on, because it may change in any way."""
        self.stepper.is_watched = True
        self.stepper.changed()
        return self._core

    @property
    def path(self) -> str:
        """Path of the world."""
        return self._core.world.path

    # Time.

    @property
    def time(self) -> float:
        """Simulated time (s)."""
        return self._core.physics.time

    @property
    def step_ms(self) -> float:
        """The basic time step (ms): WorldInfo.basicTimeStep."""
        return self._core.step_s * 1000

    def step(self, ms: float | None = None) -> None:
        """Simulate a basic time step, or some milliseconds, a multiple of it.

        Raises:
            ValueError: the milliseconds are not a multiple of the basic time step.
            UnstableError: a body is in an invalid state; the step is complete.
        """
        self.stepper.make(1 if ms is None else self.count(ms))

    def count(self, ms: float) -> int:
        """Return the number of basic time steps of a time (ms).

        Raises:
            ValueError: it is not a multiple of the basic time step.
        """
        basic = self.step_ms
        allowed = f"a multiple of the basic time step of {basic:g} ms"
        return round(real(ms, "step", allowed, lambda time: _is_multiple(time, basic)) / basic)

    def run(self, seconds: float) -> None:
        """Simulate some time (s), rounded to the nearest whole number of basic time steps; the next call
        compensates for the rounding.

        Raises:
            ValueError: the time is negative or infinite.
            UnstableError: as for `step`.
        """
        self.stepper.make(self.stepper.count_of(duration(seconds)))

    def reset(self, seed: int | None = None) -> None:
        """Go back to the start: time 0, and the world as it was loaded. Sensors stay enabled, other robots'
        controllers start again.

        Args:
            seed: of everything that is random from now on; None: as at the start.
        """
        number = None if seed is None else whole(seed, "seed") & 0xFFFFFFFF
        self.stepper.restart()
        if number is not None:
            self._core.physics.engine.seed(number)

    # States.

    def save(self) -> bytes:
        """Return everything that changes while stepping, for `load`: bodies, joints, motors, sensors, fields
        and random numbers, but not the programs of controllers. The bytes are valid in other processes."""
        self.stepper.changed()
        for readings in self.stepper.readings:
            readings.keep()
        try:
            return self._core.state()
        finally:
            for readings in self.stepper.readings:
                readings.take_back()

    def load(self, state: bytes) -> None:
        """Go back to a state that `save` returned, of this simulation or another one of the same world.

        Raises:
            StateError: the state belongs to another world; nothing is changed then.
        """
        self.stepper.changed()
        self._core.restore(state)
        for readings in self.stepper.readings:
            readings.loaded()

    def hash(self) -> str:
        """Return a hash over the bits of all poses, velocities and joint positions, and the step count, as
        `wbridge run` prints it."""
        return self._core.hash()

    # What the world contains.

    def __getitem__(self, place: str) -> Value:
        return self._fields.get(place)

    def __setitem__(self, place: str, value: Value) -> None:
        self.stepper.changed()
        self._fields.set(place, value)
        self.stepper.follow()

    def node(self, name: str) -> Node:
        """Return a node: a DEF name, or a path of DEF names, names and fields, as in `sim[...]`.

        Raises:
            UnknownNameError: there is no such node.
        """
        node = self._fields.node(name)
        known = self._nodes.get(name)
        if known is None or known.node is not node:
            known = self._nodes[name] = Node(self._core, node, self.stepper.changed)
        return known

    @property
    def robots(self) -> tuple[Robot, ...]:
        """All robots, in the order of the world."""
        return tuple(self._found_robots())

    def robot(self, name: str | None = None) -> Robot:
        """Return a robot by its field `name` or its DEF name; None: the only one of the world.

        Raises:
            UnknownNameError: there is no such robot, or there are several and no name was given.
        """
        robots = self._found_robots()
        if name is None and len(robots) == 1:
            return robots[0]
        if name is None or name not in self._by_name:
            what = (
                f"{self.path} has {len(robots)} robots"
                if name is None
                else f'{self.path} has no robot "{name}"'
            )
            raise unknown(what, name or "", self._by_name, "robots")
        return self._by_name[name]

    def _found_robots(self) -> list[Robot]:
        if self._robots is not None:
            return self._robots
        robots = self._core.robots
        if not self._by_name:
            robots.watchers.append(self._forget_robots)
        known = {robot.core: robot for robot in self._by_name.values()}
        self._robots = found_robots = [
            known.get(core_robot) or Robot(self._core, core_robot, self.stepper) for core_robot in robots
        ]
        self._by_name = {}
        for robot in found_robots:
            self._by_name.setdefault(robot.name, robot)
        for robot in found_robots:
            self._by_name.setdefault(instance_of(robot.node).def_name or robot.name, robot)
        return found_robots

    def _forget_robots(self) -> None:
        """Robots were added or removed, or have other nodes."""
        self._robots = None
        for robot in self._by_name.values():
            robot.node = robot.core.node

    def contacts(self, forces: bool = False) -> Contacts:
        """Return the contact points of all solids.

        Args:
            forces: True: the contacts that acted in the last step, with their forces, which are measured from
                the first such call on; False: those at the present poses.
        """
        self._core.check_open()
        if forces:
            self.stepper.changed()
        return contacts_of(self._core, forces)

    def cast_rays(self, origins: ArrayLike, directions: ArrayLike, length: float = FARTHEST) -> Hits:
        """Return what rays meet first: bounding objects, as distance sensors do. Nothing in the world
        changes.

        Args:
            origins: (n, 3) m in the world, or one (3,) for all rays.
            directions: (n, 3), or one (3,) for all, of any length but 0.
            length: what is farther away is not met (m).

        Raises:
            ValueError: shapes or numbers do not fit.
        """
        self._core.check_open()
        return cast_rays(self._core, origins, directions, length)

    # Views.

    def picture(self) -> NDArray[np.uint8]:
        """Return what the Viewpoint sees: (height, width, 3) red, green, blue from the top left.

        Raises:
            RenderError: there is no OpenGL; the message says what to install.
        """
        self._core.check_open()
        return self._core.main_view.picture()[..., 2::-1]

    def view(self, seconds: float = 0.0, height: int = 480) -> NotebookView:
        """Simulate some time (s), and return what a cell of a notebook shows of it: the world in 3D.

        Args:
            seconds: 0 shows the world as it is.
            height: of the cell (pixels).
        """
        from wbridge.wbcore.view.notebook import NotebookView  # start-up: few scripts are notebooks

        self._core.check_open()
        pixels = real(height, "height", "1 or more pixels", lambda number: 1 <= number < float("inf"))
        return NotebookView(self._core, duration(seconds), round(pixels), self.step)

    def record(self, path: str | Path, plot: Sequence[str] = ()) -> AbstractContextManager[None]:
        """Record steps as a page for the browser: `with sim.record("run.html"): sim.run(2)`.

        Args:
            path: of the page, which is complete after the `with` statement; an existing file is replaced.
            plot: sensors to plot, "ROBOT.SENSOR" or patterns such as "arm.*"; those that are off are enabled.
                Without robots that the script drives already, all can be named.

        Raises:
            UnknownColumn: nothing to plot has such a name.
            OSError: the file cannot be written.
        """
        from wbridge.api.recording import record  # start-up: few scripts record

        self._core.check_open()
        driven = [robot for robot in self.robots if robot.is_driven] or self.robots
        return record(self._core, self.stepper, path, driven, plot)

    def _repr_html_(self) -> str:
        return self.view()._repr_html_()

    # The end.

    def close(self) -> None:
        """End the controllers and the physics plugin. Poses, fields and readings can still be read; what
        steps, changes or draws the world raises a RuntimeError."""
        self.stepper.close()
        self._core.close()
