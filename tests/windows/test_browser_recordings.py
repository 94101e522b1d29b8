"""Recordings in a real browser, from a file, without a server.

Judges: the simulation, stepped again, for what is where; the renderer of cameras for colors.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from scripts.corpus import corpus_folder
from tests.controllers.project import Project, robot, steps
from tests.windows.browser import ROOT
from tests.windows.visit import Visit, picture, until
from wbridge.main import main
from wbridge.wbcore.simulation import Simulation

pytestmark = pytest.mark.browser

BALL = ROOT / "worlds" / "ball_on_a_ramp.wbt"
ARENA = ROOT / "worlds" / "epuck_arena.wbt"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Recordings of a ball without controllers, and of an e-puck with plots."""
    folder = tmp_path_factory.mktemp("recordings")
    plots = ["--plot", "e-puck.ps*", "--plot", "e-puck.*motor.set_velocity"]
    assert (
        main(["run", str(BALL), "--duration", "3", "--no-controllers", "--record", f"{folder}/ball.html"])
        == 0
    )
    assert main(["run", str(ARENA), "--duration", "8", "--record", f"{folder}/arena.html", *plots]) == 0
    return folder


def opened(visit: Visit, path: Path) -> Any:
    page = visit.open(path.as_uri())
    until(page, "document.documentElement.dataset.ready")
    return page


def poses(page: Any, time: float) -> np.ndarray:
    found = page.evaluate(f"window.recording.recording.at({time}).then((one) => [...one.poses])")
    return np.array(found).reshape(-1, 7)


def test_each_time_shows_where_things_were(visit: Visit, pages: Path):
    page = opened(visit, pages / "ball.html")
    of = Simulation(BALL)
    engine = of.physics.engine
    rows = page.evaluate("window.recording.recording.scene.moving")
    every = round(page.evaluate("window.recording.recording.head.frame_s") / of.step_s)
    expected = {}
    for frame in range(251):
        expected[round(frame * every * of.step_s, 6)] = engine.positions[rows].copy()
        of.step(every)
    for time in [*expected][::-37]:
        assert abs(poses(page, time)[:, :3] - expected[time]).max() < 2e-5, time
    first, second = [*expected][100:102]
    between = poses(page, (first + second) / 2)[:, :3]
    assert abs(between - (expected[first] + expected[second]) / 2).max() < 4e-5


def test_seeking_takes_no_time(visit: Visit, pages: Path):
    page = opened(visit, pages / "arena.html")
    before = poses(page, 0)
    page.keyboard.press("End")
    until(page, "window.recording.player.time === window.recording.player.duration")
    assert abs(poses(page, 8) - before).max() > 0.01
    page.keyboard.press("Home")
    assert page.evaluate("window.recording.player.time") == 0
    page.keyboard.press("ArrowRight")
    assert page.evaluate("window.recording.player.time") == pytest.approx(0.016)
    page.get_by_label("Time", exact=True).fill("5000")
    assert page.evaluate("window.recording.player.time") == pytest.approx(4)


def test_it_plays_to_its_end(visit: Visit, pages: Path):
    page = opened(visit, pages / "ball.html")
    page.get_by_label("Speed").select_option("16")
    page.get_by_role("button", name="Play").click()
    until(page, "window.recording.player.time === window.recording.player.duration")
    assert page.get_by_role("button", name="Play").is_visible(), "it pauses there"
    assert page.locator(".result").inner_text() == "the run has ended"


def test_plots_follow_the_time(visit: Visit, pages: Path):
    page = opened(visit, pages / "arena.html")
    until(page, "document.querySelectorAll('.cursor-line').length === 2")
    page.evaluate("window.recording.player.seek(4)")
    places = "[...document.querySelectorAll('.cursor-line')].map((one) => one.style.transform)"
    until(page, f"new Set({places}).size === 1 && {places}[0] !== 'translateX(0px)'")
    values = page.locator(".signal b").all_inner_texts()
    assert all(float(one) == float(one) for one in values), values
    row = page.locator(".row", has_text="ps0")
    shown = page.evaluate("window.recording.bench.source.store.column('e-puck/ps0.value')[250]")
    until(page, f"document.querySelector('.device-tree').textContent.includes('{shown:.2f}'.slice(0, 4))")
    assert row.count() == 1
    picture(page, "recording")


def test_a_page_says_the_law_of_contact(visit: Visit, tmp_path: Path, pages: Path):
    how = ["--steps", "2", "--no-controllers", "--contacts", "precise"]
    assert main(["run", str(BALL), *how, "--record", f"{tmp_path}/ball.html"]) == 0
    for folder, said in ((tmp_path, ", contacts precise"), (pages, "")):
        page = opened(visit, folder / "ball.html")
        assert page.locator(".world").inner_text() == f"{BALL.name}{said}"


SPEAKER = """
from controller import Robot
robot = Robot()
while robot.step(32) != -1:
    print('it is', round(robot.getTime(), 3))
"""


def test_the_console_is_as_it_was_at_the_time(visit: Visit, project: Project, tmp_path: Path):
    project.write(robot("talker", "speaker"), speaker=SPEAKER)
    file = tmp_path / "talk.html"
    assert main(["run", str(project.world), "--inline", "--duration", "1", "--record", str(file)]) == 0
    page = opened(visit, file)
    console = "document.querySelector('.console-panel')"
    page.evaluate("window.recording.player.seek(0.5)")
    until(page, f"{console}.textContent.includes('it is 0.48')")
    assert not page.evaluate(f"{console}.textContent.includes('it is 0.544')")
    page.evaluate("window.recording.player.seek(0.1)")
    until(page, f"!{console}.textContent.includes('it is 0.48')")


def test_a_robot_that_is_added_is_shown_and_plotted(visit: Visit, project: Project, tmp_path: Path):
    body = "physics Physics { } boundingObject Box { size 0.1 0.1 0.1 }"
    late = (
        f'Robot {{ name "late" translation 0 0 1 controller "late" {body} children [ '
        "Shape { geometry Box { } } "
        'HingeJoint { device RotationalMotor { name "motor" } '
        f"endPoint Solid {{ {body} }} }} ] }}"
    )
    before = f"robot.getRoot().getField('children').importMFNodeFromString(-1, {late!r})"
    boss = steps(5).replace("Robot", "Supervisor") + before + "\nfor _ in range(5):\n    robot.step(16)\n"
    mover = steps(3, before="robot.getDevice('motor').setVelocity(2)")
    project.write(robot("boss", "boss", "supervisor TRUE"), boss=boss, late=mover)
    path = tmp_path / "added.html"
    assert main(["run", str(project.world), "--record", str(path), "--plot", "late.motor.set_velocity"]) == 0
    page = opened(visit, path)
    assert len(poses(page, 0.08)) == 0
    assert len(poses(page, 0.112)) == 1
    assert page.evaluate("window.recording.recording.head.plots") == [[0]]
    values = page.evaluate("window.recording.recording.signals().then((one) => [...one.values[0]])")
    assert [None if value != value else value for value in values][5:8] == [None, 2, 2]


def test_a_cut_file_shows_what_it_has(visit: Visit, pages: Path, tmp_path: Path):
    """As a killed simulator leaves it."""
    text = (pages / "arena.html").read_text()
    last = text.rindex('data-part="frames"')
    (tmp_path / "cut.html").write_text(text[: last + 200])
    page = opened(visit, tmp_path / "cut.html")
    assert "interrupted" in page.locator(".result").inner_text()
    assert 0 < page.evaluate("window.recording.recording.duration") < 8


@pytest.mark.parametrize(
    ("name", "most"), [("epuck_arena", 1.5), ("star_painter", 2), ("car", 9), ("arm", 3)]
)
def test_the_colors_are_those_of_cameras(visit: Visit, tmp_path: Path, name: str, most: float):
    """Mean difference of displayed values (0 to 255), without ambient occlusion, which pages do not draw."""
    world = ROOT / "worlds" / f"{name}.wbt"
    assert (
        main(["run", str(world), "--steps", "0", "--no-controllers", "--record", f"{tmp_path}/a.html"]) == 0
    )
    page = opened(visit, tmp_path / "a.html")
    until(page, "!window.recording.view.view.isDirty && window.recording.view.view.sharpness.isSharp")
    shown = Image.open(io.BytesIO(page.locator(".stage canvas").screenshot())).convert("RGB")
    simulation = Simulation(world)
    viewpoint = simulation.world.first("Viewpoint")
    assert viewpoint is not None
    simulation.set_field(viewpoint, "ambientOcclusionRadius", 0.0)
    expected = simulation.main_view.picture(shown.size)[..., 2::-1]
    difference = abs(np.asarray(shown).astype(int) - expected.astype(int)).mean()
    assert difference < most


def test_what_a_pen_has_drawn_is_on_the_floor(visit: Visit, tmp_path: Path):
    """The ink lies on a surface that has none at the start: the floor is darker where the line is."""
    world = ROOT / "worlds" / "star_painter.wbt"
    assert main(["run", str(world), "--inline", "--duration", "9", "--record", f"{tmp_path}/a.html"]) == 0
    page = opened(visit, tmp_path / "a.html")
    page.evaluate("window.recording.player.seek(9)")
    until(page, "window.recording.view.view.world.surfaces.some((one) => one.textures?.[6])")
    found = page.evaluate(
        """async () => {
          const {world} = window.recording.view.view;
          const inked = world.surfaces.find((one) => one.textures?.[6]);
          const {image} = await world.textureFor(inked.textures[6]);
          const canvas = new OffscreenCanvas(image.width, image.height);
          const pen = canvas.getContext('2d');
          pen.drawImage(image, 0, 0);
          const {data} = pen.getImageData(0, 0, image.width, image.height);
          return data.filter((one, i) => i % 4 === 3 && one).length;
        }"""
    )
    assert found > 40


def test_an_animation_that_webots_has_published_plays(visit: Visit, tmp_path: Path):
    scene = corpus_folder() / "animations" / "maze-runner" / "preview" / "scene.x3d"
    if not scene.is_file():
        pytest.skip("the published animations are absent; fetch them with: make corpus")
    page_file = tmp_path / "page.html"
    assert main(["view", str(scene), "--output", str(page_file), "--no-open", "--quiet"]) == 0
    page = opened(visit, page_file)
    before = poses(page, 0)
    page.get_by_role("button", name="Play").click()
    until(page, "window.recording.player.time > 1")
    assert abs(poses(page, 4) - before).max() > 0.05


def test_a_phone_shows_all(chromium: Any, pages: Path):
    visit = Visit(chromium, is_mobile=True, has_touch=True)
    page = opened(visit, pages / "arena.html")
    page.set_viewport_size({"width": 390, "height": 780})
    page.wait_for_timeout(100)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.get_by_role("button", name="Play").is_visible()
    assert page.locator(".stage canvas").bounding_box()["height"] > 150
    visit.context.close()
    assert not visit.errors
