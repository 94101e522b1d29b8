import mujoco

model = mujoco.MjModel.from_xml_path("arm.xml")
print([model.joint(i).name for i in range(model.njnt)])
