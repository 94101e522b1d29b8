"""The Pen: ink and write state; drawing is not implemented."""

from __future__ import annotations

from typing import ClassVar

from wbcore.devices.device import Device


class Pen(Device):
    """A pen that stores its state in its fields."""

    KEPT_FIELDS: ClassVar[tuple[str, ...]] = ("write", "inkColor", "inkDensity")

    @property
    def setting(self) -> bool:
        """Whether it writes (field `write`)."""
        return bool(self.node.get("write"))

    def on_write(self) -> None:
        """Start writing."""
        self.robot.warn(f'pen "{self.name}": drawing is not implemented')
        self.set_own_field("write", True)

    def on_lift(self) -> None:
        """Stop writing."""
        self.set_own_field("write", False)

    def on_set_ink_color(self, red: int, green: int, blue: int, density: float) -> None:
        """Set the ink: color components from 0 to 255, density from 0 to 1."""
        if not 0 <= density <= 1:
            raise ValueError(f"a density of {density}; allowed: 0 to 1")
        self.set_own_field("inkColor", (red / 255, green / 255, blue / 255))
        self.set_own_field("inkDensity", density)
