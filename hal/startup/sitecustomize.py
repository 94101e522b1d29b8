"""What Python runs at the start of a controller that wbridge starts, before the controller's own code.

wbridge puts this folder first on PYTHONPATH. The module `math` and the operator ** get functions with the
same bits on every system; then follows the `sitecustomize` that this one hides, if there is any. It also runs
in old interpreters, which a controller may choose: there, the functions stay Python's own.
"""

import os
import sys
from _frozen_importlib import module_from_spec  # start-up: importlib.util imports ten modules more
from _frozen_importlib_external import PathFinder

try:
    from _portable_math import install  # type: ignore[import-not-found]
except ImportError:  # not compiled, or of another Python
    pass
else:
    install()

_HERE = os.path.dirname(os.path.abspath(__file__))
_hidden = PathFinder.find_spec(__name__, [place for place in sys.path if os.path.abspath(place) != _HERE])
if _hidden is not None and _hidden.loader is not None:
    sys.modules[__name__] = module_from_spec(_hidden)
    _hidden.loader.exec_module(sys.modules[__name__])
