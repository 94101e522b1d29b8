"""Templates in this process, for web pages: there are no others, and nothing here can leave the page.

The engines and their limits of steps, memory and text are those of the workers (see worker.py); only the
limit of time is missing: the page ends a run that does not answer.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from wbridge.wbcore.scene.templates.model import TemplateError
from wbridge.wbcore.scene.templates.worker import answer

_FOLDER = Path(__file__).with_name("engines")
_engines: dict[str, Any] = {}


def call_inside(language: str, request: bytes) -> bytes:
    """Return the answer of a language's engine.

    Raises:
        TemplateError: the engine is not there.
    """
    engine = _engines.get(language)
    if engine is None:
        engine = _engines[language] = _load(language)
    engine.prepare()
    return answer(engine, json.loads(request))


def _load(language: str) -> Any:
    from wbridge.wbcore.scene.templates.process import ENGINES  # circle: it calls this module

    module, _, _, name = ENGINES[language]
    if str(_FOLDER) not in sys.path:
        sys.path.append(str(_FOLDER))
    try:
        return import_module(module).Engine()
    except ImportError as problem:
        raise TemplateError(f"{name} templates cannot run here: {problem}") from None
