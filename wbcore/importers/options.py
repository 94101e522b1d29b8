"""What the user chooses about a conversion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from wbridge.wbcore.physics.pose import ZERO, Vec3


@dataclass(frozen=True, kw_only=True)
class ConvertOptions:
    """Options of `convert`."""

    output: Path | None = None
    """The PROTO, or the folder for it; None: the current folder. In a folder, the robot's name counts."""
    world: Path | None = None
    """A world to write around the robot."""
    box_collision: bool = False
    """Replace collisions by boxes around them."""
    tool_slot: str = ""
    """The link that gets the field `toolSlot`."""
    translation: Vec3 = ZERO
    rotation: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 0.0)
    positions: tuple[float, ...] = ()
    """Positions at the start of the first joints that move, in rad or m."""
    named_positions: Mapping[str, float] = field(default_factory=dict)
    """Positions at the start by the name of the joint."""
    body: str = ""
    """The body of an MJCF file that is the robot; "" chooses."""
    keyframe: str = ""
    """The keyframe of an MJCF file at which joints start; "" for none."""
    static_base: bool = False
    """Fix the root link to the environment."""
    link_to_def: bool = False
    joint_to_def: bool = False
    copy_meshes: bool = False
    """Copy meshes and textures beside the PROTO."""
    allow_missing: bool = False
    """Leave out meshes whose files are missing."""
    packages: tuple[Path, ...] = ()
    """Folders of packages, or folders that have packages in them."""
    confined: Path | None = None
    """The only folder with files that the description may use, for those of unknown people: they are searched
    for there, also by their names alone."""
    xacro_arguments: Mapping[str, str] = field(default_factory=dict)
    overwrite: bool = False
    """Replace files that were not written by a conversion."""
