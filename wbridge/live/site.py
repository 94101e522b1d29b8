"""The static site on which worlds run: any web server or pages host serves its folder.

All files but the first page and the service worker are in a folder that is named by their content, so that
browsers and proxies may keep them for good.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

from wbridge.live.archives import (
    exercises_of,
    write_archives,
    write_firmware,
    write_grading,
    write_robots,
    write_verification,
)
from wbridge.live.compiled import compile_archives, node
from wbridge.live.library import REST, split_library
from wbridge.live.packages import write_packages
from wbridge.robot_windows.bundles import bundle

__all__ = ["MissingPart", "PARTS", "build_site"]

PAGES = Path(__file__).resolve().parent.parent.parent / "robot_windows" / "pages"
LIBRARY = "python_stdlib.zip"
PARTS = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    LIBRARY,
    "pyodide-lock.json",
    "editor.js",
    "wasi.js",
    "avr_c.pack",
    "avr_cxx.pack",
    "simavr.mjs",
    "simavr.wasm",
    "extensions",
    "packages",
)
"""What `make live` fetches and compiles, in a folder."""
STYLES = ("vendor/uplot.css", "style.css", "view/view.css", "workbench/workbench.css", "live/live.css")
OWN = (
    *("live/worker.js", "live/opening.js", "live/run.js", "live/live.js", "js/dropped_files.js"),
    *("live/worker_port.js", "live/robot_link.js", "live/robot_port.js", "live/serial_ports.js"),
    *("live/builder.js", "live/build_worker.js", "live/avr_tools.js", "live/compiler_words.js"),
    *("live/workers.js", "live/board_emulator.js", "live/unpacked.js", "live/web_gl.js"),
    *("live/kept.js", "live/memory_worker.js", "live/python_start.js"),
)
VENDOR = ("vendor/three.js", "vendor/uplot.js", "icon.svg")
REPOSITORIES = ("https://api.github.com", "https://raw.githubusercontent.com")
"""Hosts of public projects: lists of files, and the files."""
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; "
    f"connect-src 'self' {' '.join(REPOSITORIES)}; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; form-action 'none'; base-uri 'none'"
)
"""Pages load nothing from other servers but public projects. Only workers are started by text."""


class MissingPart(FileNotFoundError):
    """The parts were not made; the message says with which command."""


def build_site(parts: Path, root: Path, output: Path, compiles: bool = True) -> Path:
    """Write the site; return its folder of versioned files.

    Args:
        parts: the folder of `PARTS`.
        root: the folder with the models, worlds, controllers and packages.
        output: the folder of the site; a site there is replaced.
        compiles: whether its Python is compiled, by Node.js.

    Raises:
        MissingPart: the toolchain has not run.
        NodeMissing: there is no Node.js.
    """
    for name in PARTS:
        if not (parts / name).exists():
            raise MissingPart(f"{parts / name} is missing; in a checkout, `make live` makes it")
    if compiles:
        node()  # before a site there is removed
    draft = output / "draft"
    shutil.rmtree(output, ignore_errors=True)
    draft.mkdir(parents=True)
    for name in PARTS[:-2]:
        if name != LIBRARY:
            shutil.copy(parts / name, draft / name)
    worlds = write_archives(root, parts / "extensions", draft)
    write_robots(root, draft)
    write_firmware(root, draft)
    write_grading(root, draft)
    write_verification(root, draft)
    packages = write_packages(parts / "packages", draft)
    packages |= dict.fromkeys(split_library(parts / LIBRARY, draft), REST)
    if compiles:
        compile_archives(draft, parts)
    _write_pages(draft)
    (draft / "packages.json").write_text(json.dumps(packages), "utf-8")
    version = draft.rename(output / f"v-{_digest(draft)}")
    (output / "index.html").write_text(_index(version.name), "utf-8")
    service = (PAGES / "live" / "service.js").read_text("utf-8")
    (output / "service.js").write_text(service.replace("VERSION", version.name), "utf-8")
    offers = {"worlds": worlds, "exercises": exercises_of(root)}
    (output / "worlds.json").write_text(json.dumps(offers), "utf-8")
    return version


def _write_pages(folder: Path) -> None:
    for name in OWN:
        code = (PAGES / name).read_text("utf-8").replace("'../js/", "'./")
        (folder / Path(name).name).write_text(code, "utf-8")
    for name in VENDOR:
        shutil.copy(PAGES / name, folder / Path(name).name)
    text = bundle(PAGES, "workbench/main.js").replace("'/pages/vendor/", "'./")
    (folder / "workbench.js").write_text(text, "utf-8")
    (folder / "panels_inside.js").write_text(bundle(PAGES, "live/panels.js", ["PANELS"]), "utf-8")
    styles = "\n".join((PAGES / name).read_text("utf-8") for name in STYLES)
    (folder / "style.css").write_text(styles, "utf-8")


def _digest(folder: Path) -> str:
    whole = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            whole.update(
                f"{file.relative_to(folder)}\0".encode() + hashlib.sha256(file.read_bytes()).digest()
            )
    return whole.hexdigest()[:16]


def _index(version: str) -> str:
    text = (PAGES / "live" / "index.html").read_text("utf-8")
    return text.replace("POLICY", POLICY).replace("VERSION", version)
