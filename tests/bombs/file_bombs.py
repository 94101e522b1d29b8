"""Files of strangers other than worlds: recordings, descriptions of robots, policies, sounds, motions.

Each is small, or of a size that somebody would open, and would be large in memory or take very long.
`python -m tests.bombs.file_bombs [NAME...]` prints the peak memory of the command that reads it.
"""

from __future__ import annotations

import struct
import sys
import tempfile
import zlib
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.bombs.bombs import HEADER, Blast, blast_of, print_blast, robot

__all__ = ["FILE_BOMBS", "FileBomb"]


class FileBomb(NamedTuple):
    """A file that asks for too much."""

    name: str
    build: Callable[[Path], list[str]]
    """Writes it into a folder; returns the words of a command that reads it."""


# Recordings in pages: parts are compressed (docs/recordings.md).


def part(kind: str, text: str) -> str:
    """A part of a page, in Base64."""
    return f'<script type="text/plain" data-part="{kind}" data-size="{len(text)}">{text}</script>\n'


def zeros(size: int) -> bytes:
    """Compressed zeros."""
    packer = zlib.compressobj(9)
    block = bytes(1 << 20)
    return b"".join(packer.compress(block) for _ in range(size >> 20)) + packer.flush()


def view(parts: Callable[[], str]) -> Callable[[Path], list[str]]:
    """A page of these parts, which is shown."""

    def build(folder: Path) -> list[str]:
        page = folder / "strange.html"
        page.write_text(f"<!DOCTYPE html>\n<html><head></head>\n{parts()}</html>\n")
        return ["view", str(page), "--output", str(folder / "own.html"), "--no-open"]

    return build


def large_part(size: int, count: int = 1) -> Callable[[Path], list[str]]:
    """A page with parts that unpack to so many bytes each."""

    def parts() -> str:
        text = b64encode(zeros(size)).decode()
        return "".join(part(kind, text) for kind in ("head", *["frames"] * count))

    return view(parts)


# Recordings of robots (the format of MCAP files: https://mcap.dev/spec).


def record(code: int, data: bytes) -> bytes:
    """A record of an MCAP file."""
    return struct.pack("<BQ", code, len(data)) + data


def text_of(text: str) -> bytes:
    """A string of an MCAP file."""
    return struct.pack("<I", len(text)) + text.encode()


def chunk(records: bytes, size: int, compression: str, data: bytes) -> bytes:
    """A chunk that says it has so many bytes uncompressed."""
    head = struct.pack("<QQQI", 0, 0, size, 0) + text_of(compression)
    return record(6, head + struct.pack("<Q", len(data)) + data + records)


def mcap(data: bytes) -> Callable[[Path], list[str]]:
    """A recording of these records."""

    def build(folder: Path) -> list[str]:
        file = folder / "strange.mcap"
        magic = b"\x89MCAP0\r\n"
        file.write_bytes(magic + record(1, text_of("") + text_of("")) + data + record(15, bytes(20)) + magic)
        return ["compare", str(file)]

    return build


def packed_chunk(compression: str, size: int, says: int | None = None) -> Callable[[Path], list[str]]:
    """A recording with one chunk of zeros, which are no records."""

    def build(folder: Path) -> list[str]:
        if compression == "zstd":
            import zstandard  # only where bombs are made

            packer = zstandard.ZstdCompressor(1).compressobj()
        else:
            import lz4.frame  # only where bombs are made

            packer = lz4.frame.LZ4FrameCompressor()
        pieces = [packer.begin()] if compression == "lz4" else []
        pieces += [packer.compress(bytes(1 << 20)) for _ in range(size >> 20)]
        pieces.append(packer.flush())
        data = b"".join(pieces)
        return mcap(chunk(b"", size if says is None else says, compression, data))(folder)

    return build


# Descriptions of robots.


def described(name: str, text: Callable[[], str]) -> Callable[[Path], list[str]]:
    """A description that is converted."""

    def build(folder: Path) -> list[str]:
        (folder / name).write_text(text())
        return ["convert", str(folder / name), "-o", str(folder / "out.proto")]

    return build


def many_links(count: int = 100_000) -> str:
    """Links without end."""
    return '<robot name="r">' + "".join(f'<link name="l{k}"/>' for k in range(count)) + "</robot>"


def deep_links(count: int = 1_900) -> str:
    """A chain of links."""
    links = "".join(f'<link name="l{k}"/>' for k in range(count))
    joints = "".join(
        f'<joint name="j{k}" type="fixed"><parent link="l{k}"/><child link="l{k + 1}"/></joint>'
        for k in range(count - 1)
    )
    return f'<robot name="r">{links}{joints}</robot>'


def laughs(root: str) -> str:
    """Entities in entities (CWE-776)."""
    entities = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 12))
    return f'<!DOCTYPE x [<!ENTITY l0 "lol">{entities}]><{root}>&l11;</{root}>'


def macro(body: str) -> str:
    """A xacro file."""
    return f'<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">{body}<link name="l"/></robot>'


DOUBLING = '<xacro:macro name="m0" params=""><link/></xacro:macro>' + "".join(
    f'<xacro:macro name="m{k + 1}" params="">{f"<xacro:m{k}/>" * 2}</xacro:macro>' for k in range(29)
)
"""Macros that call the former one twice: 2^29 links."""


def mujoco(body: str) -> str:
    """An MJCF file."""
    return f"<mujoco>{body}</mujoco>"


def mesh_of(name: str, data: Callable[[], bytes]) -> Callable[[Path], list[str]]:
    """A description with a mesh."""

    def build(folder: Path) -> list[str]:
        (folder / name).write_bytes(data())
        geometry = f'<geometry><mesh filename="{name}"/></geometry>'
        text = f'<robot name="r"><link name="l"><visual>{geometry}</visual><collision>{geometry}</collision>'
        (folder / "r.urdf").write_text(text + "</link></robot>")
        return ["convert", str(folder / "r.urdf"), "-o", str(folder / "out.proto"), "--copy-meshes"]

    return build


# Policies (onnx.proto: a message of fields with lengths).


def varint(number: int) -> bytes:
    """A number of Protocol Buffers."""
    head = b""
    while number > 127:
        head, number = head + bytes([number & 127 | 128]), number >> 7
    return head + bytes([number])


def field(number: int, data: bytes, says: int | None = None) -> bytes:
    """A field with a length, which need not be that of its data."""
    return varint(number << 3 | 2) + varint(len(data) if says is None else says) + data


def policy(data: bytes) -> Callable[[Path], list[str]]:
    """A policy that is described."""

    def build(folder: Path) -> list[str]:
        (folder / "strange.onnx").write_bytes(data)
        return ["policy", str(folder / "strange.onnx")]

    return build


HUGE_TENSOR = field(8, varint(1 << 3) + varint(1 << 40) + varint(1 << 3) + varint(1 << 40) + field(8, b"w"))


# Files of controllers.


def driven(devices: str, statements: str, write: Callable[[Path], object]) -> Callable[[Path], list[str]]:
    """A world whose controller reads a file beside it."""

    def build(folder: Path) -> list[str]:
        world, controller = folder / "worlds" / "a.wbt", folder / "controllers" / "bomb" / "bomb.py"
        for file in (world, controller):
            file.parent.mkdir(parents=True)
        world.write_text(f"{HEADER}WorldInfo {{ }}\n{robot(devices)}")
        controller.write_text(
            "from controller import *\nrobot = Supervisor()\n" + statements + "\nrobot.step(32)\n"
        )
        write(controller.parent)
        return ["run", str(world), "--steps", "3", "--inline"]

    return build


def write_wav(folder: Path) -> None:
    """A sound that says it has 4 GB (RIFF, Multimedia Programming Interface 1.0)."""
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 65_535, 2**32 - 1, 2**32 - 1, 65_535, 32)
    (folder / "a.wav").write_bytes(
        b"RIFF" + struct.pack("<I", 2**32 - 1) + b"WAVE" + form + struct.pack("<4sI", b"data", 2**32 - 1)
    )


def write_sparse(name: str, size: int = 2**33) -> Callable[[Path], None]:
    """A file of 8 GB that takes no space."""

    def write(folder: Path) -> None:
        with (folder / name).open("wb") as file:
            file.truncate(size)

    return write


def write_motion(folder: Path) -> None:
    """A motion of a million poses."""
    head = "#WEBOTS_MOTION,V1.0,motor\n"
    (folder / "a.motion").write_text(head + "".join(f"99:99:{k:03},p,0\n" for k in range(1_000_000)))


def write_line(start: str, line: str, size: int = 2**24) -> Callable[[Path], object]:
    """A motion of the same lines, as large as one may be."""
    return lambda folder: (folder / "a.motion").write_text(start + line * ((size - len(start)) // len(line)))


PLAY = 's = robot.getDevice("speaker")\nSpeaker.playSound(s, s, "a.wav", 1.0, 1.0, 0.0, False)'
MOTOR = 'HingeJoint { device RotationalMotor { name "motor" } endPoint Solid { } }'
FILE_BOMBS = [
    FileBomb("recording_part_of_1_gb", large_part(1 << 30)),
    FileBomb("recording_200_parts_of_200_mb", large_part(200 << 20, 200)),
    FileBomb("recording_a_million_parts", view(lambda: part("lines", "eJwDAAAAAAE=") * 1_000_000)),
    FileBomb("recording_one_line", view(lambda: "x" * (200 << 20))),
    FileBomb("log_zstd_2_gb", packed_chunk("zstd", 1 << 31)),
    FileBomb("log_zstd_says_2_60", packed_chunk("zstd", 1 << 20, 1 << 60)),
    FileBomb("log_lz4_2_gb", packed_chunk("lz4", 1 << 31)),
    FileBomb("log_record_says_2_62", mcap(struct.pack("<BQ", 5, 1 << 62))),
    FileBomb("urdf_links", described("r.urdf", many_links)),
    FileBomb("urdf_chain", described("r.urdf", deep_links)),
    FileBomb("urdf_entities", described("r.urdf", lambda: laughs("robot"))),
    FileBomb("urdf_depth", described("r.urdf", lambda: "<robot>" * 1_000_000)),
    FileBomb("xacro_macros", described("r.xacro", lambda: macro(DOUBLING + "<xacro:m29/>"))),
    FileBomb("xacro_itself", described("r.xacro", lambda: macro('<xacro:include filename="r.xacro"/>'))),
    FileBomb(
        "xacro_expression",
        described("r.xacro", lambda: macro('<xacro:property name="a" value="${\'x\' * 10 ** 10}"/>${a}')),
    ),
    FileBomb("mjcf_itself", described("r.xml", lambda: mujoco('<include file="r.xml"/>'))),
    FileBomb(
        "mjcf_replicate",
        described(
            "r.xml",
            lambda: mujoco(
                '<worldbody><replicate count="1000000000"><body><geom size="1"/></body></replicate>'
                "</worldbody>"
            ),
        ),
    ),
    FileBomb("urdf_obj", mesh_of("a.obj", lambda: b"v 0 0 0\nv 1 0 0\nv 0 1 0\n" + b"f 1 2 3\n" * 8_000_000)),
    FileBomb("urdf_stl", mesh_of("a.stl", lambda: bytes(80) + struct.pack("<I", 2**32 - 1) + bytes(50))),
    FileBomb("policy_length", policy(field(7, b"x", 1 << 60))),
    FileBomb("policy_tensor", policy(field(7, field(5, HUGE_TENSOR)))),
    FileBomb("policy_depth", policy(b"\x3a\xff\xff\xff\x07" * 1_000_000)),
    FileBomb(
        "wav_header",
        driven(
            "Speaker { }",
            PLAY,
            write_wav,
        ),
    ),
    FileBomb("wav_8_gb", driven("Speaker { }", PLAY, write_sparse("a.wav"))),
    FileBomb("motion_poses", driven(MOTOR, 'Motion("a.motion").play()', write_motion)),
    FileBomb(
        "motion_motors",
        driven(MOTOR, 'Motion("a.motion").play()', write_line("#WEBOTS_MOTION,V1.0", ",m")),
    ),
    FileBomb(
        "motion_problems",
        driven(MOTOR, 'Motion("a.motion").play()', write_line("#WEBOTS_MOTION,V1.0,motor\n", "x\n")),
    ),
    FileBomb("motion_8_gb", driven(MOTOR, 'Motion("a.motion").play()', write_sparse("a.motion"))),
    FileBomb(
        "font_8_gb",
        driven("Display { }", 'robot.getDevice("display").setFont("a.ttf", 8, True)', write_sparse("a.ttf")),
    ),
    FileBomb(
        "image_8_gb",
        driven("Display { }", 'print(robot.getDevice("display").imageLoad("a.png"))', write_sparse("a.png")),
    ),
]


def explode(bomb: FileBomb, folder: Path) -> Blast:
    """Read a bomb in a child."""
    return blast_of(bomb.build(folder))


def main() -> None:
    """Print what each bomb does."""
    chosen = set(sys.argv[1:])
    for bomb in FILE_BOMBS:
        if not chosen or bomb.name in chosen:
            with tempfile.TemporaryDirectory() as folder:
                print_blast(bomb.name, explode(bomb, Path(folder)))


if __name__ == "__main__":
    main()
