"""The current robot's car and its driver, by the client that the process uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hal.client import session

if TYPE_CHECKING or session.current.__module__ == "hal.modes.session":
    from hal.modes.vehicle.current import begin_car, begin_driver, car, driver, is_car
else:
    from hal.client.native_vehicle import begin_car, begin_driver, car, driver, is_car

__all__ = ["begin_car", "begin_driver", "car", "driver", "is_car"]
