import pybullet as p

p.connect(p.DIRECT)
p.setGravity(0, 0, -9.81)
arm = p.loadURDF("arm.urdf", useFixedBase=True)
for _ in range(480):
    p.stepSimulation()
print([p.getJointState(arm, i)[0] for i in range(3)])
