"""Run all fuzzers of the scene code one after the other: `python -m fuzz --seconds 60`."""

import sys

from fuzz.fuzz_parser import ParserTarget
from fuzz.fuzz_proto import ProtoTarget
from fuzz.fuzz_templates import TemplateTarget
from fuzz.main import main

sys.exit(main([ParserTarget(), ProtoTarget(), TemplateTarget()]))
