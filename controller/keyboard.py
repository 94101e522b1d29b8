"""`Keyboard`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.keyboard import Keyboard

__all__ = ["Keyboard"]
