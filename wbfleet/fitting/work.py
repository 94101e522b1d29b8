"""Replays as work for the processes and machines of a sweep."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbridge.wbcore.physics.errors import SimulationError, WorldError
from wbridge.wbfleet.fitting.replay import Replay, replayed


def carry_out_replay(data: Mapping[str, Any]) -> dict[str, Any]:
    """Carry out a replay.

    Returns:
        status, reason, and the readings of the model, one item for each sensor.
    """
    try:
        pairs = replayed(Replay(**data))
    except (SimulationError, WorldError) as problem:
        return {"status": 1, "reason": str(problem), "model": []}
    model = [b64encode(pair.model.tobytes()).decode("ascii") for pair in pairs]
    return {"status": 0, "reason": "", "model": model}


def model_of(result: Mapping[str, Any]) -> list[NDArray[np.float64]]:
    """Return the readings of the model in a result, one flat array for each sensor."""
    return [np.frombuffer(b64decode(text), np.float64) for text in result["model"]]
