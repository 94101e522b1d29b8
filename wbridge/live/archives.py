"""The archives that a page loads: Python packages, and the models with the sample worlds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from wbridge.live.bare import bare
from wbridge.live.packing import write_packed
from wbridge.live.projects import RUBRIC

__all__ = [
    "exercises_of",
    "write_archives",
    "write_firmware",
    "write_grading",
    "write_robots",
    "write_verification",
]

PACKAGES = ("controller", "hal", "robot_windows", "vehicle", "wbcore", "wbridge")
FOLDERS = ("protos", "worlds", "controllers", "motions", "exercises")
NOT_CODE = (
    *("wbcore/engine/src", "wbcore/engine/ode", "wbcore/engine/musl", "robot_windows/pages"),
    # these need processes, and packages that pages lack
    *("wbridge/learning", "wbridge/ros", "wbridge/sweeping"),
)
BARE = tuple(f"{name}/" for name in ("hal", "robot_windows", "wbcore", "wbridge"))
"""Folders whose comments nobody reads in a page; controllers are shown there, and the package `controller`
explains itself."""
ROBOTS = ("remote_controls",)
NOT_ROBOTS = ("remote_controls/emulators", "remote_controls/camera")
FIRMWARE = ("wbfirmware", "libcontroller")
TEMPLATES = "firmware_templates"
LIBRARY = ("cpp", "include", "java", "octave", "python", "resources", "src")
NOT_FIRMWARE = (
    *(f"wbfirmware/emulators/{name}" for name in ("programs", "qemu", "rp2040")),
    *(f"libcontroller/{name}/" for name in LIBRARY),
)
GRADING = (
    *("__init__.py", "grading/__init__.py", "grading/points.py", "grading/rubric.py"),
    *("grading/sandbox/__init__.py", "grading/sandbox/plan.py"),
    *("sweeps/__init__.py", "sweeps/evidence.py", "sweeps/job.py", "sweeps/metrics.py"),
)
"""What exercises need of wbfleet."""
SKIPPED = ("__pycache__", "build", ".so", ".pyi", ".cpp", ".h", ".inc", ".cmake")


def write_archives(root: Path, extensions: Path, target: Path) -> list[str]:
    """Write the archives `code` and `models` into a folder; return the sample worlds.

    Args:
        root: the folder of the checkout or of the installed data.
        extensions: the modules that were compiled for the page, laid out as packages.
        target: the folder.
    """
    _write(target, "code", [*_files(root, PACKAGES, NOT_CODE), *_all_files(extensions, extensions)])
    _write(target, "models", _files(root, FOLDERS))
    return sorted(file.stem for file in (root / "worlds").glob("*.wbt"))


def write_robots(root: Path, target: Path) -> None:
    """Write the archive `robots`, the plugins of real robots, into a folder."""
    _write(target, "robots", _files(root, ROBOTS, NOT_ROBOTS))


def write_firmware(root: Path, target: Path) -> None:
    """Write the archive `firmware`, which makes firmware and brings it onto boards, into a folder."""
    templates = [file for file in _all_files(root, root / TEMPLATES) if "__pycache__" not in file[1]]
    _write(target, "firmware", [*_files(root, FIRMWARE, NOT_FIRMWARE), *templates])


def write_grading(root: Path, target: Path) -> None:
    """Write the archive `grading`, which gives points for exercises, into a folder."""
    files = [root / "wbfleet" / name for name in GRADING]
    _write(target, "grading", [(file, file.relative_to(root).as_posix()) for file in files])


def write_verification(root: Path, target: Path) -> None:
    """Write the archive `verification`, which compares programs of boards with controllers."""
    _write(target, "verification", _files(root, ("wbverify",)))


def exercises_of(root: Path) -> list[str]:
    """Return the names of the exercises."""
    return sorted(file.parent.name for file in (root / "exercises").glob(f"*/{RUBRIC}"))


def _files(root: Path, folders: Iterable[str], without: tuple[str, ...] = ()) -> Iterator[tuple[Path, str]]:
    for folder in folders:
        for file in sorted((root / folder).rglob("*")):
            name = file.relative_to(root).as_posix()
            if file.is_file() and not name.startswith(without) and not _is_skipped(file):
                yield file, name


def _all_files(root: Path, folder: Path) -> list[tuple[Path, str]]:
    return [(file, file.relative_to(root).as_posix()) for file in sorted(folder.rglob("*")) if file.is_file()]


def _is_skipped(file: Path) -> bool:
    return file.suffix in SKIPPED or any(part in SKIPPED for part in file.parts)


def _content(file: Path, name: str) -> bytes:
    """Return what a page gets of a file: of the simulator's own modules what the computer reads."""
    data = file.read_bytes()
    return bare(data.decode()).encode() if file.suffix == ".py" and name.startswith(BARE) else data


def _write(folder: Path, name: str, files: Iterable[tuple[Path, str]]) -> None:
    write_packed(folder, name, ((place, _content(file, place)) for file, place in files))
