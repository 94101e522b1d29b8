import mujoco
import numpy as np
from mujoco import minimize

model = mujoco.MjModel.from_xml_path("arm.xml")
data = mujoco.MjData(model)


def gaps(candidates):
    columns = []
    for data.qpos[:] in candidates.T:
        mujoco.mj_kinematics(model, data)
        columns.append(data.site("tip").xpos - (0.3, 0.2, 0.3))
    return np.transpose(columns)


print(minimize.least_squares(np.full(3, 0.1), gaps, bounds=list(model.jnt_range.T), verbose=0)[0])
