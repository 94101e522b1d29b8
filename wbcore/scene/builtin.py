"""Where the files that come with wbridge are: models, sample worlds, firmware templates."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

_PACKAGE_PARENT = Path(__file__).resolve().parents[2]


@lru_cache(maxsize=1)
def builtin_directory() -> Path:
    """Folder that holds `protos/`, `worlds/`, `controllers/` and `firmware_templates/`, as a Webots project.

    In a checkout (also one installed editable) it is the checkout itself; in an installed package the build
    has put the folders under `wbridge/share/`.

    Raises:
        FileNotFoundError: neither place has a `protos` folder, so the installation is incomplete.
    """
    installed = _PACKAGE_PARENT / "wbridge" / "share"
    for candidate in (installed, _PACKAGE_PARENT):
        if (candidate / "protos").is_dir():
            return candidate
    raise FileNotFoundError(
        f"the models that come with wbridge were not found: neither {installed / 'protos'} nor "
        f"{_PACKAGE_PARENT / 'protos'} exists; install again with: pip install --force-reinstall wbridge"
    )
