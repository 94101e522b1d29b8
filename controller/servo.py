"""`Servo`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from hal.controller.by_hand.former import Servo

__all__ = ["Servo"]
