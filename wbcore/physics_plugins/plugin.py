"""The physics plugin of a simulation: loading, start, reset, end."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Protocol

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.errors import failed
from wbridge.wbcore.physics_plugins.host import PluginHost, PluginRadio
from wbridge.wbcore.physics_plugins.native import NativePlugin
from wbridge.wbcore.physics_plugins.python_plugin import PythonPlugin
from wbridge.wbcore.physics_plugins.saved import FUNCTIONS, SavedPlugin, misfit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wbridge.wbcore.physics.world import PhysicsWorld
    from wbridge.wbcore.physics_plugins.options import PluginOptions
    from wbridge.wbcore.scene.plugin_files import PluginFiles
    from wbridge.wbcore.visual.drawn import Drawn
    from wbridge.wbcore.world.radio import RadioMedium

_LOG = logging.getLogger(__name__)


class LoadedPlugin(Protocol):
    """A plugin in any language."""

    @property
    def native(self) -> _engine.StepPlugin:
        """The part in the engine's steps."""

    def init(self) -> None:
        """Call webots_physics_init."""

    def cleanup(self) -> None:
        """Call webots_physics_cleanup."""

    def receive(self, data: bytes) -> None:
        """Take a packet for dWebotsReceive."""

    @property
    def unread(self) -> bytes:
        """The packets for dWebotsReceive that were not read."""

    @unread.setter
    def unread(self, data: bytes) -> None:
        """Set the packets for dWebotsReceive."""

    @property
    def state_version(self) -> int | None:
        """Version of what the plugin saves; None if it lacks the functions for saved states."""

    def save(self) -> Any:
        """Return the plugin's variables as a plain value; only if it has the functions."""

    def restore(self, variables: Any) -> None:
        """Restore what `save` returned; only if the plugin has the functions."""

    @property
    def draws(self) -> bool:
        """True if the plugin has something to draw."""

    def draw(self, view: str | None) -> list[Drawn]:
        """Call webots_physics_draw; return what it draws in a view: None for the main one, else the name of
        the robot whose camera it is."""


class RadioUsers(Protocol):
    """The robots of a simulation, as far as a plugin exchanges packets with them."""

    radio: RadioMedium
    first_after: list[Callable[[], None]]
    """Called after each physics step, before the devices."""

    def forget_step_calls(self) -> None:
        """Collect again what is called in a step."""


class PhysicsPlugin:
    """The plugin that WorldInfo.physics names, loaded and started."""

    def __init__(self, files: PluginFiles, physics: PhysicsWorld, options: PluginOptions) -> None:
        """Build the plugin if its sources are newer, load it, and call its init.

        Raises:
            PluginError: it cannot be built or loaded, or it fails.
        """
        self._files, self._physics, self._options = files, physics, options
        if files.script is None and options.build is not None:
            options.build(files)
        self._radio: PluginRadio | None = None
        self._has_warned = False
        self._load()

    @property
    def name(self) -> str:
        """The plugin's name."""
        return self._files.name

    def _load(self) -> None:
        files, physics = self._files, self._physics
        self._engine = physics.engine
        self._host = PluginHost(physics, files.name, self._options.print)
        try:
            self._loaded: LoadedPlugin = (
                NativePlugin(files, physics, self._host, self._options)
                if files.script is None
                else PythonPlugin(files, physics, self._host)
            )
            self._engine.attach_plugin(self._loaded.native)
            self._start()
        except _engine.PluginFailure as failure:
            raise failed(self.name, failure) from None

    def _start(self) -> None:
        """Call init, then search contacts with the plugin, as Webots does after loading a world."""
        self._is_started = True
        self._loaded.init()
        self._engine.take_changes_of_plugin()
        self._engine.collide()

    def join(self, robots: RadioUsers) -> None:
        """Connect emitters and receivers."""
        self._radio = robots.radio = PluginRadio(lambda data: self._loaded.receive(data))
        robots.first_after.append(self._deliver)
        robots.forget_step_calls()

    def _deliver(self) -> None:
        """Give the packets of the plugin to the receivers, at the end of a step."""
        if self._host.sent and self._radio is not None:
            sent, self._host.sent = self._host.sent, []
            for packet in sent:
                self._radio.deliver(packet)

    @property
    def draws(self) -> bool:
        """True if the plugin has something to draw."""
        return self._loaded.draws

    def drawn(self, view: str | None = None) -> list[Drawn]:
        """Return what the plugin draws now, between two steps, in the main view or a robot's camera.

        Raises:
            PluginError: it fails.
        """
        try:
            return self._loaded.draw(view) if self._is_started else []
        except _engine.PluginFailure as failure:
            raise failed(self.name, failure) from None

    @property
    def saves(self) -> bool:
        """True if the plugin has the functions for saved states."""
        return self._loaded.state_version is not None

    def save(self) -> dict[str, Any]:
        """Return a plain value for saved states; warn once if the plugin does not save its variables.

        Raises:
            PluginError: it fails.
        """
        loaded, version = self._loaded, self._loaded.state_version
        if version is None and not self._has_warned:
            self._has_warned = True
            _LOG.warning(
                'warning: saved states lack the variables of the physics plugin "%s", which does not define '
                "%s; see docs/physics-plugins.md",
                self.name,
                " and ".join(f"webots_physics_{function}" for function in FUNCTIONS),
            )
        try:
            variables = None if version is None else loaded.save()
        except _engine.PluginFailure as failure:
            raise failed(self.name, failure) from None
        sent = [(sent_packet.channel, sent_packet.data) for sent_packet in self._host.sent]
        return SavedPlugin(version, variables, loaded.unread, sent).to_data()

    def misfit(self, saved: Mapping[str, Any] | None) -> str:
        """Return why the plugin cannot go on from what `save` returned; "" if it can."""
        found = None if saved is None else SavedPlugin.from_data(saved)
        return misfit(found, self._loaded.state_version, self.name)

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore what `save` returned, if it fits.

        Raises:
            PluginError: it fails.
        """
        found = SavedPlugin.from_data(saved)
        self._host.replace_sent(found.sent)
        self._loaded.unread = found.unread
        if found.version is None:
            return
        try:
            self._loaded.restore(found.variables)
        except _engine.PluginFailure as failure:
            raise failed(self.name, failure) from None

    def stop(self) -> None:
        """Call cleanup, before a reset or at the end, once after each init.

        Raises:
            PluginError: it fails.
        """
        if not self._is_started:
            return
        self._is_started = False
        try:
            self._loaded.cleanup()
        except _engine.PluginFailure as failure:
            raise failed(self.name, failure) from None

    def end(self) -> None:
        """Call cleanup, and take no part in steps any more.

        Raises:
            PluginError: it fails.
        """
        self.stop()
        self._engine.attach_plugin(None)

    def restart(self) -> None:
        """Call init after a reset. If the physics was rebuilt, the plugin is loaded again for it.

        Raises:
            PluginError: it fails.
        """
        self._host.sent.clear()
        if self._physics.engine is not self._engine:
            self._engine.attach_plugin(None)
            self._load()
            return
        try:
            self._start()
        except _engine.PluginFailure as failure:
            raise failed(self.name, failure) from None
