"""`RangeFinder`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.range_finder import RangeFinder

__all__ = ["RangeFinder"]
