"""`Driver`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.driver import Driver

__all__ = ["Driver"]
