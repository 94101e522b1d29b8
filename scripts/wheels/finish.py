"""Turn a compiled wheel into the one to publish: tags, a list of parts, and bytes that do not vary."""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path

from scripts.backend.small_wheel import well_compressed
from scripts.wheels.parts import LIST, compiler_licenses, list_of_parts
from scripts.wheels.targets import STABLE, System, compact

__all__ = ["finish", "release_time", "retag", "tag", "write_wheel"]

ROOT = Path(__file__).resolve().parents[2]
EARLIEST = 315_532_800
"""1 January 1980, in seconds since 1970: archives of this kind know no earlier time."""


def release_time() -> int:
    """Return when the release was made: SOURCE_DATE_EPOCH, or else the time of the last commit."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given is None:
        command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
        given = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return max(int(given), EARLIEST)


def tag(version: str, system: System) -> str:
    """Return the tag of the wheel for a version of Python and a system."""
    abi = "abi3" if version == STABLE else compact(version)
    return f"{compact(version)}-{abi}-{system.platform}"


def finish(compiled: Path, folder: Path, version: str, system: System, tools: Path, zig: Path) -> Path:
    """Write the wheel to publish.

    Args:
        compiled: the wheel of the build system.
        folder: of the new one.
        version: of Python.
        system: for which it is compiled.
        tools: Python of the environment that compiled it.
        zig: the compiler.

    Returns:
        The new wheel.
    """
    (packages,) = (tools.parent.parent / "lib").glob("python*/site-packages")
    project, release = compiled.name.split("-")[:2]
    parts = list_of_parts(project, release).encode()
    return retag(compiled, folder, tag(version, system), compiler_licenses(packages, zig) | {LIST: parts})


def retag(
    compiled: Path,
    folder: Path,
    tag: str,
    more: Mapping[str, bytes],
    modules: Mapping[str, bytes] | None = None,
    unused: tuple[str, ...] = (),
) -> Path:
    """Write a wheel with another tag, and bytes that do not vary.

    Args:
        compiled: the wheel of the build system.
        folder: of the new one.
        tag: the new one.
        more: files of the metadata to add.
        modules: compiled ones by name, of another system, which replace all that the wheel has.
        unused: starts of names of files to leave out.

    Returns:
        The new wheel.
    """
    project, release = compiled.name.split("-")[:2]
    info = f"{project}-{release}.dist-info"
    with zipfile.ZipFile(compiled) as old:
        files = {name: old.read(name) for name in old.namelist() if not name.endswith("/")}
    files = {name: text for name, text in files.items() if not name.startswith(unused)}
    del files[f"{info}/RECORD"]
    if modules is not None:
        files = {name: text for name, text in files.items() if not name.endswith(".so")} | dict(modules)
    lines = files[f"{info}/WHEEL"].decode().splitlines()
    kept = [line for line in lines if line and not line.startswith("Tag: ")]
    files[f"{info}/WHEEL"] = "\n".join([*kept, f"Tag: {tag}", ""]).encode()
    files |= {f"{info}/{name}": text for name, text in more.items()}
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{project}-{release}-{tag}.whl"
    write_wheel(target, files, info)
    return target


def write_wheel(target: Path, files: Mapping[str, bytes], info: str) -> None:
    """Write a wheel with these files and a record of them, in an order and with times that do not vary.

    Args:
        target: the file.
        files: content by name, without the record.
        info: the folder of the metadata, whose files come last.
    """
    moment = time.gmtime(release_time())[:6]
    names = sorted(files, key=lambda name: (name.startswith(f"{info}/"), name))
    record = "".join(f"{name},sha256={_digest(files[name])},{len(files[name])}\n" for name in names)
    everything = {**files, f"{info}/RECORD": f"{record}{info}/RECORD,,\n".encode()}
    unfinished = target.with_suffix(".unfinished")
    with (
        well_compressed(),
        zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive,
    ):
        for name in [*names, f"{info}/RECORD"]:
            entry = zipfile.ZipInfo(name, moment)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, also where the wheel is made on another system
            entry.external_attr = (0o100755 if name.endswith(".so") else 0o100644) << 16
            archive.writestr(entry, everything[name])
    unfinished.replace(target)


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
