"""`Robot`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.robot import Robot

__all__ = ["Robot"]
