"""The lights of a world as macros of the shaders.

The numbers of lights are the same in a whole picture, so they belong into a uniform block. Software renderers
check each reading of a block, which costs more than the light itself. The vertices hand them to the fragments
instead, as far as there is room.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wbridge.wbcore.render.cube_shadows import NEAREST
from wbridge.wbcore.render.cube_shadows import SIZE as CUBE_SIZE
from wbridge.wbcore.render.lights import DIRECTIONAL, LIGHT_TEXELS, NO_SHADOW, POINT, ShownLight

__all__ = ["light_macros"]

COLOR, PLACE, BEAM, TERMS, CONE = range(LIGHT_TEXELS)


class _Call(NamedTuple):
    """A function of `shaders/lights.glsl`, and the texels of a light's record that it gets."""

    name: str
    texels: tuple[int, ...]
    further: tuple[str, ...]


_CALLS = (
    _Call("directional_light", (COLOR, BEAM), ()),
    _Call("point_light", (COLOR, PLACE, TERMS), ("point",)),
    _Call("spot_light", (COLOR, PLACE, TERMS, BEAM, CONE), ("point",)),
)
"""By the kinds of lights."""


def light_macros(lights: Sequence[ShownLight], room: int) -> tuple[str, ...]:
    """Return the macros of all programs that light surfaces.

    LIGHT_ROWS: how many rows the vertices hand over; SET_LIGHT_ROWS sets them; FOR_EACH_LIGHT calls a
    function with each light; SHADOWS and CUBE_SHADOWS: some lights have shadow maps.

    Args:
        lights: of the world.
        room: rows that vertices can hand over.
    """
    rows: list[str] = []
    calls = [f"with({_light(number, light, rows, room)});" for number, light in enumerate(lights)]
    sets = " ".join(f"light_rows[{i}] = {row};" for i, row in enumerate(rows))
    shaded = [light.kind == POINT for light in lights if light.shadow != NO_SHADOW]
    return (
        f"LIGHT_ROWS {max(len(rows), 1)}",
        f"SET_LIGHT_ROWS {sets}",
        f"FOR_EACH_LIGHT(point, normal, with) {' '.join(calls)}",
        *("SHADOWS",) * (False in shaded),
        *("CUBE_SHADOWS",) * (True in shaded),
    )


def _light(number: int, light: ShownLight, rows: list[str], room: int) -> str:
    """Return the expression of a light; append the rows that its vertices hand over."""
    call = _CALLS[light.kind]
    blocks = [f"lights[{LIGHT_TEXELS * number + texel}]" for texel in call.texels]
    if light.shadow != NO_SHADOW and light.kind != POINT:
        blocks += _shadow_rows(light.shadow)
    here = blocks
    if len(rows) + len(blocks) <= room:
        here = [f"light_rows[{len(rows) + i}]" for i in range(len(blocks))]
        rows += blocks
    own, shadow = here[: len(call.texels)], here[len(call.texels) :]
    lit = f"{call.name}({', '.join((*own, *call.further))})"
    if light.kind == POINT and light.shadow != NO_SHADOW:
        lift = f"LIFT * {2 / CUBE_SIZE!r} * distance({own[PLACE]}.xyz, point)"
        return f"shaded_around({lit}, {light.shadow}.0, {own[PLACE]}, {NEAREST!r}, point + normal * ({lift}))"
    if not shadow:
        return lit
    *clip, texel = shadow
    far = "" if light.kind == DIRECTIONAL else f" * distance({own[PLACE]}.xyz, point)"
    above = f"point + normal * (LIFT * {texel}.x{far})"
    return f"shaded({lit}, {light.shadow}.0, mat4({', '.join(clip)}), {above})"


def _shadow_rows(shadow: int) -> Iterator[str]:
    """Iterate over the columns of a shadow map's matrix, then a row that begins with the width of a texel."""
    yield from (f"view.shadow_clip[{shadow}][{column}]" for column in range(4))
    yield f"vec4(view.shadow_texel[{shadow}])"


assert [call.name.split("_")[0] for call in _CALLS].index("point") == POINT
