import mujoco

model = mujoco.MjModel.from_xml_path("arm.xml")
data = mujoco.MjData(model)
data.actuator("elbow motor").ctrl = 0.5
mujoco.mj_step(model, data, nstep=125)
print(data.qpos[2])
