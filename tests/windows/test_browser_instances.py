"""Many shapes of one form, which the page draws together, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.windows.browser import run
from tests.windows.test_browser_editing import place, selected
from tests.windows.test_browser_worlds import LARGEST, SIZE, seen, start_paused
from tests.windows.visit import Visit, until
from wbridge.wbcore.simulation import Simulation

pytestmark = pytest.mark.browser
COUNT, CHANGED, MOVED, CLEAR, HIDDEN = 20, 7, 12, 3, 16
HEAD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 gravity 0 }
Viewpoint { position -4 0 2.5 orientation 0 1 0 0.5 }
Background { skyColor [ 0.4 0.6 0.9 ] }
DirectionalLight { direction 1 1 -2 castShadows TRUE }
Solid { name "floor" children [ Shape {
  appearance PBRAppearance { baseColor 0.6 0.6 0.6 metalness 0 }
  geometry Plane { size 20 20 } castShadows FALSE } ] }
"""
BOX = """DEF BOX{i} Robot {{ name "{i}" controller "<none>" children [
  Shape {{ appearance DEF LOOK{i} PBRAppearance {{ baseColor {color} roughness {rough} metalness 0 }}
  geometry DEF CUBE{i} Box {{ size 0.3 0.2 0.4 }} }} ]
  translation {x} {y} 0.3 rotation 0 0 1 {angle} boundingObject USE CUBE{i} physics Physics {{ }} }}
"""
GROUPED = "window.page.world.view.world.instances.groups.map((one) => one.meshes.length)"
REDS = "window.page.world.view.world.meshes.map((one) => one.userData.record[0])"
"""Of all shapes."""
GREEN, AWAY = (0.1, 0.8, 0.2), (0.4, -0.3, 0.2)


@pytest.fixture
def world(tmp_path: Path) -> Path:
    boxes = (
        BOX.format(
            i=i,
            x=i % 5 * 0.6 - 1,
            y=i // 5 * 0.7 - 1,
            angle=0.3 * i,
            color=f"{0.9 - 0.04 * i:.2f} {0.1 + 0.04 * i:.2f} {0.1 + 0.2 * (i % 4):.2f}",
            rough=0.2 + 0.03 * i,
        )
        for i in range(COUNT)
    )
    made = tmp_path / "project" / "worlds" / "many.wbt"
    made.parent.mkdir(parents=True)
    made.write_text(HEAD + "".join(boxes))
    return made


def difference(shown: NDArray[np.float64], simulation: Simulation) -> float:
    """Return the mean difference of the page's picture and the renderer's, of 255."""
    viewpoint = simulation.world.first("Viewpoint")
    assert viewpoint is not None
    simulation.set_field(viewpoint, "ambientOcclusionRadius", 0.0)  # the page draws no ambient occlusion
    height, width = shown.shape[:2]
    drawn = simulation.main_view.picture((width, height))[..., 2::-1].astype(float)
    return float(np.abs(shown - drawn).mean())


@contextmanager
def paused(visit: Visit, world: Path) -> Iterator[Any]:
    """The page of a run that stands still, with a view of the judge's size."""
    with run(world, "--mode", "realtime") as on:
        page = visit.open(on.url)
        page.set_viewport_size(SIZE)
        start_paused(page)
        yield page


def color(page: Any, shown: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    """Return the color of a node in a picture of the page."""
    x, y = place(page, name)
    left, top = page.evaluate(
        "(({left, top}) => [left, top])(window.page.world.view.canvas.getBoundingClientRect())"
    )
    pixel: NDArray[np.float64] = shown[int(y - top), int(x - left)]
    return pixel


def select(page: Any, name: str) -> int:
    page.mouse.click(*place(page, name))
    until(page, f"""window.page.world.messages.get('selected')?.name === '{name}'""")
    number: int = selected(page, "node")
    page.evaluate("window.page.world.view.select(null)")
    return number


def edit(page: Any, simulation: Simulation, name: str, field: str, value: Any) -> None:
    """Change a field of an appearance in the page's world, and in the judge's."""
    look = simulation.node(name).node
    page.evaluate(
        "([node, field, value]) => page.live.ask('edit', {node, field, item: -1, value, id: 1})",
        [simulation.nodes.number(look), field, value],
    )
    simulation.set_field(look, field, value)


def test_shapes_of_one_form_are_drawn_together_and_change_alone(visit: Visit, world: Path):
    """Each has a color and roughness of its own. Judge: the renderer's picture, after each change."""
    simulation = Simulation(world)
    with paused(visit, world) as page:
        assert page.evaluate(GROUPED) == [COUNT]
        assert difference(seen(page), simulation) < LARGEST

        box = select(page, str(MOVED))
        page.evaluate(
            "([node, way]) => page.live.ask('move', {node, begins: true, way, turn: [0, 0, 0], factor: 1})",
            [box, AWAY],
        )
        before = simulation.node(f"BOX{MOVED}").translation
        simulation.set_field(
            simulation.node(f"BOX{MOVED}").node,
            "translation",
            tuple(a + b for a, b in zip(before, AWAY, strict=True)),
        )
        height = "window.page.world.messages.get('selected').position[2]"
        until(page, f"Math.abs({height} - {before[2] + AWAY[2]}) < 1e-4")
        page.wait_for_timeout(300)
        page.evaluate("window.page.world.view.select(null)")
        assert difference(seen(page), simulation) < LARGEST

        edit(page, simulation, f"LOOK{CHANGED}", "baseColor", GREEN)
        until(page, f"{REDS}.some((one) => one < 0.012)")
        shown = seen(page)
        assert difference(shown, simulation) < LARGEST
        assert page.evaluate(GROUPED) == [COUNT]
        red, green, _ = color(page, shown, str(CHANGED))
        assert green > 2 * red
        assert select(page, str(CHANGED))


def test_shapes_leave_a_group_with_their_own_colors(visit: Visit, world: Path):
    """One becomes transparent, one is hidden for a while. Judge: the renderer's picture."""
    simulation = Simulation(world)
    with paused(visit, world) as page:
        box = select(page, str(HIDDEN))
        page.evaluate(f"window.page.world.view.hiding.hide([{box}])")
        assert page.evaluate(GROUPED) == [COUNT - 1]
        page.evaluate("window.page.world.view.hiding.showAll()")
        shown = seen(page)
        assert difference(shown, simulation) < LARGEST
        red, green, _ = color(page, shown, str(HIDDEN))
        assert green > 1.3 * red  # the color of this one, not of the floor
        edit(page, simulation, f"LOOK{CLEAR}", "transparency", 0.5)
        until(page, f"{GROUPED}[0] === {COUNT - 2}")
        assert difference(seen(page), simulation) < LARGEST
