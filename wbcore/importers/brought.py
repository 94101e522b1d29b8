"""Models from files of unknown people: a robot description, a PROTO or a mesh becomes a PROTO in a folder.

Nothing outside of the files is read, and none of them is run: xacro files, which are programs, are refused.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from wbridge.wbcore.importers.asset_files import load_mesh
from wbridge.wbcore.importers.converting import convert, proto_name
from wbridge.wbcore.importers.options import ConvertOptions
from wbridge.wbcore.importers.xacro_files import is_xacro
from wbridge.wbcore.physics.meshes import MeshError, suffixes
from wbridge.wbcore.scene.values import number_text

DESCRIPTIONS, PICTURES = (".urdf", ".xml", ".mjcf", ".xacro"), (".png", ".jpg", ".jpeg")
SUFFIXES = (*DESCRIPTIONS, ".proto", *(f".{suffix}" for suffix in suffixes()), ".mtl", *PICTURES)
"""Of the files that models consist of."""
MOST_READ = 2**16
"""Bytes at the beginning of an XML file that say what it describes."""
LARGEST_M = 20.0
"""A mesh that is longer is one in mm: such files do not state their unit."""
DENSITY = 400
"""kg/m3 of a mesh's box, as light wood."""
MOST_REASONS = 4


def put_model(folder: Path, home: Path, taken: Collection[str], with_protos: bool) -> Path:
    """Make a PROTO of the files in a folder; return it.

    Args:
        folder: the files, with nothing else in it.
        home: where the PROTO is written, with a folder for its meshes.
        taken: names that it must not have.
        with_protos: whether files may be PROTOs themselves, which can start programs.

    Raises:
        ValueError: there is nothing to make a PROTO of, or it has errors; the text says which.
        OSError: a file cannot be written.
    """
    main = _main_file(folder)
    if main.suffix == ".proto":
        return _copied(main, folder, home, taken, with_protos)
    name = _free(proto_name(main.stem), home, taken)
    home.mkdir(parents=True, exist_ok=True)
    if main.suffix.lower() in DESCRIPTIONS:
        return _converted(main, folder, home / f"{name}.proto")
    return _of_mesh(main, home / f"{name}.proto")


def _main_file(folder: Path) -> Path:
    """Return the file that the others belong to."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    for kind in (
        [file for file in files if file.suffix.lower() in DESCRIPTIONS and _is_robot(file)],
        [file for file in files if file.suffix.lower() == ".proto"],
        [file for file in files if file.suffix.lower().lstrip(".") in suffixes()],
    ):
        names = [file for file in kind if not _is_used(file, kind)]
        if len(names) > 1:
            listed = ", ".join(file.name for file in names[:MOST_REASONS])
            raise ValueError(f"bring one model at a time; these are {len(names)}: {listed}")
        if names:
            return names[0]
    known = "URDF, MJCF, PROTO, " + ", ".join(suffix.upper() for suffix in suffixes())
    raise ValueError(f"there is no model in these files; possible: {known}")


def _is_robot(file: Path) -> bool:
    head = _head(file)
    return b"<robot" in head or b"<mujoco" in head


def _is_used(file: Path, others: Sequence[Path]) -> bool:
    """Return whether another file includes this one, such as a scene its robot."""
    name = file.name.encode()
    return any(name in _head(other) for other in others if other != file and other.suffix == file.suffix)


def _head(file: Path) -> bytes:
    with file.open("rb") as stream:
        return stream.read(MOST_READ)


def _free(name: str, home: Path, taken: Collection[str]) -> str:
    """Return a name that no other model has."""
    free, number = name, 2
    while free in taken or (home / f"{free}.proto").exists():
        free, number = f"{name}{number}", number + 1
    return free


def _copied(main: Path, folder: Path, home: Path, taken: Collection[str], with_protos: bool) -> Path:
    if not with_protos:
        raise ValueError(
            "a PROTO can start programs: start the run with --edit-controllers to let pages bring some"
        )
    target = home / main.name
    if main.stem in taken or target.exists():
        raise ValueError(f"there is a model named {main.stem} already; rename the file and the PROTO in it")
    for file in sorted(folder.rglob("*")):
        place = home / file.relative_to(main.parent) if file.is_relative_to(main.parent) else home / file.name
        if file.is_file() and not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place)
    return target


def _converted(main: Path, folder: Path, target: Path) -> Path:
    if is_xacro(main, main.read_bytes()):
        name = f"{main.stem}.expanded.urdf"
        raise ValueError(f"{main.name} is a program; expand it first: xacro {main.name} -o {name}")
    options = ConvertOptions(output=target, copy_meshes=True, packages=(folder,), confined=folder)
    report = convert(main, options).report
    errors = list(dict.fromkeys(finding.message for finding in report.errors))
    if errors:
        more = f"; and {len(errors) - MOST_REASONS} more" if len(errors) > MOST_REASONS else ""
        raise ValueError(f"{main.name}: {'; '.join(errors[:MOST_REASONS])}{more}")
    return target


def _of_mesh(main: Path, target: Path) -> Path:
    """Write a solid with the form of a mesh; it collides as the box around it."""
    try:
        mesh = load_mesh(main)
    except MeshError as problem:
        raise ValueError(f"{main.name}: {problem}") from None
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    scale = 0.001 if float((high - low).max()) > LARGEST_M else 1.0
    size = _vector(max(length * scale, 1e-4) for length in (high - low).tolist())
    middle = _vector(((low + high) / 2 * scale).tolist())
    files = target.parent / f"{target.stem}_files"
    shutil.copytree(main.parent, files)
    is_plain = main.suffix.lower() == ".stl"
    address = f'url "{files.name}/{main.name}"'
    look = "appearance PBRAppearance { baseColor 0.7 0.7 0.72 roughness 0.6 metalness 0 }"
    shape = f"Shape {{ {look} geometry Mesh {{ {address} }} }}" if is_plain else f"CadShape {{ {address} }}"
    factor = number_text(scale)
    target.write_text(
        f"""#VRML_SIM R2025a utf8
# The mesh {main.name}; it collides as the box around it.
PROTO {target.stem} [
  field SFVec3f    translation 0 0 0
  field SFRotation rotation    0 0 1 0
  field SFString   name        "{target.stem}"
  field SFNode     physics     Physics {{ density {DENSITY} }}
]
{{
  Solid {{
    translation IS translation
    rotation IS rotation
    name IS name
    children [ Transform {{ scale {factor} {factor} {factor} children [ {shape} ] }} ]
    boundingObject Pose {{ translation {middle} children [ Box {{ size {size} }} ] }}
    physics IS physics
  }}
}}
""",
        encoding="utf-8",
        newline="\n",
    )
    return target


def _vector(numbers: Iterable[float]) -> str:
    return " ".join(map(number_text, numbers))
