"""Short ways to render for the tests of templates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from wbridge.wbcore.scene.templates import FieldPair, Rendered, TemplateError, render


def run(language: str, body: str, fields: Mapping[str, Any] | None = None, **options: Any) -> Rendered:
    """Render with plain values as fields (their default is the same value) and an empty context."""
    pairs = {
        name: value if isinstance(value, FieldPair) else FieldPair(value, value)
        for name, value in (fields or {}).items()
    }
    return render(body, language, pairs, options.pop("context", {}), **options)


@pytest.fixture
def lua() -> Callable[..., Rendered]:
    """lua(body, fields, **options): render a Lua body."""
    return lambda body, fields=None, **options: run("lua", body, fields, **options)


@pytest.fixture
def javascript() -> Callable[..., Rendered]:
    """javascript(body, fields, **options): render a JavaScript body."""
    return lambda body, fields=None, **options: run("javascript", body, fields, **options)


@pytest.fixture
def lua_value(lua: Callable[..., Rendered]) -> Callable[..., str]:
    """lua_value(expression, fields, **options): what %{= expression }% writes."""
    return lambda code, fields=None, **options: lua(f"%{{={code}}}%", fields, **options).text


@pytest.fixture
def javascript_value(javascript: Callable[..., Rendered]) -> Callable[..., str]:
    """javascript_value(expression, fields, **options): what %<= expression >% writes."""
    return lambda code, fields=None, **options: javascript(f"%<={code}>%", fields, **options).text


@pytest.fixture
def fails() -> Callable[..., TemplateError]:
    """fails(language, body, fields, **options): the error of a template that must not succeed."""

    def failing(language: str, body: str, fields: Any = None, **options: Any) -> TemplateError:
        with pytest.raises(TemplateError) as caught:
            run(language, body, fields, **options)
        return caught.value

    return failing
