"""A sensor at an analog pin: its value by a linear function, or by a curve."""

from __future__ import annotations

from wbridge.remote_controls.protocols.firmata import PinMode
from wbridge.remote_controls.wiring.part import Part, WiringField, curve, number, pin


class Wiring(Part):
    """value = scale * raw + offset, or between the points of `curve`."""

    TYPES = ("DistanceSensor", "LightSensor", "TouchSensor", "PositionSensor")
    FIELDS = {
        "analog": WiringField(pin, required=True),
        "scale": WiringField(number, 1.0),
        "offset": WiringField(number, 0.0),
        "curve": WiringField(curve),
    }

    def modes(self) -> dict[str, int]:
        """One pin reads."""
        return {self.fields["analog"]: PinMode.ANALOG}

    def value(self, inputs: dict[str, int]) -> float | None:
        """Return the converted value of the pin."""
        raw = inputs.get(self.fields["analog"])
        if raw is None:
            return None
        if self.fields["curve"] is None:
            return float(self.fields["scale"] * raw + self.fields["offset"])
        return _between(self.fields["curve"], raw)


def _between(points: list[tuple[float, float]], raw: float) -> float:
    """Interpolate linearly between points; constant beyond them."""
    if raw <= points[0][0]:
        return points[0][1]
    for (x0, y0), (x1, y1) in zip(points, points[1:], strict=False):
        if raw <= x1:
            return y0 + (y1 - y0) * (raw - x0) / (x1 - x0)
    return points[-1][1]
