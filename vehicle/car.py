"""`Car`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.car import Car

__all__ = ["Car"]
