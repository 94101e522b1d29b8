"""`Camera` and `CameraRecognitionObject`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from hal.controller.by_hand.values import CameraRecognitionObject
from hal.controller.camera import Camera

__all__ = ["Camera", "CameraRecognitionObject"]
