import numpy as np
import pybullet as p
from PIL import Image

p.connect(p.DIRECT)
arm = p.loadURDF("arm.urdf", useFixedBase=True)
view = p.computeViewMatrix((0.9, -0.75, 0.6), (0, 0, 0.2), (0, 0, 1))
lens = p.computeProjectionMatrixFOV(45, 4 / 3, 0.05, 10)
colors = p.getCameraImage(640, 480, view, lens)[2]
Image.fromarray(np.reshape(colors, (480, 640, 4)).astype(np.uint8)).save("arm.png")
