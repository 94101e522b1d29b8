"""Faults that no comparison of behavior can find, each with the reason."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from tests.firmware.mutants.judge import EQUIVALENT, Verdict
from tests.firmware.mutants.operators import Mutant

__all__ = ["explained"]

FILE = Path(__file__).with_name("explained.toml")


@cache
def _rows() -> dict[str, str]:
    rows = tomllib.loads(FILE.read_text(encoding="utf-8"))["mutants"]
    return {f"{row['file']}: {row['before']} -> {row['after']}": row["why"] for row in rows}


def explained(mutant: Mutant) -> Verdict | None:
    """Why a fault cannot be seen; None: nobody has said so."""
    why = _rows().get(mutant.key)
    return None if why is None else Verdict(EQUIVALENT, f"explained: {why}")
