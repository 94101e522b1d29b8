import matplotlib.pyplot as plt
import mujoco

model = mujoco.MjModel.from_xml_path("arm.xml")
data = mujoco.MjData(model)
data.actuator("elbow motor").ctrl = 0.5
values = []
for _ in range(125):
    mujoco.mj_step(model, data)
    values.append(data.sensor("elbow sensor").data[0])
plt.plot(values)
plt.savefig("elbow.png")
