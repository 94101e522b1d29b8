"""`Motor`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.motor import Motor

__all__ = ["Motor"]
