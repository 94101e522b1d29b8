"""Install wheels where nothing else is, run sample worlds there, and uninstall them again.

python -m scripts.wheels.rooms [WHEEL ...]

WHEEL: all in dist/ by default. A room is an empty root with a release of Debian, or an environment with a
Python of this machine. Programs of another processor run on an emulated one. Prints a line for each room,
and notes it in the record of which docs/releasing.md shows a table (scripts.wheels.record); exits with 1 if a
state hash differs from the one here, or if something is left after uninstalling.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.fetch_source import indexes
from scripts.portable.tools import fetch_tools
from scripts.requirements import of_runtime
from scripts.wheels.emulation import emulated
from scripts.wheels.hashes import COMPILED, SAMPLES, difference, run_here, sample_hashes
from scripts.wheels.interpreters import interpreter
from scripts.wheels.record import Trial, note, short
from scripts.wheels.targets import PYTHONS, SYSTEMS, compact

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "rooms"
DIST = ROOT / "dist"
OWNER = "Ada von Öhm"
"""A user, with blanks in the name and in the path of all folders."""
OTHER_ODE = "/usr/include/ode"
HIDING = f'mount -t tmpfs none {OTHER_ODE} && exec "$@"'
"""Plugins are compiled with the headers in the wheel, not with those of this machine."""
POOR = "1000:1000"
"""User and group who own nothing."""
RELEASES = {"3.11": "bookworm", "3.13": "trixie"}
"""Releases of Debian by their version of Python."""
EMULATED = {"aarch64": "arm64"}
"""Processors that an emulator of the tools runs, and how Debian names them."""
NEWEST = "trixie"
"""The release for them: its packages are complete once they are unpacked."""
TOOLS = ROOT / "build" / "portable" / "tools"
PICTURE = Path(__file__).with_name("first_picture.py")


@dataclass(frozen=True)
class Room:
    """A place with Python: an empty root, or the root of this machine."""

    title: str
    version: str
    root: Path | None
    python: str
    processor: str = platform.machine()
    """For which its programs are compiled."""

    @property
    def is_emulated(self) -> bool:
        """Whether its programs are for another processor than that of this machine."""
        return self.processor != platform.machine()

    def run(self, words: Sequence[str | Path], folder: str, is_poor: bool = False) -> str:
        """Run a command in the room and return what it prints.

        Args:
            words: of the command.
            folder: in which it runs.
            is_poor: in an empty root, run it without a network, by a user who can only write temporary files.

        Raises:
            RuntimeError: it fails; with the end of what it says.
        """
        script = 'cd "$1"; shift; exec "$@"'
        command = ["sh", "-c", script, "sh", folder, *map(str, words)]
        if self.root is not None:
            user = ["--userspec", POOR] if is_poor else []
            command = ["chroot", *user, str(self.root), *command]
        elif Path(OTHER_ODE).is_dir():
            command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", HIDING, "sh", *command]
        if self.is_emulated:
            command = emulated(command, TOOLS)
        elif self.root is not None and is_poor:
            command = ["unshare", "--net", *command]
        plain = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": f"{folder}/home",
            "USER": OWNER,
            "LANG": "C.UTF-8",
        }
        done = subprocess.run(command, env=plain, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(
                f"{self.title}: {' '.join(map(str, words))}\n{done.stdout[-500:]}{done.stderr[-2000:]}"
            )
        return done.stdout

    def outside(self, folder: str) -> Path:
        """Return the path here of a folder in the room."""
        return Path(folder) if self.root is None else self.root / folder.lstrip("/")


def rooms() -> list[Room]:
    """Return all rooms that this machine can have; empty roots are made when they are first used."""
    found = [
        Room(f"{release}, Python {version}", version, FOLDER / release, "/usr/bin/python3")
        for version, release in RELEASES.items()
        if os.geteuid() == 0 and shutil.which("debootstrap")
    ]
    found += [
        Room(f"{room.title}, {each} emulated", room.version, FOLDER / f"{NEWEST}-{each}", room.python, each)
        for room in found
        for each in EMULATED
        if room.root == FOLDER / NEWEST and each != platform.machine()
    ]
    for version in PYTHONS:
        python = interpreter(version)
        if python is not None:
            found.append(Room(f"Python {version} of this machine", version, None, str(python)))
    return found


def prepare(room: Room) -> None:
    """Make an empty root with Python, unless it is there.

    Raises:
        subprocess.CalledProcessError: debootstrap says why.
    """
    if room.root is None or (room.root / "usr" / "bin" / "python3").exists():
        return
    room.root.mkdir(parents=True, exist_ok=True)
    command = ["debootstrap", "--variant=minbase", "--include=python3,python3-venv"]
    if room.is_emulated:
        fetch_tools(TOOLS)
        command += ["--foreign", f"--arch={EMULATED[room.processor]}"]
    command += [room.root.name.partition("-")[0], str(room.root), indexes()[0].mirror]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    if room.is_emulated:  # no program of the other processor has run: packages are unpacked, not configured
        for package in (room.root / "var" / "cache" / "apt" / "archives").glob("*.deb"):
            subprocess.run(["dpkg", "-x", package, room.root], check=True)
        shared = (room.root / "usr" / "share" / "ca-certificates").rglob("*.crt")
        certificates = room.root / "etc" / "ssl" / "certs" / "ca-certificates.crt"  # which pip reads
        certificates.parent.mkdir(parents=True, exist_ok=True)
        certificates.write_bytes(b"".join(file.read_bytes() for file in sorted(shared)))


def fits(wheel: Path, room: Room) -> bool:
    """Would pip install the wheel there?"""
    if not wheel.stem.endswith(SYSTEMS[room.processor].platform):
        return False
    minor = int(room.version.split(".")[1])
    return compact(room.version) in wheel.name or ("-abi3-" in wheel.name and minor >= 12)


def try_wheel(wheel: Path, room: Room, expected: dict[str, str]) -> Trial:
    """Install a wheel in a room, run the samples, and uninstall it.

    Args:
        wheel: the file.
        room: where it fits.
        expected: hashes of the samples.

    Raises:
        RuntimeError: one of these fails.
    """
    prepare(room)
    folder = f"/home/{OWNER}" if room.root is not None else str(FOLDER / OWNER / f"Python {room.version}")
    outside = room.outside(folder)
    _furnish(wheel, room, outside)
    room.run([room.python, "-m", "venv", "python"], folder)
    pip = ["python/bin/python", "-m", "pip", "--disable-pip-version-check", "-q"]
    install = [*pip, "install", "--no-index", "--find-links", "wheels"]
    if room.is_emulated:
        install.append("--no-compile")  # which would take minutes
    start = _processor_s()
    room.run([*install, *of_runtime()], folder)
    before = files_below(outside / "python")
    room.run([*install, f"wheels/{wheel.name}"], folder)
    seconds = 0.0
    if not room.is_emulated:  # there the server of pages takes longer than a run waits for it
        room.run(["python/bin/python", PICTURE.name, "python/bin/wbridge"], folder)
        seconds = _processor_s() - start
    names = tuple(name for name in SAMPLES if name not in COMPILED or room.root is None)
    hashes = sample_hashes(
        lambda words: room.run(["python/bin/wbridge", *words], folder, is_poor=not room.is_emulated), names
    )
    room.run([*pip, "uninstall", "--yes", wheel.name.split("-")[0]], folder)
    return Trial(
        short(wheel.name),
        wheel.stat().st_size,
        room.title,
        sorted(hashes),
        difference(hashes, expected),
        round(seconds, 1),
        sorted(files_below(outside / "python") - before),
    )


def put_samples(wheel: Path, folder: Path, folders: Sequence[str]) -> None:
    """Put a wheel beside what it requires, and what starts the demo and folders of samples into a folder."""
    shutil.copy(wheel, folder / "wheels")
    shutil.copy(PICTURE, folder)
    for name in folders:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("build", "__pycache__"))


def _processor_s() -> float:
    """Time that processors have spent on programs that have ended, whatever else the machine does."""
    times = os.times()
    return times.children_user + times.children_system


def _furnish(wheel: Path, room: Room, folder: Path) -> None:
    """Put the wheel, what it requires and the samples into a new folder."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "home").mkdir(parents=True)
    _download(room, folder / "wheels")
    put_samples(wheel, folder, ("controllers", "motions", "plugins", "worlds"))


def _download(room: Room, folder: Path) -> None:
    """Get what wbridge requires: files that are installed without a compiler."""
    version, system = room.version, room.processor
    platforms = [f"--platform=manylinux_2_{minor}_{system}" for minor in (28, 17)]
    options = ["-q", "--only-binary", ":all:", "--python-version", version, *platforms, "--dest", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", "download", *options, *of_runtime()], check=True)


def files_below(folder: Path) -> set[str]:
    """The files below a folder, but for what Python compiles."""
    files = (file.relative_to(folder) for file in folder.rglob("*") if file.suffix != ".pyc")
    return {str(file) for file in files if file.name != "__pycache__"}


def main(chosen: list[str]) -> int:
    """Try the wheels; return the exit code."""
    expected = sample_hashes(run_here)
    print(f"checkout: {' '.join(expected.values())}", flush=True)
    is_well = True
    for wheel in map(Path, chosen) if chosen else sorted(DIST.glob("*manylinux*.whl")):
        places = [room for room in rooms() if fits(wheel, room)]
        if not places:
            note(Trial(short(wheel.name), wheel.stat().st_size))
            print(f"{wheel.name}: built and checked, not run: no room for it on this machine", flush=True)
        for room in places:
            try:
                trial = try_wheel(wheel, room, expected)
            except RuntimeError as problem:
                print(f"{wheel.name}: {problem}", flush=True)
                is_well = False
                continue
            note(trial)
            print(f"{wheel.name}: {trial.summary()}", flush=True)
            is_well &= not trial.differs and not trial.left
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
