"""Install the wheel for Windows into a fresh Python under Wine, run sample worlds there, and uninstall it.

python -m scripts.windows.room

It notes what became of the wheel, as scripts.wheels.rooms does for Linux; exits with 1 if a state hash
differs from the one here, or if something is left after uninstalling.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from scripts.portable.tools import fetch_tools
from scripts.wheels.hashes import COMPILED, SAMPLES, difference, run_here, sample_hashes
from scripts.wheels.record import Trial, note, short
from scripts.wheels.rooms import OWNER, PICTURE, files_below, put_samples
from scripts.windows.python import VERSION, WITHOUT_WMI, fetch_python, required
from scripts.windows.wheel import DIST, FOLDER, TAG, TOOLS
from scripts.windows.wine import end_all, start

TITLE = f"Windows under Wine, Python {VERSION}"
PLACE = FOLDER / OWNER
PYTHON = PLACE / "Python"
QUIET = PLACE / "quiet"
"""A folder whose file keeps Python from what Wine lacks."""
PROGRAM = "Python\\Scripts\\wbridge.exe"
"""The program that pip makes."""


def run(words: Sequence[str]) -> str:
    """Run Python under Wine in the room; return what it prints.

    Raises:
        RuntimeError: it fails; with the end of what it says.
    """
    done = start(PYTHON, words, [QUIET], FOLDER, TOOLS, PLACE)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}\n{done.stdout[-500:]}{done.stderr[-2000:]}")
    return done.stdout


def furnish(wheel: Path) -> None:
    """Put Python, the wheel, what it requires and the samples into a new folder.

    Raises:
        subprocess.CalledProcessError: pip says why.
    """
    shutil.rmtree(PLACE, ignore_errors=True)
    shutil.copytree(fetch_python(FOLDER), PYTHON)
    QUIET.mkdir()
    (QUIET / "sitecustomize.py").write_text(WITHOUT_WMI, encoding="utf-8")
    download = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check"]
    target = ["--only-binary", ":all:", "--platform", "win_amd64", "--python-version", VERSION]
    subprocess.run([*download, *target, "--dest", str(PLACE / "wheels"), *required()], check=True)
    put_samples(wheel, PLACE, ("controllers", "motions", "worlds"))


def try_wheel(wheel: Path, expected: dict[str, str]) -> Trial:
    """Install the wheel, run the samples, and uninstall it.

    Args:
        wheel: the file.
        expected: hashes of the samples.

    Raises:
        RuntimeError: one of these fails.
    """
    furnish(wheel)
    pip = ["-m", "pip", "--disable-pip-version-check", "-q"]
    install = [*pip, "install", "--no-index", "--find-links", "wheels"]
    run([*install, *required()])
    before = files_below(PYTHON)
    run([*install, f"wheels/{wheel.name}"])
    run([PICTURE.name, PROGRAM])
    names = tuple(name for name in SAMPLES if name not in COMPILED)
    hashes = sample_hashes(lambda words: run(["-m", "wbridge", *words]), names)
    run([*pip, "uninstall", "--yes", wheel.name.split("-")[0]])
    left = sorted(files_below(PYTHON) - before)
    differs = difference(hashes, expected)
    return Trial(short(wheel.name), wheel.stat().st_size, TITLE, sorted(hashes), differs, left=left)


def main() -> int:
    """Try the wheel; return the exit code."""
    wheels = sorted(DIST.glob(f"*-{TAG}.whl"))
    if not wheels:
        print("dist/ has no wheel for Windows; python -m scripts.windows.wheel builds it", file=sys.stderr)
        return 1
    fetch_tools(TOOLS)
    try:
        trial = try_wheel(wheels[-1], sample_hashes(run_here))
    finally:
        end_all(FOLDER, TOOLS)
    note(trial)
    print(f"{wheels[-1].name}: {trial.summary()}")
    return 1 if trial.differs or trial.left else 0


if __name__ == "__main__":
    sys.exit(main())
