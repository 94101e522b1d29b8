"""Textures as rays use them: ImageTexture and TextureTransform."""

from __future__ import annotations

from pathlib import Path

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.tree import node_in
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.textures import find_asset
from wbridge.wbcore.visual.images import Image, ImageError, image_buffer
from wbridge.wbcore.visual.live_textures import NONE_LIVE, LiveTextures
from wbridge.wbcore.visual.warnings import warn

Color = tuple[float, float, float]


def texture_of(
    world: World, appearance: Node, field: str, live: LiveTextures = NONE_LIVE
) -> _engine.Texture | None:
    """Return the texture in a field of an appearance; None without one or, with a warning, if it is
    missing. The pixels of a live texture stay those of the array."""
    node = node_in(appearance, field)
    shown = live.get(node)
    if node is not None and shown is not None:
        return texture(shown.pixels, node, node_in(appearance, "textureTransform"))
    file = texture_file(world, appearance, field)
    if file is None:
        return None
    node, path = file
    try:
        return texture(image_buffer(path), node, node_in(appearance, "textureTransform"))
    except ImageError as problem:
        warn(world, appearance, str(problem))
        return None


def texture_file(world: World, appearance: Node, field: str) -> tuple[Node, Path] | None:
    """Return the ImageTexture node in a field of an appearance, and its file; None without one or, with a
    warning, if it is missing."""
    node = node_in(appearance, field)
    url = next(iter(node.get("url")), "") if node is not None else ""
    if node is None or not url:
        return None
    path = find_asset(world, node, url.replace("\\", "/"))
    if path is None:
        warn(world, appearance, f"texture '{url}' not found", is_once=True)
        return None
    return node, path


def texture(pixels: Image | memoryview, node: Node, transform: Node | None) -> _engine.Texture:
    """Return pixels as the texture of an ImageTexture node, with a TextureTransform node."""
    texture = _engine.Texture.of(pixels, bool(node.get("repeatS")), bool(node.get("repeatT")))  # type: ignore[arg-type]
    if transform is not None:
        get = transform.get
        texture.set_transform(get("translation"), get("center"), get("scale"), get("rotation"))
    return texture
