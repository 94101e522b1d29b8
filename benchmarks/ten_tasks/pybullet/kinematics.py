import pybullet as p

p.connect(p.DIRECT)
arm = p.loadURDF("arm.urdf", useFixedBase=True)
print(p.calculateInverseKinematics(arm, 3, (0.3, 0.2, 0.3), maxNumIterations=200, residualThreshold=1e-6))
