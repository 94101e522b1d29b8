"""The import-linter contract "allowed": a package may import only the listed packages of this project.

Unlike the contract types of import-linter, it may name packages that do not exist yet, so that all design
rules can be in pyproject.toml from the start.
"""

from __future__ import annotations

from typing import cast

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class AllowedImports(Contract):
    """Every import from `source` into another package of the project must be in one of `allowed` or below.

    Packages in `apart` are no part of `source`, though they are below it.
    """

    source = fields.StringField()
    allowed = fields.ListField(subfield=fields.StringField())
    apart = fields.ListField(subfield=fields.StringField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Collect the direct imports from `source` that are not allowed."""
        # On an instance, fields have the values from pyproject.toml.
        source, allowed = str(self.source), [str(one) for one in cast("list[str]", self.allowed)]
        if source not in graph.modules:
            return ContractCheck(kept=True, metadata={"broken": []})
        apart = [str(name) for name in cast("list[str]", self.apart or [])]
        below = graph.find_descendants(source)
        inside = {source, *(name for name in below if not _is_within(name, apart))}
        broken = [
            detail
            for importer in sorted(inside)
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            if imported not in inside and not _is_within(imported, allowed)
            for detail in graph.get_import_details(importer=importer, imported=imported)
        ]
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print each wrong import with its line, and the allowed ones."""
        for one in check.metadata["broken"]:
            output.print_error(f"{one['importer']}:{one['line_number']} imports {one['imported']}")
        allowed = ", ".join(cast("list[str]", self.allowed)) or "no other package of the project"
        output.print_error(f"{self.source} may import: {allowed}")


def _is_within(module: str, packages: list[str]) -> bool:
    """Is a module one of these packages, or below one?"""
    return any(module == name or module.startswith(f"{name}.") for name in packages)
