"""Open public projects in Python as archives in the page of wbridge Live, and compare them with runs here.

    python -m scripts.live.projects FOLDER [--most COUNT] [--seconds SECONDS] > TABLE

FOLDER has Git repositories, named OWNER+NAME, or folders with one each. Of each repository, the smallest
world is taken whose controllers are all in Python. A line of the table: the repository, the world, the steps
that were asked for, those made here, whether the page ends with the same state hash (if not, whether a second
run here does), and what either side reports. Needs the site and Chromium.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from argparse import ArgumentParser
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Error

from benchmarks.live_runs import served
from wbridge.live.projects import ProjectError, unpack

CONTROLLER = re.compile(r'^\s*controller\s+"([^"]*)"', re.MULTILINE)
NONE = {"", "void", "<none>", "<generic>"}
MOST_BYTES = 64 << 20
"""Of an archive, see robot_windows/pages/live/opening.js."""
PATIENCE_MS, PATIENCE_S = 120_000, 120
TROUBLE = re.compile(r"^.*(?:\w+Error\b|no images|cannot run here|has errors).*$", re.MULTILINE)
"""Lines that say what stops a controller."""
OPEN = """([text, more]) =>
live.openProject(Uint8Array.from(atob(text), (one) => one.charCodeAt(0)).buffer, more)"""
NATIVE = """
import json, sys, time
from pathlib import Path
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.scene.checks import load_checked
from wbridge.wbcore.scene.load import LoadOptions
load = LoadOptions(allow_missing=True)
world = load_checked(sys.argv[1], load)
with Runner(world, RunOptions(inline=True, load=load)) as runner:
    runner.limit = round(float(sys.argv[2]) / runner.simulation.step_s)
    limit, outcome = runner.limit, runner.run()
    print("\\n" + json.dumps([limit, outcome.steps, runner.simulation.hash()]))
"""


class Project(NamedTuple):
    """A world of a repository, with the archive of all its files."""

    name: str
    world: str
    archive: bytes


class Run(NamedTuple):
    """What came of a run."""

    limit: int
    """Steps that were asked for."""
    steps: int
    digest: str
    trouble: str
    """What stopped a controller, or the run."""


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--most", type=int, default=25)
    parser.add_argument("--seconds", type=float, default=10.0)
    asked = parser.parse_args()
    print("| project, world | steps | here | in the page | reported |\n|---|---|---|---|---|")
    left = asked.most
    with served() as (browser, address):
        for project in projects(asked.folder):
            native = run_here(project, asked.seconds)
            if native is None:
                continue
            page = run_in_page(project, native.limit, browser, address)
            again = native if page.digest == native.digest else run_here(project, asked.seconds)
            print(row(project, native, page, again == native), flush=True)
            left -= 1
            if not left:
                return


def projects(folder: Path) -> Iterator[Project]:
    """Yield the repositories that have a world with controllers in Python alone."""
    for place in sorted(one for one in folder.iterdir() if "+" in one.name):
        repository = next((one.parent for one in [*place.glob("HEAD"), *place.glob("*/HEAD")]), None)
        if repository is None:
            continue
        packed = subprocess.run(
            ["git", "--git-dir", str(repository), "archive", "--format=zip", "HEAD"], capture_output=True
        )
        if packed.returncode or len(packed.stdout) > MOST_BYTES:
            continue
        world = world_in(packed.stdout)
        if world is not None:
            yield Project(place.name.replace("+", "/", 1), world, packed.stdout)


def world_in(data: bytes) -> str | None:
    """Return the smallest world whose controllers are all in Python, or None."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = set(archive.namelist())
        worlds = [
            one for one in archive.infolist() if one.filename.endswith(".wbt") and one.file_size < 1 << 20
        ]
        for one in sorted(worlds, key=lambda one: (one.file_size, one.filename)):
            controllers = set(CONTROLLER.findall(archive.read(one).decode("utf-8", "replace"))) - NONE
            home = one.filename.rpartition("/")[0].rpartition("/")[0]
            files = {f"{home}/controllers/{name}/{name}.py".lstrip("/") for name in controllers}
            if files and files <= names:
                return one.filename
    return None


def run_here(project: Project, seconds: float) -> Run | None:
    """Run a project on this computer; None if that is not possible at all."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "project"
        words = [sys.executable, "-c", NATIVE, str(folder / project.world), str(seconds)]
        try:
            unpack(project.archive, folder)
            ended = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S, cwd=place)
            limit, steps, digest = json.loads(ended.stdout.strip().rpartition("\n")[2])
        except (ProjectError, subprocess.TimeoutExpired, ValueError, OSError):
            return None
    return Run(limit, steps, digest, trouble_in(ended.stderr + ended.stdout))


def run_in_page(project: Project, steps: int, browser: Browser, address: str) -> Run:
    """Run a project in a page of its own."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    printed: list[str] = []
    page.on("console", lambda message: printed.append(message.text))
    more = {"world": project.world, "options": {"steps": steps}}
    try:
        page.goto(address)
        page.wait_for_selector("main a")
        page.evaluate(OPEN, [b64encode(project.archive).decode(), more])
        page.wait_for_selector("html[data-result], .live-state button", state="attached")
        shown = page.get_attribute("html", "data-result")
        count, digest = _result(shown) if shown else (0, "")
        said = "" if shown else page.inner_text(".live-state").removesuffix("Start again")
    except Error as problem:
        count, digest, said = 0, "", str(problem).splitlines()[0]
    finally:
        page.evaluate("() => globalThis.runInside?.end()")
        page.close()
    trouble = said.splitlines()[0] if said else trouble_in("\n".join(printed))
    return Run(steps, count, digest, trouble)


def _result(shown: str) -> tuple[int, str]:
    """Return the steps and the state hash of a run in a page."""
    result = json.loads(shown)
    return result["steps"], result["hash"]


def trouble_in(text: str) -> str:
    """Return the last line that says what stopped a controller; "" if none does."""
    lines = TROUBLE.findall(text)
    return lines[-1].strip()[:120] if lines else ""


def row(project: Project, native: Run, page: Run, is_repeatable: bool) -> str:
    """Return a row of the table.

    Args:
        project: of both runs.
        native: the run here.
        page: that in the page.
        is_repeatable: a second run here was the same.
    """
    if page.digest and page.digest == native.digest:
        verdict = "the same hash"
    elif page.digest and page.steps == native.steps:
        verdict = f"as many steps, another hash{'' if is_repeatable else ', as here each time'}"
    else:
        verdict = f"{page.steps} steps" if page.digest else "no run"
    here = "" if page.trouble == native.trouble else f" (here: {native.trouble or 'nothing'})"
    reported = page.trouble + here
    world = Path(project.world).name
    return f"| {project.name}, `{world}` | {native.limit} | {native.steps} | {verdict} | {reported} |"


if __name__ == "__main__":
    main()
