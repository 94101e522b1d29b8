"""`GPS`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.gps import GPS

__all__ = ["GPS"]
