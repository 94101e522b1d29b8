"""Projects of other people run unchanged: their robots do what the projects are about."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from subprocess import run
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from scripts.corpus import corpus_folder
from tests.conftest import require_tool

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LIST = Path(__file__).with_name("projects.toml")
RUNS: list[dict[str, Any]] = tomllib.loads(LIST.read_text(encoding="utf-8"))["run"]
LANGUAGES = {"javac", "octave-cli"}
"""Tools of the projects that `make projects` runs, and `make test` does not."""
FAILURE = re.compile(r"its controller ended with exit code (?!0\b)|was killed|by signal")


def places(recording: Path, body: str) -> NDArray[np.float64]:
    """Places (m) of the origin of a body, shape (steps, 3)."""
    with np.load(recording) as recorded:
        found: NDArray[np.float64] = recorded["positions"][:, list(recorded["names"]).index(body)]
    return found


def way(recording: Path, body: str) -> float:
    """Length (m) of the way that the origin of a body made."""
    return float(np.linalg.norm(np.diff(places(recording, body), axis=0), axis=1).sum())


def nearest(recording: Path, body: str, place: list[float]) -> float:
    """How near (m) the way of a body came to a place."""
    return float(np.linalg.norm(places(recording, body) - place, axis=1).min())


def turn(recording: Path, body: str) -> float:
    """Angle (degrees) that a body turned about z, counter-clockwise, during the run."""
    with np.load(recording) as recorded:
        w, x, y, z = recorded["quaternions"][:, list(recorded["names"]).index(body)].T
    yaws = np.unwrap(np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))
    return float(np.degrees(yaws[-1] - yaws[0]))


def _param(expected: dict[str, Any]) -> Any:
    marks = [pytest.mark.languages] if LANGUAGES & set(expected.get("tools", ())) else []
    return pytest.param(expected, marks=marks, id=expected["world"].split("/", 1)[1])


@pytest.mark.parametrize("expected", [_param(one) for one in RUNS])
def test_a_project_runs_unchanged(expected: dict[str, Any], tmp_path: Path):
    world = corpus_folder() / expected["world"]
    if not world.is_file():
        pytest.skip("the public projects are absent; fetch them with: make projects")
    for tool in expected.get("tools", ()):
        require_tool(tool, "controllers of this project are built with it")
    recording = tmp_path / "run.npz"
    folders = {"tmp": tmp_path, "corpus": corpus_folder()}
    options = [
        "--duration",
        str(expected["seconds"]),
        "--record",
        str(recording),
        *(text.format(**folders) for text in expected.get("options", ())),
    ]
    if "keys" in expected:
        keys = tmp_path / "keys.txt"
        keys.write_text("\n".join(expected["keys"]), encoding="utf-8")
        options += ["--keys", str(keys)]
    command = [sys.executable, "-m", "wbridge", "run", str(world), *options]
    # Python's random numbers are the same in each run, too: a project may roll dice where robots stand.
    (tmp_path / "sitecustomize.py").write_text("import random\n\nrandom.seed(0)\n")
    variables = {name: text.format(**folders) for name, text in expected.get("variables", {}).items()}
    # Figures of matplotlib are drawn without a window.
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "MPLBACKEND": "Agg", **variables}
    done = run(command, capture_output=True, text=True, timeout=300, check=False, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    assert not FAILURE.search(done.stderr), done.stderr[-2000:]
    ways = {body: way(recording, body) for body in expected.get("moves", {})}
    assert all(ways[body] > least for body, least in expected.get("moves", {}).items()), ways
    for body, passed in expected.get("passes", {}).items():
        for *place, distance in passed if isinstance(passed[0], list) else [passed]:
            assert nearest(recording, body, place) < distance, (body, place)
    for body, (least, most) in expected.get("turns", {}).items():
        assert least < turn(recording, body) < most
    assert set(expected.get("prints", ())) <= set(done.stdout.splitlines())
