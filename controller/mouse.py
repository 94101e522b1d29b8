"""`Mouse` and `MouseState`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.by_hand.values import MouseState
from wbridge.hal.controller.mouse import Mouse

__all__ = ["Mouse", "MouseState"]
