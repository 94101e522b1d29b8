"""LED."""

from wb import channels
from wb.device import Device


class LED(Device):
    """An LED of a robot on a board."""

    def set(self, value):
        """Set the value."""
        channels.command(self._row["value"], int(value))

    def get(self):
        """Return the value that was set last; 0 at first."""
        value = channels.read(self._row["value"])
        return 0 if value != value else int(value)
