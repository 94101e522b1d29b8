"""Where pictures are drawn: without OpenGL, in threads and processes, and not before they are wanted."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from wbridge.hal.installation import extra_command
from wbridge.wbcore.render import context, egl
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.visual.errors import RenderError

SCENE = (
    "Background { skyColor [ 0.4 0.7 1 ] } DirectionalLight { direction 0.6 0.2 -1 castShadows TRUE } "
    "Solid { translation 3 0.2 0 children [ Shape { appearance PBRAppearance { baseColor 0.9 0.4 0.1 "
    "roughness 0.4 metalness 0.2 } geometry Sphere { radius 0.7 } } ] } "
    "Solid { translation 3 0 -0.8 children [ Shape { appearance Appearance { "
    "material Material { transparency 0.3 } } geometry Plane { size 6 6 } } ] }"
)
CAMERA = "noise 0.02 antiAliasing TRUE lens Lens { radialCoefficients 0.1 0 }"
DIGEST = """
import hashlib, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from tests.render.conftest import Studio
from tests.render.test_context import CAMERA, SCENE
folder = Path(sys.argv[2])
print(hashlib.sha256(Studio(folder).picture(SCENE, CAMERA, size=(160, 120)).tobytes()).hexdigest())
"""
ROOT = Path(__file__).parents[2]


@pytest.fixture
def no_context(monkeypatch):
    """This process has not drawn yet."""
    monkeypatch.setattr(context, "_context", None)


@pytest.mark.parametrize("missing", ["libEGL.so.1", "libGL.so.1"])
def test_a_missing_library_is_named_and_the_run_goes_on(studio, monkeypatch, no_context, caplog, missing):
    load = egl.ctypes.CDLL

    def without(name, *arguments):
        if name == missing:
            raise OSError(name)
        return load(name, *arguments)

    monkeypatch.setattr(egl.ctypes, "CDLL", without)
    studio.load(SCENE)
    studio.camera.on_enable(16)
    studio.simulation.step(3)
    studio.camera.measure(0.016)
    studio.camera.measure(0.016)
    said = [one.getMessage() for one in caplog.records if missing in one.getMessage()]
    assert len(said) == 1
    assert "apt install" in said[0]
    assert (studio.camera.pixels.view("<u4") == 0xFF000000).all()


def test_without_any_display_each_one_that_was_tried_is_named(monkeypatch, no_context):
    monkeypatch.setattr(egl, "_context_on", lambda library, display: "it does not start")
    with pytest.raises(RenderError, match=r"EGL without a surface: it does not start.*apt install"):
        context.current_context()


def test_a_missing_pyopengl_names_the_command(monkeypatch, no_context):
    monkeypatch.setattr(context, "_functions", None)
    monkeypatch.setitem(sys.modules, "OpenGL", None)
    with pytest.raises(RenderError, match=re.escape(extra_command("render"))):
        context.current_context()


def test_nothing_of_opengl_is_imported_while_no_camera_is_enabled(tmp_path):
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\n"
        "from tests.render.conftest import Studio\n"
        "studio = Studio(Path(sys.argv[2])); studio.load(''); studio.simulation.step(5)\n"
        "print([one for one in sys.modules if one.startswith(('OpenGL', 'wbridge.wbcore.render', 'PIL'))])\n"
    )
    assert run(program, tmp_path).strip() == "[]"


def run(program: str, folder: Path, **environment: str) -> str:
    """Run a program in a fresh process."""
    done = subprocess.run(
        [sys.executable, "-c", program, str(ROOT), str(folder)],
        env=os.environ | environment, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_pictures_have_the_same_bits_in_each_process_and_for_1_and_8_threads(studio, tmp_path_factory):
    wanted = hashlib.sha256(studio.picture(SCENE, CAMERA, size=(160, 120)).tobytes()).hexdigest()
    for threads in ("1", "8"):
        folder = tmp_path_factory.mktemp("threads")
        assert run(DIGEST, folder, LP_NUM_THREADS=threads).strip() == wanted


def test_worlds_share_a_context_in_several_threads(studio, tmp_path_factory):
    from tests.render.conftest import Studio

    wanted = studio.picture(SCENE, CAMERA)
    found, problems = [], []

    def work(folder: Path) -> None:
        try:
            found.append(Studio(folder).picture(SCENE, CAMERA))
        except Exception as problem:
            problems.append(problem)

    threads = [threading.Thread(target=work, args=(tmp_path_factory.mktemp("world"),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
    assert len(found) == 4
    assert all((one == wanted).all() for one in found)


FORK = """
import os, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from tests.render.conftest import Studio
from tests.render.test_context import SCENE
studio = Studio(Path(sys.argv[2]))
if sys.argv[3:] == ["late"]:
    studio.picture(SCENE)
if not os.fork():
    try:
        print("drew", studio.picture(SCENE).any(), flush=True)
    except Exception as problem:
        print(problem, flush=True)
    os._exit(0)
os.wait()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_process_forked_before_the_first_picture_draws(tmp_path):
    assert run(FORK, tmp_path).strip() == "drew True"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_process_forked_later_is_told_so_at_once(tmp_path):
    """Waiting for the renderer's threads, which a fork does not copy, it would never end."""
    assert "forked" in run(FORK.replace('sys.argv[3:] == ["late"]', "True"), tmp_path)


def test_after_a_lost_context_the_next_picture_is_as_before(studio, no_context, caplog):
    """The driver's context is destroyed, as after a reset of a GPU."""
    studio.load(SCENE)
    studio.camera.on_enable(16)
    studio.simulation.step(3)
    studio.camera.measure(0.016)
    before = studio.camera.pixels.copy()
    lost = context.current_context()._egl
    lost.library.eglDestroyContext.argtypes = lost.library.eglMakeCurrent.argtypes[:2]
    assert lost.library.eglDestroyContext(lost.display, lost.context)
    studio.camera.pixels[:] = 7
    studio.camera.measure(0.016)  # this picture is missing
    assert (studio.camera.pixels == 7).all()
    assert "lost its OpenGL context" in caplog.text
    studio.camera.measure(0.016)
    assert (studio.camera.pixels == before).all()


def test_a_device_that_does_not_exist_is_named(monkeypatch, no_context):
    monkeypatch.setenv("EGL_DEVICE_ID", "99")
    with pytest.raises(RenderError, match="EGL_DEVICE_ID is 99, but EGL lists [0-9]+ devices"):
        context.current_context()


def test_a_picture_that_is_too_large_for_the_driver_is_said(studio, caplog):
    """Width and height are within the limit of memory, but no driver draws 65,535 pixels in a row."""
    studio.load(SCENE, size=(65_535, 2))
    studio.camera.on_enable(16)
    studio.camera.measure(0.016)
    assert "65535" in caplog.text.replace(" ", "").replace(",", "")


def test_repetition_gives_the_same_bits(studio):
    studio.load(SCENE, "antiAliasing TRUE", size=(160, 120))
    first = studio.take()
    assert all((studio.take() == first).all() for _ in range(5))
    assert np.unique(first.reshape(-1, 3), axis=0).shape[0] > 100


def test_a_software_renderer_keeps_its_memory(studio):
    """Pages that are given back and fetched again cost a fifth of a picture."""
    resource = pytest.importorskip("resource")
    if not context.current_context().is_software:
        pytest.skip("a GPU draws")
    studio.load(SCENE, CAMERA, size=(640, 480))
    for _ in range(3):
        studio.take()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(5):
        studio.take()
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before) / 5 < 100


def test_pictures_of_one_pass_are_the_same_as_single_ones(tmp_path):
    """A robot's cameras are drawn at the same time; more than there is room for, of the same and other sizes,
    projections and noise."""
    sizes = [(64, 48)] * 9 + [(32, 32)] * 2
    fields = ["", "antiAliasing TRUE", 'projection "spherical"', "noise 0.1", "motionBlur 100"]
    cameras = " ".join(
        f'Camera {{ name "{i}" width {w} height {h} rotation 0 0 1 {0.05 * i} {fields[i % 5]} }}'
        for i, (w, h) in enumerate(sizes)
    )

    def pictures(single: bool) -> list[bytes]:
        world = f"#VRML_SIM R2023b utf8\nWorldInfo {{ }}\nViewpoint {{ }}\n{SCENE}\n"
        robot = f'Robot {{ controller "<none>" children [ {cameras} ] }}'
        simulation = Simulation(load_text(world + robot, tmp_path / "cameras.wbt"))
        (robot,) = simulation.robots.list
        for camera in robot.devices:
            camera.on_enable(32)
        for _ in range(2):
            simulation.step()
            if single:
                for camera in robot.devices:
                    camera.measure(0.032)
            else:
                robot.sample()
        return [camera.pixels.tobytes() for camera in robot.devices]

    alone, together = pictures(single=True), pictures(single=False)
    assert len(set(alone)) == len(alone)
    assert together == alone
