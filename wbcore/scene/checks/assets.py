"""Missing files that nodes name by URL: textures and meshes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from wbridge.wbcore.scene.checks._checker import Checker, field_of, nearest
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.places import instance_of
from wbridge.wbcore.scene.textures import find_asset

_SHOWN = 5
_URL_FIELDS = {"ImageTexture": "url", "Mesh": "url", "CadShape": "url", "Skin": "modelUrl"}
_BACKGROUND_SUFFIXES = ("Url", "IrradianceUrl")


def check_assets(checker: Checker) -> None:
    """Name all missing files in one warning; a missing mesh in a boundingObject is an error, unless
    missing files are allowed."""
    missing: dict[str, Node] = {}
    for node, field, urls in _named(checker):
        if any(_is_here(checker, node, url) for url in urls):
            continue
        if node.type == "Mesh" and _collides(node):
            _report_collider(urls[0], node, field, checker)
        else:
            missing.setdefault(urls[0], node)
    if missing:
        _report(missing, checker)


def _report_collider(url: str, node: Node, field: str, checker: Checker) -> None:
    text = f"the mesh {url} is missing, and a boundingObject uses it"
    if checker.world.allow_missing:
        checker.warn("missing-mesh", f"{text}; nothing collides with it", node, field)
    else:
        text += "; put the file beside the world, or ignore it with --allow-missing"
        checker.error("missing-mesh", text, node, field)


def _report(missing: dict[str, Node], checker: Checker) -> None:
    names = ", ".join(_short(url) for url in list(missing)[:_SHOWN])
    names += ", ..." if len(missing) > _SHOWN else ""
    count = "1 texture or mesh is" if len(missing) == 1 else f"{len(missing)} textures or meshes are"
    text = f"{count} missing: {names}; shapes are drawn without, which affects cameras and infra-red sensors"
    checker.warn("missing-asset", text, next(iter(missing.values())))


def _short(url: str) -> str:
    """Return a path unchanged, and the last part of a URL."""
    return url.rsplit("/", 1)[-1] if "://" in url else url


def _named(checker: Checker) -> Iterator[tuple[Node, str, list[str]]]:
    """Yield nodes, the field, and the URLs in it, of which one must be available."""
    for type_name, field in _URL_FIELDS.items():
        for node in checker.all(type_name):
            value = node.get(field)
            urls = [value] if isinstance(value, str) else list(value)
            if node.use_of is None and any(urls):
                yield node, field, [url for url in urls if url]
    for node in checker.all("Background"):
        for field in node.fields:
            if field.endswith(_BACKGROUND_SUFFIXES) and (urls := [url for url in node.get(field) if url]):
                yield node, field, urls


def _is_here(checker: Checker, node: Node, url: str) -> bool:
    folder = str(Path(node.source.path).parent) if node.source is not None else ""
    key = "assets", folder, url
    found = checker.memory.get(key)
    if found is None:
        found = checker.memory[key] = find_asset(checker.world, node, url) is not None
    return bool(found)


def _collides(node: Node) -> bool:
    """True for a mesh in a boundingObject."""
    solid, found = nearest(node, "Solid"), node
    while solid is not None and found is not None:
        if field_of(found) == "boundingObject":
            return True
        parent = instance_of(found).parent
        if parent is None or parent is solid:
            return False
        found = parent
    return False


WORLD_RULES = (check_assets,)
