"""ODE is in the engine: no other one is loaded, and builds with the installed one say what they are."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.physics_plugins.projects import complete, project, simulation
from wbridge import main
from wbridge.hal.installation import installation
from wbridge.wbcore.engine import BUILD_NOTE, HAS_OWN_ODE, ODE_VERSION, _engine, installed, ode_build
from wbridge.wbcore.profiling.trace import Trace

own = pytest.mark.skipif(not HAS_OWN_ODE, reason="the engine is linked with the installed ODE")
ROOT = Path(__file__).resolve().parents[2]
WORLD = str(ROOT / "worlds" / "ball_on_a_ramp.wbt")
EXTENSION = Path(str(_engine.__file__))


def test_continuous_integration_has_the_ode_whose_hashes_are_recorded():
    if os.environ.get("CI", "") not in ("", "0", "false"):
        assert HAS_OWN_ODE


def needs(library: Path) -> list[str]:
    """Return the names of the libraries that the dynamic linker loads with another one."""
    shown = subprocess.run(["objdump", "-p", library], capture_output=True, text=True, check=True).stdout
    return [line.split()[1] for line in shown.splitlines() if line.strip().startswith("NEEDED")]


@own
def test_the_engine_needs_no_library_of_ode():
    needed = needs(EXTENSION)
    assert "libc.so.6" in needed
    assert not [one for one in needed if one.startswith(("libode", "libccd"))]
    assert ODE_VERSION == "0.16.2"


@own
def test_plugins_find_the_functions_of_the_headers_and_no_internal_ones():
    _engine.open_to_plugins()
    for name in (
        "dWorldCreate",
        "dBodyAddForce",
        "dGeomTriMeshDataBuildDouble",
        "dJointCreatePU",
        "dMassAdd",
    ):
        assert _engine.is_available(name)
    for name in ("_Z12dxStepIslandPK30dxStepperProcessingCallContext", "ccdMPRPenetration"):
        assert not _engine.is_available(name)


MAKEFILE = """
libprobe.so: probe.c
	$(CC) -shared -fPIC -I"$(WEBOTS_HOME)/include/controller/c" -o $@ $< -Wl,--no-as-needed -lode
"""
SOURCE = """
#include <stdio.h>
void webots_physics_init() { dWebotsConsolePrintf("%s", dODE_VERSION); }
void webots_physics_step() { dBodyAddForce(dWebotsGetBodyFromDEF("BALL"), 0, 0, 1); }
"""


@own
def test_a_plugin_whose_makefile_links_ode_loads_no_second_one(tmp_path: Path):
    """`-lode` makes it ask for libode.so.8, which the dynamic linker would load where it is installed. The
    Makefile insists, because linkers may leave out a library that defines nothing."""
    world = project(tmp_path, complete("#include <ode/version.h>\n" + SOURCE))
    (tmp_path / "plugins" / "physics" / "probe" / "Makefile").write_text(MAKEFILE)
    code = (
        "import sys; from pathlib import Path; from tests.physics_plugins.projects import simulation\n"
        "lines = []; sim = simulation(Path(sys.argv[1]), lines); sim.step()\n"
        "print(lines, {line.split()[-1] for line in open('/proc/self/maps') if 'libode' in line})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, world], capture_output=True, text=True, check=False,
        cwd=ROOT,
    )  # fmt: skip
    assert done.stdout == f"['[probe] 0.16.2'] {{'{EXTENSION.parent / 'libode.so'}'}}\n", done.stderr
    library = tmp_path / "plugins" / "physics" / "probe" / "libprobe.so"
    assert "libode.so.8" in needs(library)


@own
def test_headers_of_compilers_come_before_those_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """ODE's headers are those of the engine, and folders that the user named stay behind them."""
    more = tmp_path / "more"
    more.mkdir()
    (more / "mass.h").write_text("#define MASS 2.5\n")
    monkeypatch.setenv("CPATH", str(more))
    source = "#include <mass.h>\n#include <ode/ode.h>\n" + SOURCE.replace('"%s", dODE_VERSION', '"%g", MASS')
    lines: list[str] = []
    simulation(project(tmp_path, complete(source)), lines)
    assert lines == ["[probe] 2.5"]


NOTE = "with the installed ODE 0.16.6: state hashes can differ from those of other builds"


def test_the_version_says_that_a_build_has_the_installed_ode(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    class Distribution:
        version = "0.1.0"

        def read_text(self, name: str) -> str | None:
            return NOTE if name == "engine.txt" else None

    monkeypatch.setattr("wbridge.hal.installation._own_distribution", Distribution)
    installation.cache_clear()
    try:
        assert main.main(["--version"]) == 0
    finally:
        installation.cache_clear()
    assert capsys.readouterr().out == f"wbridge 0.1.0, {NOTE}\n"


def test_traces_and_results_say_that_a_build_has_the_installed_ode(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("wbridge.wbcore.profiling.trace.BUILD_NOTE", NOTE)
    monkeypatch.setattr("wbridge.wbcore.engine.BUILD_NOTE", NOTE)
    labels = [one["args"] for one in Trace().events() if one["name"] == "process_labels"]
    assert labels == [{"labels": NOTE}]
    assert main.main(["run", WORLD, "--inline", "--steps", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["engine"] == NOTE
    assert main.main(["run", WORLD, "--inline", "--steps", "1"]) == 0
    assert f" ({NOTE})" in capsys.readouterr().out


def test_compilers_find_the_installed_ode_by_themselves(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ode_build, "HAS_OWN_ODE", False)
    assert ode_build.plugin_environment() == {}


@own
def test_the_usual_build_says_nothing():
    assert BUILD_NOTE == ""
    assert not [one for one in Trace().events() if one["name"] == "process_labels"]


def test_an_older_engine_is_named_with_the_command_that_mends_it():
    error = installed.unusable_engine(
        ImportError("cannot import name 'NEW'", name="wbridge.wbcore.engine._engine")
    )
    assert str(error).startswith(
        "cannot import name 'NEW': the compiled engine is older than the sources in "
    )
    assert "`make build`" in str(error)
