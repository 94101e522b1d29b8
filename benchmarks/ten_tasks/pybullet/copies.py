from multiprocessing import Pool

import numpy as np
import pybullet as p


def simulate(targets):
    p.connect(p.DIRECT)
    p.setGravity(0, 0, -9.81)
    arm = p.loadURDF("arm.urdf", useFixedBase=True)
    p.setJointMotorControlArray(arm, range(3), p.POSITION_CONTROL, targets, forces=[20] * 3)
    for _ in range(240):
        p.stepSimulation()
    positions = [p.getJointState(arm, i)[0] for i in range(3)]
    p.disconnect()
    return positions


if __name__ == "__main__":
    with Pool(2) as pool:
        print(np.mean(pool.map(simulate, np.random.default_rng(1).uniform(-1, 1, (64, 3))), axis=0))
