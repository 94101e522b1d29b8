import imageio
import numpy as np
import pybullet as p

p.connect(p.DIRECT)
p.setGravity(0, 0, -9.81)
arm = p.loadURDF("arm.urdf", useFixedBase=True)
view = p.computeViewMatrix((0.9, -0.75, 0.6), (0, 0, 0.2), (0, 0, 1))
lens = p.computeProjectionMatrixFOV(45, 4 / 3, 0.05, 10)
pictures = []
for _ in range(60):
    for _ in range(8):
        p.stepSimulation()
    colors = p.getCameraImage(640, 480, view, lens)[2]
    pictures.append(np.reshape(colors, (480, 640, 4)).astype(np.uint8)[:, :, :3])
imageio.mimsave("arm.mp4", pictures, fps=30)
