"""Three sensors at the I2C bus of a robot: their devices, and their part of a hardware map."""

from __future__ import annotations

from typing import Any

DRIVERS = {
    "acceleration": "mpu6050_accelerometer",
    "turning": "mpu6050_gyro",
    "north": "hmc5883l_compass",
}
"""By the names of the devices."""


def sensors(**lookup_tables: list[list[float]]) -> dict[str, tuple[str, dict[str, Any]]]:
    """Types and constants of the devices, by name; those that `lookup_tables` does not name have none."""
    types = dict(zip(DRIVERS, ("Accelerometer", "Gyro", "Compass"), strict=True))
    return {name: (kind, {"lookupTable": lookup_tables.get(name, [])}) for name, kind in types.items()}


def at_the_bus(sda: str, scl: str, **more: str) -> str:
    """Their tables in a hardware map: the pins of the bus, and `more` lines for each by its name."""
    return "".join(
        f'[devices.{name}]\ndriver = "{driver}"\nsda = "{sda}"\nscl = "{scl}"\n{more[name]}\n'
        for name, driver in DRIVERS.items()
    )
