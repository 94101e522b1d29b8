"""`Camera` and `CameraRecognitionObject`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.by_hand.values import CameraRecognitionObject
from wbridge.hal.controller.camera import Camera

__all__ = ["Camera", "CameraRecognitionObject"]
