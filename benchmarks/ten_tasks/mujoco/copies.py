import mujoco
import numpy as np
from mujoco import rollout

model = mujoco.MjModel.from_xml_path("arm.xml")
data = [mujoco.MjData(model) for _ in range(2)]
state = np.zeros((64, mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
targets = np.random.default_rng(1).uniform(-1, 1, (64, 1, 3)).repeat(62, axis=1)
states, sensors = rollout.rollout(model, data, state, targets)
print(states[:, -1, 1:4].mean(axis=0))
