"""What may differ in `verify` by the hardware map, each with its reason: values of devices, printed text."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from wbridge.wbfirmware.problems import Source

TOLERANCE, REASON = TOLERANCE_KEYS = ("tolerance", "reason")
"""Keys of a device that are allowed with every driver, both or none."""
TEXT_MAY_DIFFER = "text_may_differ"
"""Key of the map: why the controller may print other text on the board."""
EXAMPLE = {TOLERANCE: "tolerance = 0.5", REASON: 'reason = "the sensor reads while the motor turns"'}


class Tolerance(NamedTuple):
    """An allowed difference between the desktop and the board."""

    largest: float
    """Above 0, in the unit of the device's values (rad/s, rad, m, or of its lookup table)."""
    reason: str


def read_tolerance(
    source: Source, keys: tuple[str, ...], data: dict[str, Any], name: str
) -> Tolerance | None:
    """Return the tolerance that a hardware map states for a device; None if it states none or a wrong one.

    Args:
        source: the hardware map; problems are recorded there.
        keys: of the device in the map.
        data: its table.
        name: of the device.
    """
    if not any(key in data for key in TOLERANCE_KEYS):
        return None
    noted = len(source.problems)
    for key in TOLERANCE_KEYS:
        if key not in data:
            other = TOLERANCE if key == REASON else REASON
            source.wrong(
                (*keys, other),
                f'"{name}": {other} needs {key}, for example {EXAMPLE[key]}; remove it otherwise',
            )
    largest, reason = data.get(TOLERANCE, 1.0), data.get(REASON, "-")
    if not _is_positive(largest):
        source.wrong(
            (*keys, TOLERANCE),
            f'"{name}": {TOLERANCE}: found {largest!r}; expected a number above 0, in the unit of the '
            "device's values",
        )
    if not isinstance(reason, str) or not reason.strip():
        source.wrong(
            (*keys, REASON),
            f'"{name}": {REASON}: found {reason!r}; expected why the values may differ, for example '
            f"{EXAMPLE[REASON]}",
        )
    return Tolerance(float(largest), reason.strip()) if len(source.problems) == noted else None


def _is_positive(value: Any) -> bool:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and math.isfinite(value) and value > 0


def read_text_reason(source: Source) -> str:
    """Return why the controller may print other text on the board; "": it may not, or the reason is wrong."""
    reason = source.data.get(TEXT_MAY_DIFFER, "-")
    if not isinstance(reason, str) or not reason.strip():
        source.wrong(
            (TEXT_MAY_DIFFER,),
            f"{TEXT_MAY_DIFFER}: found {reason!r}; expected why the printed text may differ, for example "
            f'{TEXT_MAY_DIFFER} = "it prints addresses"',
        )
    return str(source.data.get(TEXT_MAY_DIFFER, "")).strip()
