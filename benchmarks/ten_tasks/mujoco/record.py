import imageio
import mujoco

model = mujoco.MjModel.from_xml_path("arm.xml")
data = mujoco.MjData(model)
pictures = []
with mujoco.Renderer(model) as renderer:
    for _ in range(62):
        mujoco.mj_step(model, data, nstep=2)
        renderer.update_scene(data)
        pictures.append(renderer.render())
imageio.mimsave("arm.mp4", pictures, fps=31)
