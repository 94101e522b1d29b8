"""`PositionSensor`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.position_sensor import PositionSensor

__all__ = ["PositionSensor"]
