"""Small worlds for the tests of the scene."""

from __future__ import annotations

from pathlib import Path

from wbridge.wbcore.scene.load import LoadOptions, World, load_text

HEADER = "#VRML_SIM R2023b utf8\n"


def world(body: str, header: str = HEADER, path: str = "test.wbt", **options: object) -> World:
    """Load a world from the text of its nodes; line 2 of messages is the first line of the body."""
    return load_text(header + body, path, LoadOptions(**options))  # type: ignore[arg-type]


def messages(loaded: World) -> list[str]:
    """All findings as "line:column severity code: message"."""
    return [f"{d.line}:{d.column} {d.severity} {d.code}: {d.message}" for d in loaded.report]


def project(folder: Path, protos: dict[str, str], body: str, header: str = HEADER) -> Path:
    """A project folder with PROTO files (without header line) and one world; returns the world's path."""
    (folder / "worlds").mkdir(parents=True)
    (folder / "protos").mkdir()
    for name, text in protos.items():
        (folder / "protos" / f"{name}.proto").write_text(HEADER + text, encoding="utf-8")
    externs = "".join(f'EXTERNPROTO "../protos/{name}.proto"\n' for name in protos)
    path = folder / "worlds" / "test.wbt"
    path.write_text(header + externs + body, encoding="utf-8")
    return path
