"""Stands in for numpy's build backend while pip fetches its sources: pip only wants the name and version."""

from __future__ import annotations

from pathlib import Path

__all__ = ["prepare_metadata_for_build_wheel"]


def prepare_metadata_for_build_wheel(directory: str, _settings: object = None) -> str:
    """Write the least that pip accepts, for the sources in the current folder."""
    fields = Path("PKG-INFO").read_text("utf-8").splitlines()
    name, version = (
        next(line.split()[1] for line in fields if line.startswith(key)) for key in ("Name:", "Version:")
    )
    folder = Path(directory) / f"{name}-{version}.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", "utf-8")
    return folder.name
