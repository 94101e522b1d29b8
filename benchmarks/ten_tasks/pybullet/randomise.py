import numpy as np
import pybullet as p

p.connect(p.DIRECT)
p.setGravity(0, 0, -9.81)
arm = p.loadURDF("arm.urdf", useFixedBase=True)
start = p.saveState()
mass, inertia = p.getDynamicsInfo(arm, 2)[0], np.array(p.getDynamicsInfo(arm, 2)[2])
for other in np.random.default_rng(1).uniform(0.3, 0.6, 10):
    p.restoreState(start)
    p.changeDynamics(arm, 2, mass=other, localInertiaDiagonal=inertia * other / mass)
    for _ in range(240):
        p.stepSimulation()
    print(other, [p.getJointState(arm, i)[0] for i in range(3)])
