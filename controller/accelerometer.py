"""`Accelerometer`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.accelerometer import Accelerometer

__all__ = ["Accelerometer"]
