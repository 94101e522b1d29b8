"""`ContactPoint` and `Node`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from hal.controller.by_hand.scene import ContactPoint
from hal.controller.node import Node

__all__ = ["ContactPoint", "Node"]
