import mujoco
from PIL import Image

model = mujoco.MjModel.from_xml_path("arm.xml")
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
with mujoco.Renderer(model) as renderer:
    renderer.update_scene(data)
    Image.fromarray(renderer.render()).save("arm.png")
