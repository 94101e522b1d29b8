"""`TouchSensor`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.touch_sensor import TouchSensor

__all__ = ["TouchSensor"]
