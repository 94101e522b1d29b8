"""Make `python -m wbridge` the same as the `wbridge` command."""

import os
import sys

# `python -m` searches modules in the current folder first, where files of strangers may be.
if sys.path[0] == os.getcwd() != os.path.dirname(os.path.dirname(os.path.abspath(__file__))):
    del sys.path[0]

from wbridge.main import main

sys.exit(main())
