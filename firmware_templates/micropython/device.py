"""Base classes of the controller's devices."""

from wb import channels, robot, table


class Device:
    """A device of the robot, found by name or tag."""

    def __init__(self, name):
        self._tag = name if isinstance(name, int) else robot.tag_of(name)
        if not self._tag:
            raise ValueError("the robot has no device " + repr(name))
        self._row = table.DEVICES[self._tag]
        robot.objects[self._tag] = self

    def __getattr__(self, name):
        raise AttributeError("a board's " + type(self).__name__ + " has no " + name)

    @property
    def tag(self):
        """The tag of the device, from 1."""
        return self._tag

    @property
    def name(self):
        """The field `name`."""
        return self._row["name"]

    @property
    def model(self):
        """The field `model`."""
        return self._row["model"]

    @property
    def node_type(self):
        """The number of the node type."""
        return self._row["node"]

    def getName(self):
        """Return the field `name`."""
        return self.name

    def getModel(self):
        """Return the field `model`."""
        return self.model

    def getNodeType(self):
        """Return the number of the node type."""
        return self.node_type


class Sensor(Device):
    """A device with a sampling period and a value."""

    def __init__(self, name, sampling_period=None):
        super().__init__(name)
        if not isinstance(name, int):
            self.enable(table.DEVICES[0]["basic_time_step"] if sampling_period is None else sampling_period)

    def enable(self, p):
        """Set the sampling period in ms; 0 disables the sensor."""
        channels.enable(self._row["value"], p)

    def disable(self):
        """Disable the sensor; it keeps its last value."""
        channels.enable(self._row["value"], 0)

    def getSamplingPeriod(self):
        """Return the sampling period in ms, 0 if the sensor is disabled."""
        return channels.period(self._row["value"])

    sampling_period = property(getSamplingPeriod, enable)

    def get_value(self):
        """Return the last value; NaN before the first."""
        return channels.read(self._row["value"])

    def get_values(self):
        """Return the last three numbers."""
        value = channels.read(self._row["value"])
        return value if isinstance(value, list) else [channels.NAN] * 3
