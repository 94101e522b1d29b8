"""Commands that only read worlds start fast because they load little."""

import subprocess
import sys
from pathlib import Path

from tests.project.files import CHECKOUT

HEAVY = (
    "numpy",
    "lupa",
    "quickjs",
    "subprocess",
    "asyncio",
    "wbridge.wbcore.engine",
    "wbridge.wbcore.physics",
)
WORLD = """#VRML_SIM R2023b utf8
WorldInfo {
}
Robot {
  name "plain"
}
"""


def loaded_by(arguments: list[str]) -> set[str]:
    """Names of the modules that a command line has imported when it ends well."""
    code = (
        "import sys; from wbridge.main import main\n"
        f"code = main({arguments!r})\n"
        "print(*sys.modules, sep='\\n', file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return set(done.stderr.split())


def loaded_before_controllers(world: Path) -> set[str]:
    """Names of the modules that `wbridge run` has imported when it is about to start the controllers."""
    code = (
        "import sys\n"
        "from wbridge.wbcore.controllers.manager import ControllerManager\n"
        "def start_all(*args, **options):\n"
        "    print(*sys.modules, sep='\\n', file=sys.stderr); sys.stderr.flush()\n"
        "    raise SystemExit\n"
        "ControllerManager.start_all = start_all\n"
        "from wbridge.main import main\n"
        f"main(['run', {str(world)!r}, '--steps', '1'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return set(done.stderr.split())


def heavy(modules: set[str]) -> list[str]:
    return [name for name in HEAVY if name in modules]


def test_checking_a_plain_world_loads_no_heavy_module(tmp_path: Path):
    world = tmp_path / "plain.wbt"
    world.write_text(WORLD)
    modules = loaded_by(["check", str(world)])
    assert "wbridge.wbcore.scene.load" in modules
    assert heavy(modules) == []


def test_the_device_table_of_a_plain_world_loads_no_heavy_module(tmp_path: Path):
    world = tmp_path / "plain.wbt"
    world.write_text(WORLD)
    assert heavy(loaded_by(["devices", str(world)])) == []


def test_controllers_start_before_anything_heavy_is_loaded(tmp_path: Path):
    world = tmp_path / "plain.wbt"
    world.write_text(WORLD)
    modules = loaded_before_controllers(world)
    assert "wbridge.wbcore.controllers.runner" in modules
    assert (
        not {"numpy._core", "wbridge.wbcore.engine", "wbridge.wbcore.robots", "wbridge.wbcore.devices"}
        & modules
    )


def test_the_version_loads_no_command():
    assert not [
        name for name in loaded_by(["--version"]) if name.startswith(("wbridge.wbcore", "wbridge.commands."))
    ]


def test_a_controller_loads_neither_importlib_nor_typing():
    """Each takes 1 ms or more. Without `site`: what is installed beside may load them."""
    paths = f"import sys; sys.path.insert(0, {str(CHECKOUT / 'src')!r})"
    code = f"{paths}; from controller import Robot; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    modules = set(done.stdout.split())
    assert "wbridge.hal.controller.robot" in modules
    assert modules & {"importlib", "typing"} == set()
