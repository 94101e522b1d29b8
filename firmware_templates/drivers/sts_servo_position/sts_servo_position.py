"""The position that a Feetech servo reports."""


class Driver:
    """The sensor."""

    def __init__(self, settings, drivers):
        self._motor, self._drivers = settings["motor"], drivers

    def position(self):
        """Return the position; None if the servo does not answer."""
        servo = self._drivers.get(self._motor)
        return None if servo is None else servo.present()
