"""The Connector: docks to another one (see wbridge.wbcore.world.docks)."""

from __future__ import annotations

from wbridge.wbcore.devices.sensor import Sensor
from wbridge.wbcore.world.docks import Dock


class Connector(Sensor):
    """The controller's view of a connector."""

    MESSAGE = "presence"

    @property
    def dock(self) -> Dock | None:
        """The simulated connector in the world."""
        docks = self.simulation.robots.docks
        docks.refresh()
        return docks.of(self.node)

    @property
    def setting(self) -> bool:
        """Whether it is locked (field `isLocked`)."""
        return bool(self.node.get("isLocked"))

    def constants(self) -> dict[str, object]:
        """Whether it is locked."""
        return {"locked": self.setting}

    def on_enable_presence(self, period: int) -> None:
        """Set the sampling period of presence in ms; 0 disables it."""
        self.on_enable(period)

    def on_lock(self) -> None:
        """Lock, and dock to a connector in position."""
        if dock := self._able_dock():
            dock.lock()

    def on_unlock(self) -> None:
        """Unlock, and release the docked connector."""
        if dock := self._able_dock():
            dock.unlock()

    def _able_dock(self) -> Dock | None:
        """Return the dock, with a warning if it cannot lock."""
        dock = self.dock
        if dock is not None and dock.is_passive:
            self.robot.warn(f'connector "{self.name}": passive connectors do not lock; lock the active one')
        return dock

    def measure(self, elapsed: float) -> tuple[object, ...]:
        """Return 1 if docked or in position, 0 if not, -1 for passive connectors."""
        dock = self.dock
        return (dock.presence if dock is not None else 0,)

    def reset(self) -> None:
        """Tell the controller the initial lock; the dock in the world restores it."""
        super().reset()
        self.send_constants()

    def field_changed(self, name: str) -> None:
        """Apply a lock or unlock by a supervisor, and notify the controller."""
        if name == "isLocked":
            (self.on_lock if self.node.get(name) else self.on_unlock)()
            self.send_constants()
