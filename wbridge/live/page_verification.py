"""A program of a board compared with the controllers of a world, in a worker of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wbridge.live.page_emulator import begin
from wbridge.live.page_run import load_of, options_for
from wbridge.live.verification import Comparison, verified
from wbridge.wbfirmware.emulators.started import provide

__all__ = ["run"]


def run(folder: str, world: str, options: Mapping[str, Any]) -> str:
    """Compare a program with the controllers; see `wbridge.live.verification.verified`.

    Args:
        folder: of the project.
        world: the file in it; "": its first world.
        options: `verify`: the `map` as text, the `program`, and the number of `steps`.

    Raises:
        ValueError: the world or the hardware map has errors, or the runs cannot be compared.
    """
    provide(begin)
    wanted = options["verify"]
    comparison = Comparison(str(wanted["map"]), bytes(wanted["program"]), int(wanted["steps"]))
    return verified(lambda: load_of(Path(folder), world), comparison, options_for)
