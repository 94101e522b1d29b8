"""Lights, sky, fog, viewpoint and labels as data for viewers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.pose import Vec3
from wbridge.wbcore.render.atmosphere import Backdrop, atmosphere_of
from wbridge.wbcore.render.lights import LIGHT_TEXELS, WorldLights
from wbridge.wbcore.render.textures import reflectance
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.view.files import Files
from wbridge.wbcore.visual.skies import Color, light_gains, sky_files
from wbridge.wbcore.visual.viewpoint import ViewpointCamera, follow_type, solid_named

if TYPE_CHECKING:
    from wbridge.wbcore.simulation import Simulation

GIVEN = ("position", "orientation", "fieldOfView", "near", "far", "follow", "followType", "followOrientation")
"""Fields of the Viewpoint that say where the view is."""
TABLE = 32
"""Texels along each side of the table of reflectances, and samples for each."""
SAMPLES = 256
INVISIBLE = 255
"""The largest transparency in the color of a label, 0xTTRRGGBB."""


def lights_of(lights: WorldLights) -> dict[str, object]:
    """Return the lights that are on, in the world's frame, see `WorldLights` for the records."""
    lights.read()
    return {
        "ambient": numbers(lights.ambient),
        "lights": [
            {"kind": light.kind, "casts": light.shadow >= 0, "record": numbers(record)}
            for light, record in zip(lights.shown, lights.records, strict=False)
        ],
        "texels": LIGHT_TEXELS,
    }


def air_of(simulation: Simulation, files: Files) -> dict[str, object]:
    """Return sky and fog, see `Atmosphere`; `cube` are the names of six pictures in OpenGL's order."""
    air = atmosphere_of(simulation.world)
    return {
        "sky": numbers(air.sky),
        "glow": numbers(air.glow),
        "luminosity": air.luminosity,
        "fog": {"color": numbers(air.fog), "kind": air.fog_type, "visibility": air.visibility},
        "cube": [files.picture(path) for path in air.cube] if air.cube else None,
        "backdrop": _backdrop(air.backdrop, air.sky, files) if air.backdrop else None,
        "is_fine": simulation.has_fine_looks,
        "is_z_up": air.is_z_up,
        "reflectance": {"file": files.add(_reflectance()), "size": TABLE},
    }


def _backdrop(backdrop: Backdrop, color: Color, files: Files) -> dict[str, object]:
    return {
        "files": [files.add(face) for face in sky_files(backdrop.name)],
        "gain": backdrop.gain,
        "light": light_gains(backdrop.name, color),
    }


@cache
def _reflectance() -> bytes:
    return reflectance(TABLE, SAMPLES).astype("<f2").tobytes()


def viewpoint_of(simulation: Simulation, camera: ViewpointCamera) -> dict[str, object]:
    """Return where the Viewpoint is now, which body it follows, and the pose of this body.

    `given` are the Viewpoint's own fields: they change only if the Viewpoint itself was changed.
    """
    view = camera.view(1000, 1000)
    node = camera.node
    followed = _followed(simulation, node)
    return {
        "eye": numbers(view.eye),
        "forward": numbers(view.forward),
        "up": numbers(view.up),
        "field_of_view": _field(node, "fieldOfView", 0.785398),
        "near": view.near,
        "far": view.far,
        "exposure": view.exposure,
        "follow": int(followed.id) if followed is not None else None,
        "follow_type": follow_type(node) if node is not None else "None",
        "from": numbers((*followed.position, *followed.orientation)) if followed is not None else None,
        "given": [_plain(_field(node, name, None)) for name in GIVEN],
    }


def _field(node: Node | None, name: str, default: object) -> Any:
    return node.get(name) if node is not None and name in node.spec.fields else default


def _plain(value: object) -> Any:
    return [round(number, 9) for number in value] if isinstance(value, tuple) else value


def _followed(simulation: Simulation, node: Node | None) -> _engine.Body | None:
    """Return the body that the Viewpoint follows."""
    name = str(_field(node, "follow", ""))
    physics = simulation.physics
    if not name:
        return None
    solid = solid_named(physics, name)
    return physics.handles.bodies.get(solid.body) if solid is not None else None


def labels_of(simulation: Simulation) -> list[dict[str, object]]:
    """Return the labels of supervisors: places and sizes as shares of the view, colors as CSS."""
    return [
        {"text": label.text, "x": label.x, "y": label.y, "size": label.size, "color": _css(label.color)}
        for label in simulation.labels
    ]


def _css(color: int) -> str:
    red, green, blue, clear = (color >> shift & 255 for shift in (16, 8, 0, 24))
    return f"rgba({red},{green},{blue},{1 - clear / INVISIBLE:.3g})"


def numbers(values: Sequence[float] | Vec3 | object) -> list[float]:
    """Return numbers for JSON, with six digits; infinite ones become the largest float32."""
    largest = float(np.finfo(np.float32).max)
    flat = np.nan_to_num(np.asarray(values, np.float64), posinf=largest, neginf=-largest).ravel()
    return [float(f"{number:.6g}") for number in flat.tolist()]
