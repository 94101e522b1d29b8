"""The parts of a CadShape: one Shape with a PBRAppearance for each material of its file.

Source: manual, chapter CadShape; WbPbrAppearance.cpp for the conversion of materials. Files that a model
names (material libraries, textures) are found relative to it, and only in its own folder, in the project, or
in the built-in project, so that a model cannot show other files of the machine.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urljoin
from weakref import WeakKeyDictionary

from wbridge.wbcore.physics.meshes import MeshError, MeshMaterial, read_materials, read_mesh
from wbridge.wbcore.scene.cache import is_file, is_remote
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.schema import schema
from wbridge.wbcore.scene.textures import find_asset
from wbridge.wbcore.visual.warnings import warn

__all__ = ["parts_of"]

SUFFIXES = (".obj", ".dae")
MOST_PARTS = 1000
MOST_LIBRARY_BYTES = 1 << 22
"""Of all material libraries of a model."""
State = tuple[object, ...]
_PARTS: WeakKeyDictionary[World, dict[Node, tuple[State, list[Node]]]] = WeakKeyDictionary()


def parts_of(world: World, cad: Node) -> list[Node]:
    """Return the Shapes of a CadShape; the same nodes until one of its fields or its file changes.

    If the file cannot be used, there are none, and a warning says why.
    """
    url = next(iter(cad.get("url")), "").replace("\\", "/")
    path = find_asset(world, cad, url)
    fields = tuple(bool(cad.get(name)) for name in ("ccw", "castShadows", "isPickable"))
    state = (url, path, fields, path.stat().st_mtime_ns if path is not None else 0)
    known = _PARTS.setdefault(world, {})
    if cad not in known or known[cad][0] != state:
        try:
            known[cad] = state, _Parts(world, cad, url, path).shapes() if url else []
        except MeshError as problem:
            warn(world, cad, f"it is not shown: {problem}", is_once=True)
            known[cad] = state, []
    return known[cad][1]


class _Parts:
    """Makes the parts of one CadShape."""

    def __init__(self, world: World, cad: Node, url: str, path: Path | None) -> None:
        if path is None:
            raise MeshError(f"file '{url}' not found")
        if path.suffix.lower() not in SUFFIXES:
            raise MeshError(f"'{url}' is neither a COLLADA (.dae) nor a Wavefront (.obj) file")
        self._world, self._cad, self._url, self._path = world, cad, url, path

    def shapes(self) -> list[Node]:
        """Return a Shape for each material.

        Raises:
            MeshError: the file cannot be used.
        """
        mesh = read_mesh(self._path)
        if mesh.materials is None or not mesh.palette:
            return [self._shape(-1, MeshMaterial(""))]
        used = sorted(set(mesh.materials.tolist()))
        if len(used) > MOST_PARTS:
            raise MeshError(f"{len(used)} materials are used; at most {MOST_PARTS} are possible")
        stated = self._libraries(mesh.libraries)
        palette = [stated.get(material.name, material) for material in mesh.palette]
        return [self._shape(index, palette[index]) for index in used]

    def _libraries(self, names: tuple[str, ...]) -> dict[str, MeshMaterial]:
        """Return the materials of all libraries; the first one of a name counts."""
        materials: dict[str, MeshMaterial] = {}
        left = MOST_LIBRARY_BYTES
        for name in names:
            path = self._find(name, "material library")
            if path is None:
                continue
            left -= path.stat().st_size
            if left < 0:
                most = MOST_LIBRARY_BYTES >> 20
                self._warn(f"material library '{name}' is left out: they may have {most} MB in all")
                break
            materials = read_materials(path.read_bytes()) | materials
        return materials

    def _find(self, name: str, kind: str) -> Path | None:
        """Return a file that the model names; None, with a warning, if it may not be used."""
        name = name.replace("\\", "/")
        if is_remote(self._url) and not Path(name).is_absolute():
            path = find_asset(self._world, self._cad, urljoin(self._url, name))
            if path is None:
                self._warn(f"{kind} '{name}' not found beside {self._url}")
            return path
        path = self._path.parent / name
        folders = [self._path.parent, self._world.project, self._world.builtin]
        if not is_file(path):
            self._warn(f"{kind} '{name}' not found beside {self._path.name}")
        elif not any(
            path.resolve().is_relative_to(folder.resolve()) for folder in folders if folder is not None
        ):
            self._warn(
                f"{kind} '{name}' is not used: it is neither beside {self._path.name} nor in the project"
            )
        else:
            return path
        return None

    def _warn(self, text: str) -> None:
        warn(self._world, self._cad, text)

    def _node(self, kind: str, **fields: object) -> Node:
        """Return a node as if it were in the file of the CadShape."""
        source = self._cad.source
        spec = schema(source.dialect.version if source is not None else None).node(kind)
        assert spec is not None, f"releases with CadShape have {kind}"
        node = Node(spec, source, self._cad.offset)
        for name, value in fields.items():
            node.set(name, value)
        return node

    def _shape(self, index: int, material: MeshMaterial) -> Node:
        cad = self._cad
        maps = {field: self._texture(name) for field, name in material.maps.items()}
        appearance = self._node(
            "PBRAppearance",
            baseColor=material.color,
            emissiveColor=material.emissive,
            transparency=1 - material.opacity,
            roughness=material.roughness,
            metalness=0.0,
            name=material.name,
            **{field: node for field, node in maps.items() if node is not None},
        )
        url = [str(self._path.absolute())]
        geometry = self._node("Mesh", url=url, ccw=cad.get("ccw"), materialIndex=index)
        shape = self._node("Shape", appearance=appearance, geometry=geometry)
        for name in ("castShadows", "isPickable"):
            shape.set(name, cad.get(name))
        shape.parent = cad
        return shape

    def _texture(self, name: str) -> Node | None:
        path = self._find(name, "texture")
        return None if path is None else self._node("ImageTexture", url=[str(path.absolute())])
