"""DistanceSensor: distances converted by the lookup table."""

from wb.device import Sensor


class DistanceSensor(Sensor):
    """A distance sensor of a robot on a board."""

    def get_aperture(self):
        """Return the aperture angle in rad."""
        return self._row["aperture"]

    def get_max_value(self):
        """Return the maximum value."""
        return self._row["max_value"]

    def get_min_value(self):
        """Return the minimum value."""
        return self._row["min_value"]

    def get_type(self):
        """Return the type: 0 generic, 1 infra-red, 2 sonar, 3 laser."""
        return self._row["type"]
