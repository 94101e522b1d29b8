"""The page of a sweep: well-formed, complete, and loaded again only while the sweep runs."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.fleet.worlds import write
from wbridge.main import main
from wbridge.sweeping import page
from wbridge.wbfleet.sweeps.store import Row, Store

RUNS = 6


def swept(folder: Path, *options: str) -> ElementTree.Element:
    """Carry out a sweep with a page; return the page."""
    world = write(folder)
    varied = ["--vary", f"BALL.translation[2]=1..2/{RUNS}", "--vary", "counter.customData=<a>&b"]
    metrics = ["--metric", "z=BALL.translation[2]", "--metric", "low=min(BALL.translation[2])"]
    files = ["--out", str(folder / "a.sweep"), "--page", str(folder / "a.html")]
    command = ["sweep", str(world), *varied, *metrics, *files, "--duration", "0.1", "--jobs", "1"]
    assert main([*command, "--quiet", *options]) == 0
    return ElementTree.parse(folder / "a.html").getroot()


def test_a_page_shows_all_runs_and_how_to_repeat_the_extremes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = swept(tmp_path)
    plots = found.findall(".//svg")
    assert [one.findtext("title") for one in plots] == [f"{m} over BALL.translation[2]" for m in ("z", "low")]
    assert [len(one.findall("circle")) for one in plots] == [RUNS, RUNS]
    repeats = [one.text or "" for one in found.findall(".//td[@class='text']")]
    told = capsys.readouterr().out
    (repeat,) = [line.split(": ", 1)[1] for line in told.splitlines() if line.startswith("repeat run")]
    assert len(repeats) == 4 and repeat in repeats and "<a>&b" in repeats[0]
    assert found.find(".//meta[@http-equiv='refresh']") is None
    assert any(f"{RUNS} of {RUNS} runs, 0 failed" in (one.text or "") for one in found.findall(".//p"))


def test_the_browser_loads_the_page_again_while_the_sweep_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, added = [], [0]
    add = Store.add

    def look(store: Store, rows: list[Row]) -> None:
        add(store, rows)
        seen.append(ElementTree.parse(tmp_path / "a.html").getroot())
        added.append(added[-1] + len(rows))

    monkeypatch.setattr(Store, "add", look)
    monkeypatch.setattr(page, "REFRESH_S", 0)
    monkeypatch.setattr(page, "SHARE", float("inf"))
    swept(tmp_path)
    counts = [one.find(".//progress").get("value") for one in seen]
    # On a slow machine several runs may have ended at once.
    assert counts == [str(count) for count in added[:-1]] and added[-1] == RUNS
    assert all(one.find(".//meta[@http-equiv='refresh']") is not None for one in seen)


def test_a_page_that_cannot_be_written_ends_the_sweep(tmp_path: Path) -> None:
    command = ["sweep", str(write(tmp_path)), "--vary", "seed=1,2", "--out", str(tmp_path / "a.sweep")]
    assert main([*command, "--page", str(tmp_path / "absent" / "a.html"), "--quiet"]) == 1
