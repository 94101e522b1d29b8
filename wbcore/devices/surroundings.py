"""The interfaces through which devices access the simulation."""

from __future__ import annotations

from typing import Protocol

from wbridge.wbcore.devices.sound_mix import SoundMix
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.visual.drawn import Drawn
from wbridge.wbcore.visual.hidden import HiddenNodes
from wbridge.wbcore.visual.ink import Inks
from wbridge.wbcore.visual.laser_spots import Laser
from wbridge.wbcore.visual.live_textures import LiveTextures
from wbridge.wbcore.visual.measured_lights import MeasuredLights
from wbridge.wbcore.visual.scene import VisualScene
from wbridge.wbcore.visual.views import Pictures
from wbridge.wbcore.world.docks import Docks
from wbridge.wbcore.world.edits import Edits
from wbridge.wbcore.world.node_ids import NodeIds
from wbridge.wbcore.world.radio import RadioMedium
from wbridge.wbcore.world.random_source import RandomSource


class Shared(Protocol):
    """What the devices of all robots share."""

    @property
    def radio(self) -> RadioMedium:
        """The packets of the current step."""

    @property
    def docks(self) -> Docks:
        """All connectors."""


class Surroundings(Protocol):
    """The simulation, as devices see it."""

    has_fine_cameras: bool
    """Whether cameras draw with fine looks."""
    sound_mix: SoundMix | None
    """What is heard during a run; None: nobody listens."""
    lasers: dict[Laser, None]
    """The lasers that are on, whose spots are drawn."""

    @property
    def world(self) -> World:
        """The scene tree."""

    @property
    def physics(self) -> PhysicsWorld:
        """Bodies, joints, rays."""

    @property
    def visual(self) -> VisualScene:
        """The visible shapes, for rays that detect them."""

    @property
    def lights(self) -> MeasuredLights:
        """The lights, for sensors that measure them."""

    @property
    def renderer(self) -> Pictures:
        """Draws pictures. Raises RenderError without OpenGL."""

    def check_open(self) -> None:
        """Raise RuntimeError if the simulation is closed."""

    def drawings(self, robot: str | None = None) -> tuple[Drawn, ...]:
        """Return what is drawn besides shapes, in the main view or in the cameras of a robot."""

    @property
    def nodes(self) -> NodeIds:
        """The numbers of nodes."""

    @property
    def random(self) -> RandomSource:
        """The world's random source."""

    @property
    def edits(self) -> Edits:
        """Changes of the tree."""

    @property
    def hidden(self) -> HiddenNodes:
        """Nodes that supervisors hide from cameras, range finders and lidars."""

    @property
    def live_textures(self) -> LiveTextures:
        """What displays and pens show on shapes."""

    @property
    def inks(self) -> Inks:
        """What pens have painted."""

    @property
    def robots(self) -> Shared:
        """What all robots share."""

    @property
    def step_s(self) -> float:
        """The basic time step (s)."""

    @property
    def time_ms(self) -> float:
        """Simulated time (ms)."""

    def set_field(self, node: Node, name: str, value: object) -> None:
        """Set a field of a node and update physics, devices and controllers."""
