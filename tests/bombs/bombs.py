"""Worlds, meshes and pictures that are small as files and would be large in memory, or take very long.

`BOMBS` is the table of what a stranger's world can choose: each row builds a world with numbers far above the
bounds in `wbridge.wbcore.scene.limits`. `python -m tests.bombs.bombs [NAME...]` prints the peak memory of
each.
"""

from __future__ import annotations

import binascii
import resource
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

HEADER = "#VRML_SIM R2025a utf8\n"
MEMORY = 4 * 2**30
"""Of the address space of a child, in bytes."""
PROCESSOR_S = 120
"""Processor time of a child, in s."""


class Bomb(NamedTuple):
    """A world that asks for too much."""

    name: str
    build: Callable[[Path], str]
    """Writes files into a folder; returns the nodes of the world."""
    info: str = ""
    """Fields of WorldInfo."""
    way: str = "drive"
    """What is done with it: "drive" with a controller that enables all devices, or draw a "picture"."""


class Blast(NamedTuple):
    """What a child with a bomb did."""

    code: int
    peak_mb: float
    text: str


CONTROLLER = """
from controller import Supervisor

robot = Supervisor()
devices = [robot.getDeviceByIndex(k) for k in range(robot.getNumberOfDevices())]
for device in devices:
    if hasattr(device, "enable"):
        device.enable(16)
for _ in range(3):
    if robot.step(16) == -1:
        break
for device in devices:
    for name in ("getImage", "getPointCloud", "getWidth", "getValue"):
        if hasattr(device, name):
            result = getattr(device, name)()
            print(name, len(result) if hasattr(result, "__len__") else result)
print("time", robot.getTime())
"""
"""Of bombs that are driven."""


def robot(devices: str, controller: str = "bomb") -> str:
    """A robot with devices."""
    return f'Robot {{ supervisor TRUE controller "{controller}" children [ {devices} ] }}'


def shape(geometry: str, appearance: str = "") -> str:
    """A visible shape."""
    return f"Shape {{ appearance {appearance or 'PBRAppearance { }'} geometry {geometry} }}"


def textured(name: str, write: Callable[[Path], object]) -> Callable[[Path], str]:
    """A box whose texture is a file."""

    def build(folder: Path) -> str:
        write(folder / name)
        appearance = f'PBRAppearance {{ baseColorMap ImageTexture {{ url "{name}" }} }}'
        return shape("Box { }", appearance) + robot("Camera { width 8 height 8 }")

    return build


def mesh(name: str, write: Callable[[Path], object]) -> Callable[[Path], str]:
    """A solid whose bounding object is a mesh file."""

    def build(folder: Path) -> str:
        write(folder / name)
        geometry = f'Mesh {{ url "{name}" }}'
        return f"Solid {{ boundingObject {geometry} children [ {shape(geometry)} ] }}"

    return build


def fixed(text: str) -> Callable[[Path], str]:
    """A world without files."""
    return lambda folder: text


# Pictures.


def chunk(kind: bytes, data: bytes) -> bytes:
    """A part of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", binascii.crc32(kind + data))


def write_png(path: Path, side: int = 60_000) -> None:
    """A black PNG of some kB, with side x side pixels (PNG specification, 11.2.2)."""
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(bytes(1 + side // 8) * 100) for _ in range(side // 100)) + packer.flush()
    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def write_jpeg(path: Path, side: int = 65_500) -> None:
    """The head of a JPEG with side x side pixels (ITU T.81, B.2.2)."""
    sizes = struct.pack(">BHHB", 8, side, side, 3) + b"\1\x22\0\2\x11\1\3\x11\1"
    path.write_bytes(b"\xff\xd8\xff\xc0" + struct.pack(">H", len(sizes) + 2) + sizes + b"\xff\xd9")


def write_bmp(path: Path, side: int = 60_000) -> None:
    """The head of a bitmap with side x side pixels."""
    head = struct.pack("<IiiHHIIiiII", 40, side, side, 1, 24, 0, 0, 0, 0, 0, 0)
    path.write_bytes(b"BM" + struct.pack("<IHHI", 54, 0, 0, 54) + head + bytes(1000))


def write_gif(path: Path, side: int = 65_000) -> None:
    """The head of a GIF with side x side pixels."""
    size = struct.pack("<HH", side, side)
    path.write_bytes(b"GIF89a" + size + b"\0\0\0," + bytes(4) + size + b"\0\2\2L\1\0;")


def write_hdr(path: Path, side: int = 60_000) -> None:
    """A radiance picture whose runs say side x side pixels."""
    line = b"\2\2" + struct.pack(">H", 32_000) + (b"\xff\0" * 252) * 4
    path.write_bytes(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X 32000\n" % side + line * 300)


def sky(folder: Path) -> str:
    """A background of huge pictures."""
    write_hdr(folder / "sky.hdr")
    names = ("right", "left", "top", "bottom", "front", "back")
    urls = " ".join(f'{name}IrradianceUrl "sky.hdr"' for name in names)
    return f"Background {{ {urls} }} " + shape("Box { }") + robot("Camera { width 8 height 8 }")


# Meshes.


def write_obj(path: Path, faces: int = 4_000_000) -> None:
    """Faces without end over three points."""
    with path.open("w") as file:
        file.write("v 0 0 0\nv 1 0 0\nv 0 1 0\n")
        for _ in range(faces // 1000):
            file.write("f 1 2 3\n" * 1000)


def write_wide_obj(path: Path, corners: int = 2_000_000) -> None:
    """A face with very many corners."""
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf" + " 1 2 3" * (corners // 3) + "\n")


def write_lines(head: str, line: str, size: int = 120 << 20) -> Callable[[Path], None]:
    """A file of the same line again and again; `{k}` in it counts."""

    def write(path: Path) -> None:
        count = size // len(line.replace("{k}", "12345678"))
        with path.open("w") as file:
            file.write(head)
            for first in range(0, count, 1000):
                lines = (line.replace("{k}", f"{first + k:08}") for k in range(1000))
                file.write("".join(lines) if "{k}" in line else line * 1000)

    return write


def write_material_library(path: Path) -> None:
    """A cube with a library of empty lines."""
    path.write_text("mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n")
    path.with_suffix(".mtl").write_bytes(b"\n" * (120 << 20))


def cad(folder: Path) -> str:
    """A shape with materials of its own."""
    write_material_library(folder / "a.obj")
    return 'Solid { children [ CadShape { url "a.obj" } ] }'


def write_stl(path: Path, faces: int = 2**32 - 1) -> None:
    """A binary STL that names more faces than it has."""
    path.write_bytes(bytes(80) + struct.pack("<I", faces) + bytes(50))


def write_dae(path: Path, levels: int = 24) -> None:
    """Nodes that instance nodes, each twice: 2^levels in all (COLLADA 1.4, instance_node)."""
    nodes = "".join(
        f'<node id="n{k}"><instance_node url="#n{k + 1}"/><instance_node url="#n{k + 1}"/></node>'
        for k in range(levels)
    )
    geometry = (
        '<library_geometries><geometry id="g"><mesh><source id="s"><float_array id="f" count="9">'
        "0 0 0 1 0 0 0 1 0</float_array><technique_common>"
        '<accessor source="#f" count="3" stride="3"/></technique_common></source>'
        '<vertices id="v"><input semantic="POSITION" source="#s"/></vertices><triangles count="1">'
        '<input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry>'
        "</library_geometries>"
    )
    last = f'<node id="n{levels}"><instance_geometry url="#g"/></node>'
    path.write_text(
        f'<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema">{geometry}'
        f'<library_nodes>{nodes}{last}</library_nodes><library_visual_scenes><visual_scene id="w">'
        '<node><instance_node url="#n0"/></node></visual_scene></library_visual_scenes>'
        '<scene><instance_visual_scene url="#w"/></scene></COLLADA>'
    )


def write_many_numbers_dae(path: Path) -> None:
    """A list of 60 million numbers, 120 MB."""
    write_dae(path, 1)
    head, tail = path.read_text().split("0 1 2</p>")
    write_lines(head, "0 1 2 0\n")(path)
    with path.open("a") as file:
        file.write(f"0 1</p>{tail}")


def write_laughs(path: Path) -> None:
    """Entities in entities (CWE-776)."""
    entities = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 12))
    path.write_text(f'<!DOCTYPE x [<!ENTITY l0 "lol">{entities}]><COLLADA>&l11;</COLLADA>')


def write_count_dae(path: Path) -> None:
    """An array that names more numbers than it has, and a stride without end."""
    write_dae(path, 1)
    text = (
        path.read_text()
        .replace('count="9"', 'count="4000000000"')
        .replace('stride="3"', 'stride="2000000000"')
    )
    path.write_text(text)


def write_glb(path: Path) -> None:
    """A binary glTF that names a buffer of 4 GB."""
    text = b'{"asset":{"version":"2.0"},"buffers":[{"byteLength":4294967295}],'
    text += b'"accessors":[{"count":4294967295}]}'
    path.write_bytes(struct.pack("<4sIIII", b"glTF", 2, 20 + len(text), len(text), 0x4E4F534A) + text)


# Worlds.


def large_world(folder: Path) -> str:
    """100 MB of nodes."""
    return 'Solid { translation 0.125 0.25 0.5 name "solid" }\n' * (100 * 2**20 // 50)


def many_numbers(folder: Path) -> str:
    """A list of 20 million numbers, 40 MB."""
    grid = "ElevationGrid { xDimension 4500 yDimension 4500 height [ " + "0 " * 20_250_000 + "] }"
    return f"Solid {{ children [ {shape(grid)} ] }}"


def doubling_proto(folder: Path) -> str:
    """PROTOs that contain two of the next: 2^30 nodes."""
    (folder / "protos").mkdir()
    for k in range(30):
        inner = f"P{k + 1} {{ }} P{k + 1} {{ }}" if k < 29 else "Transform { }"
        externs = f'EXTERNPROTO "P{k + 1}.proto"\n' if k < 29 else ""
        text = f"{HEADER}{externs}PROTO P{k} [ ] {{ Group {{ children [ {inner} ] }} }}"
        (folder / "protos" / f"P{k}.proto").write_text(text)
    return 'EXTERNPROTO "protos/P0.proto"\nP0 { }'


def doubling_uses(folder: Path) -> str:
    """Names for groups that contain the former one twice: 2^40 nodes."""
    groups = "".join(f"DEF G{k} Group {{ children [ USE G{k - 1} USE G{k - 1} ] }}\n" for k in range(1, 40))
    return f"DEF G0 Group {{ children [ {shape('Box { }')} ] }}\n{groups}"


def template(statement: str) -> Callable[[Path], str]:
    """A PROTO whose template does something without end."""

    def build(folder: Path) -> str:
        (folder / "T.proto").write_text(
            f"{HEADER}# template language: javascript\nPROTO T [ ] {{ %< {statement} >% Group {{ }} }}"
        )
        return 'EXTERNPROTO "T.proto"\nT { }'

    return build


SIZES, POINT = "1000000000", "coord Coordinate { point [ 0 0 0 ] }"
BOMBS = [
    Bomb(
        "elevation_grid",
        way="picture",
        build=fixed(shape("ElevationGrid { xDimension 30000 yDimension 30000 }")),
    ),
    Bomb(
        "elevation_grid_that_collides",
        fixed("Solid { boundingObject ElevationGrid { xDimension 30000 yDimension 30000 } }"),
    ),
    Bomb(
        "elevation_grid_max",
        way="picture",
        build=fixed(shape("ElevationGrid { xDimension 2147483647 yDimension 2147483647 }")),
    ),
    *(
        Bomb(f"shape_{name}", fixed(shape(geometry)), way="picture")
        for name, geometry in {
            "subdivision": f"Sphere {{ subdivision {SIZES} }}",
            "ico": "Sphere { ico TRUE subdivision 30 }",
            "cylinder": f"Cylinder {{ subdivision {SIZES} }}",
            "cone": f"Cone {{ subdivision {SIZES} }}",
            "capsule": f"Capsule {{ subdivision {SIZES} }}",
            "face_set": f"IndexedFaceSet {{ {POINT} coordIndex [ 0 2147483647 5 -1 ] }}",
            "line_set": f"IndexedLineSet {{ {POINT} coordIndex [ 0 2147483647 -1 ] }}",
        }.items()
    ),
    Bomb("png", textured("a.png", write_png), way="picture"),
    Bomb("jpeg", textured("a.jpg", write_jpeg), way="picture"),
    Bomb("bmp", textured("a.bmp", write_bmp), way="picture"),
    Bomb("gif", textured("a.gif", write_gif), way="picture"),
    Bomb("hdr", sky, way="picture"),
    Bomb("obj_faces", mesh("a.obj", write_obj), way="picture"),
    Bomb("obj_corners", mesh("a.obj", write_wide_obj), way="picture"),
    *(
        Bomb(f"{name.split('.')[1]}_{name.split('.')[0]}", mesh(name, write_lines(*lines)), way="picture")
        for name, lines in {
            "vertices.obj": ("", "v 0 0 0\n"),
            "places.obj": ("", "vt 0\n"),
            "normals.obj": ("", "vn 0 0 1\n"),
            "groups.obj": ("", "g {k}\n"),
            "materials.obj": ("v 0 0 0\nv 1 0 0\nv 0 1 0\n", "usemtl {k}\nf 1 2 3\n"),
            "libraries.obj": ("", "mtllib {k}.mtl\n"),
            "words.stl": ("solid\n", "0 0 0 0\n"),
            "corners.stl": ("solid\n", "vertex 0 0 0\n"),
            "elements.dae": ("<COLLADA>", "<a/>\n"),
        }.items()
    ),
    Bomb("dae_numbers", mesh("a.dae", write_many_numbers_dae), way="picture"),
    Bomb("cad_library", cad, way="picture"),
    Bomb("stl", mesh("a.stl", write_stl), way="picture"),
    Bomb("dae_instances", mesh("a.dae", write_dae), way="picture"),
    Bomb("dae_entities", mesh("a.dae", write_laughs), way="picture"),
    Bomb("dae_counts", mesh("a.dae", write_count_dae), way="picture"),
    Bomb("glb", mesh("a.glb", write_glb), way="picture"),
    *(
        Bomb(f"basic_time_step_{value}", fixed(robot("GPS { }")), f"basicTimeStep {value}")
        for value in ("1e-300", "1e300", "1e-9", "0", "-1", "nan", "inf", "2147483648")
    ),
    Bomb("physics_disable_time", fixed(robot("GPS { }")), "physicsDisableTime 1e300"),
    Bomb("threads", fixed(robot("GPS { }")), "optimalThreadCount 2147483647"),
    Bomb("large_world", large_world),
    Bomb("many_numbers", many_numbers),
    Bomb("deep_nesting", fixed("Group { children [ " * 200_000)),
    Bomb("long_string", fixed('Solid { name "' + "a" * 50_000_000 + '" }')),
    Bomb("doubling_proto", doubling_proto),
    Bomb("doubling_uses", doubling_uses),
    Bomb("template_memory", template("let a = []; while (true) a.push('x'.repeat(1e6) + a.length);")),
    Bomb("template_time", template("while (true) { }")),
    Bomb("camera", fixed(robot("Camera { width 100000 height 100000 }"))),
    Bomb("camera_max", fixed(robot("Camera { width 2147483647 height 2147483647 }"))),
    Bomb("range_finder", fixed(robot("RangeFinder { width 100000 height 100000 }"))),
    Bomb("lidar_layers", fixed(robot("Lidar { horizontalResolution 100000 numberOfLayers 100000 }"))),
    Bomb("display", fixed(robot("Display { width 100000 height 100000 }"))),
    Bomb("pen", fixed(robot("Pen { }") + shape("Box { }"))),
    Bomb("distance_rays", fixed(robot(f'DistanceSensor {{ type "sonar" numberOfRays {SIZES} }}'))),
    Bomb(
        "lookup_table",
        fixed(robot("DistanceSensor { lookupTable [ " + "0 0 0, " * 2_000_000 + " ] }")),
    ),
    Bomb("emitter_buffer", fixed(robot("Emitter { bufferSize 2147483647 byteSize 2147483647 }"))),
    Bomb("receiver_buffer", fixed(robot("Receiver { bufferSize 2147483647 byteSize 2147483647 }"))),
    Bomb(
        "track",
        fixed(
            robot(
                "Track { device [ LinearMotor { } ] geometriesCount 2147483647 animatedGeometry "
                + shape("Box { size .1 .1 .1 }")
                + " children [ TrackWheel { } TrackWheel { position 1 0 } ] physics Physics { } }"
            )
        ),
    ),
    Bomb("radar", fixed(robot("Radar { maxRange 1e300 cellDistance 1e-300 }"))),
    Bomb("robot_battery", fixed('Robot { battery [ 1e308, 1e308, 1e308 ] controller "<none>" }')),
    Bomb("fog_range", fixed("Fog { visibilityRange 1e-300 } " + robot("Camera { width 8 height 8 }"))),
    Bomb("spot_shadows", fixed("SpotLight { castShadows TRUE } " * 3000 + shape("Box { }")), way="picture"),
    Bomb("fluid", fixed("Fluid { boundingObject Box { size 1e300 1e300 1e300 } density 1e300 }")),
    Bomb(
        "names_with_escapes",
        fixed('Robot { name "\x1b]0;owned\x07\x1b[2J" controller "gone\x1b[31m" }'),
    ),
]


def limit() -> None:
    """Bound a child."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_S, PROCESSOR_S))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


PROGRAM = """
import resource, sys
from wbridge.main import main
code = main(sys.argv[1:])
# The child's own peak, from proc(5): getrusage(2) counts what the parent needed before the call of exec, too.
own = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
peak = max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
print(f"\\npeak {peak}", file=sys.stderr)
sys.exit(code)
"""


def explode(bomb: Bomb, folder: Path, steps: int = 3) -> Blast:
    """Run a bomb's world for some steps in a child."""
    world = folder / "worlds" / "bomb.wbt"
    world.parent.mkdir()
    folder_of_files = world.parent
    world.write_text(f"{HEADER}{world_text(bomb, folder_of_files)}", encoding="utf-8")
    controller = folder / "controllers" / "bomb" / "bomb.py"
    controller.parent.mkdir(parents=True)
    controller.write_text(CONTROLLER)
    ways = {
        "drive": ["run", str(world), "--steps", str(steps), "--inline"],
        "picture": ["picture", str(world), str(folder / "picture.png"), "--size", "64x64"],
    }
    return blast_of(ways[bomb.way])


def blast_of(words: list[str]) -> Blast:
    """Run a command of wbridge in a child."""
    command = [sys.executable, "-c", PROGRAM, *words]
    done = subprocess.run(command, preexec_fn=limit, capture_output=True, check=False)
    text = (done.stdout + done.stderr).decode("utf-8", "replace")
    peak = text.rpartition("\npeak ")[2].strip()
    return Blast(done.returncode, int(peak) / 1024 if peak.isdigit() else float("nan"), text)


def world_text(bomb: Bomb, folder: Path) -> str:
    """The nodes of a world, its declarations first."""
    nodes = bomb.build(folder)
    externs = "".join(f"{line}\n" for line in nodes.split("\n", 1)[:1] if line.startswith("EXTERNPROTO"))
    return f"{externs}WorldInfo {{ {bomb.info} }}\n{nodes[len(externs) :]}"


def main() -> None:
    """Print what each bomb does."""
    chosen = set(sys.argv[1:])
    for bomb in BOMBS:
        if chosen and bomb.name not in chosen:
            continue
        with tempfile.TemporaryDirectory() as folder:
            blast = explode(bomb, Path(folder))
        print_blast(bomb.name, blast)


def print_blast(name: str, blast: Blast) -> None:
    """Print what a bomb did, and its last line."""
    lines = [line for line in blast.text.splitlines() if line and not line.startswith("peak ")]
    print(f"{name:32} {blast.code:4} {blast.peak_mb:7.0f} MB  {lines[-1][:150] if lines else ''}", flush=True)


if __name__ == "__main__":
    main()
