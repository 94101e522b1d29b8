"""Faults of plugins end the simulation with one message that names plugin, function and step."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.physics_plugins.projects import HEAD, complete, project, simulation
from wbridge.wbcore.physics.errors import PluginError


def failure(world: Path, limit_s: float = 30.0) -> str:
    """Make 5 steps, and return the message of the plugin's failure."""
    with pytest.raises(PluginError) as caught, simulation(world, limit_s=limit_s) as running:
        running.step(5)
    return str(caught.value)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("*(volatile int *)0 = 1;", "Segmentation fault"),
        ("abort();", "Aborted"),
        ("deeper(0);", "Segmentation fault"),
    ],
)
def test_a_crash_names_function_and_step(tmp_path: Path, code: str, why: str):
    source = f"""
    #include <stdlib.h>
    #pragma GCC diagnostic ignored "-Winfinite-recursion"
    static volatile int depth;
    __attribute__((noinline)) void deeper(int n) {{
      volatile char b[4096];
      b[0] = n;
      deeper(n + 1);
      depth = b[0];
    }}
    static int steps;
    void webots_physics_step() {{ if (++steps == 4) {{ {code} }} }}
    """
    assert failure(project(tmp_path, complete(source))) == (
        f'physics plugin "probe": webots_physics_step crashed in step 3: {why}'
    )


def test_the_process_survives_a_crash(tmp_path: Path):
    """The same Python goes on: other worlds, files, recordings."""
    crash = complete("void webots_physics_init() { *(volatile int *)0 = 1; }")
    for name in ("one", "other"):
        assert "webots_physics_init crashed in step 0" in failure(project(tmp_path / name, crash))


def test_an_exception_in_cpp_is_reported_with_its_text(tmp_path: Path):
    source = """
    #include <stdexcept>
    void webots_physics_step() { throw std::out_of_range("no such leg"); }
    """
    assert failure(project(tmp_path, complete(source), ".cpp")) == (
        'physics plugin "probe": webots_physics_step threw an exception in step 0: '
        "std::out_of_range: no such leg"
    )


def test_an_endless_loop_ends(tmp_path: Path):
    source = "void webots_physics_init() { volatile int on = 1; while (on) { } }"
    found = failure(project(tmp_path, complete(source)), limit_s=0.3)
    assert found == 'physics plugin "probe": webots_physics_init did not return within 0.3 s, in step 0'


def test_missing_functions_of_the_plugin_are_listed(tmp_path: Path):
    found = failure(project(tmp_path, f"{HEAD}void webots_physics_init() {{}}"))
    assert found.startswith(
        'physics plugin "probe": it does not define webots_physics_step, webots_physics_cleanup'
    )


def test_missing_functions_of_ode_are_listed(tmp_path: Path):
    source = "void webots_physics_init() { dVector3 v; dJointGetHingeSuspensionAxis(0, v); dWebotsFly(); }"
    declared = f"{HEAD}void dWebotsFly();\n{complete(source).removeprefix(HEAD)}"
    found = failure(project(tmp_path, declared))
    assert "functions that this ODE does not have: dJointGetHingeSuspensionAxis, dWebotsFly" in found


def test_single_precision_is_refused(tmp_path: Path):
    source = "#define dIDESINGLE\n" + complete("")
    assert "compiled for numbers of 32 bits, but this ODE has 64" in failure(project(tmp_path, source))


def test_a_plugin_with_its_own_ode_is_refused(tmp_path: Path):
    """Bodies of one ODE mean nothing to another."""
    found = failure(project(tmp_path, complete("dWorldID dWorldCreate() { return 0; }")))
    assert "it brings its own ODE" in found


def test_errors_of_the_compiler_are_shown(tmp_path: Path):
    found = failure(project(tmp_path, complete("void webots_physics_step() { nonsense }")))
    assert "could not build" in found and "nonsense" in found


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
def test_drawing_without_its_header_is_told_with_the_header(tmp_path: Path, suffix: str):
    source = "void webots_physics_draw(int pass, const char *view) { glBegin(GL_LINES); glEnd(); }"
    assert "include <GL/gl.h>" in failure(project(tmp_path, complete(source), suffix))


def test_a_damaged_library_is_named(tmp_path: Path):
    world = project(tmp_path, "", ".txt")
    (tmp_path / "plugins/physics/probe/probe.so").write_bytes(b"\x7fELF\x02\x01" + bytes(60))
    assert "probe.so" in failure(world)


def test_errors_of_ode_name_the_function(tmp_path: Path):
    """ODE checks some arguments: here a contact between geoms that do not exist."""
    source = """
    static int steps;
    void webots_physics_step() { if (steps++) dDebug(1, "a fault"); }
    """
    assert failure(project(tmp_path, complete(source))) == (
        'physics plugin "probe": webots_physics_step threw an exception in step 1: wb::EngineError: '
        "ODE: a fault"
    )
