"""`Mouse` and `MouseState`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from hal.controller.by_hand.values import MouseState
from hal.controller.mouse import Mouse

__all__ = ["Mouse", "MouseState"]
