"""`Lidar`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.lidar import Lidar

__all__ = ["Lidar"]
