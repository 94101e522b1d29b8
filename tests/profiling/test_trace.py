"""The timeline's file, judged by the fields of Chrome's "Trace Event Format": complete events have `ph` "X",
`name`, `ts` and `dur` in microseconds, `pid` and `tid`; names of threads are metadata events (`ph` "M")."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wbridge.wbcore.profiling.trace import Trace


def written(trace: Trace, path: Path) -> list[dict]:
    trace.write(path)
    return json.loads(path.read_text("utf-8"))["traceEvents"]


def test_spans_are_complete_events_in_microseconds_since_the_start(tmp_path: Path):
    trace = Trace()
    trace.start(1_000_000)
    trace.add("engine", 1_002_000, 1_002_500)
    assert [one for one in written(trace, tmp_path / "t.json") if one["ph"] == "X"] == [
        {"ph": "X", "name": "engine", "ts": 2.0, "dur": 0.5, "pid": 1, "tid": 1}
    ]


def test_tracks_are_threads_with_names(tmp_path: Path):
    trace = Trace()
    track = trace.track('controller: "Ann" \u00e9')
    trace.add("computes", 0, 1000, track)
    events = written(trace, tmp_path / "t.json")
    names = {one["tid"]: one["args"]["name"] for one in events if one["name"] == "thread_name"}
    assert names == {1: "simulator", track: 'controller: "Ann" \u00e9'}
    assert {one["ph"] for one in events} == {"M", "X"}
    assert [one["args"] for one in events if one["name"] == "process_name"] == [{"name": "wbridge run"}]


def test_the_number_of_events_is_limited(tmp_path: Path):
    trace = Trace(most_events=3)
    trace.start(0)
    for number in range(5):
        trace.add("step", number, number + 1)
    assert (len(trace), trace.dropped) == (3, 2)
    assert sum(one["ph"] == "X" for one in written(trace, tmp_path / "t.json")) == 3


def test_a_file_is_replaced_only_by_a_complete_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "t.json"
    path.write_text("former", "utf-8")
    trace = Trace()

    def fail():
        yield {"ph": "M"}
        raise OSError("disk full")

    monkeypatch.setattr(trace, "events", fail)
    with pytest.raises(OSError, match="disk full"):
        trace.write(path)
    assert path.read_text("utf-8") == "former"
    assert list(tmp_path.iterdir()) == [path]
