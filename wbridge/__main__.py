"""Make `python -m wbridge` the same as the `wbridge` command."""

import sys

from wbridge.main import main

sys.exit(main())
