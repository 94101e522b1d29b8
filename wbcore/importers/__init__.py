"""Importers: robot descriptions in other formats become PROTO files.

`convert` reads URDF (urdf.py, urdf_gazebo.py) or MJCF (mjcf.py, mjcf_*.py) into a robot of links and joints
(robot_model.py), makes it fit for Webots (structure.py), and writes it (proto_writer.py, world_writer.py).
"""

from wbridge.hal.archives import module_folder

# Before the modules, which are in this folder.
__path__[:] = [module_folder(__path__[0], "wbcore/importers")]

from wbridge.wbcore.importers.converting import Converted, convert  # noqa: E402
from wbridge.wbcore.importers.options import ConvertOptions  # noqa: E402
from wbridge.wbcore.importers.xacro_files import XacroError  # noqa: E402

__all__ = ["ConvertOptions", "Converted", "XacroError", "convert"]
