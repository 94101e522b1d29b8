"""A barometer: the pressure at the device's altitude, in the registers of a BMP280 with the calibration of
the data sheet's example."""

from __future__ import annotations

from collections.abc import Sequence

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.bus_parts import READING_MS, byte
from wbridge.wbverify.coupling.couplings import BoardNumbers, PinEvent, SensorCoupling, Values
from wbridge.wbverify.part_settings import PartSetting

EXAMPLE = (27504, 26435, -1000, 36477, -10685, 3024, 2855, 140, -7, 15500, -14600, 6000)
"""Calibration: T1 to T3, P1 to P9."""
TEMPERATURE = 519888
"""Reading of the temperature in the example: 25.08 degrees Celsius."""
CALIBRATION, IDENTIFICATION, ITS_NAME, PRESSURE_AT, TEMPERATURE_AT = 0x88, 0xD0, 0x58, 0xF7, 0xFA
BITS = 20
MEASURE, FILTER = 0xF4, 0xF5
MODE_BITS, SAMPLES_BITS, SAMPLES_16, FILTER_BITS, FILTER_16 = 0x03, 0x1C, 5 << 2, 0x1C, 4 << 2
SHEET = "BMP280 data sheet"
SCALE, POWER = 44330.76923, 0.1902632
BOUND_M = 0.1
"""Boards with numbers of 32 bits compute the pressure to a few tenths of a pascal; a pascal is 8 cm."""


def pressure(raw: float, temperature: float = TEMPERATURE) -> float:
    """Return the pressure (Pa) of a reading, by the data sheet's formulas for floating-point numbers."""
    t1, t2, t3, p1, p2, p3, p4, p5, p6, p7, p8, p9 = EXAMPLE
    fine = (temperature / 16384 - t1 / 1024) * t2 + (temperature / 131072 - t1 / 8192) ** 2 * t3
    offset = fine / 2 - 64000
    two = offset * offset * p6 / 32768 + offset * p5 * 2
    two = two / 4 + p4 * 65536
    offset = (p3 * offset * offset / 524288 + p2 * offset) / 524288
    offset = (1 + offset / 32768) * p1
    pressure = (1048576 - raw - two / 4096) * 6250 / offset
    return pressure + (p9 * pressure * pressure / 2147483648 + pressure * p8 / 32768 + p7) / 16


def altitude(pascal: float, sea_level: float) -> float:
    """Return the altitude (m) of a pressure, in the international standard atmosphere; `sea_level` in hPa."""
    return float(SCALE * (1 - (pascal / 100 / sea_level) ** POWER))


def part_registers(address: int) -> list[PinEvent]:
    """Return a part with this calibration."""
    data = b"".join((number % 65536).to_bytes(2, "little") for number in EXAMPLE)
    return [
        *(byte(address, CALIBRATION + k, value) for k, value in enumerate(data)),
        byte(address, IDENTIFICATION, ITS_NAME),
        *_reading(address, TEMPERATURE_AT, TEMPERATURE),
        *_reading(address, PRESSURE_AT, 1 << BITS - 1),
    ]


def _reading(address: int, register: int, number: int) -> list[PinEvent]:
    data = (number << 4).to_bytes(3, "big")
    return [byte(address, register + k, value) for k, value in enumerate(data)]


class Barometer(SensorCoupling):
    """Measures the pressure at its altitude, with 20 bits."""

    is_exact = False
    reading = "altitude"
    reading_ms = 2 * READING_MS
    emulators = ("program", "simavr", "rp2040", "micropython")

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._address, self._sea_level = int(wiring.values["address"]), float(wiring.values["sea_level"])
        self._raw: int | None = None

    def start(self) -> list[PinEvent]:
        """See `SensorCoupling`."""
        return part_registers(self._address)

    def power_up(self) -> list[PinEvent]:
        """See `SensorCoupling`: the part sleeps, without a filter."""
        return [byte(self._address, register, 0) for register in (MEASURE, FILTER)]

    def settings(self) -> Sequence[PartSetting]:
        """See `SensorCoupling`: it measures all the time, with 16 samples of the pressure, filtered."""
        part = f"I2C:{self._address}"
        return [
            PartSetting("sleep", f"{part}:{MEASURE}", MODE_BITS, MODE_BITS, f"{SHEET}, 4.3.4"),
            PartSetting("samples", f"{part}:{MEASURE}", SAMPLES_BITS, SAMPLES_16, f"{SHEET}, 4.3.4"),
            PartSetting("filter", f"{part}:{FILTER}", FILTER_BITS, FILTER_16, f"{SHEET}, 4.3.5"),
        ]

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`: pressure falls with the altitude, and readings fall with the pressure."""
        wanted = self._sea_level * 100 * (1 - values[0] / SCALE) ** (1 / POWER)
        low, high = 0, (1 << BITS) - 1
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if pressure(middle) > wanted else (low, middle)
        self._raw = low
        return (altitude(pressure(low), self._sea_level),)

    def events(self) -> list[PinEvent]:
        """See `SensorCoupling`."""
        return [] if self._raw is None else _reading(self._address, PRESSURE_AT, self._raw)

    def expected(self, read: float, passed_ms: float) -> tuple[float, float]:
        """See `SensorCoupling`."""
        if self._raw is None:
            return read, 0.0
        return altitude(pressure(self._raw), self._sea_level), BOUND_M


make = Barometer
