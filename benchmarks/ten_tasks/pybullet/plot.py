import matplotlib.pyplot as plt
import pybullet as p

p.connect(p.DIRECT)
p.setGravity(0, 0, -9.81)
arm = p.loadURDF("arm.urdf", useFixedBase=True)
p.setJointMotorControl2(arm, 2, p.POSITION_CONTROL, targetPosition=0.5, force=20)
values = []
for _ in range(480):
    p.stepSimulation()
    values.append(p.getJointState(arm, 2)[0])
plt.plot(values)
plt.savefig("elbow.png")
