import mujoco
import numpy as np

model = mujoco.MjModel.from_xml_path("arm.xml")
data = mujoco.MjData(model)
for mass in np.random.default_rng(1).uniform(0.3, 0.6, 10):
    model.body("forearm").inertia *= mass / model.body("forearm").mass
    model.body("forearm").mass = mass
    mujoco.mj_setConst(model, data)
    mujoco.mj_resetData(model, data)
    mujoco.mj_step(model, data, nstep=62)
    print(mass, data.qpos)
