"""The law of contact of a world: an entry in WorldInfo.info, which Webots ignores.

    WorldInfo { info [ "wbridge.contacts=precise" ] }

docs/physics.md describes the laws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbridge.wbcore.scene.diagnostics import did_you_mean

if TYPE_CHECKING:
    from wbridge.wbcore.scene.world import World

LAWS = ("webots", "precise")
"""The first is the default."""
PLACE = "contacts"
"""The place that stands for the law in values that replace those of fields."""
_PREFIX = "wbridge.contacts="


def law_of(world: World) -> str:
    """Return the law that a world names, or the default if it names none or an unknown one."""
    named = _named(world)
    return named if named in LAWS else LAWS[0]


def check_law(world: World) -> None:
    """Check the law that a world names.

    Raises:
        ValueError: there is no such law; the message says what is allowed.
    """
    checked(_named(world))


def _named(world: World) -> str:
    info = world.first("WorldInfo")
    lines = [str(line) for line in info.get("info")] if info is not None else []
    return next((line.removeprefix(_PREFIX) for line in lines if line.startswith(_PREFIX)), LAWS[0])


def choose_law(world: World, law: str) -> None:
    """Let a world that is not yet simulated name a law.

    Raises:
        ValueError: there is no such law, or the world has no WorldInfo.
    """
    if _named(world) == checked(law):
        return
    info = world.first("WorldInfo")
    if info is None:
        raise ValueError(f"{world.path} has no WorldInfo, which names the law of contact")
    others = [line for line in info.get("info") if not str(line).startswith(_PREFIX)]
    world.set(info, "info", [*others, _PREFIX + law])


def checked(law: str) -> str:
    """Return the name of a law.

    Raises:
        ValueError: there is no such law; the message says what is allowed.
    """
    if law not in LAWS:
        hint = did_you_mean(law, list(LAWS))
        raise ValueError(f'no law of contact "{law}"{hint}; allowed: {", ".join(LAWS)}')
    return law


def law_note(law: str) -> str:
    """Return what the first line of a run says of a law that is not the default."""
    return "" if law == LAWS[0] else f", contacts {law}"
