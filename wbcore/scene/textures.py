"""Finds files that fields name by URL: textures, meshes, sounds (manual, 3.37.2)."""

from __future__ import annotations

from pathlib import Path

from wbridge.wbcore.scene.cache import is_file, is_remote
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node


def find_asset(world: World, node: Node, url: str) -> Path | None:
    """Return the file of a URL in a field of this node; None if it is not available.

    Search order: an absolute path; beside the PROTO file that contains the node; beside the world; below the
    project; below the built-in project's `worlds`. For a URL of a server, the cached file, or else one of the
    same name in these places.
    """
    if not url:
        return None
    if is_remote(url):
        cached = world.library.cache.find(url)
        return cached or _first_file(world, node, _tail(url))
    if url.startswith("file://"):
        url = url[len("file://") :]
    path = Path(url)
    if path.is_absolute():
        return path if is_file(path) else None
    return _first_file(world, node, [url])


def _first_file(world: World, node: Node, urls: list[str]) -> Path | None:
    for folder in _folders(world, node):
        for url in urls:
            path = folder / url
            if is_file(path):
                return path
    return None


def _folders(world: World, node: Node) -> list[Path]:
    folders = [Path(world.path).parent, world.project]
    if node.source is not None and node.source.path != world.path:
        folders.insert(0, Path(node.source.path).parent)
    if world.builtin is not None:
        folders += [world.builtin / "worlds", world.builtin / "protos"]
    return folders


def _tail(url: str) -> list[str]:
    """Return the ends of a URL that may name a local copy: "textures/a.png", then "a.png"."""
    parts = url.split("?", 1)[0].split("://", 1)[-1].split("/")
    return ["/".join(parts[-2:]), parts[-1]] if len(parts) > 1 else parts
