import mujoco

model = mujoco.MjModel.from_xml_path("arm.xml")
data = mujoco.MjData(model)
mujoco.mj_step(model, data, nstep=125)
print(data.qpos)
