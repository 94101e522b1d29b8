"""Python modules that a controller imports but its interpreter lacks."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

PACKAGES = {
    "cv2": "opencv-python",
    "PIL": "pillow",
    "serial": "pyserial",
    "skfuzzy": "scikit-fuzzy",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "usb": "pyusb",
    "yaml": "pyyaml",
}
"""Packages whose name differs from that of the module they provide."""
PATIENCE_S = 10.0
OLD_PACKAGES = {
    "tensorflow": ("TensorFlow 1", "3.7", 2),
    "gym": ("gym before 0.26", "3.9", 0.26),
}
"""Packages whose old releases many controllers need: name, newest Python that pip installs them for, and
first release with another API."""
NEEDS_OLD = {
    "tensorflow.contrib": "tensorflow",
    "tensorflow.examples": "tensorflow",
    "stable_baselines": "tensorflow",
    "tflearn": "tensorflow",
}
"""Modules that need an old package."""
_PIN = re.compile(
    r"^\s*(tensorflow|gym)(?:-gpu)?\s*(?:==|<|<=|~=)\s*(\d+(?:\.\d+)?)", re.IGNORECASE | re.MULTILINE
)
ASK = """
import importlib.util, sys
for name in sys.argv[1:]:
    try:
        found = importlib.util.find_spec(name)
    except Exception:
        found = name
    if found is None:
        print(name)
"""


def missing_modules(script: Path, python: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """Return modules that a script and the modules beside it import unconditionally but the interpreter
    lacks.

    Args:
        script: the controller's script.
        python: command line of its interpreter.
        environment: its environment.
    """
    names = sorted(_imported(script, set()))
    if not names:
        return []
    try:
        done = subprocess.run(
            [*python, "-c", ASK, *names],
            cwd=script.parent,
            env=dict(environment),
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return [word for word in done.stdout.split() if not _is_of_project(word, script)]


def _is_of_project(name: str, script: Path) -> bool:
    """Return True for modules elsewhere in the project, which scripts reach by changing `sys.path`."""
    folder = script.parents[2] if script.parents[1].name == "controllers" else script.parent
    return any(True for pattern in (f"{name}.py", f"{name}/*.py") for _ in folder.rglob(pattern))


def advice(modules: Sequence[str], python: str, folder: Path) -> str:
    """Explain which modules are missing and how to install them."""
    packages = " ".join(PACKAGES.get(module, module) for module in modules)
    what = f"the module {modules[0]}" if len(modules) == 1 else f"the modules {', '.join(modules)}"
    return (
        f"its interpreter {python} does not have {what}; install with: {shlex.quote(python)} -m pip install "
        f"{packages}; or set an interpreter that has it in {folder / 'runtime.ini'}: [python] COMMAND = ..."
    )


def old_packages(script: Path) -> list[str]:
    """Return packages of which a controller needs an old release that this Python cannot install.

    Its imports tell, or the version in a `requirements.txt` of its folder or project.
    """
    found = {NEEDS_OLD[name] for name in _full_names(script) if name in NEEDS_OLD}
    for folder in (script.parent, *script.parents[1:3]):
        for file in sorted(folder.glob("requirements*.txt")):
            pins = _PIN.findall(file.read_text("utf-8", "replace").lower())
            found |= {
                name.lower() for name, version in pins if float(version) < OLD_PACKAGES[name.lower()][2]
            }
    return sorted(found)


def advice_on_old(packages: Sequence[str], folder: Path) -> str:
    """Explain how to run a controller with an older Python, in which its packages exist."""
    name, newest, _ = OLD_PACKAGES[packages[0]]
    running = f"{sys.version_info.major}.{sys.version_info.minor}"
    return (
        f"it needs {name}, which exists for Python {newest} and earlier, not for Python {running}; install "
        f"Python {newest} with that package and name it in {folder / 'runtime.ini'}: "
        f"[python] COMMAND = python{newest}"
    )


def _full_names(script: Path) -> set[str]:
    """Return the modules that a script imports anywhere, and the packages that contain them."""
    try:
        tree = ast.parse(script.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return set()
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {
        ".".join(parts[:k]) for name in names for parts in [name.split(".")] for k in range(1, len(parts) + 1)
    }


def _imported(script: Path, seen: set[Path]) -> set[str]:
    """Return modules imported unconditionally: outside of functions, `try` and `if`."""
    seen.add(script)
    try:
        tree = ast.parse(script.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return set()
    found: set[str] = set()
    for name in _named(tree.body):
        beside = [script.parent / f"{name}.py", script.parent / name / "__init__.py"]
        own = next((place for place in beside if place.is_file()), None)
        if own is None:
            found.add(name)
        elif own not in seen:
            found |= _imported(own, seen)
    return found


def _named(body: Iterable[ast.stmt]) -> set[str]:
    names: set[str] = set()
    for statement in body:
        if isinstance(statement, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in statement.names}
        elif isinstance(statement, ast.ImportFrom) and not statement.level and statement.module:
            names.add(statement.module.partition(".")[0])
    return names
