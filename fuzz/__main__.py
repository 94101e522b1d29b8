"""Run all fuzzers in sequence: `python -m fuzz --seconds 60`."""

import sys

from fuzz.fuzz_link import LinkTarget
from fuzz.fuzz_mesh import MeshTarget
from fuzz.fuzz_parser import ParserTarget
from fuzz.fuzz_proto import ProtoTarget
from fuzz.fuzz_robot import RobotTarget
from fuzz.fuzz_templates import TemplateTarget
from fuzz.main import main

sys.exit(main([LinkTarget(), MeshTarget(), ParserTarget(), ProtoTarget(), RobotTarget(), TemplateTarget()]))
