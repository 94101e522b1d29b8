"""The folder of a board that runs Python: files to copy to the board."""

from __future__ import annotations

import ast
import hashlib
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from wbridge.hal.folders import import_folder
from wbridge.wbfirmware.building.display_fonts import fonts_of
from wbridge.wbfirmware.building.micropython.board_folder import BUILD, MAIN, OURS, SHARED, TELEMETRY, USER
from wbridge.wbfirmware.building.micropython.checks import STUBS
from wbridge.wbfirmware.building.micropython.classes import controller_module
from wbridge.wbfirmware.building.micropython.inlined import inlined
from wbridge.wbfirmware.building.micropython.names import CORE, api_classes, class_of, work_file
from wbridge.wbfirmware.building.micropython.table import robot_table
from wbridge.wbfirmware.map.python_sources import imported_modules
from wbridge.wbfirmware.template_folders import templates_path

if TYPE_CHECKING:
    from wbridge.wbfirmware.map.controllers import Controller
    from wbridge.wbfirmware.map.hardware import Hardware

CONTROLLER, DISPLAY = "controller", "Display"
ALWAYS, REPORT = ("robot", "channels", "device"), "report"
"""Files that all robots need, and that of boards that report what they do."""
INLINED = (f"{OURS}.messages", f"{OURS}.rules")
"""Modules that are not on the board: what others use of them is written there."""


def python_files(hardware: Hardware) -> dict[str, str]:
    """Return the texts of the files by their path on the board."""
    controller = hardware.controller
    assert controller is not None, "boards with Python have one"
    places = _modules(hardware)
    files = {f"{OURS}/{place.name}": inlined(place.read_text(encoding="utf-8")) for place in places}
    files[MAIN] = (templates_path() / CORE / MAIN).read_text(encoding="utf-8")
    files |= {f"{USER}/{name}": text for name, text in controller.texts().items()}
    files |= {f"{name}.py": STUBS[name].read_text("utf-8") for name in _stubs(controller)}
    files |= _telemetry(controller)
    main = controller.sources[0].relative_to(controller.folder).as_posix()
    files[f"{OURS}/table.py"] = robot_table(hardware, f"{USER}/{main}")
    if any(class_of(device.type) == DISPLAY for device in hardware.table.devices):
        files[f"{OURS}/fonts.py"] = _fonts(hardware)
    files[f"{CONTROLLER}.py"] = controller_module(hardware, imported_names(controller))
    texts = "\0".join(f"{name}\0{files[name]}" for name in sorted(files))
    digest = hashlib.sha256(texts.encode("utf-8", "surrogateescape")).hexdigest()
    files[BUILD] = f'NAME = "{hardware.board.name} {digest[:8]}"\n'
    return dict(sorted(files.items()))


def _fonts(hardware: Hardware) -> str:
    """Return the text of the module with the fonts, see firmware_templates/micropython/font.py."""
    rows = [
        (
            font.name,
            font.size,
            font.is_smooth,
            font.line_height,
            b"".join(struct.pack("<HbbBBBH", *glyph) for glyph in font.glyphs),
            font.bits,
        )
        for font in fonts_of(hardware)
    ]
    lines = "".join(f"    {row!r},\n" for row in rows)
    return f'"""Fonts: name, size, smoothing, line height, characters, bitmaps."""\nFONTS = (\n{lines})\n'


def _stubs(controller: Controller) -> list[str]:
    """Return the modules for annotations that a controller imports."""
    files = (*controller.sources, *controller.headers)
    return sorted({name for file in files for name, _ in imported_modules(file)} & STUBS.keys())


def _telemetry(controller: Controller) -> dict[str, str]:
    """Return the module for named values and its package, if the controller imports it."""
    files = (*controller.sources, *controller.headers)
    if not any(name == TELEMETRY for file in files for name, _ in imported_modules(file)):
        return {}
    name = f"{TELEMETRY.replace('.', '/')}.py"
    text = (import_folder() / name).read_text(encoding="utf-8")
    return {f"{SHARED}/__init__.py": "# Named values.\n", name: text}


def built_name(folder: Path) -> str:
    """Return the name of a build, which its folder has."""
    return (folder / BUILD).read_text(encoding="utf-8").partition('"')[2].partition('"')[0]


def imported_names(controller: Controller) -> set[str]:
    """Return the names that a controller imports from the module `controller`."""
    names: set[str] = set()
    for file in (*controller.sources, *controller.headers):
        for name, statement in imported_modules(file):
            if isinstance(statement, ast.ImportFrom) and statement.module == CONTROLLER:
                names.add(name.partition(".")[2])
    return names & api_classes().keys()


def _modules(hardware: Hardware) -> list[Path]:
    """Return the template files that a robot needs: those used, and what they import."""
    core = templates_path() / CORE
    used = {class_of(device.type) for device in hardware.table.devices} & api_classes().keys()
    files = [core / f"{name}.py" for name in ALWAYS]
    files += [path for name in sorted(used) if (path := work_file(name)) is not None]
    files += [wiring.driver.folder / f"{wiring.driver.name}.py" for wiring in hardware.wirings]
    files += [core / f"{REPORT}.py"] if hardware.reports else []
    files += hardware.board.files
    return sorted({path.name: path for path in _with_imports(files, core)}.values())


def _with_imports(paths: Iterable[Path], core: Path) -> list[Path]:
    unique = dict.fromkeys(paths)
    waiting = list(unique)
    while waiting:
        for name, _ in imported_modules(waiting.pop()):
            path = core / f"{name.removeprefix(f'{OURS}.')}.py"
            if name.startswith(f"{OURS}.") and path.is_file() and path not in unique and name not in INLINED:
                unique[path] = None
                waiting.append(path)
    return list(unique)
