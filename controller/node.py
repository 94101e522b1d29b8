"""`ContactPoint` and `Node`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.by_hand.scene import ContactPoint
from wbridge.hal.controller.node import Node

__all__ = ["ContactPoint", "Node"]
