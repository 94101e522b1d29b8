"""A simulated world for programs: load, step, read, save and restore.

    from wbridge.wbcore import Simulation

    with Simulation("worlds/two_wheels.wbt") as simulation:
        simulation.run(2.0)
        print(simulation.node("TWO_WHEELS").translation, simulation.hash())

Robots have their devices here; `wbridge.wbcore.controllers` runs their controllers. Several simulations can
coexist, also in several threads (one each).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wbridge.hal.closing import Closing
from wbridge.wbcore.physics import monitor
from wbridge.wbcore.physics.errors import (
    PluginError,
    SimulationError,
    StateError,
    UnknownNodeError,
    WorldError,
)
from wbridge.wbcore.physics.initial import InitialState
from wbridge.wbcore.physics.node_view import NodeView
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.physics_plugins.options import PluginOptions
from wbridge.wbcore.robots.parts import SupervisorPart
from wbridge.wbcore.robots.simulation_host import SimulationHost, StandaloneHost
from wbridge.wbcore.scene.checks import load_checked
from wbridge.wbcore.scene.contact_law import choose_law
from wbridge.wbcore.scene.diagnostics import Diagnostic, did_you_mean
from wbridge.wbcore.scene.load import LoadOptions, World
from wbridge.wbcore.scene.node import Node, walk
from wbridge.wbcore.scene.resets import reset_invalid
from wbridge.wbcore.visual.hidden import HiddenNodes
from wbridge.wbcore.visual.ink import Inks
from wbridge.wbcore.visual.live_textures import LiveTextures
from wbridge.wbcore.world.edits import Edits
from wbridge.wbcore.world.free_bodies import FreeBodies
from wbridge.wbcore.world.node_ids import NodeIds
from wbridge.wbcore.world.packing import split, with_plain
from wbridge.wbcore.world.random_source import RandomSource

if TYPE_CHECKING:
    from wbridge.wbcore.devices.sound_mix import SoundMix
    from wbridge.wbcore.physics_plugins.plugin import PhysicsPlugin
    from wbridge.wbcore.render.renderer import Renderer
    from wbridge.wbcore.robots.robot import Robot
    from wbridge.wbcore.robots.robots import Robots  # start-up: 146 ms, not for physics alone
    from wbridge.wbcore.supervisor.view import Label
    from wbridge.wbcore.view.notebook import NotebookView
    from wbridge.wbcore.visual.drawn import Drawn
    from wbridge.wbcore.visual.laser_spots import Laser
    from wbridge.wbcore.visual.main_view import MainView
    from wbridge.wbcore.visual.measured_lights import MeasuredLights
    from wbridge.wbcore.visual.scene import VisualScene  # start-up: 15 ms, few devices need it

FAST = 2

__all__ = [
    "NodeView",
    "PluginError",
    "PluginOptions",
    "Simulation",
    "SimulationError",
    "StateError",
    "UnknownNodeError",
    "WorldError",
]


class Simulation(Closing):
    """A world that can be stepped.

    Args:
        world: path of a `.wbt` file, or a loaded world.
        seed: overrides WorldInfo.randomSeed.
        options: how to load a path.
        plugin: how to load the physics plugin that WorldInfo names.
        contacts: the law of contact, "webots" or "precise"; None: that of WorldInfo.info, or "webots".
        solver: of exact steps, "sparse" or "dense" (default: $WBRIDGE_SOLVER, otherwise "sparse").

    Raises:
        WorldError: the file has errors; all of them are in `findings`.
        ValueError: there is no such law of contact or solver, or the world has no WorldInfo to name the law.
        PluginError: the physics plugin cannot be loaded.
    """

    def __init__(
        self,
        world: str | Path | World,
        seed: int | None = None,
        options: LoadOptions | None = None,
        plugin: PluginOptions | None = None,
        contacts: str | None = None,
        solver: str | None = None,
    ) -> None:
        if not isinstance(world, World):
            world = load_checked(world, options)
        if world.report.errors:
            raise WorldError(world.path, world.report.errors)
        self.world = world
        if contacts is not None:
            choose_law(world, contacts)
        reset_invalid(world)
        self.physics = PhysicsWorld(world, seed, solver)
        self.overlaps = monitor.overlaps(self.physics)
        self.initial = InitialState(self.physics)
        """The state to which `reset` returns."""
        self._robots: Robots | None = None
        self._visual: VisualScene | None = None
        self._lights: MeasuredLights | None = None
        self._renderer: Renderer | None = None
        self._main_view: MainView | None = None
        self._requests: list[Callable[[], None]] = []
        self._reset_wanted = False
        self.is_closed = False
        self._owed_s = 0.0
        """Time (s) that calls of `run` still have to simulate, or have simulated in excess."""
        self.random = RandomSource(self.physics)
        self.sound_mix: SoundMix | None = None
        """What is heard during a run; None: nobody listens."""
        self.nodes = NodeIds(world)
        self.bodies = FreeBodies(self.physics)
        self.edits = Edits(world, self.physics, self.nodes, self.bodies, self.initial)
        self.host: SimulationHost = StandaloneHost()
        """Carries out requests of supervisors for the run."""
        self.selected: Node | None = None
        """The node that the user has selected."""
        self.hidden = HiddenNodes()
        """Nodes that supervisors hide from cameras, range finders, lidars and viewpoints."""
        self.view_size = (1280, 720)
        """Width and height of exported pictures of the main view (pixels)."""
        self.has_fine_looks = False
        """Whether people see soft shadows, light from the sky that is seen, and a tone map as of film."""
        self.has_fine_cameras = False
        """Whether cameras of robots see the same."""
        self.live_textures = LiveTextures()
        """What displays and pens show on shapes."""
        self.inks = Inks(self.live_textures)
        self.lasers: dict[Laser, None] = {}
        """The lasers that are on, whose spots are drawn."""
        """What pens have painted."""
        self.node_states: dict[tuple[Node, str], Any] = {}
        """States that supervisors have saved, by node and name."""
        self.mode = FAST
        """0: paused, 1: real time, 2: as fast as possible."""
        self.console: Callable[[Robot, str, bool], None] = _print
        """Called with what controllers write to the console: robot, text, whether it is an error."""
        self.plugin = self._load_plugin(plugin or PluginOptions())
        """The physics plugin, if the world has one."""

    def _load_plugin(self, options: PluginOptions) -> PhysicsPlugin | None:
        files = self.world.plugin
        if files is None or not options.is_wanted:
            return None
        from wbridge.wbcore.physics_plugins.plugin import PhysicsPlugin  # start-up: few worlds have a plugin

        if self.world.may_lack_plugin and files.library is files.script is None and options.build is None:
            text = f"the physics plugin '{files.name}' is not built; the simulation runs without it"
            self.world.report.warning("no-plugin", text, self.world.source)
            return None
        return PhysicsPlugin(files, self.physics, options)

    @property
    def findings(self) -> list[Diagnostic]:
        """Errors and warnings of loading the world and building its physics."""
        return [*self.world.report, *self.physics.plan.report]

    @property
    def step_s(self) -> float:
        """Length of a step (s): WorldInfo.basicTimeStep."""
        return float(self.physics.engine.dt)

    @property
    def time(self) -> float:
        """Simulated time (s)."""
        return self.physics.time

    @property
    def steps(self) -> int:
        """Number of steps since the start."""
        return int(self.physics.engine.steps)

    @property
    def time_ms(self) -> float:
        """Simulated time (ms)."""
        physics = self.physics
        return physics.clock.at(physics.builder.engine.steps) * 1000

    @property
    def robots(self) -> Robots:
        """The robots with their devices, created on first use; from then on they work in each step."""
        if self._robots is None:
            from wbridge.wbcore.robots.robots import Robots  # start-up: 146 ms, not for physics alone

            self._robots = self.edits.robots = Robots(self, self._make_supervisor)
            if self.plugin is not None:
                self.plugin.join(self._robots)
        return self._robots

    @property
    def visual(self) -> VisualScene:
        """The visible world for rays, created on first use."""
        if self._visual is None:
            from wbridge.wbcore.visual.scene import VisualScene  # start-up: 15 ms, few devices need it

            self._visual = VisualScene(self.physics, self.edits, self.live_textures)
        return self._visual

    @property
    def lights(self) -> MeasuredLights:
        """The lights, for sensors; created on first use."""
        if self._lights is None:
            from wbridge.wbcore.visual.measured_lights import MeasuredLights  # start-up: few devices need it

            self._lights = MeasuredLights(self.physics, self.edits)
        return self._lights

    @property
    def renderer(self) -> Renderer:
        """Draws pictures of the world; created on first use, which imports and starts OpenGL.

        Raises:
            RenderError: there is no OpenGL; the message says what to install.
        """
        if self._renderer is None or self._renderer.context.is_lost:
            from wbridge.wbcore.render.renderer import Renderer  # start-up: 150 ms and more

            self._renderer = Renderer(self)
        return self._renderer

    def drawings(self, robot: str | None = None) -> tuple[Drawn, ...]:
        """Return the spots of lasers, and what the physics plugin draws: in the main view, or in the cameras
        of a robot.

        Raises:
            PluginError: the plugin fails.
        """
        made: list[Drawn] = []
        if self.lasers:
            from wbridge.wbcore.visual.laser_spots import drawn_spots  # start-up: few worlds have lasers

            made += drawn_spots(self.world, self.lasers)
        if self.plugin is not None and self.plugin.draws:
            made += self.plugin.drawn(robot)
        return tuple(made)

    @property
    def main_view(self) -> MainView:
        """Takes pictures of what the Viewpoint sees; created on first use."""
        if self._main_view is None:
            from wbridge.wbcore.visual.main_view import MainView  # start-up: few runs take pictures

            self._main_view = MainView(self)
        return self._main_view

    def view(self, duration: float = 0.0, height: int = 480) -> NotebookView:
        """Step for `duration` (s), and return what a cell of a notebook shows of it: the world in 3D.

        Args:
            duration: 0 shows the world as it is.
            height: of the cell (pixels).

        Raises:
            ValueError: the duration is negative or infinite.
            UnstableError: as for `step`.
        """
        from wbridge.wbcore.view.notebook import NotebookView  # start-up: few programs are notebooks

        return NotebookView(self, duration, height)

    @property
    def known_robots(self) -> Robots | None:
        """The robots, if they were created."""
        return self._robots

    @property
    def labels(self) -> list[Label]:
        """The labels that supervisors show in the view, robot by robot, by their numbers."""
        parts = [robot.supervisor for robot in self.known_robots or ()]
        shown = [part.labels for part in parts if part is not None]
        return [label for labels in shown for _, label in sorted(labels.items())]

    def step(self, count: int = 1) -> None:
        """Make basic time steps.

        Raises:
            ValueError: the count is negative.
            UnstableError: a body is in an invalid state; the step is complete.
        """
        if count < 0:
            raise ValueError(f"count must be 0 or more, not {count}")
        if self._robots is None:
            self.physics.step(count)
            return
        robots, physics = self._robots, self.physics
        for _ in range(count):
            robots.before_step()
            physics.step()
            robots.after_step()
            if self._requests or self._reset_wanted:
                self._finish()

    @property
    def is_plain(self) -> bool:
        """True if a step is one of the engine only, because no part of a robot works in it."""
        if self._requests or self._reset_wanted or self.physics.drives:
            return False
        return self._robots is None or self._robots.are_idle

    def _make_supervisor(self, robot: Robot) -> SupervisorPart:
        # Most worlds have no supervisor.
        from wbridge.wbcore.robots.supervisor import Supervisor  # start-up: 10 ms, only for supervisors

        return Supervisor(robot, self)

    def pin(self, robot: Robot, on: bool) -> None:
        """Fix a robot to the world at its pose at the end of the step, or release it."""
        self.at_end_of_step(lambda: self._pin(robot, on))

    def _pin(self, robot: Robot, on: bool) -> None:
        if robot not in self.robots.list:
            return  # it was removed from the world in the same step
        ties, node = self.physics.ties, robot.node
        held = next((tie for tie in ties if tie.child is node and tie.parent is None), None)
        if not on and held is not None:
            ties.release(held)
        if on and held is None:
            ties.tie(node)

    def at_end_of_step(self, action: Callable[[], None]) -> None:
        """Call a function once, at the end of the current or next step."""
        self._requests.append(action)

    def reset_at_end_of_step(self) -> None:
        """Reset at the end of the current or next step, and inform the host."""
        self._reset_wanted = True

    def _finish(self) -> None:
        requests, self._requests = self._requests, []
        for action in requests:
            action()
        if self._reset_wanted:
            self.reset()
            self.host.was_reset()

    def set_mode(self, mode: int) -> None:
        """Change the mode (0 paused, 1 real time, 2 fast), and inform robots and host."""
        self.mode = mode
        for robot in self.known_robots or ():
            robot.send_newest("simulation_mode", mode)
        self.host.mode_changed(mode)

    def run(self, duration: float) -> None:
        """Step for `duration` (s), rounded to the nearest whole number of steps.

        The next call compensates for the rounding, so that many short runs take as long as one of their sum;
        `reset` clears the remainder.

        Raises:
            ValueError: the duration is negative or infinite.
            UnstableError: as for `step`.
        """
        self.step(self.steps_of(duration))

    def steps_of(self, duration: float) -> int:
        """Return how many steps `run` makes, for programs that make them in another way, and count the
        duration (s) as simulated.

        Raises:
            ValueError: the duration is negative or infinite.
        """
        if not 0 <= duration < float("inf"):
            raise ValueError(f"duration must be 0 or more seconds, not {duration}")
        wanted = self._owed_s + duration
        steps = max(0, round(wanted / self.step_s))
        self._owed_s = wanted - steps * self.step_s
        return steps

    def state(self) -> bytes:
        """Return everything that changes while stepping, for `restore`: bodies, devices, fields.

        It includes the variables of a physics plugin that has the functions webots_physics_save and
        webots_physics_restore; without them, a warning tells that they are missing. It does not include
        programs of controllers, what a view shows, or states saved by `saveState`. The bytes are compressed,
        and valid in other processes.

        Raises:
            TypeError: a physics plugin in Python saves other values than numbers, texts, bytes, lists and
                dicts.
            PluginError: the physics plugin fails.
        """
        robots = None
        if self._robots is not None:
            from wbridge.wbcore.robots import memory  # start-up: 148 ms with the robots

            robots = memory.save(self._robots)
        kept = {"fields": self.edits.journal.save(), "robots": robots, "owed": self._owed_s}
        kept["plugin"] = self.plugin.save() if self.plugin is not None else None
        return with_plain(self.physics.save(), kept)

    def restore(self, state: bytes) -> None:
        """Restore a state of this simulation, or of another one of the same world, bit by bit.

        Raises:
            StateError: the state belongs to another world or another physics plugin, or solids or devices
                were added, removed or rebuilt since; nothing is changed then.
            PluginError: the physics plugin fails.
        """
        from wbridge.wbcore.robots import memory  # start-up: 148 ms with the robots

        try:
            physics, kept = split(state)
            if kept["robots"] is not None:
                memory.check(self.robots, kept["robots"])
            self._check_plugin(kept["plugin"])
            take_back = self.edits.journal.load(kept["fields"])
        except ValueError as refusal:
            raise StateError(f"{self.world.path}: not a state of this world: {refusal}") from None
        try:
            self.physics.restore(physics)
        except StateError:
            take_back()
            raise
        if self._visual is not None:
            self._visual.forget_step()
        self._requests, self._reset_wanted = [], False
        self._owed_s = kept["owed"]
        if self.plugin is not None:
            self.plugin.restore(kept["plugin"])
        if kept["robots"] is not None:
            memory.load(self.robots, kept["robots"])
        elif self._robots is not None:
            self._robots.reset()

    def _check_plugin(self, saved: dict[str, Any] | None) -> None:
        why = "" if self.plugin is None else self.plugin.misfit(saved)
        if why:
            raise ValueError(why)

    def reset(self) -> None:
        """Reset to the start: time 0, all poses, velocities and motors as loaded.

        Nodes added since are removed, and fields get their initial values; removed nodes do not come back.
        Fields for controllers only (customData, controller, controllerArgs) stay.
        """
        self._requests, self._reset_wanted = [], False
        self.is_closed = False
        self._owed_s = 0.0
        if self.plugin is not None:
            self.plugin.stop()
        follow = self.edits.undo()
        self.initial.bring_back()
        follow()
        if self.plugin is not None:
            self.plugin.restart()
        if self._robots is not None:
            self._robots.reset()

    def hash(self) -> str:
        """Return a hash of 16 hexadecimal digits over the bits of all poses, velocities and joint positions,
        and the step count; with a physics plugin, "+" and its name follow: its own state is not included."""
        plugin = f"+{self.plugin.name}" if self.plugin is not None else ""
        return f"{self.physics.engine.hash():016x}{plugin}"

    def node(self, def_name: str) -> NodeView:
        """Return the node with this DEF name; "A.B" is B inside A.

        Raises:
            UnknownNodeError: no node has this name.
        """
        found = self.world.find(def_name)
        if found is None:
            raise UnknownNodeError(f"no node DEF {def_name} in {self.world.path}{self._hint(def_name)}")
        return NodeView(self.physics, found)

    def _hint(self, def_name: str) -> str:
        """Return the end of a message about an unknown DEF name: where it is hidden, or a similar name."""
        *_, name = def_name.split(".")
        inner = next((node for node in self.world.walk() if node.def_name == name), None)
        while inner is not None:
            if inner.parent is not None and inner.parent.body is inner:
                owner = inner.parent.def_name or inner.parent.type
                return f"; {name} is in the body of the PROTO instance {owner}, where DEF names are hidden"
            inner = inner.parent
        visible = walk(self.world.nodes, into_protos=False)
        return did_you_mean(def_name, [node.def_name for node in visible if node.def_name])

    def set_field(self, node: Node, name: str, value: Any) -> None:
        """Set a field of a node and update physics, devices and controllers.

        Raises:
            KeyError: the node has no such field.
        """
        self.edits.set(node, name, value)

    def sync(self) -> World:
        """Write poses and joint positions into the tree and return it."""
        self.physics.sync()
        return self.world

    def gaps(self) -> list[monitor.Finding]:
        """Return joints whose halves are currently apart because they cannot bear their load."""
        return monitor.gaps(self.physics)

    def contact_limits(self) -> list[monitor.Finding]:
        """Return solids that currently reach their limit of contact points, so that they may tremble."""
        return monitor.contact_limits(self.physics)

    def falls(self) -> list[monitor.Finding]:
        """Return objects that have fallen out of the world."""
        return monitor.falls(self.physics)

    @property
    def solver_fallbacks(self) -> int:
        """Number of steps in which the exact solver failed for an island, so that another one was used.

        Under the law "precise", number of steps with forces that are only approximate.

        Regular stacks can cause this. A larger WorldInfo.CFM avoids it.
        """
        return int(self.physics.engine.fallbacks)

    @property
    def yielded_steps(self) -> int:
        """Number of steps in which contacts yielded, because no forces satisfied all of them.

        Only under the law of contact "precise": bodies that are wedged between others which they overlap
        cause this.
        """
        return int(self.physics.engine.yielded)

    def solver_messages(self) -> list[str]:
        """Other messages of the physics engine since the last call, oldest first."""
        return [str(message) for message in self.physics.engine.messages()]

    def check_open(self) -> None:
        """Before something is done that a closed simulation does not do.

        Raises:
            RuntimeError: it is closed.
        """
        if self.is_closed:
            path = self.world.path
            raise RuntimeError(f"{path}: the simulation is closed; load the world again with wbridge.load")

    def close(self) -> None:
        """End the physics plugin, if the world has one; the simulation must not be stepped any more.

        Raises:
            PluginError: its cleanup fails.
        """
        self.is_closed = True
        if self.plugin is not None:
            self.plugin.end()


def _print(robot: Robot, text: str, is_error: bool) -> None:
    print(text, end="", file=sys.stderr if is_error else sys.stdout, flush=True)
