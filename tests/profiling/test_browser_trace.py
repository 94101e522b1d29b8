"""The timeline's file, judged by the engine with which Chrome's Performance panel reads traces."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT, absent, require_tool
from tests.controllers.project import Project, robot, steps
from tests.profiling.test_profile import GPS, MEASURE, profiled
from wbridge.wbcore.profiling.trace import Trace

pytestmark = pytest.mark.browser

ENGINE = CHECKOUT / ".venv" / "trace_engine" / "node_modules" / "@paulirish" / "trace_engine"
READER = Path(__file__).with_name("read_trace.mjs")


def understood(trace: Trace, path: Path) -> dict[str, list[dict]]:
    """The spans of each thread, by the thread's name, as the engine has understood them."""
    if not ENGINE.is_dir():
        absent("Chrome's trace engine is not installed: it reads the timeline; make test-windows installs it")
    node = require_tool("nodejs", "it runs Chrome's trace engine")
    trace.write(path)
    done = subprocess.run([node, READER, ENGINE, path], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return {thread["name"]: thread["spans"] for thread in json.loads(done.stdout)}


def test_chrome_reads_tracks_names_and_nested_spans(tmp_path: Path):
    trace = Trace()
    trace.start(1_000_000)
    track = trace.track("controller: é")
    trace.add("engine", 1_003_000, 1_004_000)
    trace.add("step", 1_002_000, 1_009_500)
    trace.add("computes", 1_005_000, 1_020_000, track)
    assert understood(trace, tmp_path / "t.json") == {
        "simulator": [
            {"name": "step", "ts": 2, "dur": 7.5, "depth": 0},
            {"name": "engine", "ts": 3, "dur": 1, "depth": 1},
        ],
        "controller: é": [{"name": "computes", "ts": 5, "dur": 15, "depth": 0}],
    }


def test_chrome_keeps_every_span_of_a_run(tmp_path: Path):
    project = Project(tmp_path)
    project.write(robot("a", "walk", children=GPS), walk=steps(5, before=MEASURE))
    trace = Trace()
    profiled(project, trace)
    read = understood(trace, tmp_path / "t.json")
    assert read.keys() == {"simulator", "controller: a"}
    assert sum(map(len, read.values())) == len(trace)
    depths = {span["name"]: span["depth"] for span in read["simulator"]}
    assert depths["simulation step"] == 0
    assert depths["engine"] == 1
