"""Make a virtual environment with pip: `python -m scripts.make_venv FOLDER`.

`python -m venv FOLDER` lets pip install itself and compile all of its modules; most are never imported.
Here the wheel of pip that Python carries is unpacked, and modules are compiled when they are first imported.
"""

from __future__ import annotations

import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

__all__ = ["make", "pip_wheel"]

LAUNCHER = """#!{python}
import sys

from pip._internal.cli.main import main

sys.exit(main())
"""


def pip_wheel() -> Path | None:
    """Return the wheel of pip that this Python carries, or None."""
    import ensurepip

    folders = (sysconfig.get_config_var("WHEEL_PKG_DIR"), Path(ensurepip.__file__).parent / "_bundled")
    wheels = [each for folder in folders if folder for each in sorted(Path(folder).glob("pip-*.whl"))]
    return wheels[0] if wheels else None


def make(folder: Path) -> None:
    """Make the environment; where Python carries no wheel of pip, as `python -m venv` does."""
    wheel = pip_wheel()
    venv.create(folder, symlinks=True, with_pip=wheel is None)
    if wheel is None:
        return
    folder = folder.resolve()
    packages = next(folder.glob("lib/python3*/site-packages"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    for name in ("pip", "pip3"):
        launcher = folder / "bin" / name
        launcher.write_text(LAUNCHER.format(python=folder / "bin" / "python"), "utf-8")
        launcher.chmod(0o755)


if __name__ == "__main__":
    make(Path(sys.argv[1]))
