import pybullet as p

p.connect(p.DIRECT)
arm = p.loadURDF("arm.urdf", useFixedBase=True)
print([p.getJointInfo(arm, i)[1] for i in range(p.getNumJoints(arm))])
