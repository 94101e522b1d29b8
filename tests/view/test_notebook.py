"""A simulation in a cell of a notebook."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from wbridge.wbcore.simulation import Simulation

BALL = Path(__file__).resolve().parents[2] / "worlds" / "ball_on_a_ramp.wbt"


def test_a_view_steps_the_simulation_and_is_a_frame():
    simulation = Simulation(BALL)
    other = Simulation(BALL)
    view: Any = simulation.view(0.5)
    other.run(0.5)
    assert simulation.hash() == other.hash()
    frame = view._repr_html_()
    assert html.unescape(re.search(r'srcdoc="([^"]*)"', frame)[1]) == view.page  # type: ignore[index]
    assert "allow-same-origin" not in frame


def test_a_duration_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match="0 or more"):
        Simulation(BALL).view(-1)


def test_nothing_of_notebooks_is_imported():
    """Judge: a process of its own."""
    code = f"""
import sys
from wbridge.wbcore import Simulation
assert "wbridge.wbcore.view.notebook" not in sys.modules
Simulation({str(BALL)!r}).view()._repr_html_()
assert not [one for one in sys.modules if one.partition(".")[0] in ("IPython", "ipykernel", "notebook")]
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
def test_a_notebook_shows_it():
    """Judge: IPython's formatter, which is what kernels send to notebooks."""
    formatters = pytest.importorskip("IPython.core.formatters")
    shown, _ = formatters.DisplayFormatter().format(Simulation(BALL).view())
    assert shown["text/html"].startswith("<iframe")
