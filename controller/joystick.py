"""`Joystick`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.joystick import Joystick

__all__ = ["Joystick"]
