"""`Field`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.field import Field

__all__ = ["Field"]
