"""Stands in for the build backend of lupa, whose own would compile LuaJIT while pip fetches its sources."""

import mesonpy  # type: ignore[import-not-found]  # the module beside this package

__all__ = ["__legacy__"]

__legacy__ = mesonpy
"""The backend of packages that name none."""
